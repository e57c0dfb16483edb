package txflow

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// A modelColumn is a column of a model, at a path of fields.
type modelColumn struct {
	name, path string
	pk         bool // by its tag or its name
	tagged     bool // as the key, or a part of it
	field      *types.Var
}

// primaryKey returns the columns of a model's primary key: those that are tagged
// as such, else the one that is by its name.
func primaryKey(t types.Type) []modelColumn {
	var named, tagged []modelColumn
	for _, c := range modelColumns(t) {
		switch {
		case c.tagged:
			tagged = append(tagged, c)
		case c.pk:
			named = append(named, c)
		}
	}
	if len(tagged) > 0 {
		return tagged
	}
	return named
}

// modelColumns returns the columns of a model's type, in the order of its fields.
func modelColumns(t types.Type) []modelColumn {
	return appendColumns(nil, elementType(t), "", 0)
}

func appendColumns(out []modelColumn, t types.Type, prefix string, depth int) []modelColumn {
	st := structOf(t)
	if st == nil || depth > 3 {
		return out
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		gormTag, bunTag := reflect.StructTag(st.Tag(i)).Get("gorm"), bunTag(st.Tag(i))
		path := prefix + "." + f.Name()
		switch {
		case reflect.StructTag(st.Tag(i)).Get("db") == "-":
			continue
		case gormTag == "-" || strings.HasPrefix(gormTag, "-:") || bunTag == "-" || !f.Exported() && !f.Anonymous():
			continue
		case isBaseModel(f.Type()) || strings.Contains(bunTag, "rel:") || strings.Contains(bunTag, "m2m:"):
			continue
		case structOf(f.Type()) != nil && !isScalarStruct(derefPtr(f.Type())):
			if f.Anonymous() || strings.Contains(gormTag, "embedded") || strings.Contains(bunTag, "embed") {
				out = appendColumns(out, f.Type(), path, depth+1)
			}
			continue
		}
		if s, ok := f.Type().Underlying().(*types.Slice); ok && structOf(s.Elem()) != nil && !strings.Contains(gormTag, "serializer") && !strings.Contains(gormTag, "type:") && bunTag == "" {
			continue // a relation
		}
		tagged := strings.Contains(strings.ToLower(gormTag), "primary") || hasOption(bunTag, "pk")
		out = append(out, modelColumn{columnName(st, i), path, tagged || strings.EqualFold(f.Name(), "ID"), tagged, f})
	}
	return out
}

// bunTag returns the tag of bun, or of go-pg, whose tags bun has taken over.
func bunTag(tag string) string {
	if v, ok := reflect.StructTag(tag).Lookup("bun"); ok {
		return v
	}
	return reflect.StructTag(tag).Get("pg")
}

// hasOption reports whether a tag of bun or go-pg has an option.
func hasOption(tag, option string) bool {
	_, options, _ := strings.Cut(tag, ",")
	for o := range strings.SplitSeq(options, ",") {
		if strings.TrimSpace(o) == option {
			return true
		}
	}
	return false
}

// insertModel writes columns and values of an INSERT of a model.
func (r *renderer) insertModel(m ssa.Value) {
	if list := r.e.mapModel(m); len(list) > 0 {
		r.insertEntries(list)
		return
	}
	var cols []modelColumn
	if m != nil {
		cols = modelColumns(unwrap(m).Type())
	}
	if len(cols) == 0 {
		r.lit(" DEFAULT VALUES")
		return
	}
	r.lit(" (")
	for i, c := range cols {
		if i > 0 {
			r.lit(", ")
		}
		r.lit(`"` + c.name + `"`)
	}
	r.lit(") VALUES (")
	for i, c := range cols {
		if i > 0 {
			r.lit(", ")
		}
		r.placeholder(unwrap(m), c.path)
	}
	r.lit(")")
}

// setModel writes the SET list of an UPDATE of all columns of a model but its
// key and those whose types say themselves what is written, or of the ones that
// are named, and of none of those that are left out.
func (r *renderer) setModel(m ssa.Value, only []string, but ...string) bool {
	if m == nil {
		return false
	}
	sep := ""
	for _, c := range modelColumns(unwrap(m).Type()) {
		if c.pk || only != nil && !slices.Contains(only, c.name) || slices.Contains(but, c.name) || addsToUpdates(c.field.Type()) {
			continue
		}
		r.lit(sep + `"` + c.name + `" = `)
		r.placeholder(unwrap(m), c.path)
		sep = ", "
	}
	return sep != ""
}

// squirrelValues writes the columns and values of an INSERT.
func (r *renderer) squirrelValues() {
	var cols, vals []ssa.Value
	if l := r.last("columns"); l != nil {
		cols = variadic(l.c.arg(l.api.Column))
	}
	if ls := r.all("values"); len(ls) == 1 {
		vals = variadic(ls[0].c.arg(ls[0].api.Args))
	}
	if len(cols) == 0 || len(cols) != len(vals) {
		r.lit(" DEFAULT VALUES")
		return
	}
	r.lit(" (")
	for i, c := range cols {
		if i > 0 {
			r.lit(", ")
		}
		r.arg(c, sqltext.Ident)
	}
	r.lit(") VALUES (")
	for i, v := range vals {
		if i > 0 {
			r.lit(", ")
		}
		r.value(v)
	}
	r.lit(")")
}

// gormInline writes the conditions given to a finisher: a text with its values, a
// primary key, a map or a struct.
func (r *renderer) gormInline(args []ssa.Value) {
	if args[0] == nil {
		r.hole(sqltext.Unknown)
		r.lost = true
		return
	}
	v := unwrap(args[0])
	_, basic := v.Type().Underlying().(*types.Basic)
	if isString(v.Type()) || !basic && !isScalarStruct(v.Type()) {
		r.condition(args[0], args[1:])
		return
	}
	dst := r.finish.c.arg(r.finish.api.Dst)
	if dst == nil {
		dst = r.finish.c.arg(r.finish.api.Value)
	}
	if l := r.last("model"); l != nil {
		dst = l.c.arg(l.api.Value)
	}
	if dst != nil {
		for _, c := range modelColumns(unwrap(dst).Type()) {
			if c.pk {
				r.lit(`"` + c.name + `" = `)
				r.placeholder(v, "")
				return
			}
		}
	}
	r.hole(sqltext.Unknown)
	r.lost = true
}
