package load

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBlankBodies(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"plain", "func f() { g() }\n", "func f() {     }\n"},
		{"lines stay", "func f() {\n\tg()\n}\n", "func f() {\n    \n}\n"},
		{"result is a struct", "func f() struct{ a int } { g() }\n", "func f() struct{ a int } {     }\n"},
		{"result is an interface", "func f(x interface{}) (y interface { M() }) { g() }\n", "func f(x interface{}) (y interface { M() }) {     }\n"},
		{"map of structs", "func f() map[string]struct{} { g() }\n", "func f() map[string]struct{} {     }\n"},
		{"method", "func (t *T[K]) f() { g() }\n", "func (t *T[K]) f() {     }\n"},
		{"type parameters", "func f[T interface{ ~int }](x T) { g() }\n", "func f[T interface{ ~int }](x T) {     }\n"},
		{"braces in strings", "func f() { g(\"}\", '}', `}`) } // }\nvar x = T{1}\n", "func f() {                  } // }\nvar x = T{1}\n"},
		{"braces in comments", "func f() { /* } */ g() // }\n}\n", "func f() {                 \n}\n"},
		{"no body", "func f() int\nvar x = [...]int{1, 2}\n", "func f() int\nvar x = [...]int{1, 2}\n"},
		{"no body, comment", "func f() int // {\nvar x = [...]int{1, 2}\n", "func f() int // {\nvar x = [...]int{1, 2}\n"},
		{"function type", "type F func() int\n\ntype S struct{ a int }\n", "type F func() int\n\ntype S struct{ a int }\n"},
		{"escaped quote", "func f() { g(\"\\\"}\") }\n", "func f() {          }\n"},
		{"word that starts with func", "var (\nfunctions = T{1}\n)\n", "var (\nfunctions = T{1}\n)\n"},
		{"in a string", "var s = `\nfunc f() { g() }\n`\n", "var s = `\nfunc f() { g() }\n`\n"},
		{"comment in the signature", "func f(a int, // {\n\tb int) { g() }\n", "func f(a int, // {\n\tb int) {     }\n"},
		{"cut short", "func f() {", "func f() {"},
		{"cut shorter", "func f(", "func f("},
		{"only func", "func", "func"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := []byte(tt.src)
			blankBodies(src)
			if string(src) != tt.want {
				t.Errorf("got %q, want %q", src, tt.want)
			}
		})
	}
}

// TestBlankBodiesStandardLibrary holds that what is left of a file has the
// declarations of the whole at the same places, for all of a part of the
// standard library that uses all of the language.
func TestBlankBodiesStandardLibrary(t *testing.T) {
	for _, dir := range []string{"runtime", "net/http", "go/types", "slices", "crypto/internal/fips140/nistec", "unicode", "math", "reflect"} {
		files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s: %v", dir, err)
		}
		for _, name := range files {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := outline(t, name, src)
			blankBodies(src)
			if got := outline(t, name, src); got != want {
				t.Errorf("%s: declarations changed", name)
			}
		}
	}
}

// outline lists all nodes of a file outside of function bodies.
func outline(t *testing.T, name string, src []byte) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var out strings.Builder
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			return false
		case *ast.BlockStmt:
			return false
		case *ast.FuncDecl:
			if n.Body != nil {
				out.WriteString(fset.Position(n.Body.Lbrace).String() + fset.Position(n.Body.Rbrace).String())
			}
		}
		out.WriteString(fset.Position(n.Pos()).String() + " " + fset.Position(n.End()).String() + "\n")
		return true
	})
	return out.String()
}

func FuzzBlankBodies(f *testing.F) {
	f.Add("func f() { g() }\n")
	f.Add("func f() map[string]struct{} { `}` }\n/*")
	f.Fuzz(func(t *testing.T, src string) {
		blanked := []byte(src)
		blankBodies(blanked)
		if len(blanked) != len(src) || strings.Count(string(blanked), "\n") != strings.Count(src, "\n") {
			t.Errorf("lines moved in %q", src)
		}
	})
}
