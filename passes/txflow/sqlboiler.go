package txflow

import (
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// modLinks are the links that the elements of a slice of query mods add.
func (e *engine) modLinks(mods ssa.Value) []link {
	if mods == nil || isNil(mods) {
		return nil
	}
	els := variadic(mods)
	if len(els) == 0 {
		return []link{{api: opaque}}
	}
	var out []link
	for _, el := range els {
		out = append(out, e.modLink(el))
	}
	return out
}

// modLink is the link of one mod: the call that makes it.
func (e *engine) modLink(v ssa.Value) link {
	if v == nil {
		return link{api: opaque}
	}
	if call, ok := unwrap(v).(*ssa.Call); ok {
		for _, c := range e.callees(call.Common()) {
			if f := c.api(); f != nil && f.Role == dbapi.Chain {
				return link{api: f, c: c}
			}
		}
	}
	return link{api: opaque}
}

// A boilerModel is a model that SQLBoiler generated.
type boilerModel struct {
	name    *types.TypeName
	columns []modelColumn
}

// boilerModel returns the model that a statement is about; the zero value where
// none is known.
func (r *renderer) boilerModel() boilerModel {
	t := (*types.TypeName)(nil)
	fn := r.finish.c.obj
	if l := r.last("models"); l != nil {
		fn = l.c.obj
	}
	switch {
	case fn == nil:
	case fn.Signature().Recv() != nil:
		t = namedOf(fn.Signature().Recv().Type())
	case fn.Signature().Results().Len() > 0:
		t = namedOf(fn.Signature().Results().At(0).Type())
	}
	if t == nil {
		return boilerModel{}
	}
	if t, _ = dbapi.BoilerModel(t); t == nil {
		return boilerModel{}
	}
	return boilerModel{t, modelColumns(t.Type())}
}

// column returns the column of the field of that name, "" where there is none.
func (m boilerModel) column(field string) string {
	for _, c := range m.columns {
		if c.path == "."+field {
			return c.name
		}
	}
	return ""
}

// key returns the columns of the primary key, as the parameters of the function
// that finds a row by it name them.
func (m boilerModel) key() []modelColumn {
	find, ok := m.name.Pkg().Scope().Lookup("Find" + m.name.Name()).(*types.Func)
	if !ok {
		return nil
	}
	params := find.Signature().Params()
	var out []modelColumn
	for i := 2; i < params.Len()-1; i++ { // after the context and the handle, before the columns
		at := slices.IndexFunc(m.columns, func(c modelColumn) bool { return strings.EqualFold(c.path[1:], params.At(i).Name()) })
		if at < 0 {
			return nil
		}
		out = append(out, m.columns[at])
	}
	return out
}

// table returns the name of the table, which is that of the function that begins
// a query of the model.
func (m boilerModel) table() string {
	if m.name == nil {
		return ""
	}
	scope := m.name.Pkg().Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Signature().Variadic() || fn.Signature().Params().Len() != 1 || fn.Signature().Results().Len() != 1 {
			continue
		}
		t := namedOf(fn.Signature().Results().At(0).Type())
		if t == nil {
			continue
		}
		if model, query := dbapi.BoilerModel(t); query && model == m.name {
			return snake(name)
		}
	}
	return ""
}

// renderBoiler writes the statement of a query of SQLBoiler, or of a method that
// writes a model by its key.
func renderBoiler(r *renderer) sqltext.Text {
	if raw := r.last("raw"); raw != nil {
		r.numbered(raw.c.arg(raw.api.SQL), variadic(raw.c.arg(raw.api.Args)))
		return r.text
	}
	if len(r.all("with", "groupby", "having")) > 0 {
		return nil
	}
	m := r.boilerModel()
	table := m.table()
	if table == "" && r.last("from") == nil {
		return nil
	}
	value := r.finish.c.arg(r.finish.api.Value)
	switch r.finish.api.Clause {
	case "insert":
		r.lit("INSERT INTO ")
		r.boilerTable(table)
		r.insertModel(value)
	case "update":
		r.lit("UPDATE ")
		r.boilerTable(table)
		r.lit(" SET ")
		r.boilerSets(m, value)
		r.boilerKey(m, value, nil)
	case "delete":
		r.lit("DELETE FROM ")
		r.boilerTable(table)
		r.boilerKey(m, value, nil)
	case "find", "reload":
		r.lit("SELECT * FROM ")
		r.boilerTable(table)
		r.boilerKey(m, r.finish.c.arg(r.finish.api.Dst), r.finish.c.args)
	case "updateall":
		r.lit("UPDATE ")
		r.boilerTable(table)
		r.lit(" SET ")
		r.boilerMap(m, value)
		r.boilerWhere(m)
	case "deleteall":
		r.lit("DELETE FROM ")
		r.boilerTable(table)
		r.boilerWhere(m)
	case "one", "all", "count", "exists", "bind":
		r.boilerSelect(m, table)
	default:
		return nil
	}
	return r.text
}

// numbers are PostgreSQL's own placeholders.
var numbers = regexp.MustCompile(`\$([0-9]+)`)

// numbered writes a text whose placeholders have numbers, with those of the others.
func (r *renderer) numbered(text ssa.Value, args []ssa.Value) {
	n := len(r.text)
	r.arg(text, sqltext.Unknown)
	for i, p := range r.text[n:] {
		r.lost = r.lost || p.Hole != nil && p.Hole.Kind == sqltext.Unknown
		r.text[n+i].Lit = numbers.ReplaceAllStringFunc(p.Lit, func(mark string) string {
			k, err := strconv.Atoi(mark[1:])
			if err != nil || k < 1 || k > len(args) {
				r.lost = true
				return "?"
			}
			r.args = append(r.args, chainValue{v: args[k-1]})
			return "?"
		})
	}
}

// boilerTable writes the table: what From names, or that of the model, whose name
// is taken from its function and may be another.
func (r *renderer) boilerTable(name string) {
	if l := r.last("from"); l != nil {
		r.arg(l.c.arg(l.api.Table), sqltext.Ident)
		return
	}
	r.e.guess(name)
	r.lit(`"` + name + `"`)
}

func (r *renderer) boilerSelect(m boilerModel, table string) {
	r.lit("SELECT ")
	switch r.finish.api.Clause {
	case "count":
		r.lit("count(*)")
	default:
		r.outputs(r.all("select"))
	}
	r.lit(" FROM ")
	r.boilerTable(table)
	for _, l := range r.all("join") {
		r.lit(" JOIN ")
		r.arg(l.c.arg(l.api.SQL), sqltext.Unknown)
	}
	r.boilerWhere(m)
	r.orderLimit()
	if one := r.finish.api.Clause; (one == "one" || one == "exists") && r.last("limit") == nil {
		r.lit(" LIMIT 1")
	}
	if l := r.last("for"); l != nil {
		r.lit(" FOR ")
		r.arg(l.c.arg(l.api.SQL), sqltext.Unknown)
	} else if len(r.all("opaque")) > 0 {
		r.lit(" ")
		r.hole(sqltext.Unknown)
	}
}

// boilerWhere writes the conditions of the mods.
func (r *renderer) boilerWhere(m boilerModel) {
	sep := " WHERE ("
	for _, l := range r.all("where", "helper") {
		r.lit(sep)
		if l.api.Clause == "helper" {
			r.boilerHelper(m, l)
		} else {
			r.condition(l.c.arg(l.api.SQL), variadic(l.c.arg(l.api.Args)))
		}
		r.lit(")")
		sep = " AND ("
	}
	if len(r.all("or", "opaque")) > 0 {
		r.lit(map[bool]string{true: " WHERE (", false: " OR ("}[sep == " WHERE ("])
		r.hole(sqltext.Unknown)
		r.lit(")")
		r.lost = true
	}
}

// boilerOperators are the comparisons, by the methods of the generated helpers.
var boilerOperators = map[string]string{
	"EQ": "=", "NEQ": "<>", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">=", "LIKE": "LIKE", "ILIKE": "ILIKE", "IN": "IN", "NIN": "NOT IN",
}

// boilerHelper writes a condition that a helper makes: PilotWhere.ID.EQ(id).
func (r *renderer) boilerHelper(m boilerModel, l link) {
	column := m.column(fieldOfGlobal(l.c.arg(l.api.Column)))
	name := methodName(l.api)
	switch op := boilerOperators[name]; {
	case column == "":
		r.hole(sqltext.Unknown)
		r.lost = true
	case name == "IsNull" || name == "IsNotNull":
		r.lit(quoted(column) + map[string]string{"IsNull": " IS NULL", "IsNotNull": " IS NOT NULL"}[name])
	case op == "IN" || op == "NOT IN":
		r.lit(quoted(column) + " " + op + " (")
		r.hole(sqltext.List)
		r.lit(")")
		r.lost = true
	case op != "":
		r.comparison(entry{column: column, value: l.c.arg(l.api.Value)}, op)
	default:
		r.hole(sqltext.Unknown)
		r.lost = true
	}
}

// fieldOfGlobal returns the name of the field of a package variable that v is read
// from: PilotWhere.ID, PilotColumns.Name; "" where it is none.
func fieldOfGlobal(v ssa.Value) string {
	switch x := v.(type) {
	case *ssa.UnOp:
		if f, ok := x.X.(*ssa.FieldAddr); ok {
			if _, ok := f.X.(*ssa.Global); ok {
				return structOf(f.X.Type()).Field(f.Field).Name()
			}
		}
	case *ssa.Field:
		if ld, ok := x.X.(*ssa.UnOp); ok {
			if _, ok := ld.X.(*ssa.Global); ok {
				return structOf(x.X.Type()).Field(x.Field).Name()
			}
		}
	}
	return ""
}

// boilerColumn returns the column that a value names: a text, or a field of the
// generated PilotColumns.
func (r *renderer) boilerColumn(m boilerModel, v ssa.Value) string {
	if v == nil {
		return ""
	}
	if name, ok := r.constant(v); ok && lowerName.MatchString(name) {
		return name
	}
	return m.column(fieldOfGlobal(unwrap(v)))
}

// boilerSets writes the assignments of an UPDATE of a model: of the columns that
// the set of columns names.
func (r *renderer) boilerSets(m boilerModel, model ssa.Value) {
	columns, known := r.boilerSet(m, r.finish.c.arg(r.finish.api.Column))
	sep := ""
	for _, c := range columns {
		r.lit(sep + quoted(c.name) + " = ")
		r.placeholder(unwrap(model), c.path)
		sep = ", "
	}
	if known && sep != "" {
		return
	}
	r.lit(sep)
	r.unknownAssignment()
	r.lost = true
}

// boilerSet returns the columns that Infer, Whitelist, Blacklist or Greylist make
// an UPDATE write.
func (r *renderer) boilerSet(m boilerModel, v ssa.Value) (columns []modelColumn, known bool) {
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return nil, false
	}
	var named []string
	kind := call.Call.StaticCallee().Name()
	if len(call.Call.Args) == 1 && !isNil(call.Call.Args[0]) {
		for _, a := range variadic(call.Call.Args[0]) {
			named = append(named, r.boilerColumn(m, a))
		}
		if len(named) == 0 || slices.Contains(named, "") {
			return nil, false
		}
	}
	key := m.key()
	for _, c := range m.columns {
		inKey := slices.ContainsFunc(key, func(k modelColumn) bool { return k.name == c.name })
		switch is := slices.Contains(named, c.name); {
		case kind == "Whitelist" && is, (kind == "Infer" || kind == "Greylist") && !inKey, kind == "Blacklist" && !is && !inKey:
			columns = append(columns, c)
		}
	}
	return columns, len(columns) > 0
}

// boilerMap writes the assignments of a map of columns.
func (r *renderer) boilerMap(m boilerModel, v ssa.Value) {
	if mk, ok := unwrap(v).(*ssa.MakeMap); ok {
		list, ok := mapEntries(mk, nil, func(k ssa.Value) string { return r.boilerColumn(m, k) })
		if ok && len(list) > 0 {
			r.assign(list)
			return
		}
	}
	r.unknownAssignment()
	r.lost = true
}

// boilerKey writes the condition that the row has the primary key of the model,
// or the one that the arguments after the context and the handle are.
func (r *renderer) boilerKey(m boilerModel, model ssa.Value, args []ssa.Value) {
	key := m.key()
	if len(key) == 0 || model == nil && len(args) < len(key)+2 {
		r.lit(" WHERE ")
		r.hole(sqltext.Unknown)
		r.lost = true
		return
	}
	for i, c := range key {
		r.lit(map[bool]string{true: " WHERE ", false: " AND "}[i == 0] + quoted(c.name) + " = ")
		if model != nil {
			r.placeholder(unwrap(model), c.path)
		} else {
			r.placeholder(args[i+2], "")
		}
	}
}
