package proof

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMissing(t *testing.T) {
	const src = `package shop
type Till struct{}
type Log[T any] struct{}
func (t *Till) Sell() {
	f() // want "row lock"
}
//proof:fixes (*Till).Sell
func (t *Till) SellLocked() {}
func (Log[T]) Keep() { func() {
	f() // want "row lock"
}() }
func f() {}
`
	c := claims{fixes: map[string][]string{}}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "shop.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.readFile(fset, file); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		done map[string]claim
		want []string // pieces of the problems, in order
	}{
		{nil, []string{
			"shop.Log.Keep is flagged and no function fixes it", "shop.Log.Keep is flagged and no proof",
			"shop.(*Till).Sell is flagged and no proof", "shop.(*Till).SellLocked fixes"}},
		{map[string]claim{"shop.(*Till).Sell": harmful, "shop.(*Till).SellLocked": harmless, "shop.Log.Keep": harmful},
			[]string{"shop.Log.Keep is flagged and no function fixes it"}},
		{map[string]claim{"shop.(*Till).Sell": harmless, "shop.(*Till).SellLocked": harmful, "shop.Log.Keep": harmful},
			[]string{"Keep is flagged and no function", "Sell is flagged and no proof", "SellLocked fixes"}},
	} {
		got := missing(c, test.done)
		if len(got) != len(test.want) {
			t.Errorf("%d problems, want %d: %q", len(got), len(test.want), got)
			continue
		}
		for _, want := range test.want {
			if !slices.ContainsFunc(got, func(p string) bool { return strings.Contains(p, want) }) {
				t.Errorf("no problem says %q: %q", want, got)
			}
		}
	}
}

// TestEveryRuleIsProven demands of each folder that makes claims a TestMain
// that compares them with the proofs.
func TestEveryRuleIsProven(t *testing.T) {
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	rules := 0
	for _, e := range entries {
		if !e.IsDir() || e.Name() == "internal" || e.Name() == "timelines" {
			continue
		}
		dir := filepath.Join("../..", e.Name())
		c, err := readClaims(dir)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(c.flagged) == 0 {
			continue
		}
		rules++
		tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		proven := slices.ContainsFunc(tests, func(path string) bool {
			src, err := os.ReadFile(path)
			return err == nil && strings.Contains(string(src), "func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }")
		})
		if !proven {
			t.Errorf("%s: no test has func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }", dir)
		}
	}
	if rules == 0 {
		t.Error("no rule makes a claim: is this the right directory?")
	}
	checkTimelines(t)
}

// checkTimelines finds timelines whose function is gone.
func checkTimelines(t *testing.T) {
	files, err := filepath.Glob("../../timelines/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		dir := filepath.Join("../..", filepath.Base(filepath.Dir(path)))
		if !declared(t, dir)[strings.TrimSuffix(filepath.Base(path), ".md")] {
			t.Errorf("%s: no such function in %s: remove the file", path, dir)
		}
	}
}

// declared lists the functions below dir as timelines are named after them.
func declared(t *testing.T, dir string) map[string]bool {
	names := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				names[fileName(name(file, fn))] = true
			}
		}
	}
	return names
}
