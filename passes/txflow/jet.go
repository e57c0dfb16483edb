package txflow

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// renderJet writes the statement of Jet. Tables are package variables and columns
// their fields; both are named after what the generator made them of.
func renderJet(r *renderer) sqltext.Text {
	l := r.last("select", "insert", "update", "delete", "raw", "lock")
	if l == nil {
		return nil
	}
	table := l.c.arg(l.api.Table)
	switch l.api.Clause {
	case "raw":
		r.arg(l.c.arg(l.api.SQL), sqltext.Unknown)
		r.lost = true
		return r.text
	case "lock":
		r.lit("LOCK TABLE ")
		r.jetTable(table)
		r.jetMode()
		return r.text
	case "select":
		if from := r.last("from"); from != nil {
			table = from.c.arg(from.api.Table)
		}
		r.lit("SELECT * FROM ")
		r.jetTable(table)
		r.jetWhere()
		r.clause("groupby", " GROUP BY ", sqltext.Ident)
		r.jetLimit()
		r.jetLock()
		return r.text
	case "insert":
		r.lit("INSERT INTO ")
		r.jetTable(table)
		r.jetValues(l)
		if r.last("onconflict") != nil {
			r.lit(" ON CONFLICT DO NOTHING")
		}
	case "update":
		r.lit("UPDATE ")
		r.jetTable(table)
		r.lit(" SET ")
		r.jetSets(l)
		r.jetWhere()
	case "delete":
		r.lit("DELETE FROM ")
		r.jetTable(table)
		r.jetWhere()
	}
	if r.last("returning") != nil {
		r.lit(" RETURNING *")
	}
	return r.text
}

// jetMode writes the mode of LOCK TABLE: IN(LOCK_EXCLUSIVE).
func (r *renderer) jetMode() {
	if l := r.last("mode"); l != nil {
		mode, ok := r.constant(l.c.arg(l.api.Value))
		if !ok {
			mode = "ACCESS EXCLUSIVE" // which of them does not matter
		}
		r.lit(" IN " + mode + " MODE")
	}
	if r.last("nowait") != nil {
		r.lit(" NOWAIT")
	}
}

func (r *renderer) jetLimit() {
	r.clause("order", " ORDER BY ", sqltext.Ident)
	r.clause("limit", " LIMIT ", sqltext.Literal)
}

// jetGlobal returns the package variable that a value is a field of, or "".
func jetGlobal(v ssa.Value) string {
	for range 8 {
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.Global:
			return x.Name()
		default:
			return ""
		}
	}
	return ""
}

func (r *renderer) jetTable(v ssa.Value) {
	if els := variadic(v); len(els) == 1 && els[0] != nil {
		v = els[0]
	}
	if name := jetGlobal(v); name != "" {
		r.lit(snake(name))
		return
	}
	r.hole(sqltext.Ident)
}

// jetColumn returns the column that a value is, or "".
func jetColumn(v ssa.Value) string {
	ld, ok := unwrap(v).(*ssa.UnOp)
	if !ok || ld.Op != token.MUL || jetGlobal(ld) == "" {
		return ""
	}
	if fa, ok := ld.X.(*ssa.FieldAddr); ok {
		return snake(structOf(fa.X.Type()).Field(fa.Field).Name())
	}
	return ""
}

// jetValue writes a value: of Go, of a literal's constructor, of a column.
func (r *renderer) jetValue(v ssa.Value) {
	if v == nil {
		r.placeholder(nil, "")
		return
	}
	if col := jetColumn(v); col != "" {
		r.lit(col)
		return
	}
	call, ok := unwrap(v).(*ssa.Call)
	if !ok {
		r.value(v)
		return
	}
	c := call.Common()
	if jetLiteral(c) {
		r.value(c.Args[0])
		return
	}
	if c.IsInvoke() && len(c.Args) == 1 && jetColumn(c.Value) != "" {
		if op := map[string]string{"ADD": " + ", "SUB": " - "}[c.Method.Name()]; op != "" {
			r.lit(jetColumn(c.Value) + op)
			r.jetValue(c.Args[0])
			return
		}
	}
	r.placeholder(nil, "")
}

// jetLiteral reports whether a call is of a constructor of literals: a function of
// Jet's, or a variable that holds one (Int, String).
func jetLiteral(c *ssa.CallCommon) bool {
	if c.IsInvoke() || len(c.Args) != 1 {
		return false
	}
	var pkg *ssa.Package
	if fn := c.StaticCallee(); fn != nil {
		pkg = fn.Pkg
	} else if ld, ok := c.Value.(*ssa.UnOp); ok && ld.Op == token.MUL {
		if g, ok := ld.X.(*ssa.Global); ok {
			pkg = g.Pkg
		}
	}
	return pkg != nil && strings.HasSuffix(pkg.Pkg.Path(), "jet/v2/postgres")
}

// jetSets writes the assignments: UPDATE(columns).SET(values), or SET of
// assignments.
func (r *renderer) jetSets(update *link) {
	if set := r.last("set"); set != nil {
		vals := append([]ssa.Value{set.c.arg(set.api.Value)}, variadic(set.c.arg(set.api.Args))...)
		cols := variadic(update.c.arg(update.api.Args))
		if len(cols) == len(vals) {
			for i, c := range cols {
				r.jetAssign(i, c, vals[i])
			}
			return
		}
		if len(cols) == 0 && r.jetAssignments(vals) {
			return
		}
	}
	if r.jetModel(variadic(update.c.arg(update.api.Args))) {
		return
	}
	r.unknownAssignment()
}

// jetModel writes the assignments of the fields of a MODEL to the columns that are
// named; false where there are none.
func (r *renderer) jetModel(cols []ssa.Value) bool {
	l := r.last("model")
	if l == nil || l.c.arg(l.api.Value) == nil {
		return false
	}
	for _, c := range cols {
		if c == nil || jetColumn(c) == "" {
			return false // a list of columns
		}
	}
	for i, c := range cols {
		if i > 0 {
			r.lit(", ")
		}
		r.lit(jetColumn(c) + " = ")
		r.placeholderOf(jetColumn(c)[strings.LastIndexByte(jetColumn(c), '.')+1:], l.c.arg(l.api.Value))
	}
	return len(cols) > 0
}

func (r *renderer) jetAssign(i int, col, val ssa.Value) {
	if i > 0 {
		r.lit(", ")
	}
	if col != nil && jetColumn(col) != "" {
		r.lit(jetColumn(col))
	} else {
		r.hole(sqltext.Ident)
	}
	r.lit(" = ")
	r.jetValue(val)
}

// jetAssignments writes Column.SET(value) of each; false if one is something else.
func (r *renderer) jetAssignments(list []ssa.Value) bool {
	for _, v := range list {
		call, ok := unwrapCall(v)
		if !ok || !call.Common().IsInvoke() || call.Common().Method.Name() != "SET" || jetColumn(call.Common().Value) == "" {
			return false
		}
	}
	for i, v := range list {
		call, _ := unwrapCall(v)
		r.jetAssign(i, call.Common().Value, call.Common().Args[0])
	}
	return len(list) > 0
}

func unwrapCall(v ssa.Value) (*ssa.Call, bool) {
	if v == nil {
		return nil, false
	}
	call, ok := unwrap(v).(*ssa.Call)
	return call, ok
}

func (r *renderer) jetValues(insert *link) {
	cols := variadic(insert.c.arg(insert.api.Args))
	ls := r.all("values")
	if len(ls) != 1 {
		r.lit(" DEFAULT VALUES")
		return
	}
	vals := append([]ssa.Value{ls[0].c.arg(ls[0].api.Value)}, variadic(ls[0].c.arg(ls[0].api.Args))...)
	if len(cols) != len(vals) {
		r.lit(" DEFAULT VALUES")
		return
	}
	var names []string
	for _, c := range cols {
		if c == nil || jetColumn(c) == "" {
			r.lit(" DEFAULT VALUES")
			return
		}
		names = append(names, jetColumn(c))
	}
	r.insertList(names, func(i int) { r.jetValue(vals[i]) })
}

func (r *renderer) jetWhere() {
	sep := " WHERE "
	for _, l := range r.all("where", "opaque") {
		r.lit(sep)
		sep = " AND "
		if l.api.Clause == "opaque" {
			r.unknownTerm()
			continue
		}
		r.jetTerm(l.c.arg(l.api.Value))
	}
}

// jetOperators are the comparisons.
var jetOperators = map[string]string{
	"EQ": "=", "NOT_EQ": "<>", "LT": "<", "LT_EQ": "<=", "GT": ">", "GT_EQ": ">=", "LIKE": "LIKE",
}

// jetTerm writes a condition.
func (r *renderer) jetTerm(v ssa.Value) {
	call, ok := unwrapCall(v)
	if ok && r.jetTerms(call.Common()) {
		return
	}
	if !ok || !call.Common().IsInvoke() {
		r.unknownTerm()
		r.lost = true
		return
	}
	c := call.Common()
	name, col := c.Method.Name(), jetColumn(c.Value)
	switch op := jetOperators[name]; {
	case name == "AND" && len(c.Args) == 1:
		r.jetTerm(c.Value)
		r.lit(" AND ")
		r.jetTerm(c.Args[0])
	case name == "OR":
		r.unknownTerm() // with no placeholder outside of it
	case op != "" && col != "" && len(c.Args) == 1:
		r.lit(col + " " + op + " ")
		r.jetValue(c.Args[0])
	case col != "" && (name == "IS_NULL" || name == "IS_NOT_NULL"):
		r.lit(col + " " + strings.ReplaceAll(name, "_", " "))
	case col != "" && name == "IN":
		r.lit(col + " IN (")
		r.hole(sqltext.List)
		r.lit(")")
		r.lost = true
	default:
		r.unknownTerm()
		r.lost = true
	}
}

// jetTerms writes the conditions that AND or OR is given as a list; false where the
// call is of something else. Both are variables of the package.
func (r *renderer) jetTerms(c *ssa.CallCommon) bool {
	ld, ok := c.Value.(*ssa.UnOp)
	if !ok || c.IsInvoke() || len(c.Args) != 1 {
		return false
	}
	g, ok := ld.X.(*ssa.Global)
	if !ok || g.Pkg == nil || !strings.HasPrefix(g.Pkg.Pkg.Path(), "github.com/go-jet/jet/") {
		return false
	}
	list := variadic(c.Args[0])
	switch {
	case g.Name() == "OR":
		r.unknownTerm()
	case g.Name() != "AND" || len(list) == 0:
		return false
	default:
		for i, v := range list {
			if i > 0 {
				r.lit(" AND ")
			}
			r.jetTerm(v)
		}
	}
	return true
}

// jetLock writes the locking clause: FOR(UPDATE().SKIP_LOCKED()).
func (r *renderer) jetLock() {
	l := r.last("for")
	if l == nil {
		if len(r.all("opaque")) > 0 {
			r.lit(" ")
			r.hole(sqltext.Unknown)
		}
		return
	}
	policy := ""
	v := l.c.arg(l.api.Value)
	for range 4 {
		call, ok := unwrapCall(v)
		if !ok {
			break
		}
		c := call.Common()
		if !c.IsInvoke() {
			if name := jetGlobal(c.Value); name != "" {
				r.lit(" FOR " + strings.ReplaceAll(name, "_", " ") + policy)
				return
			}
			break
		}
		switch c.Method.Name() {
		case "SKIP_LOCKED", "NOWAIT":
			policy = " " + strings.ReplaceAll(c.Method.Name(), "_", " ")
		}
		v = c.Value
	}
	r.lit(" ")
	r.hole(sqltext.Unknown)
}
