package txflow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// renderXorm writes the statement of a session of XORM, where all of it is in
// one chain of calls. A session keeps what is added to it in other statements of
// the program too, and beans add conditions of their own.
func renderXorm(r *renderer) sqltext.Text {
	if len(r.all("opaque", "join", "group", "having")) > 0 || r.addedApart() {
		return nil
	}
	if raw := r.last("raw"); raw != nil {
		r.arg(raw.c.arg(raw.api.SQL), sqltext.Unknown)
		return r.text
	}
	f := r.finish.api
	bean := r.finish.c.arg(f.Dst)
	if bean == nil {
		bean = r.finish.c.arg(f.Value)
	}
	if bean == nil {
		return nil
	}
	bean = onlyOne(bean)
	switch f.Clause {
	case "get", "find":
		r.lit("SELECT * FROM ")
		r.xormTable(bean)
		r.xormWhere(bean, f.Clause == "get")
		r.orderLimit()
		if f.Clause == "get" && r.last("limit") == nil {
			r.lit(" LIMIT 1")
		}
		if r.last("forupdate") != nil {
			r.lit(" FOR UPDATE")
		}
	case "insert":
		r.lit("INSERT INTO ")
		r.xormTable(bean)
		r.insertModel(bean)
	case "update":
		r.lit("UPDATE ")
		r.xormTable(bean)
		r.lit(" SET ")
		r.xormSets(bean)
		r.xormWhere(nil, len(variadic(r.finish.c.arg(f.Args))) > 0)
	case "delete":
		r.lit("DELETE FROM ")
		r.xormTable(bean)
		r.xormWhere(bean, true)
	default:
		return nil
	}
	return r.text
}

// addedApart reports whether something is added to the session of the chain by
// a call whose result is not used: it is not in the chain.
func (r *renderer) addedApart() bool {
	if len(r.links) == 0 {
		return false
	}
	session := r.links[0].c.arg(r.links[0].api.Handle)
	if session == nil || session.Referrers() == nil {
		return false
	}
	for _, in := range *session.Referrers() {
		call, ok := in.(*ssa.Call)
		if !ok || len(call.Call.Args) == 0 || call.Call.Args[0] != session {
			continue
		}
		if _, flow := r.e.kindOfType(call.Type()); flow && (call.Referrers() == nil || len(*call.Referrers()) == 0) {
			return true
		}
	}
	return false
}

// xormTable writes the table of a bean: what its method TableName returns, or
// its type's name as the default mapper has it.
func (r *renderer) xormTable(bean ssa.Value) {
	if l := r.last("table"); l != nil {
		r.table(l, nil)
		return
	}
	n, ok := types.Unalias(elementType(unwrap(bean).Type())).(*types.Named)
	if !ok || structOf(n) == nil {
		r.hole(sqltext.Ident)
		return
	}
	name, has := r.e.tableMethod(n)
	if !has {
		name = snake(n.Obj().Name())
		if r.e.guessedTables == nil {
			r.e.guessedTables = map[string]bool{}
		}
		r.e.guessedTables[name] = true
	}
	if name == "" {
		r.hole(sqltext.Ident)
		return
	}
	r.lit(`"` + name + `"`)
}

// xormWhere writes the conditions: those of the chain, and a hole for those of
// a bean with fields that may be set.
func (r *renderer) xormWhere(bean ssa.Value, ofBean bool) {
	sep := " WHERE "
	for _, l := range r.all("id", "where", "in") {
		r.lit(sep + "(")
		switch l.api.Clause {
		case "id":
			r.lit("id = ")
			r.value(l.c.arg(l.api.Value))
		case "in":
			r.arg(l.c.arg(l.api.Column), sqltext.Ident)
			r.lit(" IN (")
			r.hole(sqltext.List)
			r.lit(")")
			r.lost = true
		default:
			r.condition(l.c.arg(l.api.SQL), variadic(l.c.arg(l.api.Args)))
		}
		r.lit(")")
		sep = " AND "
	}
	if len(r.all("or")) > 0 || ofBean && !r.emptyBean(bean) {
		r.lit(map[bool]string{true: sep, false: " OR "}[sep == " WHERE " || len(r.all("or")) == 0] + "(")
		r.hole(sqltext.Unknown)
		r.lit(")")
		r.lost = true
	}
}

// emptyBean reports whether a bean is a variable with no field set.
func (r *renderer) emptyBean(bean ssa.Value) bool {
	if bean == nil {
		return false
	}
	a, ok := unwrap(bean).(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, in := range *a.Referrers() {
		switch in := in.(type) {
		case *ssa.FieldAddr:
			for _, u := range *in.Referrers() {
				if st, ok := u.(*ssa.Store); ok && st.Addr == in && st.Pos() < r.finish.c.args[0].Pos() {
					return false
				}
			}
		case *ssa.Store:
			return false
		}
	}
	return true
}

// xormSets writes the assignments of an UPDATE: of the columns that are named,
// else of those fields of the bean that are not zero.
func (r *renderer) xormSets(bean ssa.Value) {
	sep := ""
	for _, l := range r.all("set") {
		r.lit(sep)
		r.arg(l.c.arg(l.api.Column), sqltext.Ident)
		r.lit(" = ")
		if l.api.Args != 0 { // Incr, Decr
			r.arg(l.c.arg(l.api.Column), sqltext.Ident)
			r.lit(" + ")
		}
		r.hole(sqltext.Literal)
		sep = ", "
	}
	for _, l := range r.all("cols") {
		sep = r.assignFields(variadic(l.c.arg(l.api.Column)), bean, sep)
	}
	if sep == "" && r.last("allcols") != nil && r.setModel(bean, nil) {
		return
	}
	if sep == "" {
		r.hole(sqltext.Ident)
		r.lit(" = ")
		r.hole(sqltext.Literal)
		r.lost = true
	}
}
