package txflow

import (
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// goPgVerbs are the statements that the last call of a query of go-pg makes of it.
var goPgVerbs = map[string]string{
	"select": "select", "first": "select", "last": "select", "foreach": "select", "selectandcount": "select",
	"insert": "insert",
	"update": "update", "updatenotzero": "update",
	"delete": "delete",
}

// renderGoPg writes the statement of a query of go-pg. What is no statement of
// one table and its conditions is left unknown.
func renderGoPg(r *renderer) sqltext.Text {
	key := r.finish.api.Clause
	verb, ok := goPgVerbs[key]
	if !ok || len(r.all("with", "setop")) > 0 || len(r.all("model")) > 1 {
		return nil
	}
	r.onConflict, r.named = "CONFLICT ", r.goPgName
	switch key {
	case "first", "last":
		if r.last("limit") == nil {
			r.links = append(slices.Clip(r.links), link{api: &dbapi.Func{Clause: "limit"}})
		}
	case "updatenotzero":
		r.links = append(slices.Clip(r.links), link{api: &dbapi.Func{Clause: "omitzero"}})
	}
	if column := r.softDelete(); verb == "delete" && column != "" {
		r.lit("UPDATE ")
		r.modelTable(r.model())
		r.lit(` SET "` + column + `" = now()`)
		r.where("where", "wherepk")
		r.returning()
		return r.text
	}
	return r.ofModelQuery(&link{api: &dbapi.Func{Clause: verb}})
}

// softDelete names the column that Delete sets in place of deleting the row, or
// is "".
func (r *renderer) softDelete() string {
	m := r.model()
	if m == nil || strings.HasSuffix(r.finish.api.Name, ".ForceDelete") {
		return ""
	}
	st := structOf(elementType(unwrap(m).Type()))
	for i := 0; st != nil && i < st.NumFields(); i++ {
		if hasOption(reflect.StructTag(st.Tag(i)).Get("pg"), "soft_delete") {
			return columnName(st, i)
		}
	}
	return ""
}

// placeholders are those of go-pg's texts: ? takes the next argument, ?0 the one
// of that number, and ?name what the name stands for.
var placeholders = regexp.MustCompile(`\?([A-Za-z0-9_]*)\.?`)

// expand puts what placeholders with names stand for into the text from part n
// on. It returns the values of those that are left.
func (r *renderer) expand(n int, args []chainValue) []chainValue {
	var values []chainValue
	for i := n; i < len(r.text); i++ {
		if r.text[i].Hole != nil {
			continue
		}
		r.text[i].Lit = placeholders.ReplaceAllStringFunc(r.text[i].Lit, func(mark string) string {
			name, dot := strings.CutSuffix(mark[1:], ".")
			rest := map[bool]string{true: "."}[dot]
			if name == "" {
				if len(args) == 0 {
					r.lost = true
					return mark
				}
				values, args = append(values, args[0]), args[1:]
				return mark
			}
			text, value := r.named(name)
			if text != "" {
				return text + rest
			}
			if value.v != nil {
				values = append(values, value)
				return "?" + rest
			}
			r.lost = true
			return "?" + rest
		})
	}
	return append(values, args...)
}

// goPgName is what a name stands for: the table, or a field of the model by its
// column.
func (r *renderer) goPgName(name string) (string, chainValue) {
	m := r.model()
	if m == nil {
		return "", chainValue{}
	}
	switch name {
	case "TableName":
		return r.e.modelTable(unwrap(m).Type()), chainValue{}
	case "TableAlias":
		return goPgAlias(elementType(unwrap(m).Type())), chainValue{}
	}
	for _, c := range modelColumns(unwrap(m).Type()) {
		if c.name == name {
			return "", chainValue{v: unwrap(m), path: c.path}
		}
	}
	return "", chainValue{}
}

// goPgAlias is the alias of a model's table: of its tag, or the type's name.
func goPgAlias(t types.Type) string {
	st := structOf(t)
	for i := 0; st != nil && i < st.NumFields(); i++ {
		if st.Field(i).Name() != "tableName" {
			continue
		}
		for o := range strings.SplitSeq(reflect.StructTag(st.Tag(i)).Get("pg"), ",") {
			if alias, ok := strings.CutPrefix(strings.TrimSpace(o), "alias:"); ok {
				return alias
			}
		}
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && st != nil {
		return snake(n.Obj().Name())
	}
	return ""
}
