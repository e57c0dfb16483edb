package txflow

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// renderGoqu writes the statement of a dataset of goqu. What kind it is says the
// type of the last dataset in the chain.
func renderGoqu(r *renderer) sqltext.Text {
	kind := ""
	for _, l := range append(r.links[:len(r.links):len(r.links)], r.finish) {
		if owner, ok := strings.CutSuffix(methodOwner(l.api.Name), "Dataset"); ok {
			kind = owner
		}
	}
	if kind == "" {
		return nil
	}
	switch kind {
	case "Update":
		r.lit("UPDATE ")
		r.goquTable()
		r.lit(" SET ")
		r.goquSets()
		r.goquWhere()
	case "Delete":
		r.lit("DELETE FROM ")
		r.goquTable()
		r.goquWhere()
	case "Insert":
		r.lit("INSERT INTO ")
		r.goquTable()
		r.goquRows()
		if r.last("onconflict") != nil {
			r.lit(" ON CONFLICT DO NOTHING")
		}
	default:
		r.goquSelect()
		return r.text
	}
	if r.last("returning") != nil {
		r.lit(" RETURNING *")
	}
	return r.text
}

func (r *renderer) goquSelect() {
	r.lit("SELECT ")
	cols := []ssa.Value(nil)
	if l := r.last("select"); l != nil {
		cols = variadic(l.c.arg(l.api.Column))
	}
	if r.finish.api.Clause == "pluck" {
		cols = []ssa.Value{r.finish.c.arg(r.finish.api.Column)}
	}
	switch {
	case r.finish.api.Clause == "count":
		r.lit("count(*)")
	case len(cols) == 0:
		r.lit("*")
	}
	for i, c := range cols {
		if i > 0 {
			r.lit(", ")
		}
		if goquStar(r.goquValue(unwrap(c))) {
			r.lit("*")
		} else {
			r.goquName(c)
		}
	}
	r.lit(" FROM ")
	r.goquTable()
	if r.last("join") != nil {
		r.lit(" JOIN ")
		r.hole(sqltext.Ident)
		r.lit(" ON true")
	}
	r.goquWhere()
	r.clause("groupby", " GROUP BY ", sqltext.Ident)
	r.clause("order", " ORDER BY ", sqltext.Ident)
	if !r.clause("limit", " LIMIT ", sqltext.Literal) && r.finish.api.Clause == "scan" && (strings.Contains(r.finish.api.Name, ".ScanStruct") || strings.Contains(r.finish.api.Name, ".ScanVal")) &&
		!strings.Contains(r.finish.api.Name, "Structs") && !strings.Contains(r.finish.api.Name, "Vals") {
		r.lit(" LIMIT 1")
	}
	if l := r.last("for update", "for no key update", "for share", "for key share"); l != nil {
		r.lit(" " + strings.ToUpper(l.api.Clause))
		r.goquWait(l)
	} else if len(r.all("opaque")) > 0 {
		r.lit(" ")
		r.hole(sqltext.Unknown)
	}
}

// goquWaits are the values of exp.Wait, exp.NoWait and exp.SkipLocked.
var goquWaits = map[int64]string{5: "", 6: " NOWAIT", 7: " SKIP LOCKED"}

// goquWait writes what a wait option says: goqu.Wait, NoWait, SkipLocked.
func (r *renderer) goquWait(l *link) {
	if n, ok := constInt(l.c.arg(l.api.Options)); ok {
		if text, known := goquWaits[n]; known {
			r.lit(text)
			return
		}
	}
	r.lit(" ")
	r.hole(sqltext.Unknown)
}

// goquTable writes the table of the dataset.
func (r *renderer) goquTable() {
	for i := len(r.links) - 1; i >= 0; i-- {
		l := r.links[i]
		if l.api.Clause == "from" {
			r.goquName(l.c.arg(l.api.Table))
			return
		}
	}
	r.hole(sqltext.Ident)
}

// goquStar reports whether a column is all of them: the text "*", goqu.Star, or
// All of a table.
func goquStar(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value != nil && v.Value.Kind() == constant.String && constant.StringVal(v.Value) == "*"
	case *ssa.Call:
		c := v.Common()
		if c.IsInvoke() {
			return c.Method.Name() == "All"
		}
		fn := c.StaticCallee()
		return fn != nil && fn.Pkg != nil && fn.Name() == "Star" && strings.HasPrefix(fn.Pkg.Pkg.Path(), "github.com/doug-martin/goqu")
	}
	return false
}

// goquName writes a name: a text, or goqu.T, C, I or S of one.
func (r *renderer) goquName(v ssa.Value) {
	if name := r.goquIdent(v); name != "" {
		r.lit(name)
		return
	}
	r.hole(sqltext.Ident)
}

// goquIdent returns the name that an identifier has, "" where it is not known.
func (r *renderer) goquIdent(v ssa.Value) string {
	if v == nil {
		return ""
	}
	if els := variadic(v); len(els) == 1 && els[0] != nil {
		v = els[0]
	}
	v = unwrap(v)
	if isString(v.Type()) {
		if s := r.e.text.Resolve(v); len(s) == 1 {
			if text, holes := s[0].Join(); len(holes) == 0 && plainColumn.MatchString(text) {
				return text
			}
		}
		return ""
	}
	call, ok := r.goquValue(v).(*ssa.Call)
	if !ok {
		return ""
	}
	c := call.Common()
	if c.IsInvoke() {
		switch c.Method.Name() {
		case "Col", "Table": // T("events").Col("id"), S("shop").Table("events")
			return r.goquIdent(c.Args[0])
		case "As":
			return r.goquIdent(c.Value)
		}
		return ""
	}
	fn := c.StaticCallee()
	if fn == nil || fn.Pkg == nil || !strings.HasPrefix(fn.Pkg.Pkg.Path(), "github.com/doug-martin/goqu") || len(c.Args) != 1 {
		return ""
	}
	switch fn.Name() {
	case "T", "C", "I":
		return r.goquIdent(c.Args[0])
	}
	return ""
}

// goquValue returns what a package variable with one value holds, as tables and
// columns are often kept, or v itself.
func (r *renderer) goquValue(v ssa.Value) ssa.Value {
	if ld, ok := v.(*ssa.UnOp); ok {
		if g, ok := ld.X.(*ssa.Global); ok && len(r.e.globalStores[g]) == 1 {
			return unwrap(r.e.globalStores[g][0])
		}
	}
	return v
}

// goquSets writes the assignments of an UPDATE: a Record, or a struct.
func (r *renderer) goquSets() {
	if ls := r.all("set"); len(ls) == 1 {
		v := ls[0].c.arg(ls[0].api.Value)
		if list, ok := r.e.entries(v); ok && len(list) > 0 && structOf(unwrap(v).Type()) == nil {
			r.assign(list)
			return
		}
		if structOf(unwrap(v).Type()) != nil && r.setModel(v, nil) {
			return
		}
	}
	r.unknownAssignment()
}

// goquRows writes the columns and values of an INSERT.
func (r *renderer) goquRows() {
	if ls := r.all("rows"); len(ls) == 1 {
		if els := variadic(ls[0].c.arg(ls[0].api.Args)); len(els) == 1 && els[0] != nil {
			if structOf(unwrap(els[0]).Type()) != nil {
				r.insertModel(els[0])
				return
			}
			if list, ok := r.e.entries(els[0]); ok && len(list) > 0 {
				r.insertEntries(list)
				return
			}
		}
	}
	if list := r.goquVals(); len(list) > 0 {
		r.insertEntries(list)
		return
	}
	r.lit(" DEFAULT VALUES")
}

// goquVals returns the columns and values of an INSERT of one row with Cols and
// Vals, or nil.
func (r *renderer) goquVals() []entry {
	cols, vals := r.all("columns"), r.all("values")
	if len(cols) != 1 || len(vals) != 1 {
		return nil
	}
	names := variadic(cols[0].c.arg(cols[0].api.Column))
	rows := variadic(vals[0].c.arg(vals[0].api.Args))
	if len(rows) != 1 || rows[0] == nil {
		return nil
	}
	values := variadic(unwrap(rows[0]))
	if len(values) != len(names) {
		return nil
	}
	var out []entry
	for i, c := range names {
		name := r.goquIdent(c)
		if name == "" || values[i] == nil {
			return nil
		}
		out = append(out, entry{column: name, value: values[i]})
	}
	return out
}

// insertEntries writes the columns and values of an INSERT.
func (r *renderer) insertEntries(list []entry) {
	var cols []string
	for _, x := range list {
		cols = append(cols, quoted(x.column))
	}
	r.insertList(cols, func(i int) { r.value(list[i].value) })
}

// goquWhere writes the conditions.
func (r *renderer) goquWhere() {
	sep := " WHERE "
	for _, l := range r.all("where", "opaque") {
		els := variadic(l.c.arg(l.api.Args))
		if len(els) == 0 {
			els = []ssa.Value{nil}
		}
		for _, el := range els {
			r.lit(sep)
			sep = " AND "
			r.goquTerm(el)
		}
	}
}

// goquOperators are the comparisons, by the methods of exp.Comparable and exp.Isable.
var goquOperators = map[string]string{
	"Eq": "=", "Neq": "<>", "Gt": ">", "Gte": ">=", "Lt": "<", "Lte": "<=", "Is": "=", "IsNot": "<>", "Like": "LIKE", "ILike": "ILIKE",
}

// goquTerm writes one condition.
func (r *renderer) goquTerm(v ssa.Value) {
	if v == nil {
		r.unknownTerm()
		r.lost = true
		return
	}
	v = unwrap(v)
	if m, ok := v.(*ssa.MakeMap); ok && strings.HasSuffix(typeName(m.Type()), "exp.Ex") {
		r.goquEx(m)
		return
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		r.unknownTerm()
		r.lost = true
		return
	}
	if f, c := r.e.textCall(call); f != nil {
		r.lit("(")
		r.fragment(c.arg(f.SQL), variadic(c.arg(f.Args)))
		r.lit(")")
		return
	}
	c := call.Common()
	if fn := c.StaticCallee(); fn != nil && fn.Name() == "And" && len(c.Args) == 1 && len(variadic(c.Args[0])) > 0 {
		for i, el := range variadic(c.Args[0]) {
			if i > 0 {
				r.lit(" AND ")
			}
			r.goquTerm(el)
		}
		return
	}
	if fn := c.StaticCallee(); fn != nil && fn.Name() == "Or" {
		r.unknownTerm() // with no placeholder outside of it
		return
	}
	if !c.IsInvoke() || r.goquIdent(c.Value) == "" {
		r.unknownTerm()
		r.lost = true
		return
	}
	r.goquComparison(r.goquIdent(c.Value), c)
}

// goquOps are the comparisons of an Op, by its keys.
var goquOps = map[string]string{"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "like": "LIKE", "iLike": "ILIKE"}

// goquOp writes the condition of a column with an Op, which is one comparison: the
// terms of several are joined by OR.
func (r *renderer) goquOp(x entry) {
	list, ok := r.e.entries(x.value)
	if !ok || len(list) != 1 || goquOps[list[0].column] == "" {
		r.unknownTerm()
		return
	}
	r.comparison(entry{column: x.column, value: list[0].value}, goquOps[list[0].column])
}

// goquEx writes the conditions of an Ex.
func (r *renderer) goquEx(m *ssa.MakeMap) {
	list, ok := r.e.entries(m)
	if !ok || len(list) == 0 {
		r.unknownTerm()
		r.lost = true
		return
	}
	for i, x := range list {
		if i > 0 {
			r.lit(" AND ")
		}
		if _, op := unwrap(x.value).Type().Underlying().(*types.Map); op {
			r.goquOp(x)
			continue
		}
		r.comparison(x, "=")
	}
}

func (r *renderer) goquComparison(col string, c *ssa.CallCommon) {
	name := c.Method.Name()
	switch op := goquOperators[name]; {
	case op != "" && len(c.Args) == 1:
		r.comparison(entry{column: col, value: c.Args[0]}, op)
	case name == "In" || name == "NotIn":
		r.lit(col + map[string]string{"In": " IN (", "NotIn": " NOT IN ("}[name])
		r.hole(sqltext.List)
		r.lit(")")
		r.lost = true
	case name == "IsNull" || name == "IsNotNull":
		r.lit(col + map[string]string{"IsNull": " IS NULL", "IsNotNull": " IS NOT NULL"}[name])
	case name == "IsTrue" || name == "IsFalse":
		r.lit(col + " = " + strings.ToLower(strings.TrimPrefix(name, "Is")))
	default:
		r.unknownTerm()
		r.lost = true
	}
}
