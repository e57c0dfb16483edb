package txflow

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// renderSQLBuilder writes the statement of a builder of go-sqlbuilder.
func renderSQLBuilder(r *renderer) sqltext.Text {
	verb := r.last("select", "insert", "update", "delete")
	if verb == nil {
		return nil
	}
	switch verb.api.Clause {
	case "select":
		r.lit("SELECT ")
		if strings.Contains(verb.api.Name, ".Struct)") {
			r.lit("*")
		} else {
			r.outputs(r.all("select"))
		}
		if l := r.last("from"); l != nil || verb.api.Table != 0 {
			r.lit(" FROM ")
			if l == nil {
				l = verb
			}
			r.arg(l.c.arg(l.api.Table), sqltext.Ident)
		}
		if len(r.all("join")) > 0 {
			r.lit(" JOIN ")
			r.hole(sqltext.Ident)
			r.lit(" ON true")
		}
		r.builderWhere()
		r.orderLimit()
		r.builderLock()
	case "insert":
		r.lit("INSERT INTO ")
		r.arg(verb.c.arg(verb.api.Table), sqltext.Ident)
		r.squirrelValues()
	case "update":
		r.lit("UPDATE ")
		r.arg(verb.c.arg(verb.api.Table), sqltext.Ident)
		r.lit(" SET ")
		r.builderSets(verb)
		r.builderWhere()
	case "delete":
		r.lit("DELETE FROM ")
		r.arg(verb.c.arg(verb.api.Table), sqltext.Ident)
		r.builderWhere()
	}
	for _, l := range r.all("sql") {
		r.lit(" ")
		r.arg(l.c.arg(l.api.SQL), sqltext.Unknown)
	}
	r.returning()
	if len(r.all("opaque")) > 0 {
		r.lit(" ")
		r.hole(sqltext.Unknown)
	}
	return r.text
}

func (r *renderer) builderLock() {
	l := r.last("for update", "for share")
	if l == nil {
		return
	}
	r.lit(" " + strings.ToUpper(l.api.Clause))
	if w := r.last("skip locked", "nowait"); w != nil {
		r.lit(" " + strings.ToUpper(w.api.Clause))
	}
}

// builderWhere writes the terms of Where, which are texts that a builder's own
// methods have made.
func (r *renderer) builderWhere() {
	sep := " WHERE "
	for _, l := range r.all("where") {
		terms := variadic(l.c.arg(l.api.Args))
		if terms == nil {
			terms = []ssa.Value{nil}
		}
		for _, t := range terms {
			r.lit(sep)
			r.builderTerm(t)
			sep = " AND "
		}
	}
	if len(r.all("opaque")) > 0 {
		r.lit(sep)
		r.hole(sqltext.Unknown)
	}
}

// builderOps are the methods that compare a field with a value, and how.
var builderOps = map[string]string{
	"Equal": "=", "E": "=", "EQ": "=", "NotEqual": "<>", "NE": "<>", "NEQ": "<>",
	"GreaterThan": ">", "G": ">", "GT": ">", "GreaterEqualThan": ">=", "GE": ">=", "GTE": ">=",
	"LessThan": "<", "L": "<", "LT": "<", "LessEqualThan": "<=", "LE": "<=", "LTE": "<=",
	"Like": "LIKE", "ILike": "ILIKE", "NotLike": "NOT LIKE", "NotILike": "NOT ILIKE",
}

// builderTerm writes a condition.
func (r *renderer) builderTerm(v ssa.Value) {
	name, args := r.builderCall(v)
	switch {
	case builderOps[name] != "" && len(args) == 3:
		r.arg(args[1], sqltext.Ident)
		r.lit(" " + builderOps[name] + " ")
		r.value(args[2])
	case (name == "IsNull" || name == "IsNotNull") && len(args) == 2:
		r.arg(args[1], sqltext.Ident)
		r.lit(map[string]string{"IsNull": " IS NULL", "IsNotNull": " IS NOT NULL"}[name])
	case name == "In" && len(args) == 3:
		r.arg(args[1], sqltext.Ident)
		r.lit(" IN (")
		r.hole(sqltext.List)
		r.lit(")")
		r.lost = true
	case name == "And" && len(args) == 2 && len(variadic(args[1])) > 0:
		for i, t := range variadic(args[1]) {
			if i > 0 {
				r.lit(" AND ")
			}
			r.builderTerm(t)
		}
	case name == "" && v != nil:
		if text, ok := r.constant(v); ok && !strings.Contains(text, "$") {
			r.lit("(" + text + ")")
			return
		}
		r.unknownTerm()
		r.lost = true
	default:
		r.unknownTerm()
		r.lost = true
	}
}

// builderCall returns the name and the arguments, the receiver first, of a method
// of a builder that makes a part of a statement.
func (r *renderer) builderCall(v ssa.Value) (string, []ssa.Value) {
	if v == nil {
		return "", nil
	}
	call, ok := unwrap(v).(*ssa.Call)
	if !ok {
		return "", nil
	}
	fn := call.Common().StaticCallee()
	if fn == nil || fn.Pkg == nil || !strings.HasSuffix(fn.Pkg.Pkg.Path(), "huandu/go-sqlbuilder") {
		return "call", nil
	}
	return fn.Name(), call.Call.Args
}

// builderSets writes the assignments of an UPDATE.
func (r *renderer) builderSets(verb *link) {
	n := 0
	for _, l := range r.all("set") {
		for _, v := range variadic(l.c.arg(l.api.Args)) {
			if n++; n > 1 {
				r.lit(", ")
			}
			r.builderSet(v)
		}
	}
	if n == 0 || verb.api.Value != 0 {
		if n > 0 {
			r.lit(", ")
		}
		r.unknownAssignment()
		r.lost = true
	}
}

// builderSteps are the methods that compute a field from itself, and how.
var builderSteps = map[string]string{"Add": "+", "Sub": "-", "Mul": "*", "Div": "/", "Incr": "+", "Decr": "-"}

func (r *renderer) builderSet(v ssa.Value) {
	name, args := r.builderCall(v)
	op := builderSteps[name]
	switch {
	case name == "Assign" && len(args) == 3:
		r.arg(args[1], sqltext.Ident)
		r.lit(" = ")
		r.value(args[2])
	case op != "" && len(args) >= 2:
		r.arg(args[1], sqltext.Ident)
		r.lit(" = ")
		r.arg(args[1], sqltext.Ident)
		r.lit(" " + op + " ")
		if len(args) == 3 {
			r.value(args[2])
		} else {
			r.lit("1")
		}
	default:
		if text, ok := r.constant(v); ok && strings.Contains(text, "=") && !strings.Contains(text, "$") {
			r.lit(text)
			return
		}
		r.unknownAssignment()
		r.lost = true
	}
}
