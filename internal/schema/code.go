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

// InCode returns the tables that texts in the Go code around a directory create,
// with the keys that such texts give them: migrations that are written in Go, and
// programs that make their tables when they start. It is the code of the
// innermost module that creates some, else of the whole project. In which order
// the texts run, and whether all of them do, is not known, so what they drop or
// rename is left alone, and a table that two of them create has keys that are not
// known. The result is never nil; that a table is not in it says nothing.
func InCode(dir string) *Schema {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return &Schema{}
	}
	root := rootOf(dir)
	for d := dir; len(d) > len(root); d = filepath.Dir(d) {
		if !exists(filepath.Join(d, "go.mod")) {
			continue
		}
		if s := codeOf(d); s.Known() {
			return s
		}
	}
	return codeOf(root)
}

// codeOf returns what the code below a directory makes.
func codeOf(root string) *Schema {
	s, _ := inCode.LoadOrStore(root, sync.OnceValue(func() *Schema { return openCode(root) }))
	return s.(func() *Schema)()
}

var inCode sync.Map // directory to func() *Schema

// openCode reads the Go files below a directory.
func openCode(root string) *Schema {
	l := &loaded{model: newModel()}
	total := 0
	for _, path := range goFiles(root) {
		text, _ := readFile(path) // what cannot be read makes no table that is known
		if !definesTables().MatchString(text) {
			continue
		}
		if total += len(text); total > maxTotal {
			break
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
	entries, _ := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		switch n := e.Name(); {
		case e.IsDir() && !skipped(n) && !isAside(n):
			out = append(out, goFiles(filepath.Join(dir, n))...)
		case !e.IsDir() && strings.HasSuffix(n, ".go") && !strings.HasSuffix(n, "_test.go"):
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
