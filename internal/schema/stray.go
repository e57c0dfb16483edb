package schema

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// Stray returns a table that something around a directory creates that is no set
// of scripts: texts in Go code, of migrations that are written in Go or of a
// program that makes its tables when it starts, and scripts that no tool's form
// tells the order of. It is that of the innermost module that creates the table,
// else of the whole project. In which order all of it runs, and whether it does, is
// not known, so what is dropped or renamed is left alone, and a table that is
// created twice has keys that are not known. No says nothing.
func Stray(dir, table string) (*Table, Answer) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, Unknown
	}
	root := rootOf(dir)
	for d := dir; len(d) > len(root); d = filepath.Dir(d) {
		if !exists(filepath.Join(d, "go.mod")) {
			continue
		}
		if t, answer := strayOf(d).Table(table); answer == Yes {
			return t, answer
		}
	}
	return strayOf(root).Table(table)
}

// strayOf returns what is created below a directory.
func strayOf(root string) *Schema {
	s, _ := strays.LoadOrStore(root, sync.OnceValue(func() *Schema { return openStray(root) }))
	return s.(func() *Schema)()
}

var strays sync.Map // directory to func() *Schema

// openStray reads the Go files and the scripts below a directory.
func openStray(root string) *Schema {
	l := &loaded{model: newModel()}
	total := 0
	for _, path := range sources(root) {
		text, _ := readFile(path) // what cannot be read makes no table that is known
		if !definesTables().MatchString(text) {
			continue
		}
		if total += len(text); total > maxTotal {
			break
		}
		if !strings.HasSuffix(path, ".go") {
			l.text(text)
			continue
		}
		for _, t := range textsIn(path, text) {
			l.text(t)
		}
	}
	if len(l.order) == 0 {
		return &Schema{}
	}
	return &Schema{sets: []*loaded{l}}
}

// goFiles returns the Go files below a directory, in order, tests left out.
func goFiles(dir string) []string {
	return slices.DeleteFunc(sources(dir), func(path string) bool { return !strings.HasSuffix(path, ".go") })
}

// sources returns the Go files and the scripts below a directory, in order: no
// tests, no scripts that undo others, none of another database system.
func sources(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		switch n := e.Name(); {
		case e.IsDir():
			if !skipped(n) && !isAside(n) {
				out = append(out, sources(filepath.Join(dir, n))...)
			}
		case strings.HasSuffix(n, ".go") && !strings.HasSuffix(n, "_test.go"),
			isScript(n) && !isDown(n) && !otherSystem(n) && !otherSystem(filepath.Base(dir)):
			out = append(out, filepath.Join(dir, n))
		}
	}
	return out
}

var (
	definesTables = lazy(`(?i)\b(?:create\s+(?:unlogged\s+)?table|create\s+unique\s+index|alter\s+table)\b`)
	verb          = lazy(`%[-+# 0-9]*[sdvqx]`)
	key           = lazy(`(?i)\b(?:unique|primary\s+key|exclude)\b`)
)

// textsIn returns the texts of a Go file that define tables.
func textsIn(path, src string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		text, ok := literal(e)
		if ok && definesTables().MatchString(text) {
			out = append(out, text)
		}
		return !ok
	})
	return out
}

// literal returns the text that string literals make, one after another.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		x, ok := literal(e.X)
		if !ok || e.Op != token.ADD {
			return "", false
		}
		y, ok := literal(e.Y)
		return x + y, ok
	}
	return "", false
}

// text applies what a text of the code adds.
func (l *loaded) text(text string) {
	up, _ := upPart(text)
	up = verb().ReplaceAllString(expand(up, "", 0), holeName)
	l.path = nil
	for _, d := range pgsql.Definitions(up) {
		for i := range d.Changes {
			l.adds(&d.Changes[i])
		}
		if key().MatchString(up[d.Pos:d.End]) {
			l.mayApply(d, cmp.Or(d.Problem, "a statement may change any table"))
		}
	}
}

// adds applies a change that creates a table, or gives it columns or keys.
func (l *loaded) adds(c *pgsql.Change) {
	c.Constraints = slices.DeleteFunc(c.Constraints, func(k pgsql.Constraint) bool {
		return k.Kind != pgsql.PrimaryKey && k.Kind != pgsql.Unique && k.Kind != pgsql.Exclusion
	})
	if isHole(c.Table) && (c.Op == pgsql.CreateTableOp || len(c.Constraints) == 0) {
		return // a table that is not asked for, or no key
	}
	switch c.Op {
	case pgsql.CreateTableOp:
		if t := l.find(c.Table); t != nil && !t.placeholder {
			t.forget()
		}
	case pgsql.AddColumnOp:
	case pgsql.AddConstraintOp:
		if len(c.Constraints) == 0 {
			return
		}
	default:
		return
	}
	l.change(c)
}
