package check_test

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/load"
)

// The packages import each other in a chain, far → mid → near.
const chain = `
-- go.mod --
module example.com/m

go 1.24
-- near/near.go --
package near

type T struct{ Field int }

func (T) Method() {}

func Func() {}

func hidden() {}

var Var int

const Const = 1
-- mid/mid.go --
package mid

import "example.com/m/near"

type U = near.T

func Get() near.T { return near.T{} }
-- far/far.go --
package far

import "example.com/m/mid"

var X = mid.Get()
`

func loadChain(t *testing.T, patterns ...string) *load.Program {
	t.Helper()
	return loadArchive(t, chain, patterns...)
}

func loadArchive(t *testing.T, archive string, patterns ...string) *load.Program {
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
	prog, err := load.Load(context.Background(), load.Config{Dir: dir, Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// mark is a fact about anything.
type mark struct{ Name string }

func (*mark) AFact() {}

// marker marks every object and package, and reports which marks of other
// packages it sees.
func marker(seen map[string][]string) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:      "marker",
		Doc:       "marks objects",
		FactTypes: []analysis.Fact{(*mark)(nil)},
		Run: func(pass *analysis.Pass) (any, error) {
			for _, obj := range pass.TypesInfo.Defs {
				if obj != nil && obj.Pkg() == pass.Pkg {
					pass.ExportObjectFact(obj, &mark{obj.Name()})
				}
			}
			pass.ExportPackageFact(&mark{pass.Pkg.Name()})
			var names []string
			for _, f := range pass.AllObjectFacts() {
				if f.Object.Pkg() == pass.Pkg {
					continue
				}
				m := new(mark)
				if !pass.ImportObjectFact(f.Object, m) || m.Name != f.Fact.(*mark).Name {
					return nil, fmt.Errorf("fact about %s: listed, but not to be had", f.Object)
				}
				names = append(names, f.Object.Name())
			}
			for _, f := range pass.AllPackageFacts() {
				m := new(mark)
				if !pass.ImportPackageFact(f.Package, m) || m.Name != f.Package.Name() {
					return nil, fmt.Errorf("fact about %s: listed, but not to be had", f.Package)
				}
				if f.Package != pass.Pkg {
					names = append(names, "package "+m.Name)
				}
			}
			slices.Sort(names)
			seen[pass.Pkg.Name()] = names
			if len(pass.Files) > 0 {
				pass.Reportf(pass.Files[0].Name.Pos(), "package %s", pass.Pkg.Name())
			}
			return nil, nil
		},
	}
}

func TestFacts(t *testing.T) {
	prog := loadChain(t, "./far")
	seen := make(map[string][]string)
	results, err := check.Run(context.Background(), []*analysis.Analyzer{marker(seen)}, prog.Roots, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"near": nil,
		"mid":  {"Const", "Field", "Func", "Method", "T", "Var", "package near"},
		"far":  {"Field", "Get", "Method", "T", "U", "package mid"},
	}
	for name, marks := range want {
		if got, ok := seen[name]; !ok || !slices.Equal(got, marks) {
			t.Errorf("%s sees %v, want %v", name, got, marks)
		}
	}
	if len(results) != 1 || len(results[0].Diagnostics) != 1 || results[0].Package != prog.Roots[0] {
		t.Errorf("findings outside of the roots: %v", results)
	}
	if prog.Roots[0].Syntax != nil {
		t.Error("syntax was not given up")
	}
}

// A main package imports near, and nobody imports beside.
const program = chain + `
-- beside/beside.go --
package beside

func Beside() {}
-- cmd/main.go --
package main

import _ "example.com/m/near"

func main() {}
`

// TestWhole holds that what no main package imports is seen from one place, as
// its main package would see it.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		name     string
		patterns []string
		want     []string // what is seen last, nil when mains see all
	}{
		{"a library", []string{"./mid", "./far"}, []string{"Field", "Get", "Method", "T", "U", "X", "package far", "package mid"}},
		{"beside a program", []string{"./near", "./cmd", "./beside"}, []string{"Beside", "package beside"}},
		{"a program", []string{"./near", "./cmd"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			prog := loadArchive(t, program, c.patterns...)
			seen := make(map[string][]string)
			m := marker(seen)
			mark := m.Run
			m.Run = func(pass *analysis.Pass) (any, error) {
				if pass.Pkg.Name() == "main" && pass.Pkg.Scope().Lookup("main") == nil {
					defer func() { seen["whole"] = seen["main"] }()
				}
				return mark(pass)
			}
			_, err := check.Run(context.Background(), []*analysis.Analyzer{m}, prog.Roots, check.Options{Whole: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := seen["whole"]; !slices.Equal(got, c.want) {
				t.Errorf("sees %v, want %v", got, c.want)
			}
		})
	}
}

func TestInteresting(t *testing.T) {
	prog := loadChain(t, "./far")
	seen := make(map[string][]string)
	_, err := check.Run(context.Background(), []*analysis.Analyzer{marker(seen)}, prog.Roots, check.Options{
		Interesting: func(p *packages.Package) bool { return p.Name == "near" },
		KeepSyntax:  true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := seen["mid"]; ok || len(seen) != 2 {
		t.Errorf("looked at %v", seen)
	}
	if prog.Roots[0].Syntax == nil {
		t.Error("syntax was given up")
	}
}

// TestPanic holds that a panic of a helper in a package below the roots is
// reported once, and that all else is done.
func TestPanic(t *testing.T) {
	helper := marker(map[string][]string{})
	mark := helper.Run
	helper.Run = func(pass *analysis.Pass) (any, error) {
		if pass.Pkg.Name() == "near" {
			var obj types.Object
			_ = obj.Name()
		}
		return mark(pass)
	}
	rule := func(name string) *analysis.Analyzer {
		return &analysis.Analyzer{Name: name, Doc: name, Requires: []*analysis.Analyzer{helper},
			Run: func(pass *analysis.Pass) (any, error) {
				pass.Reportf(pass.Files[0].Pos(), "here")
				return nil, nil
			}}
	}
	for _, patterns := range [][]string{{"./far"}, {"./..."}} {
		prog := loadChain(t, patterns...)
		results, err := check.Run(context.Background(), []*analysis.Analyzer{rule("a"), rule("b")}, prog.Roots, check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range results {
			var p *check.PanicError
			switch {
			case errors.As(r.Err, &p):
				got = append(got, r.Package.Name+" "+r.Analyzer.Name+" panic "+p.Analyzer)
				if !strings.Contains(string(p.Stack), "TestPanic") {
					t.Errorf("the stack is not that of the panic: %s", p.Stack)
				}
			case r.Err != nil:
				got = append(got, r.Package.Name+" "+r.Err.Error())
			default:
				got = append(got, r.Package.Name+" "+r.Analyzer.Name)
			}
		}
		want := []string{"near marker panic marker", "far a", "far b"}
		if patterns[0] == "./..." {
			want = []string{"near marker panic marker", "mid a", "mid b", "far a", "far b"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: got %q, want %q", patterns, got, want)
		}
	}
}

func TestCancelled(t *testing.T) {
	prog := loadChain(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := check.Run(ctx, []*analysis.Analyzer{marker(map[string][]string{})}, prog.Roots, check.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
