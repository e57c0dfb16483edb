package txflow

import (
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/schema"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// A gorpColumn is a column of a type that gorp maps, at a path of fields.
type gorpColumn struct {
	name, field, path string
	key, generated    bool
}

// A gorpTable is the table of a type that gorp maps.
type gorpTable struct {
	*schema.Mapping
	columns []gorpColumn
}

// gorpTable returns the table to which the program maps a type, nil where that is
// not known.
func (e *engine) gorpTable(t types.Type) *gorpTable {
	n, ok := types.Unalias(elementType(t)).(*types.Named)
	if !ok || structOf(n) == nil || n.Obj().Pkg() == nil || types.NewMethodSet(types.NewPointer(n)).Lookup(nil, "SetTableName") != nil {
		return nil // gorp's DynamicTable says at run time which table it is
	}
	dir := filepath.Dir(e.pass.Fset.Position(e.pass.Files[0].FileStart).Filename)
	m := schema.Mapped(dir, n.Obj().Pkg().Path()+"."+n.Obj().Name())
	if m == nil {
		return nil
	}
	return &gorpTable{m, appendGorpColumns(nil, n, "", 0)}
}

// appendGorpColumns adds the columns of a struct: one for each field, those of
// embedded structs in their place.
func appendGorpColumns(out []gorpColumn, t types.Type, prefix string, depth int) []gorpColumn {
	st := structOf(t)
	if st == nil || depth > 3 {
		return out
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if f.Anonymous() && structOf(f.Type()) != nil {
			out = appendGorpColumns(out, f.Type(), prefix+"."+f.Name(), depth+1)
			continue
		}
		name, options, _ := strings.Cut(reflect.StructTag(st.Tag(i)).Get("db"), ",")
		if name == "-" || !f.Exported() {
			continue
		}
		if name == "" {
			name = f.Name()
		}
		out = slices.DeleteFunc(out, func(c gorpColumn) bool { return c.field == f.Name() })
		out = append(out, gorpColumn{name, f.Name(), prefix + "." + f.Name(), strings.Contains(options, "primarykey"), strings.Contains(options, "autoincrement")})
	}
	return out
}

// keys returns the columns of the primary key.
func (t *gorpTable) keys() []gorpColumn {
	var out []gorpColumn
	for _, c := range t.columns {
		if t.Keys == nil && c.key || slices.Contains(t.Keys, c.field) || slices.Contains(t.Keys, c.name) {
			out = append(out, c)
		}
	}
	return out
}

// written returns the columns that are written: all but a key that the database
// makes.
func (t *gorpTable) written() []gorpColumn {
	keys := t.keys()
	return slices.DeleteFunc(slices.Clone(t.columns), func(c gorpColumn) bool {
		return c.generated || t.Generated && slices.Contains(keys, c)
	})
}

// isVersion reports whether a column is the one by which gorp sees whether the row
// has changed.
func (t *gorpTable) isVersion(c gorpColumn) bool {
	return t.Version != "" && (c.field == t.Version || c.name == t.Version)
}

// renderGorp writes the statement of a method of gorp for one row of a table that
// the program has mapped a type to.
func renderGorp(r *renderer) sqltext.Text {
	model := r.finish.c.arg(r.finish.api.Value)
	if model == nil {
		return nil
	}
	model = onlyOne(model)
	t := r.e.gorpTable(unwrap(model).Type())
	if t == nil || len(t.keys()) == 0 && r.finish.api.Clause != "insert" {
		return nil
	}
	name := `"` + t.Table + `"`
	switch r.finish.api.Clause {
	case "get":
		r.lit("SELECT * FROM " + name)
		r.gorpKey(t, nil)
	case "insert":
		r.lit("INSERT INTO " + name)
		r.gorpInsert(t, model)
	case "update":
		r.lit("UPDATE " + name + " SET ")
		r.gorpSets(t, model)
		r.gorpKey(t, model)
	case "delete":
		r.lit("DELETE FROM " + name)
		r.gorpKey(t, model)
	default:
		return nil
	}
	return r.text
}

// gorpKey writes the conditions on the key, of a model or of the arguments of Get,
// and on the version of a model.
func (r *renderer) gorpKey(t *gorpTable, model ssa.Value) {
	given := variadic(r.finish.c.arg(r.finish.api.Args))
	sep := " WHERE "
	for i, c := range t.keys() {
		r.lit(sep + `"` + c.name + `" = `)
		sep = " AND "
		switch {
		case model != nil:
			r.placeholder(unwrap(model), c.path)
		case i < len(given) && given[i] != nil:
			r.placeholder(unwrap(given[i]), "")
		default:
			r.placeholder(nil, "")
		}
	}
	for _, c := range t.columns {
		if model != nil && t.isVersion(c) {
			r.lit(sep + `"` + c.name + `" = `)
			r.placeholder(unwrap(model), c.path)
		}
	}
}

func (r *renderer) gorpSets(t *gorpTable, model ssa.Value) {
	if r.finish.api.Column != 0 { // a function says which columns
		r.hole(sqltext.Ident)
		r.lit(" = ")
		r.hole(sqltext.Literal)
		r.lost = true
		return
	}
	for i, c := range t.written() {
		if i > 0 {
			r.lit(", ")
		}
		r.lit(`"` + c.name + `" = `)
		if t.isVersion(c) {
			r.placeholder(nil, "") // the next one
			continue
		}
		r.placeholder(unwrap(model), c.path)
	}
}

func (r *renderer) gorpInsert(t *gorpTable, model ssa.Value) {
	var names []string
	for _, c := range t.written() {
		names = append(names, `"`+c.name+`"`)
	}
	if len(names) == 0 {
		r.lit(" DEFAULT VALUES")
		return
	}
	r.lit(" (" + strings.Join(names, ", ") + ") VALUES (")
	for i, c := range t.written() {
		if i > 0 {
			r.lit(", ")
		}
		r.placeholder(unwrap(model), c.path)
	}
	r.lit(")")
}

// mappedTo returns the table to which the type of an inserted value is mapped, or
// nil.
func (e *engine) mappedTo(c *callee, f *dbapi.Func) *gorpTable {
	if f.Clause != "insert" || c.arg(f.Value) == nil {
		return nil
	}
	return e.gorpTable(unwrap(onlyOne(c.arg(f.Value))).Type())
}
