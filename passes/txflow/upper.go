package txflow

import (
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

const upperPath = "github.com/upper/db"

// renderUpper writes the statement of a builder or a result of upper/db, or of a
// method that takes a record.
func renderUpper(r *renderer) sqltext.Text {
	if len(r.all("opaque", "page")) > 0 {
		return nil
	}
	verb := r.last("select", "selectfrom", "insert", "update", "delete")
	switch {
	case verb != nil:
		r.upperBuilder(verb)
	case r.last("table") != nil || r.finish.api.Value != 0 || r.finish.api.Dst != 0 || r.last("find") != nil:
		r.upperResult()
	default:
		return nil
	}
	if len(r.text) == 0 || !r.amend() {
		return nil
	}
	return r.text
}

// upperBuilder writes what a builder of the session's SQL makes.
func (r *renderer) upperBuilder(verb *link) {
	switch verb.api.Clause {
	case "select", "selectfrom":
		r.lit("SELECT ")
		r.outputs(r.all("select", "columns"))
		r.lit(" FROM ")
		r.upperTables(r.last("from", "selectfrom"))
		for range r.all("join") {
			r.lit(" JOIN ")
			r.hole(sqltext.Ident)
			r.lit(" ON true")
		}
		r.upperWhere()
		r.upperTail()
	case "insert":
		r.lit("INSERT INTO ")
		r.arg(verb.c.arg(verb.api.Table), sqltext.Ident)
		r.upperValues()
		r.returning()
	case "update":
		r.lit("UPDATE ")
		r.arg(verb.c.arg(verb.api.Table), sqltext.Ident)
		r.lit(" SET ")
		sets := r.all("set")
		for i, l := range sets {
			if i > 0 {
				r.lit(", ")
			}
			r.upperSets(variadic(l.c.arg(l.api.Args)))
		}
		if len(sets) == 0 {
			r.unknownSet()
		}
		r.upperWhere()
	case "delete":
		r.lit("DELETE FROM ")
		r.arg(verb.c.arg(verb.api.Table), sqltext.Ident)
		r.upperWhere()
	}
}

// upperResult writes what a method of a collection, of a result or of the session
// sends.
func (r *renderer) upperResult() {
	f := r.finish.api
	record := r.finish.c.arg(f.Value)
	table := func() {
		if l := r.last("table"); l != nil {
			r.arg(l.c.arg(l.api.Table), sqltext.Ident)
			return
		}
		if f.Dst != 0 {
			record = r.finish.c.arg(f.Dst)
		}
		r.recordTable(record)
	}
	switch f.Clause {
	case "resultone", "all", "count", "exists", "get":
		r.lit("SELECT ")
		if f.Clause == "count" || f.Clause == "exists" {
			r.lit("count(*)")
		} else {
			r.outputs(r.all("columns"))
		}
		r.lit(" FROM ")
		table()
		if f.Clause == "get" {
			r.lit(" WHERE ")
			r.upperTerms([]ssa.Value{r.finish.c.arg(f.Args)}, true)
		}
		r.upperWhere()
		if f.Clause != "count" && f.Clause != "exists" {
			r.upperTail()
		}
		if f.Clause == "resultone" && r.last("limit") == nil {
			r.lit(" LIMIT 1")
		}
	case "insertrow":
		r.lit("INSERT INTO ")
		table()
		r.upperRow(record)
	case "updateresult":
		r.lit("UPDATE ")
		table()
		r.lit(" SET ")
		r.upperSets([]ssa.Value{record})
		r.upperWhere()
	case "deleteresult":
		r.lit("DELETE FROM ")
		table()
		r.upperWhere()
	case "save", "updaterow":
		if key, _ := r.modelKey(record); key == "" && f.Clause == "save" {
			r.lit("INSERT INTO ")
			table()
			r.upperRow(record)
			return
		}
		r.lit("UPDATE ")
		table()
		r.lit(" SET ")
		r.upperSets([]ssa.Value{record})
		r.gormKey(record)
	case "deleterecord":
		r.lit("DELETE FROM ")
		table()
		r.gormKey(record)
	}
}

// upperTables writes the tables of a SELECT.
func (r *renderer) upperTables(l *link) {
	if l == nil {
		r.hole(sqltext.Ident)
		return
	}
	tables := variadic(l.c.arg(l.api.Table))
	if len(tables) == 0 {
		r.hole(sqltext.Ident)
	}
	for i, t := range tables {
		if i > 0 {
			r.lit(", ")
		}
		r.arg(t, sqltext.Ident)
	}
}

// upperTail writes what comes after the conditions of a SELECT.
func (r *renderer) upperTail() {
	r.clause("group", " GROUP BY ", sqltext.Ident)
	r.clause("order", " ORDER BY ", sqltext.Ident)
	r.clause("limit", " LIMIT ", sqltext.Literal)
	r.clause("offset", " OFFSET ", sqltext.Literal)
}

func (r *renderer) unknownSet() {
	r.unknownAssignment()
	r.lost = true
}

// upperColumns returns the columns that a struct writes, without its key: those
// that are left out when they are zero are not written where a literal does not
// set them.
func (r *renderer) upperColumns(v ssa.Value) []modelColumn {
	set, literal := r.e.entries(v)
	st := structOf(unwrap(v).Type())
	var out []modelColumn
	for _, c := range modelColumns(unwrap(v).Type()) {
		if c.pk {
			continue
		}
		if literal && omitted(st, c.path) && !slices.ContainsFunc(set, func(x entry) bool {
			return SameColumn(x.column, strings.TrimPrefix(c.path, ".")) || SameColumn(x.column, c.name)
		}) {
			continue
		}
		out = append(out, c)
	}
	return out
}

// omitted reports whether the tag of a field says that a zero is left out.
func omitted(st *types.Struct, path string) bool {
	for i := range st.NumFields() {
		if "."+st.Field(i).Name() == path {
			return strings.Contains(reflect.StructTag(st.Tag(i)).Get("db"), ",omitempty")
		}
	}
	return false
}

// upperRow writes the columns and values of an INSERT of a struct or a map.
func (r *renderer) upperRow(v ssa.Value) {
	if v == nil {
		r.lit(" DEFAULT VALUES")
		return
	}
	if structOf(unwrap(v).Type()) == nil {
		if list, ok := r.e.entries(v); ok && len(list) > 0 {
			r.insertEntries(list)
			return
		}
		r.lit(" DEFAULT VALUES")
		return
	}
	r.insertOf(r.upperColumns(v), v)
}

// upperValues writes the columns and values that an inserter was given.
func (r *renderer) upperValues() {
	rows := r.all("values")
	if len(rows) != 1 {
		r.lit(" DEFAULT VALUES")
		return
	}
	vals := variadic(rows[0].c.arg(rows[0].api.Args))
	if len(vals) == 1 && vals[0] != nil && r.last("columns") == nil {
		r.upperRow(vals[0])
		return
	}
	var list []entry
	for _, l := range r.all("columns") {
		for _, c := range variadic(l.c.arg(l.api.Column)) {
			name, ok := r.constant(c)
			if !ok || len(list) == len(vals) {
				r.lit(" DEFAULT VALUES")
				return
			}
			list = append(list, entry{column: name, value: vals[len(list)]})
		}
	}
	if len(list) == 0 || len(list) != len(vals) {
		r.lit(" DEFAULT VALUES")
		return
	}
	r.insertEntries(list)
}

// upperSets writes the assignments of an UPDATE: of a map or a struct, or of
// columns, each followed by its value, or by those of its expression.
func (r *renderer) upperSets(terms []ssa.Value) {
	if len(terms) == 1 && terms[0] != nil && !isString(unwrap(terms[0]).Type()) {
		r.upperSetOf(terms[0])
		return
	}
	sep := ""
	for i := 0; i < len(terms); i++ {
		text, ok := r.constantText(terms[i])
		if !ok {
			r.lit(sep)
			r.unknownSet()
			return
		}
		column, format, expr := strings.Cut(text, "=")
		r.lit(sep + strings.TrimSpace(column) + " = ")
		sep = ", "
		n := 1
		if expr {
			n = strings.Count(format, "?")
		} else {
			format = "?"
		}
		if i+n >= len(terms) && n > 0 && i+n != len(terms)-1 {
			r.hole(sqltext.Literal)
			r.lost = true
			return
		}
		for j, piece := range strings.Split(strings.TrimSpace(format), "?") {
			if j > 0 {
				r.upperValue(terms[i+j])
			}
			r.lit(piece)
		}
		i += n
	}
	if sep == "" {
		r.unknownSet()
	}
}

// upperSetOf writes the assignments that a map or a struct makes.
func (r *renderer) upperSetOf(v ssa.Value) {
	sep := ""
	if structOf(unwrap(v).Type()) != nil {
		for _, c := range r.upperColumns(v) {
			r.lit(sep + `"` + c.name + `" = `)
			r.placeholder(unwrap(v), c.path)
			sep = ", "
		}
	} else if list, ok := r.e.entries(v); ok {
		for _, x := range list {
			r.lit(sep + x.column + " = ")
			r.upperValue(x.value)
			sep = ", "
		}
	}
	if sep == "" {
		r.unknownSet()
	}
}

// constantText returns the one text that a value has.
func (r *renderer) constantText(v ssa.Value) (string, bool) {
	if v == nil || !isString(unwrap(v).Type()) {
		return "", false
	}
	set := r.e.text.Resolve(unwrap(v))
	if len(set) != 1 {
		return "", false
	}
	text, holes := set[0].Join()
	return text, len(holes) == 0 && text != ""
}

// upperWhere writes the conditions.
func (r *renderer) upperWhere() {
	sep := " WHERE "
	for _, l := range r.all("find", "where") {
		args := l.c.arg(l.api.Args)
		terms := variadic(args)
		if l.api.Clause == "find" && (isNil(args) || terms != nil && len(terms) == 0) {
			continue
		}
		r.lit(sep)
		r.upperTerms(terms, l.api.Clause == "find")
		sep = " AND "
	}
}

// upperTerms writes the condition that the arguments of a call stand for: a text
// with its values, a column with its value, or terms that all hold. Find takes
// the value of a key too.
func (r *renderer) upperTerms(terms []ssa.Value, find bool) {
	if len(terms) == 0 || terms[0] == nil {
		r.upperUnknown()
		return
	}
	if isString(unwrap(terms[0]).Type()) {
		text, ok := r.constantText(terms[0])
		switch {
		case !ok && len(terms) > 1 || ok && len(terms) > 2 && !strings.Contains(text, "?"):
			r.upperUnknown()
		case ok && len(terms) == 2 && !strings.Contains(text, "?"):
			r.upperComparison(text, terms[1])
		default:
			r.lit("(")
			r.listFragment(r.upperValue, terms[0], terms[1:])
			r.lit(")")
		}
		return
	}
	if find && len(terms) == 1 && isKeyValue(unwrap(terms[0]).Type()) {
		r.lit("id = ")
		r.value(terms[0])
		return
	}
	for i, t := range terms {
		if i > 0 {
			r.lit(" AND ")
		}
		r.upperTerm(t)
	}
}

// isKeyValue reports whether Find takes a value of the type for a key.
func isKeyValue(t types.Type) bool {
	b, ok := t.(*types.Basic)
	if !ok {
		return false
	}
	switch b.Kind() {
	case types.Int, types.Int64, types.Uint, types.Uint64:
		return true
	}
	return false
}

// upperTerm writes a condition: a Cond, And or Or of conditions, Raw.
func (r *renderer) upperTerm(v ssa.Value) {
	if v == nil {
		r.upperUnknown()
		return
	}
	v = unwrap(v)
	if m, ok := v.(*ssa.MakeMap); ok {
		list, known := r.e.entries(m)
		if !known || len(list) == 0 {
			r.upperUnknown()
			return
		}
		for i, x := range list {
			if i > 0 {
				r.lit(" AND ")
			}
			r.upperComparison(x.column, x.value)
		}
		return
	}
	name, args := upperCall(v)
	switch {
	case name == "Raw" && len(args) == 2:
		r.lit("(")
		r.listFragment(r.upperValue, args[0], variadic(args[1]))
		r.lit(")")
	case (name == "And" || name == "Or") && len(args) == 1 && len(variadic(args[0])) > 0:
		r.lit("(")
		for i, t := range variadic(args[0]) {
			if i > 0 {
				r.lit(" " + strings.ToUpper(name) + " ")
			}
			r.lit("(")
			r.upperTerm(t)
			r.lit(")")
		}
		r.lit(")")
	default:
		r.upperUnknown()
	}
}

func (r *renderer) upperUnknown() {
	r.unknownTerm()
	r.lost = true
}

// upperCall returns the name and the arguments of the function of upper/db that
// has made a value, or "".
func upperCall(v ssa.Value) (string, []ssa.Value) {
	call, ok := v.(*ssa.Call)
	if !ok {
		return "", nil
	}
	fn := call.Common().StaticCallee()
	if fn == nil || fn.Pkg == nil || !strings.HasPrefix(fn.Pkg.Pkg.Path(), upperPath) || fn.Signature.Recv() != nil {
		return "", nil
	}
	return fn.Name(), call.Call.Args
}

// upperOperators are the functions that compare.
var upperOperators = map[string]string{
	"Eq": "=", "NotEq": "<>", "Gt": ">", "Gte": ">=", "Lt": "<", "Lte": "<=", "After": ">", "Before": "<",
	"OnOrAfter": ">=", "OnOrBefore": "<=", "Like": "LIKE", "NotLike": "NOT LIKE",
}

// upperComparison writes a column, behind which an operator may stand, and what it
// is compared with.
func (r *renderer) upperComparison(column string, v ssa.Value) {
	column, op, _ := strings.Cut(strings.TrimSpace(column), " ")
	op = strings.ToUpper(strings.TrimSpace(op))
	if !plainColumn.MatchString(column) || v == nil {
		r.upperUnknown()
		return
	}
	name, args := upperCall(unwrap(v))
	switch {
	case name == "IsNull" || name == "IsNotNull":
		r.lit(column + map[string]string{"IsNull": " IS NULL", "IsNotNull": " IS NOT NULL"}[name])
	case upperOperators[name] != "" && op == "" && len(args) == 1:
		r.upperCompare(column, upperOperators[name], args[0])
	case name == "Raw" && len(args) == 2:
		if op == "" {
			op = "="
		}
		r.lit(column + " " + op + " ")
		r.upperValue(v)
	case name != "" || isUpper(unwrap(v).Type()):
		r.upperUnknown()
	case op == "IN" || op == "NOT IN":
		r.lit(column + " " + op + " (")
		r.hole(sqltext.List)
		r.lit(")")
		r.lost = true
	case op == "":
		r.upperCompare(column, "=", v)
	case slices.Contains([]string{"=", "<>", "!=", ">", ">=", "<", "<=", "LIKE", "ILIKE", "NOT LIKE", "IS", "IS NOT"}, op):
		r.upperCompare(column, op, v)
	default:
		r.upperUnknown()
	}
}

// upperCompare writes column op value; with nil, = is IS NULL.
func (r *renderer) upperCompare(column, op string, v ssa.Value) {
	_, iface := v.Type().Underlying().(*types.Interface)
	if iface && unwrap(v) == v && (op == "=" || op == "<>") {
		if c, ok := v.(*ssa.Const); !ok || c.Value != nil {
			r.upperUnknown() // NULL, a list or a value
			return
		}
	}
	op = map[string]string{"IS": "=", "IS NOT": "<>"}[op] + map[bool]string{true: "", false: op}[op == "IS" || op == "IS NOT"]
	r.comparison(entry{column: column, value: v}, op)
	r.lost = r.lost || isList(unwrap(v).Type())
}

// isUpper reports whether a type is one of upper/db's: a comparison, a function, a
// builder.
func isUpper(t types.Type) bool {
	n := namedOf(t)
	return n != nil && n.Pkg() != nil && strings.HasPrefix(n.Pkg().Path(), upperPath)
}

// upperValue writes a value that stands for a placeholder.
func (r *renderer) upperValue(v ssa.Value) {
	if v == nil {
		r.placeholder(nil, "")
		return
	}
	if name, args := upperCall(unwrap(v)); name == "Raw" && len(args) == 2 {
		r.listFragment(r.upperValue, args[0], variadic(args[1]))
		return
	}
	if isUpper(unwrap(v).Type()) || isUpper(v.Type()) {
		r.hole(sqltext.Unknown)
		r.lost = true
		return
	}
	r.value(v)
}

// amend lets the function that was given to Amend change the text; false where it
// is not known what it makes of it.
func (r *renderer) amend() bool {
	l := r.last("amend")
	if l == nil {
		return true
	}
	ts := r.e.functions(l.c.arg(l.api.Fn), 0)
	if len(ts) != 1 || ts[0].fn == nil || ts[0].recv != nil || len(ts[0].fn.Params) != 1 {
		return false
	}
	fn := ts[0].fn
	ret, ok := onlyReturn(fn).(*ssa.Return)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	set := r.e.text.Resolve(ret.Results[0])
	if len(set) != 1 {
		return false
	}
	var out sqltext.Text
	given := 0
	for _, p := range set[0] {
		switch {
		case p.Hole != nil && p.Hole.Param == fn.Params[0] && p.Hole.Path == "":
			out = append(out, r.text...)
			given++
		case p.Hole != nil:
			out = append(out, sqltext.Part{Hole: &sqltext.Hole{Kind: sqltext.Unknown}})
		default:
			r.lost = r.lost || strings.Contains(p.Lit, "?")
			out = append(out, p)
		}
	}
	r.text = out
	return given == 1
}

// recordTable writes the table of a record: that of the collection which its
// method Store returns.
func (r *renderer) recordTable(record ssa.Value) {
	if record != nil {
		if n, ok := types.Unalias(elementType(unwrap(record).Type())).(*types.Named); ok {
			if name := r.e.storeTable(n); name != "" {
				r.lit(`"` + name + `"`)
				return
			}
		}
	}
	r.hole(sqltext.Ident)
}

// ownWays are the methods of a store that save a record in a way of their own.
var ownWays = []string{"Save", "Create", "Update", "Get", "Delete"}

// storeTable returns the table of a type of record, "" where its Store does not
// say, or has its own way to write.
func (e *engine) storeTable(n *types.Named) string {
	sel := types.NewMethodSet(types.NewPointer(n)).Lookup(n.Obj().Pkg(), "Store")
	if sel == nil {
		return ""
	}
	obj, ok := sel.Obj().(*types.Func)
	if !ok {
		return ""
	}
	fn := e.prog.FuncValue(obj.Origin())
	if fn == nil || e.body(fn) == nil {
		return ""
	}
	ret, ok := onlyReturn(fn).(*ssa.Return)
	if !ok || len(ret.Results) != 1 {
		return ""
	}
	store := unwrap(ret.Results[0])
	for _, m := range ownWays {
		if !isUpper(store.Type()) && types.NewMethodSet(store.Type()).Lookup(n.Obj().Pkg(), m) != nil {
			return ""
		}
	}
	for _, way := range e.waysOfStore(store) {
		for _, l := range way {
			if l.api.Clause == "table" {
				if c, ok := l.c.arg(l.api.Table).(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
					return constant.StringVal(c.Value)
				}
			}
		}
	}
	return ""
}

// waysOfStore returns the chains of the collection that a store is, or embeds.
func (e *engine) waysOfStore(store ssa.Value) [][]link {
	st := structOf(store.Type())
	if st == nil {
		return e.chains(store, 0)
	}
	n := namedOf(store.Type())
	for i := range st.NumFields() {
		if typeName(st.Field(i).Type()) != upperPath+"/v4.Collection" || n == nil {
			continue
		}
		if stored := e.fields[fieldKey{n, st.Field(i).Name()}]; len(stored) == 1 {
			return e.chains(stored[0], 0)
		}
	}
	return nil
}

// keptTable returns the chain of a collection that is kept in a field of a type of
// this package, where all that is stored there is one table.
func (e *engine) keptTable(fa *ssa.FieldAddr, depth int) [][]link {
	n, st := namedOf(fa.X.Type()), structOf(fa.X.Type())
	if n == nil || st == nil {
		return nil
	}
	stored := e.fields[fieldKey{n, st.Field(fa.Field).Name()}]
	if len(stored) != 1 {
		return nil
	}
	ways := e.chains(stored[0], depth+maxChain/8)
	if len(ways) != 1 || len(ways[0]) == 0 {
		return nil
	}
	var out []link
	for _, l := range ways[0] {
		if l.api.Clause == "" {
			continue // WithContext
		}
		if c, ok := l.c.arg(l.api.Table).(*ssa.Const); l.api.Clause != "table" || !ok || c.Value == nil {
			return nil
		}
		out = append(out, l)
	}
	return [][]link{out}
}
