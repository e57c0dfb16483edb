package txflow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// renderPop writes the statement of a query of Pop, or of a method that writes
// a model by its key.
func renderPop(r *renderer) sqltext.Text {
	if raw := r.last("raw"); raw != nil {
		r.arg(raw.c.arg(raw.api.SQL), sqltext.Unknown)
		return r.text
	}
	f := r.finish.api
	model := r.finish.c.arg(f.Dst)
	if model == nil {
		model = r.finish.c.arg(f.Value)
	}
	if model == nil || len(r.all("opaque", "join", "group", "having")) > 0 {
		return nil
	}
	table := func() { r.table(nil, model) }
	switch f.Clause {
	case "first", "last", "all":
		r.lit("SELECT * FROM ")
		table()
		r.where("where")
		r.orderLimit()
		if f.Clause != "all" && r.last("limit") == nil {
			r.lit(" LIMIT 1")
		}
	case "find":
		r.lit("SELECT * FROM ")
		table()
		r.lit(" WHERE id = ")
		r.value(lastArg(r.finish))
		r.lit(" LIMIT 1")
	case "create":
		r.lit("INSERT INTO ")
		table()
		r.insertModel(model)
	case "update", "updatecolumns":
		r.lit("UPDATE ")
		table()
		r.lit(" SET ")
		if !r.popSets(model) {
			return nil
		}
		r.gormKey(model)
	case "destroy":
		r.lit("DELETE FROM ")
		table()
		r.gormKey(model)
	case "delete":
		r.lit("DELETE FROM ")
		table()
		r.where("where")
	default:
		return nil
	}
	return r.text
}

// lastArg returns the last argument of a link's call.
func lastArg(l link) ssa.Value { return l.c.args[len(l.c.args)-1] }

// popSets writes the assignments of an UPDATE of a model: of all columns but its
// key, or of those that are named.
func (r *renderer) popSets(model ssa.Value) bool {
	if r.finish.api.Column == 0 {
		return r.setModel(model, nil)
	}
	cols := variadic(r.finish.c.arg(r.finish.api.Column))
	return !slices.Contains(cols, nil) && r.assignFields(cols, model, "") != ""
}
