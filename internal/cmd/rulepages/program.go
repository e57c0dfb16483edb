package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A program is a package in testdata/<rule> with proofs.
type program struct {
	name  string
	about string     // what it is, a sentence
	funcs []function // those with a timeline: reported, its corrections, others
}

// A function of a program.
type function struct {
	name    string // as in "(*Desk).Sell"
	doc     string
	code    string
	flagged bool   // has a "// want" line
	fixes   string // the function that it corrects
	pos     token.Position
}

// readPrograms reads the programs of a rule, in the order of their names.
// Every timeline of the rule belongs to one of their functions.
func readPrograms(root, rule string) ([]program, error) {
	left, err := timelines(root, rule)
	if err != nil {
		return nil, err
	}
	dirs, err := os.ReadDir(filepath.Join(root, "testdata", rule))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var programs []program
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		p, err := readProgram(filepath.Join(root, "testdata", rule, d.Name()))
		if err != nil {
			return nil, err
		}
		p.funcs = slices.DeleteFunc(p.funcs, func(f function) bool {
			file := f.timelineFile(p.name)
			has := left[file]
			delete(left, file)
			return !has && !f.flagged && f.fixes == ""
		})
		if len(p.funcs) > 0 {
			programs = append(programs, p)
		}
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("timelines without a function: %s", strings.Join(slices.Sorted(maps.Keys(left)), ", "))
	}
	return programs, nil
}

// readProgram parses one package and orders its functions for a reader.
func readProgram(dir string) (program, error) {
	p := program{name: filepath.Base(dir)}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return p, err
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return p, err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return p, err
		}
		if text := file.Doc.Text(); text != "" {
			p.about = about(file.Name.Name, text)
		}
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				p.funcs = append(p.funcs, newFunction(fset, fn, src))
			}
		}
	}
	p.order()
	return p, nil
}

// about makes "Package seats sells the seats of a hall." a sentence without
// its first words.
func about(pkg, doc string) string {
	text := strings.TrimPrefix(oneLine(doc), "Package "+pkg+" ")
	return strings.ToUpper(text[:1]) + text[1:]
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// want is a claim at the end of a line.
var want = regexp.MustCompile(`[ \t]*// want .*`)

func newFunction(fset *token.FileSet, fn *ast.FuncDecl, src []byte) function {
	f := function{name: funcName(fn), pos: fset.Position(fn.Pos())}
	f.doc = strings.TrimSpace(fn.Doc.Text())
	code := string(src[f.pos.Offset:fset.Position(fn.End()).Offset])
	f.flagged = want.MatchString(code)
	f.code = want.ReplaceAllString(code, " // reported")
	if fn.Doc != nil {
		for _, c := range fn.Doc.List {
			if fixed, ok := strings.CutPrefix(c.Text, "//proof:fixes "); ok {
				f.fixes = strings.TrimSpace(fixed)
			}
		}
	}
	return f
}

// order puts each reported function before its corrections, and what is right
// as it stands last.
func (p *program) order() {
	at := map[string]int{}
	for i, f := range p.funcs {
		if f.flagged {
			at[f.name] = i
			at[strings.NewReplacer("(", "", ")", "", "*", "").Replace(f.name)] = i
		}
	}
	group := func(f function, i int) (int, int) {
		switch {
		case f.flagged:
			return i, -1
		case f.fixes != "":
			return at[f.fixes], i
		}
		return len(p.funcs), i
	}
	index := map[string]int{}
	for i, f := range p.funcs {
		index[f.name] = i
	}
	slices.SortStableFunc(p.funcs, func(a, b function) int {
		ga, ia := group(a, index[a.name])
		gb, ib := group(b, index[b.name])
		return cmp.Or(cmp.Compare(ga, gb), cmp.Compare(ia, ib))
	})
}

// funcName names a function as Go does within its package.
func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
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
	recv := "?"
	if id, ok := typ.(*ast.Ident); ok {
		recv = id.Name
	}
	if star {
		recv = "(*" + recv + ")"
	}
	return recv + "." + fn.Name.Name
}
