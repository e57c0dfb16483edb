package txflow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// renderDbr writes the statement of a builder of dbr.
func renderDbr(r *renderer) sqltext.Text {
	if raw := r.last("raw"); raw != nil {
		r.listFragment(r.dbrValue, raw.c.arg(raw.api.SQL), variadic(raw.c.arg(raw.api.Args)))
		return r.text
	}
	verb := r.last("select", "insert", "update", "delete")
	if verb == nil {
		return nil
	}
	switch verb.api.Clause {
	case "select":
		r.dbrSelect(verb)
	case "insert":
		if r.last("ignore") != nil {
			return nil // INSERT IGNORE, which is MySQL's
		}
		r.lit("INSERT INTO ")
		r.arg(verb.c.arg(verb.api.Table), sqltext.Ident)
		r.dbrValues()
		r.returning()
	case "update":
		r.lit("UPDATE ")
		r.arg(verb.c.arg(verb.api.Table), sqltext.Ident)
		r.lit(" SET ")
		r.dbrSets()
		r.dbrWhere()
		r.returning()
	case "delete":
		r.lit("DELETE FROM ")
		r.arg(verb.c.arg(verb.api.Table), sqltext.Ident)
		r.dbrWhere()
	}
	return r.text
}

func (r *renderer) dbrSelect(verb *link) {
	r.lit("SELECT ")
	if r.last("distinct") != nil {
		r.lit("DISTINCT ")
	}
	r.outputs([]link{*verb})
	if l := r.last("from"); l != nil {
		r.lit(" FROM ")
		r.arg(l.c.arg(l.api.Table), sqltext.Ident)
	}
	for _, l := range r.all("join", "left join", "right join", "full join") {
		r.lit(" " + strings.ToUpper(l.api.Clause) + " ")
		r.arg(l.c.arg(l.api.Table), sqltext.Ident)
		r.lit(" ON (")
		r.dbrCondition(l.c.arg(l.api.SQL), nil)
		r.lit(")")
	}
	r.dbrWhere()
	r.clause("group", " GROUP BY ", sqltext.Ident)
	r.clause("having", " HAVING ", sqltext.Unknown)
	r.orderLimit()
	for _, l := range r.all("suffix") {
		r.lit(" ")
		r.listFragment(r.dbrValue, l.c.arg(l.api.SQL), variadic(l.c.arg(l.api.Args)))
	}
	if len(r.all("opaque")) > 0 {
		r.lit(" ")
		r.hole(sqltext.Unknown)
	}
}

// dbrValues writes the columns and values of an INSERT of one row.
func (r *renderer) dbrValues() {
	var list []entry
	var model ssa.Value
	for _, l := range r.all("columns", "pair") {
		names := variadic(l.c.arg(l.api.Column))
		if l.api.Clause == "pair" {
			names = []ssa.Value{l.c.arg(l.api.Column)}
		}
		for _, n := range names {
			name, ok := r.constant(n)
			if !ok {
				r.lit(" DEFAULT VALUES")
				return
			}
			list = append(list, entry{column: name, value: l.c.arg(l.api.Value)})
		}
	}
	switch rows := r.all("values", "record"); {
	case len(rows) == 1 && rows[0].api.Clause == "record":
		model = rows[0].c.arg(rows[0].api.Value)
	case len(rows) == 1 && len(variadic(rows[0].c.arg(rows[0].api.Args))) == len(list):
		for i, v := range variadic(rows[0].c.arg(rows[0].api.Args)) {
			list[i].value = v
		}
	case len(rows) > 0:
		list = nil
	}
	if len(list) == 0 || r.last("opaque") != nil {
		r.lit(" DEFAULT VALUES")
		return
	}
	var cols []string
	for _, x := range list {
		cols = append(cols, x.column)
	}
	r.insertList(cols, func(i int) {
		if model != nil {
			r.placeholderOf(list[i].column, model)
			return
		}
		r.dbrValue(list[i].value)
	})
}

// dbrSets writes the assignments of an UPDATE.
func (r *renderer) dbrSets() {
	sep := ""
	for _, l := range r.all("set", "incr", "decr") {
		r.lit(sep)
		r.arg(l.c.arg(l.api.Column), sqltext.Ident)
		r.lit(" = ")
		if op := map[string]string{"incr": " + ", "decr": " - "}[l.api.Clause]; op != "" {
			r.arg(l.c.arg(l.api.Column), sqltext.Ident)
			r.lit(op)
		}
		r.dbrValue(l.c.arg(l.api.Value))
		sep = ", "
	}
	more := r.last("opaque") != nil
	for _, l := range r.all("setmap") {
		list, ok := r.e.entries(l.c.arg(l.api.Value))
		more = more || !ok
		for _, x := range list {
			r.lit(sep + x.column + " = ")
			r.dbrValue(x.value)
			sep = ", "
		}
	}
	if more || sep == "" {
		r.lit(sep)
		r.unknownAssignment()
		r.lost = true
	}
}

func (r *renderer) dbrWhere() {
	sep := " WHERE ("
	for _, l := range r.all("where", "opaque") {
		r.lit(sep)
		r.dbrCondition(l.c.arg(l.api.SQL), variadic(l.c.arg(l.api.Args)))
		r.lit(")")
		sep = " AND ("
	}
}

// dbrOperators are the functions that compare a column with a value.
var dbrOperators = map[string]string{
	"Eq": "=", "Neq": "<>", "Gt": ">", "Gte": ">=", "Lt": "<", "Lte": "<=", "Like": "LIKE", "NotLike": "NOT LIKE",
}

// dbrCondition writes a condition without parentheses around it: a text, or what
// a function of dbr makes.
func (r *renderer) dbrCondition(v ssa.Value, args []ssa.Value) {
	if v == nil {
		r.dbrUnknown()
		return
	}
	v = unwrap(v)
	if isString(v.Type()) {
		r.listFragment(r.dbrValue, v, args)
		return
	}
	name, args := dbrCall(v)
	switch {
	case dbrOperators[name] != "" && len(args) > 1:
		r.dbrComparison(args[0], dbrOperators[name], args[1])
	case (name == "And" || name == "Or") && len(args) == 1 && len(variadic(args[0])) > 0:
		for i, el := range variadic(args[0]) {
			if i > 0 {
				r.lit(" " + strings.ToUpper(name) + " ")
			}
			r.lit("(")
			r.dbrCondition(el, nil)
			r.lit(")")
		}
	case name == "Expr" && len(args) == 2:
		r.listFragment(r.dbrValue, args[0], variadic(args[1]))
	default:
		r.dbrUnknown()
	}
}

func (r *renderer) dbrUnknown() {
	r.hole(sqltext.Unknown)
	r.lost = true
}

// dbrCall returns the name and the arguments of the function of dbr that has made
// a value, or "".
func dbrCall(v ssa.Value) (string, []ssa.Value) {
	call, ok := v.(*ssa.Call)
	if !ok {
		return "", nil
	}
	fn := call.Common().StaticCallee()
	if fn == nil || fn.Pkg == nil || !strings.HasPrefix(fn.Pkg.Pkg.Path(), "github.com/gocraft/dbr") || fn.Signature.Recv() != nil {
		return "", nil
	}
	return fn.Name(), call.Call.Args
}

// dbrComparison writes column op value; with a slice, = is IN.
func (r *renderer) dbrComparison(col ssa.Value, op string, v ssa.Value) {
	name, ok := r.constant(col)
	if !ok || v == nil {
		r.dbrUnknown()
		return
	}
	_, iface := v.Type().Underlying().(*types.Interface)
	if iface && unwrap(v) == v && (op == "=" || op == "<>") {
		r.dbrUnknown() // NULL, a list or a value
		return
	}
	r.comparison(entry{column: name, value: v}, op)
	r.lost = r.lost || isList(unwrap(v).Type())
}

// dbrValue writes a value that stands for a placeholder: what a function or a
// statement of dbr makes stands there itself.
func (r *renderer) dbrValue(v ssa.Value) {
	if v == nil {
		r.placeholder(nil, "")
		return
	}
	if name, args := dbrCall(unwrap(v)); name == "Expr" && len(args) == 2 {
		r.listFragment(r.dbrValue, args[0], variadic(args[1]))
		return
	}
	if isDbr(unwrap(v).Type()) || isDbr(v.Type()) {
		r.dbrUnknown()
		return
	}
	r.value(v)
}

// isDbr reports whether a type is one of dbr's builders: of a statement, a
// condition, an identifier.
func isDbr(t types.Type) bool {
	n := namedOf(t)
	return n != nil && n.Pkg() != nil && strings.HasPrefix(n.Pkg().Path(), "github.com/gocraft/dbr") && !strings.HasPrefix(n.Name(), "Null")
}
