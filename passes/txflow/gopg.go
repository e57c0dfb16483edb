package txflow

import (
	"slices"

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
	r.onConflict = "CONFLICT "
	switch key {
	case "first", "last":
		if r.last("limit") == nil {
			r.links = append(slices.Clip(r.links), link{api: &dbapi.Func{Clause: "limit"}})
		}
	case "updatenotzero":
		r.links = append(slices.Clip(r.links), link{api: &dbapi.Func{Clause: "omitzero"}})
	}
	return r.ofModelQuery(&link{api: &dbapi.Func{Clause: verb}})
}
