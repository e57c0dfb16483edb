package schema

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// A Mapping is the table to which a program maps a struct type when it starts, as
// with gorp's AddTableWithName.
type Mapping struct {
	Table string
	// Keys are the fields, or the columns, of the primary key where they are given,
	// and Generated is set when the database makes it.
	Keys      []string
	Generated bool
	// Version is the field, or the column, by which the library sees whether a row
	// has changed since it was read, "" for none.
	Version string
	// Unique is set when other columns are declared to be unique.
	Unique bool
}

// Mapped returns the table to which the code around a directory maps a struct type,
// "import/path.Name", or nil: if it does not, if it does so in several ways, or if
// more is done with the mapping than is understood. It is read from the files of
// the whole project, since the package that maps types imports those that use
// them as often as not.
func Mapped(dir, typ string) *Mapping {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	root := rootOf(dir)
	m, _ := mapped.LoadOrStore(root, sync.OnceValue(func() map[string]*Mapping { return mappingsBelow(root) }))
	return m.(func() map[string]*Mapping)()[typ]
}

var mapped sync.Map // directory to func() map[string]*Mapping

// mappingsBelow reads the Go files below a directory.
func mappingsBelow(root string) map[string]*Mapping {
	out := map[string]*Mapping{}
	total := 0
	for _, file := range goFiles(root) {
		src, _ := readFile(file) // what cannot be read maps nothing that is known
		if !strings.Contains(src, ".AddTable") {
			continue
		}
		if total += len(src); total > maxTotal {
			break
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for typ, m := range (&mapper{file: f, dir: filepath.Dir(file)}).mappings() {
			if old, seen := out[typ]; seen && !reflect.DeepEqual(old, m) {
				m = nil
			}
			out[typ] = m
		}
	}
	return out
}

// A mapper finds the mappings in a file.
type mapper struct {
	file   *ast.File
	dir    string
	consts map[string]string
}

// mappings returns the mappings of the file by their types, nil for those that are
// not understood.
func (m *mapper) mappings() map[string]*Mapping {
	out := map[string]*Mapping{}
	for c := range inspector.New([]*ast.File{m.file}).Root().Preorder((*ast.CallExpr)(nil)) {
		typ, mapping := m.added(c.Node().(*ast.CallExpr))
		if typ == "" {
			continue
		}
		if mapping != nil && !(&mappingCalls{mapper: m, Mapping: mapping}).from(c) {
			mapping = nil
		}
		if old, seen := out[typ]; seen && !reflect.DeepEqual(old, mapping) {
			mapping = nil
		}
		out[typ] = mapping
	}
	return out
}

// addTable are the methods that map a type, and the argument that names the table.
var addTable = map[string]int{"AddTable": -1, "AddTableWithName": 1, "AddTableWithNameAndSchema": 2}

// added returns the type and the table of a call that maps one; the mapping is nil
// if its name is not known.
func (m *mapper) added(call *ast.CallExpr) (typ string, mapping *Mapping) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return "", nil
	}
	at, ok := addTable[sel.Sel.Name]
	lit, isLit := call.Args[0].(*ast.CompositeLit)
	if !ok || !isLit || at >= len(call.Args) {
		return "", nil
	}
	pkg, name := m.typeName(lit.Type)
	if pkg == "" {
		return "", nil
	}
	table := name
	if at >= 0 {
		if table = m.text(call.Args[at]); table == "" {
			return pkg + "." + name, nil
		}
	}
	return pkg + "." + name, &Mapping{Table: table}
}

// typeName returns the import path and the name of a type of this package or of an
// imported one.
func (m *mapper) typeName(e ast.Expr) (pkg, name string) {
	switch e := e.(type) {
	case *ast.Ident:
		return importPath(m.dir), e.Name
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return m.imported(x.Name), e.Sel.Name
		}
	}
	return "", ""
}

// imported returns the path that the file imports by a name, "" where that is not
// clear: a package may have another name than its path ends in.
func (m *mapper) imported(name string) string {
	for _, imp := range m.file.Imports {
		p, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			continue
		}
		if imp.Name != nil && imp.Name.Name == name || imp.Name == nil && path.Base(p) == name {
			return p
		}
	}
	return ""
}

// text returns the text of a literal or of a constant of the package, or "".
func (m *mapper) text(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		if m.consts == nil {
			m.consts = textConstants(m.dir)
		}
		return m.consts[id.Name]
	}
	text, _ := literal(e)
	return text
}

// textConstants returns the constants of a package that are texts.
func textConstants(dir string) map[string]string {
	out := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(dir, "*.go")) // the pattern is not malformed
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				addConstants(out, s.(*ast.ValueSpec))
			}
		}
	}
	return out
}

func addConstants(out map[string]string, s *ast.ValueSpec) {
	for i, name := range s.Names {
		if i < len(s.Values) {
			if text, ok := literal(s.Values[i]); ok {
				out[name.Name] = text
			}
		}
	}
}

// importPath returns the import path of the package in a directory of a module, or
// "".
func importPath(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if data, err := os.ReadFile(filepath.Join(d, "go.mod")); err == nil {
			rel, err := filepath.Rel(d, dir)
			module := modfile.ModulePath(data)
			if err != nil || module == "" {
				return ""
			}
			return path.Join(module, filepath.ToSlash(rel))
		}
		if filepath.Dir(d) == d {
			return ""
		}
	}
}

// mappingCalls applies what is called on a mapping.
type mappingCalls struct {
	*mapper
	*Mapping
	ofColumn bool // a method has returned a column of the mapping
}

// from applies the calls that follow on the value of a call, and reports whether
// all of them are understood.
func (m *mappingCalls) from(c inspector.Cursor) bool {
	for {
		parent := c.Parent()
		switch p := parent.Node().(type) {
		case *ast.ExprStmt:
			return true
		case *ast.SelectorExpr:
			call, ok := parent.Parent().Node().(*ast.CallExpr)
			if kind, _ := parent.ParentEdge(); !ok || kind != edge.CallExpr_Fun {
				m.Unique = m.Unique || p.Sel.Name == "Unique"
				return m.ofColumn && sets[p.Sel.Name]
			}
			if !m.method(p.Sel.Name, call.Args) {
				return false
			}
			c = parent.Parent()
		case *ast.AssignStmt:
			id, ok := only(p)
			if !ok {
				return false
			}
			return id.Name == "_" || !m.ofColumn && m.variable(parent, id)
		default:
			return false
		}
	}
}

// only returns the variable of an assignment of one value to one.
func only(a *ast.AssignStmt) (*ast.Ident, bool) {
	if len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, false
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	return id, ok
}

// variable applies what is called on the variable that a mapping is assigned to,
// until something else is.
func (m *mappingCalls) variable(assign inspector.Cursor, id *ast.Ident) bool {
	around := assign.Inspector().Root()
	for c := range assign.Enclosing((*ast.FuncDecl)(nil)) {
		around = c
	}
	for c := range around.Preorder((*ast.Ident)(nil)) {
		use := c.Node().(*ast.Ident)
		if use.Name != id.Name || use.Pos() < assign.Node().End() {
			continue
		}
		switch kind, _ := c.ParentEdge(); kind {
		case edge.AssignStmt_Lhs:
			return true
		case edge.SelectorExpr_Sel, edge.KeyValueExpr_Key:
			continue
		}
		if !(&mappingCalls{mapper: m.mapper, Mapping: m.Mapping}).from(c) {
			return false
		}
	}
	return true
}

// sets are the fields of a column that do not change the statements.
var sets = map[string]bool{"MaxSize": true, "Unique": true}

// method applies a method of a mapping, or of a column of one.
func (m *mappingCalls) method(name string, args []ast.Expr) bool {
	if m.ofColumn {
		m.Unique = m.Unique || name == "SetUnique"
		return name == "SetUnique" || name == "SetNotNull" || name == "SetMaxSize"
	}
	switch name {
	case "SetKeys":
		return m.setKeys(args)
	case "SetVersionCol":
		m.ofColumn = true
		if len(args) == 1 {
			m.Version = m.text(args[0])
		}
		return m.Version != ""
	case "SetUniqueTogether":
		m.Unique = true
	case "ColMap":
		m.ofColumn = true
	case "AddIndex", "ResetSql":
	default:
		return false
	}
	return true
}

func (m *mappingCalls) setKeys(args []ast.Expr) bool {
	if len(args) < 2 {
		return false
	}
	generated, ok := args[0].(*ast.Ident)
	if !ok || generated.Name != "true" && generated.Name != "false" {
		return false
	}
	m.Generated, m.Keys = generated.Name == "true", nil
	for _, a := range args[1:] {
		key := m.text(a)
		if key == "" {
			return false
		}
		m.Keys = append(m.Keys, key)
	}
	return true
}
