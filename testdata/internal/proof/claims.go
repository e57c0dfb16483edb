package proof

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// claims is what the programs of a rule say about their functions.
type claims struct {
	flagged []function          // functions with a "// want" line
	fixes   map[string][]string // name of a twin → names of the functions that it corrects
}

type function struct {
	name string // as in "seats.(*Desk).Sell"
	pos  string // of the want
}

// readClaims parses the programs below dir.
func readClaims(dir string) (claims, error) {
	c := claims{fixes: map[string][]string{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		return c.readFile(fset, file)
	})
	return c, err
}

func (c *claims) readFile(fset *token.FileSet, file *ast.File) error {
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Doc == nil {
			continue
		}
		for _, line := range fn.Doc.List {
			if fixed, ok := strings.CutPrefix(line.Text, "//proof:fixes "); ok {
				for of := range strings.FieldsSeq(fixed) {
					c.fixes[name(file, fn)] = append(c.fixes[name(file, fn)], file.Name.Name+"."+of)
				}
			}
		}
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if !strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(comment.Text, "//")), "want ") {
				continue
			}
			pos := fset.Position(comment.Pos())
			fn := enclosing(file, comment.Pos())
			if fn == nil {
				return fmt.Errorf("%s: a want outside of a function: nothing can run it", pos)
			}
			c.flagged = append(c.flagged, function{name(file, fn), pos.String()})
		}
	}
	return nil
}

func enclosing(file *ast.File, pos token.Pos) *ast.FuncDecl {
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Pos() <= pos && pos < fn.End() {
			return fn
		}
	}
	return nil
}

// name writes a function as runtime.FuncForPC does, without the path.
func name(file *ast.File, fn *ast.FuncDecl) string {
	pkg := file.Name.Name + "."
	if fn.Recv == nil {
		return pkg + fn.Name.Name
	}
	typ, star := fn.Recv.List[0].Type, false
	if p, ok := typ.(*ast.StarExpr); ok {
		typ, star = p.X, true
	}
	switch generic := typ.(type) {
	case *ast.IndexExpr:
		typ = generic.X
	case *ast.IndexListExpr:
		typ = generic.X
	}
	recv := typ.(*ast.Ident).Name
	if star {
		recv = "(*" + recv + ")"
	}
	return pkg + recv + "." + fn.Name.Name
}

// missing lists the claims that have no proof, and the claims that cannot be
// right.
func missing(c claims, done map[string]claim) []string {
	var problems []string
	flagged := map[string]bool{}
	for _, f := range c.flagged {
		if flagged[f.name] {
			continue
		}
		flagged[f.name] = true
		if done[f.name]&harmful == 0 {
			problems = append(problems, fmt.Sprintf("%s: %s is flagged and no proof shows its harm", f.pos, f.name))
		}
		if !slices.ContainsFunc(slices.Collect(maps.Values(c.fixes)), func(of []string) bool { return slices.Contains(of, f.name) }) {
			problems = append(problems, fmt.Sprintf("%s: %s is flagged and no function fixes it", f.pos, f.name))
		}
	}
	for twin, fixed := range c.fixes {
		for _, of := range fixed {
			problems = append(problems, misfits(twin, of, flagged, done)...)
		}
	}
	slices.Sort(problems)
	return problems
}

// misfits lists what is wrong with a twin of a function.
func misfits(twin, of string, flagged map[string]bool, done map[string]claim) []string {
	var problems []string
	if !flagged[of] {
		problems = append(problems, fmt.Sprintf("%s fixes %s, which is not flagged", twin, of))
	}
	if flagged[twin] {
		problems = append(problems, fmt.Sprintf("%s fixes %s and is flagged itself", twin, of))
	}
	if done[twin]&harmless == 0 {
		problems = append(problems, fmt.Sprintf("%s fixes %s and no proof shows that it does no harm", twin, of))
	}
	return problems
}
