package txflow

import (
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/schema"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// A gorpTable is the table of a type that gorp maps.
type gorpTable struct {
	*schema.Mapping
	columns []dbColumn
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
	return &gorpTable{m, dbColumns(n)}
}

// keys returns the columns of the primary key.
func (t *gorpTable) keys() []dbColumn {
	var out []dbColumn
	for _, c := range t.columns {
		if t.Keys == nil && strings.Contains(c.options, "primarykey") || slices.Contains(t.Keys, c.field) || slices.Contains(t.Keys, c.name) {
			out = append(out, c)
		}
	}
	return out
}

// written returns the columns that are written: all but a key that the database
// makes.
func (t *gorpTable) written() []dbColumn {
	keys := t.keys()
	return slices.DeleteFunc(slices.Clone(t.columns), func(c dbColumn) bool {
		return strings.Contains(c.options, "autoincrement") || t.Generated && slices.ContainsFunc(keys, func(k dbColumn) bool { return k.path == c.path })
	})
}

// isVersion reports whether a column is the one by which gorp sees whether the row
// has changed.
func (t *gorpTable) isVersion(c dbColumn) bool {
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
		r.insertColumns(t.written(), model, func(dbColumn) bool { return false })
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
		r.unknownAssignment()
		r.lost = true
		return
	}
	r.setColumns(t.written(), model, t.isVersion)
}

// mappedTo returns the table to which the type of an inserted value is mapped, or
// nil.
func (e *engine) mappedTo(c *callee, f *dbapi.Func) *gorpTable {
	if f.Clause != "insert" || c.arg(f.Value) == nil {
		return nil
	}
	return e.gorpTable(unwrap(onlyOne(c.arg(f.Value))).Type())
}
