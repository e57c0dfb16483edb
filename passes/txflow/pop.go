package txflow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// renderPop writes the statement of a query of Pop, or of a method that reads or
// writes a model by its key.
func renderPop(r *renderer) sqltext.Text {
	if raw := r.last("raw"); raw != nil {
		r.fragment(raw.c.arg(raw.api.SQL), variadic(raw.c.arg(raw.api.Args)))
		return r.text
	}
	f := r.finish.api
	model := r.finish.c.arg(f.Dst)
	if model == nil {
		model = r.finish.c.arg(f.Value)
	}
	if h := builderOf(r.finish.c.arg(f.Handle)); h != nil && !inPlace(h) {
		r.links = nil // a connection collects nothing
	}
	if model == nil || len(r.all("opaque", "join", "group", "having")) > 0 {
		return nil
	}
	verb := f.Clause
	if verb == "save" {
		verb = "update"
		if key, _ := r.modelKey(model); key == "" {
			verb = "create" // a new one without an ID
		}
	}
	write := popVerbs[verb]
	if write == nil {
		return nil
	}
	write(r, model)
	return r.text
}

// popVerbs write the statements of the methods that end a query, or that read and
// write models.
var popVerbs = map[string]func(r *renderer, model ssa.Value){
	"all":   func(r *renderer, m ssa.Value) { r.popSelect(m, false) },
	"first": func(r *renderer, m ssa.Value) { r.popSelect(m, true) },
	"last":  func(r *renderer, m ssa.Value) { r.popSelect(m, true) },
	"find": func(r *renderer, m ssa.Value) {
		r.popFrom("SELECT *", m)
		r.lit(" WHERE " + popKey(m) + " = ")
		r.value(lastArg(r.finish))
		r.lit(" LIMIT 1")
	},
	"reload": func(r *renderer, m ssa.Value) {
		r.popFrom("SELECT *", m)
		r.popByKey(m)
	},
	"count": func(r *renderer, m ssa.Value) {
		r.popFrom("SELECT count(*)", m)
		r.where("where")
	},
	"exists": func(r *renderer, m ssa.Value) {
		r.popFrom("SELECT EXISTS (SELECT *", m)
		r.where("where")
		r.lit(")")
	},
	"create": func(r *renderer, m ssa.Value) {
		r.lit("INSERT INTO ")
		r.table(nil, m)
		takes := r.popOmits()
		if takes == nil {
			takes = func(string) bool { return true }
		}
		r.insertColumns(popColumns(m, takes), m, setByPop)
	},
	"update": func(r *renderer, m ssa.Value) {
		r.popSets(m, r.popOmits())
		r.popByKey(m)
	},
	"updatecolumns": func(r *renderer, m ssa.Value) {
		r.popSets(m, r.popNames())
		r.popByKey(m)
	},
	"updatequery": func(r *renderer, m ssa.Value) {
		r.popSets(m, r.popNames())
		r.where("where")
	},
	"destroy": func(r *renderer, m ssa.Value) {
		r.popFrom("DELETE", m)
		r.popByKey(m)
	},
	"delete": func(r *renderer, m ssa.Value) {
		r.popFrom("DELETE", m)
		r.where("where")
	},
}

func (r *renderer) popFrom(verb string, model ssa.Value) {
	r.lit(verb + " FROM ")
	r.table(nil, model)
}

func (r *renderer) popSelect(model ssa.Value, one bool) {
	r.lit("SELECT ")
	r.outputs(r.all("column"))
	r.lit(" FROM ")
	r.table(nil, model)
	r.where("where")
	r.orderLimit()
	if one && r.last("limit") == nil {
		r.lit(" LIMIT 1")
	}
}

// lastArg returns the last argument of a link's call.
func lastArg(l link) ssa.Value { return l.c.args[len(l.c.args)-1] }

// popKey returns the column of the key, which is the field ID.
func popKey(model ssa.Value) string {
	for _, c := range dbColumns(unwrap(model).Type()) {
		if c.field == "ID" && c.tag.Get("db") != "" {
			return `"` + c.name + `"`
		}
	}
	return "id"
}

func (r *renderer) popByKey(model ssa.Value) {
	r.lit(" WHERE " + popKey(model) + " = ")
	r.placeholder(unwrap(model), ".ID")
}

// popTags are the tags of which one makes a field without the tag db no column.
var popTags = []string{"rw", "select", "belongs_to", "has_many", "has_one", "fk_id", "primary_id", "order_by", "many_to_many"}

// popColumns returns the columns of a model that Pop writes and that ok has.
func popColumns(model ssa.Value, ok func(column string) bool) []dbColumn {
	return slices.DeleteFunc(dbColumns(unwrap(model).Type()), func(c dbColumn) bool {
		tagged := slices.ContainsFunc(popTags, func(t string) bool { return c.tag.Get(t) != "" })
		return tagged && c.tag.Get("db") == "" || c.tag.Get("rw") == "r" || c.tag.Get("select") != "" || !ok(c.name)
	})
}

// setByPop reports whether Pop sets a column's value.
func setByPop(c dbColumn) bool { return c.field == "UpdatedAt" }

// popSets writes an UPDATE of the columns of a model that it takes, nil if they are
// not known.
func (r *renderer) popSets(model ssa.Value, takes func(column string) bool) {
	r.lit("UPDATE ")
	r.table(nil, model)
	r.lit(" SET ")
	if takes == nil {
		r.unknownAssignment()
		r.lost = true
		return
	}
	key := strings.Trim(popKey(model), `"`)
	cols := popColumns(model, func(c string) bool { return c != key && c != "created_at" && takes(c) })
	r.setColumns(cols, model, setByPop)
}

// popOmits tells the columns that a call takes from those that it is told to leave
// out, nil if they are not known.
func (r *renderer) popOmits() func(column string) bool {
	out, known := r.columnNames()
	if !known {
		return nil
	}
	return func(c string) bool { return !slices.Contains(out, c) }
}

// popNames tells those that a call takes from those that it is given: all if there are
// none.
func (r *renderer) popNames() func(column string) bool {
	in, known := r.columnNames()
	if !known {
		return nil
	}
	return func(c string) bool { return len(in) == 0 || slices.Contains(in, c) }
}

// columnNames returns the columns that the last call of a chain is given.
func (r *renderer) columnNames() (names []string, known bool) {
	arg := r.finish.c.arg(r.finish.api.Column)
	if arg == nil || isNil(arg) {
		return nil, true
	}
	args := variadic(arg)
	for _, a := range args {
		name, ok := r.constant(a)
		if !ok {
			return nil, false
		}
		names = append(names, name)
	}
	return names, args != nil
}
