package txflow

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A dbColumn is a column that gorp or Pop makes of a field with the tag db, at a
// path of fields.
type dbColumn struct {
	name, field, path string
	// options are what follows the name in the tag.
	options string
	tag     reflect.StructTag
}

// dbColumns returns the columns of a struct, those of embedded structs in their
// place. A field without the tag has its own name.
func dbColumns(t types.Type) []dbColumn { return appendDBColumns(nil, elementType(t), "", 0) }

func appendDBColumns(out []dbColumn, t types.Type, prefix string, depth int) []dbColumn {
	st := structOf(t)
	if st == nil || depth > 3 {
		return out
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if f.Anonymous() && structOf(f.Type()) != nil {
			out = appendDBColumns(out, f.Type(), prefix+"."+f.Name(), depth+1)
			continue
		}
		tag := reflect.StructTag(st.Tag(i))
		name, options, _ := strings.Cut(tag.Get("db"), ",")
		if name == "-" || !f.Exported() {
			continue
		}
		if name == "" {
			name = f.Name()
		}
		out = slices.DeleteFunc(out, func(c dbColumn) bool { return c.field == f.Name() })
		out = append(out, dbColumn{name, f.Name(), prefix + "." + f.Name(), options, tag})
	}
	return out
}

// setColumns writes the assignments of columns to what is at their paths below the
// model; made says of which of them the library makes the value itself.
func (r *renderer) setColumns(cols []dbColumn, model ssa.Value, made func(dbColumn) bool) {
	for i, c := range cols {
		if i > 0 {
			r.lit(", ")
		}
		r.lit(`"` + c.name + `" = `)
		r.modelPlaceholder(c, model, made)
	}
}

// insertColumns writes the columns of an INSERT and their values.
func (r *renderer) insertColumns(cols []dbColumn, model ssa.Value, made func(dbColumn) bool) {
	var names []string
	for _, c := range cols {
		names = append(names, `"`+c.name+`"`)
	}
	r.insertList(names, func(i int) { r.modelPlaceholder(cols[i], model, made) })
}

func (r *renderer) modelPlaceholder(c dbColumn, model ssa.Value, made func(dbColumn) bool) {
	if made(c) {
		r.placeholder(nil, "")
		return
	}
	r.placeholder(unwrap(model), c.path)
}
