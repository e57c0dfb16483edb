package load

import (
	"strings"
	"testing"
)

func TestCompareShapes(t *testing.T) {
	const text = `package p

import "fmt"

type T struct{ F int }

var v = make()

func make() int { return 1 }

func helper(n int) { fmt.Println(n) }

func F(n int) error { return nil }

func (t T) M() {}
`
	for _, c := range []struct {
		name     string
		old, now string
		want     likeness
	}{
		{"nothing", "", "", alike},
		{"a body", "return nil", "n++; return nil", alike},
		{"layout and comments", "func F(n int) error", "\n\n// F is.\nfunc F(\n\tn int,\n) error", different}, // one comma more
		{"lines and comments", "func F", "\n\n// F is.\nfunc  F", alike},
		{"a function that nobody sees", "func helper(n int)", "func helper(n string)", alike},
		{"it goes", "func helper(n int) { fmt.Println(n) }", "var _ = fmt.Sprint", different},
		{"one more that nobody sees", "func F", "func more() {}\n\nfunc F", alike},
		{"one more", "func F", "func G() {}\n\nfunc F", wider},
		{"one more behind", "func (t T) M() {}", "func (t T) M() {}\n\nfunc G() {}", wider},
		{"a function that has another type", "func F(n int)", "func F(n int64)", different},
		{"one that goes", "func F(n int) error { return nil }", "", different},
		{"another name", "func F", "func G", different},
		{"the function of a variable", "func make() int { return 1 }", `func make() string { return "" }`, different},
		{"a method", "func (t T) M() {}", "func (t T) M() {}\n\nfunc (t T) m() {}", different},
		{"a field", "F int }", "F, G int }", different},
		{"an import", `"fmt"`, `f "fmt"`, different},
		{"another import", `"fmt"`, `"log"`, different},
		{"a build constraint", "package p", "//go:build linux\n\npackage p", different},
	} {
		now := text
		if c.old != "" {
			if now = strings.Replace(text, c.old, c.now, 1); now == text {
				t.Fatalf("%s: there is no %q", c.name, c.old)
			}
		}
		got := compareShapes([]fileShape{shapeOf([]byte(text))}, []fileShape{shapeOf([]byte(now))})
		if got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
	if !shapeOf([]byte("package p\n\nfunc (")).broken || shapeOf([]byte(text)).broken {
		t.Error("it is not told what parses")
	}
}
