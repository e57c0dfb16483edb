package load

import (
	"bytes"
	"crypto/sha256"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// A hash names a text.
type hash = [sha256.Size]byte

// A fileShape is what others can see of a file. Two texts with the same head
// are the same to go list.
type fileShape struct {
	text hash
	head hash
	// decls are the declarations, without function bodies, in order.
	decls []decl
	// used are the names in declarations of types, variables and constants: the
	// type of a variable can be that of a function.
	used map[string]bool
	dot  bool // it imports a package as "."
	// broken is set when the file does not parse. What comes before it, except
	// for text, is of no use then.
	broken bool
	mark   bool // see [Config.Mark]
}

// A decl is one declaration.
type decl struct {
	hash hash
	// function is the name of a function, "" for a method and for all else.
	function string
}

// shapeOf gives the shape of a file.
func shapeOf(src []byte) fileShape {
	s := fileShape{text: sha256.Sum256(src)}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		s.broken = true
		return s
	}
	var head bytes.Buffer
	head.WriteString(file.Name.Name + "\n")
	for _, imp := range file.Imports {
		if imp.Name != nil {
			head.WriteString(imp.Name.Name + " ")
			s.dot = s.dot || imp.Name.Name == "."
		}
		head.WriteString(imp.Path.Value + "\n")
		if imp.Path.Value == `"C"` {
			head.Write(src) // what cgo makes of it depends on all of it
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if constraint.IsGoBuild(c.Text) || constraint.IsPlusBuild(c.Text) || strings.HasPrefix(c.Text, "//go:embed") {
				head.WriteString(c.Text + "\n")
			}
		}
	}
	s.head = sha256.Sum256(head.Bytes())
	s.used = make(map[string]bool)
	for _, d := range file.Decls {
		s.add(fset, src, d)
	}
	return s
}

// add adds a declaration.
func (s *fileShape) add(fset *token.FileSet, src []byte, d ast.Decl) {
	end, name := d.End(), ""
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body != nil {
			end = d.Body.Lbrace
		}
		if d.Recv == nil {
			name = d.Name.Name
		}
	case *ast.GenDecl:
		if d.Tok != token.IMPORT {
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					s.used[id.Name] = true
				}
				return true
			})
		}
	}
	file := fset.File(d.Pos())
	s.decls = append(s.decls, decl{tokens(src[file.Offset(d.Pos()):file.Offset(end)]), name})
}

// tokens names the tokens of a piece of code: layout and comments are no part of
// it.
func tokens(src []byte) hash {
	fset := token.NewFileSet()
	var sc scanner.Scanner
	sc.Init(fset.AddFile("", -1, len(src)), src, nil, 0)
	h := sha256.New()
	for {
		_, tok, lit := sc.Scan()
		if tok == token.EOF {
			return hash(h.Sum(nil))
		}
		if tok == token.SEMICOLON {
			lit = "" // ";" or the end of the line
		}
		h.Write([]byte(tok.String() + " " + lit + "\x00"))
	}
}

// A likeness says how far two texts of a package are the same to those that
// import it.
type likeness int

const (
	different likeness = iota
	// wider: to packages that type-check with both texts they are the same, and
	// the later one has functions that the other has not.
	wider
	// alike: the types of one serve for the other. Only functions differ that
	// nobody sees.
	alike
)

// compareShapes compares two texts of a package.
func compareShapes(old, now []fileShape) likeness {
	if len(old) != len(now) {
		return different
	}
	used := make(map[string]bool)
	for i := range old {
		maps.Copy(used, old[i].used)
		maps.Copy(used, now[i].used)
	}
	like := alike
	for i := range old {
		if old[i].head != now[i].head {
			return different
		}
		like = min(like, compareDecls(old[i].decls, now[i].decls, used))
	}
	return like
}

// compareDecls compares the declarations of a file. Functions that are not
// exported, and whose types no variable has, are left out.
func compareDecls(old, now []decl, used map[string]bool) likeness {
	hidden := func(d decl) bool { return d.function != "" && !token.IsExported(d.function) && !used[d.function] }
	old = slices.DeleteFunc(slices.Clone(old), hidden)
	like := alike
	for _, d := range now {
		switch {
		case hidden(d):
		case len(old) > 0 && old[0] == d:
			old = old[1:]
		case d.function != "" && !used[d.function]:
			like = wider
		default:
			return different
		}
	}
	if len(old) > 0 {
		return different
	}
	return like
}
