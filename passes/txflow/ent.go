package txflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// isClientOf reports whether a field of a struct of type t is the client of one
// entity that belongs to a client, or a transaction, that ent generated, or what
// that is configured with: what it runs runs on the handle that the struct is.
func isClientOf(t, field types.Type) bool {
	outer, inner := namedOf(t), namedOf(deref(field))
	if outer == nil || inner == nil || outer.Pkg() != inner.Pkg() || outer.Name() != "Client" && outer.Name() != "Tx" {
		return false
	}
	entity, kind := dbapi.EntType(inner)
	return entity != "" && kind == "Client" || entity == "" && kind == "config"
}

// driverTx returns the transaction that is in the driver of the user's with which a
// client of ent is made, or nil.
func (e *engine) driverTx(c *callee, f *dbapi.Func) *Value {
	if f.Library != "ent" || len(c.args) != 1 || c.args[0] == nil {
		return nil
	}
	for _, opt := range variadic(c.args[0]) {
		call, ok := unwrapCall(opt)
		if !ok || call.Call.StaticCallee() == nil || call.Call.StaticCallee().Name() != "Driver" || len(call.Call.Args) != 1 {
			continue
		}
		if tx := e.txWithin(unwrap(call.Call.Args[0]), "", 0); tx != nil {
			return tx
		}
	}
	return nil
}

// txWithin returns the transaction that is in a field of a struct, or nil.
func (e *engine) txWithin(v ssa.Value, path string, depth int) *Value {
	t := v.Type()
	if path != "" {
		t = fieldType(deref(t), path)
	}
	if t == nil || structOf(t) == nil || depth > 2 {
		return nil
	}
	for f := range structOf(t).Fields() {
		below := path + "." + f.Name()
		if got := e.eval(v, below); got.Kind == Tx {
			return &got
		}
		if tx := e.txWithin(v, below, depth+1); tx != nil {
			return tx
		}
	}
	return nil
}

func namedOf(t types.Type) *types.TypeName {
	if n, ok := types.Unalias(derefPtr(t)).(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

// addedAside reports whether a call adds to the builder that a call of ent's
// returned, and its own result is not used: builders change in place.
func (e *engine) addedAside(x *ssa.Call, f *dbapi.Func) bool {
	if f.Library != "ent" {
		return false
	}
	for _, r := range *x.Referrers() {
		call, ok := r.(*ssa.Call)
		if !ok || len(*call.Referrers()) > 0 {
			continue
		}
		for _, c := range e.callees(call.Common()) {
			if g := c.api(); g != nil && g.Role == dbapi.Chain && c.arg(g.Handle) == x {
				return true
			}
		}
	}
	return false
}

// An entSchema is what the generated package of an entity says about its table.
type entSchema struct{ scope *types.Scope }

// schema returns the schema of the entity whose builder the chain is.
func (r *renderer) schema() entSchema {
	fn := r.finish.c.obj
	if fn == nil || fn.Signature().Recv() == nil {
		return entSchema{}
	}
	t := namedOf(fn.Signature().Recv().Type())
	entity, _ := dbapi.EntType(t)
	path := t.Pkg().Path() + "/" + strings.ToLower(entity)
	for _, imp := range t.Pkg().Imports() {
		if imp.Path() == path {
			return entSchema{imp.Scope()}
		}
	}
	return entSchema{}
}

// text returns the value of a string constant of the package, or "".
func (s entSchema) text(name string) string {
	if s.scope == nil {
		return ""
	}
	if c, ok := s.scope.Lookup(name).(*types.Const); ok && c.Val().Kind() == constant.String {
		return constant.StringVal(c.Val())
	}
	return ""
}

// column returns the column of a field, or of the edge of that name; "" where
// there is none.
func (s entSchema) column(field string) string {
	if c := s.text("Field" + field); c != "" {
		return c
	}
	if s.text("Edge"+strings.TrimSuffix(field, "ID")) != "" && s.text(strings.TrimSuffix(field, "ID")+"Table") == s.text("Table") {
		return s.text(strings.TrimSuffix(field, "ID") + "Column")
	}
	return ""
}

// renderEnt writes the statement of a builder that ent generated.
func renderEnt(r *renderer) sqltext.Text {
	if strings.HasSuffix(r.finish.api.Name, "Context") {
		return nil
	}
	s := r.schema()
	table := func() {
		if name := s.text("Table"); name != "" {
			r.lit(`"` + name + `"`)
			return
		}
		r.hole(sqltext.Ident)
	}
	switch kind := methodOwner(r.finish.api.Name); {
	case strings.HasSuffix(kind, "Query"), strings.HasSuffix(kind, "Select"), strings.HasSuffix(kind, "GroupBy"), r.finish.api.Clause == "get":
		r.entSelect(s, table)
	case strings.HasSuffix(kind, "Update"), strings.HasSuffix(kind, "UpdateOne"):
		r.lit("UPDATE ")
		table()
		r.lit(" SET ")
		r.entSets(s)
		r.entWhere(s)
	case strings.HasSuffix(kind, "Delete"), strings.HasSuffix(kind, "DeleteOne"):
		r.lit("DELETE FROM ")
		table()
		r.entWhere(s)
	default:
		r.lit("INSERT INTO ")
		table()
		r.entInsert(s)
	}
	return r.text
}

// methodOwner returns the name of the type in "(*path.Type).Method".
func methodOwner(name string) string {
	name, _, _ = strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ")")
	return name[strings.LastIndexByte(name, '.')+1:]
}

func methodName(f *dbapi.Func) string { return f.Name[strings.LastIndexByte(f.Name, '.')+1:] }

func (r *renderer) entSelect(s entSchema, table func()) {
	switch r.finish.api.Clause {
	case "count":
		r.lit("SELECT count(*) FROM ")
	case "exists":
		r.lit("SELECT 1 FROM ")
	default:
		r.lit("SELECT ")
		r.outputs(r.all("select"))
		r.lit(" FROM ")
	}
	table()
	r.entWhere(s)
	r.clause("order", " ORDER BY ", sqltext.Ident)
	switch {
	case r.clause("limit", " LIMIT ", sqltext.Literal):
	case r.finish.api.Clause == "first", r.finish.api.Clause == "exists":
		r.lit(" LIMIT 1")
	}
	if l := r.last("forupdate", "forshare"); l != nil {
		r.lit(map[string]string{"forupdate": " FOR UPDATE", "forshare": " FOR SHARE"}[l.api.Clause])
		r.entLockOptions(l)
	} else if len(r.all("opaque")) > 0 {
		r.lit(" ")
		r.hole(sqltext.Unknown)
	}
}

// entLockOptions writes what WithLockAction says.
func (r *renderer) entLockOptions(l *link) {
	a := l.c.arg(l.api.Args)
	if a == nil || isNil(a) {
		return
	}
	els := variadic(a)
	if els == nil {
		r.lit(" ")
		r.hole(sqltext.Unknown)
		return
	}
	for _, el := range els {
		r.lit(" ")
		if action, ok := r.lockAction(el); ok {
			r.lit(action)
		} else {
			r.hole(sqltext.Unknown)
		}
	}
}

func (r *renderer) lockAction(v ssa.Value) (string, bool) {
	call, ok := v.(*ssa.Call)
	if !ok {
		return "", false
	}
	for _, c := range r.e.callees(call.Common()) {
		f := c.api()
		if f == nil || f.Clause != "lockaction" {
			continue
		}
		if k, ok := c.arg(f.Options).(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.String {
			return constant.StringVal(k.Value), true
		}
	}
	return "", false
}

// entSets writes the assignments of an UPDATE.
func (r *renderer) entSets(s entSchema) {
	sep := ""
	for _, l := range r.all("set", "add", "clear", "opaque") {
		name := methodName(l.api)
		verb := map[string]string{"set": "Set", "add": "Add", "clear": "Clear"}[l.api.Clause]
		field, _ := strings.CutPrefix(name, verb)
		nillable := strings.HasPrefix(field, "Nillable") && s.column(field) == ""
		if nillable {
			field = strings.TrimPrefix(field, "Nillable")
		}
		col := s.column(field)
		if col == "" {
			if l.api.Clause == "add" || l.api.Clause == "clear" {
				continue // an edge that is kept in another table, as a rule
			}
		}
		r.lit(sep)
		sep = ", "
		if col == "" {
			r.hole(sqltext.Ident)
		} else {
			r.lit(`"` + col + `"`)
		}
		r.lit(" = ")
		switch l.api.Clause {
		case "clear":
			r.lit("NULL")
			continue
		}
		v := l.c.arg(l.api.Value)
		if l.api.Clause == "add" {
			op := " + "
			if neg, ok := v.(*ssa.UnOp); ok && neg.Op == token.SUB {
				op, v = " - ", neg.X // AddBalance(-n)
			}
			r.lit(`"` + col + `"` + op)
		}
		if v == nil || nillable && isNil(v) {
			r.placeholder(nil, "")
		} else if nillable {
			r.placeholder(unwrap(v), "") // what it points to, where there is something
		} else {
			r.value(v)
		}
	}
	if sep == "" {
		r.unknownAssignment()
	}
}

// entInsert writes columns and values of an INSERT.
func (r *renderer) entInsert(s entSchema) {
	var cols []string
	var vals []ssa.Value
	if len(r.all("opaque", "bulk")) == 0 {
		for _, l := range r.all("set") {
			field, _ := strings.CutPrefix(methodName(l.api), "Set")
			v := l.c.arg(l.api.Value)
			if s.column(field) == "" && strings.HasPrefix(field, "Nillable") {
				field, v = strings.TrimPrefix(field, "Nillable"), nil
			}
			if col := s.column(field); col != "" {
				cols, vals = append(cols, `"`+col+`"`), append(vals, v)
			}
		}
	}
	r.insertList(cols, func(i int) {
		if vals[i] == nil {
			r.placeholder(nil, "")
			return
		}
		r.value(vals[i])
	})
	if r.last("onconflict") != nil || strings.Contains(methodOwner(r.finish.api.Name), "Upsert") {
		r.lit(" ON CONFLICT DO NOTHING")
	} else if len(r.all("opaque")) > 0 {
		r.lit(" ")
		r.hole(sqltext.Unknown)
	}
}

// entWhere writes the conditions: the row of UpdateOne, and the predicates.
func (r *renderer) entWhere(s entSchema) {
	sep := " WHERE "
	next := func() { r.lit(sep); sep = " AND " }
	if l := r.last("updateone", "deleteone"); l != nil {
		next()
		r.entKey(s, l.c.arg(l.api.Value))
	}
	if r.finish.api.Clause == "get" {
		next()
		r.entKey(s, r.finish.c.arg(r.finish.api.Value))
	}
	for _, l := range r.all("where", "edge", "opaque") {
		els := variadic(l.c.arg(l.api.Args))
		if els == nil || l.api.Clause != "where" {
			next()
			r.lit("(")
			r.hole(sqltext.Unknown)
			r.lit(")")
			r.lost = true
			continue
		}
		for _, el := range els {
			next()
			r.entPredicate(s, el)
		}
	}
}

// entKey writes the condition that the row is the one with the id v, or that of
// the entity v.
func (r *renderer) entKey(s entSchema, v ssa.Value) {
	col := s.text("FieldID")
	if col == "" {
		col = "id"
	}
	r.lit(`"` + col + `" = `)
	if v != nil && structOf(v.Type()) != nil && !isScalarStruct(derefPtr(v.Type())) {
		r.placeholder(v, ".ID")
		return
	}
	r.placeholder(v, "")
}

// entOperators end the names of predicates, https://entgo.io/docs/predicates.
var entOperators = []struct{ suffix, op string }{
	{"NEQ", "<>"}, {"EQ", "="}, {"GTE", ">="}, {"LTE", "<="}, {"GT", ">"}, {"LT", "<"},
	{"NotIn", "NOT IN"}, {"In", "IN"}, {"IsNil", "IS NULL"}, {"NotNil", "IS NOT NULL"},
}

// entPredicate writes a call of a generated predicate: order.StatusEQ(v).
func (r *renderer) entPredicate(s entSchema, v ssa.Value) {
	call, ok := v.(*ssa.Call)
	if !ok || call.Common().StaticCallee() == nil || call.Common().StaticCallee().Object() == nil {
		r.unknownTerm()
		return
	}
	fn := call.Common().StaticCallee().Object()
	if fn.Pkg() == nil || fn.Pkg().Scope() != s.scope {
		r.unknownTerm()
		return
	}
	args := call.Common().Args
	if fn.Name() == "And" && len(args) == 1 && len(variadic(args[0])) > 0 {
		for i, el := range variadic(args[0]) {
			if i > 0 {
				r.lit(" AND ")
			}
			r.entPredicate(s, el)
		}
		return
	}
	name, op := fn.Name(), "="
	if s.column(name) == "" {
		for _, o := range entOperators {
			if f, ok := strings.CutSuffix(name, o.suffix); ok && s.column(f) != "" {
				name, op = f, o.op
				break
			}
		}
	}
	col := s.column(name)
	switch {
	case col == "":
		r.unknownTerm()
	case strings.HasPrefix(op, "IS"):
		r.lit(`"` + col + `" ` + op)
	case strings.HasSuffix(op, "IN"):
		r.lit(`"` + col + `" ` + op + " (")
		r.hole(sqltext.List)
		r.lit(")")
		r.lost = true
	case len(args) == 1:
		r.lit(`"` + col + `" ` + op + " ")
		r.value(args[0])
	default:
		r.unknownTerm()
	}
}

func (r *renderer) unknownTerm() {
	r.lit("(")
	r.hole(sqltext.Unknown)
	r.lit(")")
}
