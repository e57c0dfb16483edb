package load

import (
	"context"
	"errors"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"
)

// write puts the files of a txtar archive into a new directory.
func write(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const module = `
-- go.mod --
module example.com/m

go 1.24

require example.com/dep v1.0.0
-- a/a.go --
// Package a has a comment.
package a

import (
	"example.com/dep"
	"example.com/m/b"
)

func F() string { return dep.G(b.X) }
-- b/b.go --
package b

var X = 1
-- b/b_test.go --
package b

var Y = X
-- b/x_test.go --
package b_test

import (
	"example.com/m/a"
	"example.com/m/b"
)

var Z = b.Y + len(a.F())
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go 1.20
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep

func G(x int) string { return undefined }
`

func ids(pkgs []*packages.Package) []string {
	var ids []string
	for _, p := range pkgs {
		ids = append(ids, p.ID)
	}
	slices.Sort(ids)
	return ids
}

func TestLoad(t *testing.T) {
	dir := write(t, module)
	prog, err := Load(context.Background(), Config{Dir: dir, Patterns: []string{"./a"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(prog.Failures) > 0 {
		t.Errorf("failures: %v", prog.Failures)
	}
	if got := ids(prog.Roots); !slices.Equal(got, []string{"example.com/m/a"}) {
		t.Fatalf("roots are %v", got)
	}
	a := prog.Roots[0]
	b, dep := a.Imports["example.com/m/b"], a.Imports["example.com/dep"]
	if b == nil || dep == nil {
		t.Fatalf("imports are %v", a.Imports)
	}
	if !User(a) || !User(b) || User(dep) {
		t.Errorf("the user's: a %t, b %t, dep %t", User(a), User(b), User(dep))
	}
	if a.Syntax == nil || b.Syntax == nil || b.TypesInfo == nil {
		t.Error("the user's packages are not loaded in full")
	}
	if a.Syntax[0].Doc == nil {
		t.Error("comments of the user's packages are missing")
	}
	if dep.Syntax != nil || dep.TypesInfo != nil {
		t.Error("a dependency is loaded in full")
	}
	if dep.Types.Scope().Lookup("G") == nil {
		t.Error("a dependency has no types")
	}
	if a.Types.Imports()[0] != dep.Types && a.Types.Imports()[1] != dep.Types {
		t.Error("two universes of types")
	}
	decl := a.Syntax[0].Decls[1].(*ast.FuncDecl)
	if got := prog.Fset.Position(decl.Pos()); got.Filename != filepath.Join(dir, "a", "a.go") || got.Line != 9 {
		t.Errorf("F is at %v", got)
	}
}

func TestLoadBodies(t *testing.T) {
	prog, err := Load(context.Background(), Config{
		Dir:      write(t, module),
		Patterns: []string{"./a"},
		Bodies:   func(p *packages.Package) bool { return p.PkgPath == "example.com/dep" },
	})
	if err != nil {
		t.Fatal(err)
	}
	dep := prog.Roots[0].Imports["example.com/dep"]
	if dep.TypesInfo == nil || !dep.IllTyped {
		t.Errorf("dep was not checked with its bodies: %+v", dep)
	}
	if len(prog.Failures) > 0 {
		t.Errorf("failures: %v", prog.Failures)
	}
}

func TestLoadTests(t *testing.T) {
	prog, err := Load(context.Background(), Config{Dir: write(t, module), Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"example.com/m/a", "example.com/m/b [example.com/m/b.test]", "example.com/m/b_test [example.com/m/b.test]"}
	if got := ids(prog.Roots); !slices.Equal(got, want) {
		t.Fatalf("roots are %v, want %v", got, want)
	}
	for _, p := range prog.Roots {
		if p.IllTyped {
			t.Errorf("%s: %v", p, p.Errors)
		}
		if p.Name != "b_test" {
			continue
		}
		// Both of its imports see b together with b's tests.
		tested := p.Imports["example.com/m/b"]
		if a := p.Imports["example.com/m/a"]; a.Imports["example.com/m/b"] != tested || tested.ForTest != "example.com/m/b" {
			t.Errorf("b_test sees %s and, through %s, %s", tested, a, a.Imports["example.com/m/b"])
		}
	}
}

func TestLoadCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Load(ctx, Config{Dir: write(t, module)}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestUser(t *testing.T) {
	tests := []struct {
		name string
		pkg  packages.Package
		want bool
	}{
		{"main module", packages.Package{Module: &packages.Module{Main: true}, Dir: "/src/m"}, true},
		{"replaced by a directory", packages.Package{Module: &packages.Module{Version: "v1.0.0", Replace: &packages.Module{Path: "../r"}}, Dir: "/src/r"}, true},
		{"replaced by a module", packages.Package{Module: &packages.Module{Replace: &packages.Module{Path: "example.com/r", Version: "v1.0.0"}}, Dir: "/mod/r"}, false},
		{"module cache", packages.Package{Module: &packages.Module{Version: "v1.0.0"}, Dir: "/mod/m"}, false},
		{"vendored", packages.Package{Module: &packages.Module{Version: "v1.0.0", Replace: &packages.Module{Path: "./r"}}, Dir: "/src/m/vendor/r"}, false},
		{"standard library", packages.Package{PkgPath: "net/http", Dir: "/go/src/net/http"}, false},
		{"standard library's vendored", packages.Package{PkgPath: "vendor/golang.org/x/net/http2", Dir: "/go/src/vendor/golang.org/x/net/http2"}, false},
		{"files", packages.Package{PkgPath: "command-line-arguments", Dir: "/tmp"}, true},
		{"missing", packages.Package{PkgPath: "example.com/missing"}, false},
	}
	for _, tt := range tests {
		if got := User(&tt.pkg); got != tt.want {
			t.Errorf("%s: got %t, want %t", tt.name, got, tt.want)
		}
	}
}

func TestGoEnvCheck(t *testing.T) {
	env := &goEnv{GOVERSION: "go1.999.1", GOMOD: "/src/go.mod"}
	if err := env.check("/src", []string{"./..."}); err == nil || !strings.Contains(err.Error(), "newer go1.999.1") {
		t.Errorf("got %v", err)
	}
}

// BenchmarkLoad loads the program's own module, nearly all of which is
// dependencies.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load(context.Background(), Config{Dir: "../.."}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestHasInvalid holds that code which is right has nothing invalid.
func TestHasInvalid(t *testing.T) {
	prog, err := Load(context.Background(), Config{Patterns: []string{"fmt", "net/http", "unsafe", "go/types"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range prog.Roots {
		if p.TypesInfo != nil && hasInvalid(p.TypesInfo) {
			t.Errorf("%s has an expression without a type", p)
		}
	}
}
