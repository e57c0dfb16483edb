package txflow

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// A modelColumn is a column of a model, at a path of fields.
type modelColumn struct {
	name, path string
	pk         bool // by its tag or its name
	tagged     bool // as the key, or a part of it
	field      *types.Var
	tag        reflect.StructTag
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

// A modelKeys is what the tags of a model that is inserted say of its keys.
type modelKeys struct {
	_       struct{} `cbor:",toarray"`
	Unique  bool     // some column or other is unique
	Columns []string // the primary key
}

// insertedKeys returns the keys of the model that a call inserts, or that the
// calls of its chain name.
func (e *engine) insertedKeys(call ssa.CallInstruction, c *callee, f *dbapi.Func) modelKeys {
	if t := e.mappedTo(c, f); t != nil {
		out := modelKeys{Unique: t.Unique}
		for _, k := range t.keys() {
			out.Columns = append(out.Columns, k.name)
		}
		return out
	}
	args := slices.Clone(call.Common().Args)
	for v, n := call.Value(), 0; v != nil && n < 24; n++ {
		args = append(args, v.Call.Args...)
		if len(v.Call.Args) == 0 {
			break
		}
		v, _ = v.Call.Args[0].(*ssa.Call)
	}
	var out modelKeys
	for _, a := range args {
		if els := variadic(a); len(els) == 1 && els[0] != nil {
			a = els[0]
		}
		for _, c := range modelColumns(unwrap(a).Type()) {
			out.Unique = out.Unique || c.unique()
			if c.tagged {
				out.Columns = append(out.Columns, c.name)
			}
		}
	}
	return out
}

// unique reports whether the tag of a column says that it is unique.
func (c *modelColumn) unique() bool {
	return slices.ContainsFunc([]string{"gorm", "bun", "pg", "xorm"}, func(key string) bool {
		return strings.Contains(strings.ToLower(c.tag.Get(key)), "unique")
	})
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
		words := xormWords(reflect.StructTag(st.Tag(i)))
		switch {
		case reflect.StructTag(st.Tag(i)).Get("db") == "-" || slices.Contains(words, "-"):
			continue
		case gormTag == "-" || strings.HasPrefix(gormTag, "-:") || bunTag == "-" || !f.Exported() && !f.Anonymous():
			continue
		case isBaseModel(f.Type()) || strings.Contains(bunTag, "rel:") || strings.Contains(bunTag, "m2m:"):
			continue
		case structOf(f.Type()) != nil && !isScalarStruct(derefPtr(f.Type())):
			if f.Anonymous() || strings.Contains(gormTag, "embedded") || strings.Contains(bunTag, "embed") || slices.Contains(words, "extends") {
				out = appendColumns(out, f.Type(), path, depth+1)
			}
			continue
		}
		if s, ok := f.Type().Underlying().(*types.Slice); ok && structOf(s.Elem()) != nil && !strings.Contains(gormTag, "serializer") && !strings.Contains(gormTag, "type:") && bunTag == "" {
			continue // a relation
		}
		tagged := strings.Contains(strings.ToLower(gormTag), "primary") || hasOption(bunTag, "pk") ||
			slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, "pk") })
		out = append(out, modelColumn{columnName(st, i), path, tagged || strings.EqualFold(f.Name(), "ID"), tagged, f, reflect.StructTag(st.Tag(i))})
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
	r.insertOf(cols, m)
}

// insertOf writes columns and values of an INSERT of these columns of a model.
func (r *renderer) insertOf(cols []modelColumn, m ssa.Value) {
	var names []string
	for _, c := range cols {
		names = append(names, `"`+c.name+`"`)
	}
	r.insertList(names, func(i int) { r.placeholder(unwrap(m), cols[i].path) })
}

// insertList writes columns, by their names as they stand in the text, and values
// of an INSERT, each of which value writes.
func (r *renderer) insertList(columns []string, value func(i int)) {
	if len(columns) == 0 {
		r.lit(" DEFAULT VALUES")
		return
	}
	r.lit(" (" + strings.Join(columns, ", ") + ") VALUES (")
	for i := range columns {
		if i > 0 {
			r.lit(", ")
		}
		value(i)
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
		if c.pk || only != nil && !slices.Contains(only, c.name) || slices.Contains(but, c.name) || addsToUpdates(c.field.Type()) || c.kept() {
			continue
		}
		r.lit(sep + `"` + c.name + `" = `)
		r.placeholder(unwrap(m), c.path)
		sep = ", "
	}
	return sep != ""
}

// kept reports whether XORM sets the column by itself.
func (c *modelColumn) kept() bool {
	return slices.ContainsFunc(xormWords(c.tag), func(w string) bool {
		return w == "<-" || slices.Contains([]string{"version", "created", "updated", "deleted"}, strings.ToLower(w))
	})
}

// squirrelValues writes the columns and values of an INSERT.
func (r *renderer) squirrelValues() {
	if list, known := r.squirrelSets(); known && len(list) > 0 {
		r.insertEntries(list)
		return
	}
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
