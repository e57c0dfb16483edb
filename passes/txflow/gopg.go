package txflow

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// goPgVerbs are the statements that the last call of a query of go-pg makes of it.
var goPgVerbs = map[string]string{
	"select": "select", "first": "select", "last": "select", "foreach": "select", "selectandcount": "select",
	"count": "select", "exists": "select",
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

// goPgName is what a name stands for.
func (r *renderer) goPgName(name string) (string, chainValue) { return r.modelName(name, goPgAlias) }

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
