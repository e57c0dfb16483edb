package txflow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// A link is one call in a chain of a query builder or an ORM.
type link struct {
	api *dbapi.Func
	c   callee
	// made is the call of a function that has made the link, nil if it stands in
	// the function that finishes the chain; param is the builder of a link [given].
	made  *maker
	param *ssa.Parameter
	// at is the call that finishes a chain, where it is known.
	at ssa.CallInstruction
	// conds are, of a link [chosen], the conditions under which the chain is this one.
	conds []cond
}

// maxChain bounds the calls of a chain, maxChains the ways it can be built.
const (
	maxChain  = 64
	maxChains = 4
)

// finishes returns the effects of the finishing call of a chain: one, or one for
// each way to build the chain where the caller decides on the way, as with a
// parameter that asks for a lock.
func (e *engine) finishes(call ssa.CallInstruction, c *callee, x *Effect) []*Effect {
	x.Op = Run
	delete(e.chainArgs, call)
	lib := dbapi.LibraryOf(x.API)
	if lib == nil || renderers[lib.Name] == nil {
		return []*Effect{x}
	}
	if x.API.Exec || x.API.Clause == "insert" || x.API.Clause == "firstorcreate" { // what may insert
		x.keys = e.insertedKeys(call, c, x.API)
	}
	render, finish := renderers[lib.Name], link{api: x.API, c: *c, at: call}
	ways := e.waysTo(call, c, x.API)
	x.Handle = e.runsOn(c, x, ways)
	if !slices.ContainsFunc(ways, func(way []link) bool { return len(conditions(way)) > 0 }) {
		var args []chainValue
		x.Texts, args = e.renderAll(render, ways, finish)
		e.noteArgs(call, args)
		return []*Effect{x}
	}
	var out []*Effect
	var args []chainValue
	for i, way := range ways {
		y := *x
		var got []chainValue
		y.Texts, got = e.renderAll(render, [][]link{withoutConditions(way)}, finish)
		y.conds = append(slices.Clip(y.conds), conditions(way)...)
		out = append(out, &y)
		if i == 0 {
			args = got
		} else if !slices.Equal(args, got) {
			args = nil
		}
	}
	e.noteArgs(call, args)
	return out
}

// runsOn returns the handle that a chain that is finished runs on: its own, or the
// one that it was given on the way, whatever was done with what that call returned.
func (e *engine) runsOn(c *callee, x *Effect, ways [][]link) Value {
	if a := c.arg(x.API.Handle); a == nil || !inPlace(a) {
		return x.Handle
	}
	var given []ssa.Value
	for _, way := range ways {
		var on ssa.Value
		for _, l := range way {
			if a := l.c.arg(l.api.On); a != nil && l.made == nil {
				on = a
			}
		}
		given = append(given, on)
	}
	switch {
	case len(slices.Compact(given)) > 1:
		return Value{Kind: Unknown}
	case len(given) > 0 && given[0] != nil:
		return e.eval(given[0], "")
	}
	return x.Handle
}

// chainText renders the statement that the finishing call c of a chain sends, on
// whichever way the chain was built.
func (e *engine) chainText(call ssa.CallInstruction, c *callee, f *dbapi.Func) sqltext.Set {
	var out sqltext.Set
	for _, x := range e.finishes(call, c, &Effect{API: f}) {
		out = append(out, x.Texts...)
	}
	return out
}

// noteArgs remembers what stands for the placeholders of the statement that a chain
// sends, if that is known.
func (e *engine) noteArgs(call ssa.CallInstruction, args []chainValue) {
	if args == nil {
		return
	}
	if e.chainArgs == nil {
		e.chainArgs = map[ssa.CallInstruction][]chainValue{}
	}
	e.chainArgs[call] = args
}

// waysTo returns the ways to build the chain that the call finishes.
func (e *engine) waysTo(call ssa.CallInstruction, c *callee, f *dbapi.Func) [][]link {
	var ways [][]link
	if a := c.arg(f.On); a != nil {
		ways = e.ways(a, 0)
	} else if a := builderOf(c.arg(f.Handle)); a != nil && inPlace(a) {
		ways = e.mutated(a, call, 0)
	} else if a != nil && typeName(a.Type()) == xormSession {
		ways = e.sessionWays(a, call)
	} else if a != nil && libraryHandle(deref(a.Type()), typeName(deref(a.Type()))) == dbapi.Flow {
		ways = e.ways(a, 0)
	}
	if len(ways) == 0 {
		return [][]link{nil}
	}
	return ways
}

// chosen stands in a way for the conditions, on what callers decide, under which
// the chain is built that way.
var chosen = &dbapi.Func{Name: "chosen"}

func conditions(way []link) []cond {
	var out []cond
	for _, l := range way {
		out = append(out, l.conds...)
	}
	return out
}

func withoutConditions(way []link) []link {
	return slices.DeleteFunc(slices.Clone(way), func(l link) bool { return l.api == chosen })
}

// A chainValue is the value of a placeholder: what stands at path below v. It is
// not known if v is nil.
type chainValue struct {
	v    ssa.Value
	path string
	made *maker // in whose terms v is, nil for the function that finishes the chain
}

// chains returns the ways in which the builder v was built, each as its calls
// in order. A chain that begins with what a caller passes begins there.
func (e *engine) chains(v ssa.Value, depth int) [][]link {
	ways := e.ways(v, depth)
	for i := range ways {
		ways[i] = withoutConditions(ways[i])
	}
	return ways
}

// chainsAt returns the same as it is at an instruction, which matters where the
// builder changes in place.
func (e *engine) chainsAt(v ssa.Value, at ssa.Instruction, depth int) [][]link {
	if !inPlace(v) {
		return e.chains(v, depth)
	}
	ways := e.mutated(v, at, depth)
	for i := range ways {
		ways[i] = withoutConditions(ways[i])
	}
	return ways
}

// ways returns the same with the conditions under which it is built each way.
func (e *engine) ways(v ssa.Value, depth int) [][]link {
	if depth > maxChain {
		return [][]link{{{api: opaque}}}
	}
	if inPlace(v) {
		return e.mutated(v, nil, depth)
	}
	switch x := v.(type) {
	case *ssa.Call:
		for _, c := range e.callees(x.Common()) {
			f := c.api()
			if f == nil {
				if c.fn != nil {
					return e.chainsThrough(x, &c, depth)
				}
				continue
			}
			switch f.Role {
			case dbapi.Chain, dbapi.Derive, dbapi.Finish:
				switch f.Clause {
				case "session":
					return [][]link{nil}
				case "generic": // begins a new chain
					return [][]link{{{api: f, c: c}}}
				}
				if f.Value != 0 && f.Value == f.Handle { // so does an entity's own method
					return [][]link{{{api: f, c: c}}}
				}
				var before [][]link
				if a := c.arg(f.Handle); a != nil {
					before = e.ways(a, depth+1)
				}
				if len(before) == 0 {
					before = [][]link{nil}
				}
				links := append([]link{{api: f, c: c}}, e.modLinks(c.arg(f.Mods))...)
				if f.Clause == "scopes" || f.Clause == "apply" {
					links = e.scopeLinks(link{api: f, c: c}, depth)
				}
				if f.Role == dbapi.Chain && e.addedAside(x, f) {
					links = append(links, link{api: opaque})
				}
				for i := range before {
					before[i] = slices.Concat(before[i], links)
				}
				return before
			}
		}
		for _, a := range x.Call.Args {
			if types.Identical(a.Type(), x.Type()) {
				return [][]link{{{api: opaque}}} // it may have added anything
			}
		}
	case *ssa.Phi:
		return e.waysOfPhi(x, depth)
	case *ssa.Parameter:
		if builderLibrary(x) != "" {
			return [][]link{{{api: given, param: x}}}
		}
	case *ssa.MakeInterface:
		return e.ways(x.X, depth+1)
	case *ssa.ChangeInterface:
		return e.ways(x.X, depth+1)
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok && x.Index == 0 {
			return e.ways(call, depth+1)
		}
	case *ssa.UnOp:
		if x.Op == token.MUL {
			if a, ok := x.X.(*ssa.Alloc); ok {
				if s := e.stores(a); len(s) == 1 {
					return e.ways(s[0], depth+1)
				}
				return [][]link{{{api: opaque}}}
			}
			if g, ok := x.X.(*ssa.Global); ok && len(e.globalStores[g]) == 1 {
				return e.ways(e.globalStores[g][0], depth+1)
			}
			if fa, ok := x.X.(*ssa.FieldAddr); ok {
				return e.keptTable(fa, depth)
			}
		}
	}
	return nil
}

// waysOfPhi returns the ways in which a builder was built that is another one by
// the path that led here.
func (e *engine) waysOfPhi(phi *ssa.Phi, depth int) [][]link {
	edges := e.choices(phi)
	if len(edges) == 1 {
		edges = nil
		for _, v := range phi.Edges {
			edges = append(edges, choice{v: v})
		}
	}
	var out [][]link
	for _, edge := range edges {
		if depth > 0 && edge.v == ssa.Value(phi) {
			continue
		}
		ways := e.ways(edge.v, depth+maxChain/8)
		if len(ways) == 0 {
			ways = [][]link{nil}
		}
		for _, way := range ways {
			if len(edge.conds) > 0 {
				way = append([]link{{api: chosen, conds: edge.conds}}, way...)
			}
			out = append(out, way)
		}
	}
	if len(out) > maxChains {
		return [][]link{{{api: opaque}}}
	}
	if !slices.ContainsFunc(out, func(way []link) bool { return len(withoutConditions(way)) > 0 }) {
		return nil // which handle it is, is another question
	}
	return out
}

// chainsThrough returns the chains of a call of a function of this package: what
// it adds to the builder that it is given, or the one that it makes.
func (e *engine) chainsThrough(call *ssa.Call, c *callee, depth int) [][]link {
	p, links := e.addedBy(c.fn, depth)
	if p == nil {
		if ways := e.madeBy(call, c, depth); ways != nil {
			return ways
		}
		return [][]link{{{api: opaque}}}
	}
	i := paramIndex(c.fn, p)
	if i < 0 || i >= len(c.args) {
		return [][]link{{{api: opaque}}}
	}
	before := e.ways(c.args[i], depth+1)
	if len(before) == 0 {
		before = [][]link{nil}
	}
	links = notedIn(links, &maker{call: call, c: *c, ret: lastInstr(c.fn.Blocks[0])})
	for j := range before {
		before[j] = slices.Concat(before[j], links)
	}
	return before
}

// scopeLinks returns what the functions given to a Scopes call add; the call
// itself where that is not known.
func (e *engine) scopeLinks(l link, depth int) []link {
	arg := l.c.arg(l.api.Fn)
	fns := variadic(arg)
	if isFunc(arg.Type()) {
		fns = []ssa.Value{arg}
	}
	if fns == nil {
		return []link{l}
	}
	var out []link
	for _, v := range fns {
		if v == nil {
			return []link{l}
		}
		ts := e.functions(v, 0)
		if len(ts) == 0 {
			ts = e.made(unwrap(v))
		}
		if len(ts) != 1 || ts[0].fn == nil || ts[0].recv != nil {
			return []link{l}
		}
		p, links := e.addedBy(ts[0].fn, depth)
		if p == nil {
			return []link{l}
		}
		out = append(out, links...)
	}
	return out
}

// made returns the function that a call of a function of this package makes.
func (e *engine) made(v ssa.Value) []target {
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	var out []target
	for _, c := range e.callees(call.Common()) {
		if c.fn == nil {
			return nil
		}
		for _, b := range c.fn.Blocks {
			if ret, ok := lastInstr(b).(*ssa.Return); ok && len(ret.Results) == 1 {
				out = append(out, e.functions(ret.Results[0], 0)...)
			}
		}
	}
	return out
}

// addedBy returns the builder parameter of a function and the calls that it
// adds to it, where it returns the same chain on every path; else nil.
func (e *engine) addedBy(fn *ssa.Function, depth int) (*ssa.Parameter, []link) {
	var result ssa.Value
	for _, b := range fn.Blocks {
		if ret, ok := lastInstr(b).(*ssa.Return); ok {
			if result != nil || len(ret.Results) != 1 {
				return nil, nil
			}
			result = ret.Results[0]
		}
	}
	if result == nil {
		return nil, nil
	}
	p := e.eval(result, "").Parameter()
	if p == nil || p.Parent() != fn || e.eval(result, "").Path != "" {
		return nil, nil
	}
	ways := e.chains(result, depth+maxChain/8)
	switch len(ways) {
	case 0:
		return p, nil
	case 1:
		return p, slices.DeleteFunc(slices.Clone(ways[0]), func(l link) bool { return l.api == given })
	}
	return nil, nil
}

// opaque stands for calls that may have added any clause.
var opaque = &dbapi.Func{Name: "opaque", Role: dbapi.Chain, Clause: "opaque"}

// A renderer writes the SQL text of a chain.
type renderer struct {
	e      *engine
	links  []link
	finish link
	text   sqltext.Text
	args   []chainValue // what stands for the placeholders of the text, in order
	lost   bool         // args do not agree with the text
	// onConflict is what stands before the text of an ON CONFLICT clause.
	onConflict string
	// named says what a placeholder with a name stands for, in libraries that
	// have such beside those without: a text, or a value; neither if not known.
	named func(name string) (text string, value chainValue)
}

// fragment writes a text with placeholders and notes what stands for them.
func (r *renderer) fragment(text ssa.Value, args []ssa.Value) {
	n := len(r.text)
	r.arg(text, sqltext.Unknown)
	values := make([]chainValue, len(args))
	for i, a := range args {
		values[i].v = a
	}
	if r.named != nil {
		values = r.expand(n, values)
	}
	values = r.inline(n, values)
	for _, p := range r.text[n:] {
		r.lost = r.lost || p.Hole != nil && p.Hole.Kind == sqltext.Unknown || strings.Contains(p.Lit, "@")
	}
	r.lost = r.lost || placeholdersIn(r.text[n:]) != len(values)
	r.args = append(r.args, values...)
}

// renderers are the libraries whose chains are understood.
var renderers = map[string]func(*renderer) sqltext.Text{
	"gorm":     renderGorm,
	"bun":      renderBun,
	"go-pg":    renderGoPg,
	"gorp":     renderGorp,
	"squirrel": renderSquirrel,
	"ent":      renderEnt,
	"xorm":     renderXorm,
	"goqu":     renderGoqu,
	"pop":      renderPop,
	"dbr":      renderDbr,
	"upper":    renderUpper,
	"go-jet":   renderJet,

	"sqlboiler": renderBoiler,

	"go-sqlbuilder": renderSQLBuilder,
}

func (r *renderer) lit(s string) { r.text = append(r.text, sqltext.Part{Lit: s}) }

func (r *renderer) hole(kind sqltext.HoleKind) {
	r.text = append(r.text, sqltext.Part{Hole: &sqltext.Hole{Kind: kind}})
}

// clause writes a clause that a call of the chain adds, with a hole for what it
// holds, and reports whether some call does.
func (r *renderer) clause(key, keyword string, holds sqltext.HoleKind) bool {
	if r.last(key) == nil {
		return false
	}
	r.lit(keyword)
	r.hole(holds)
	return true
}

// arg writes the text of an argument; a hole when it is not one known text.
func (r *renderer) arg(v ssa.Value, kind sqltext.HoleKind) {
	if v != nil {
		if els := variadic(v); len(els) == 1 {
			v = els[0]
		}
		if isString(unwrap(v).Type()) {
			if s := r.e.text.Resolve(unwrap(v)); len(s) == 1 {
				r.text = append(r.text, s[0]...)
				return
			}
		}
	}
	r.hole(kind)
}

// all returns the links with one of the clauses.
func (r *renderer) all(clauses ...string) []link {
	var out []link
	for _, l := range r.links {
		for _, c := range clauses {
			if l.api.Clause == c {
				out = append(out, l)
			}
		}
	}
	return out
}

// last returns the last link with one of the clauses, or nil.
func (r *renderer) last(clauses ...string) *link {
	ls := r.all(clauses...)
	if len(ls) == 0 {
		return nil
	}
	return &ls[len(ls)-1]
}

// where writes the conditions of the links.
func (r *renderer) where(clauses ...string) {
	sep := " WHERE ("
	for _, l := range r.all(clauses...) {
		r.lit(sep)
		if l.api.Clause == "wherepk" {
			r.bunKey(l, r.model())
		} else {
			r.condition(l.c.arg(l.api.SQL), variadic(l.c.arg(l.api.Args)))
		}
		r.lit(")")
		sep = " AND ("
	}
	if len(r.all("or", "not", "whereor", "wheregroup", "scopes", "apply", "opaque")) > 0 {
		// More conditions, or others instead of these.
		r.lit(map[bool]string{true: " WHERE (", false: " OR ("}[sep == " WHERE ("])
		r.hole(sqltext.Unknown)
		r.lit(")")
	}
}

// model returns the model that a chain names, or nil.
func (r *renderer) model() ssa.Value {
	if l := r.last("model"); l != nil {
		return onlyOne(l.c.arg(l.api.Value))
	}
	return nil
}

// onlyOne returns the single element of a variadic argument, or v itself.
func onlyOne(v ssa.Value) ssa.Value {
	if els := variadic(v); len(els) == 1 && els[0] != nil {
		return els[0]
	}
	return v
}

// orderLimit writes ORDER BY and LIMIT.
func (r *renderer) orderLimit() {
	if l := r.last("order", "orderexpr", "orderby", "orderbyclause"); l != nil {
		r.lit(" ORDER BY ")
		a := l.c.arg(l.api.SQL)
		if a == nil {
			a = l.c.arg(l.api.Column)
		}
		r.arg(a, sqltext.Ident)
	}
	r.clause("limit", " LIMIT ", sqltext.Literal)
}

// table writes a table name: the text of a table clause, or the name that the
// library gives the model's type.
func (r *renderer) table(text *link, model ssa.Value) {
	var t types.Type
	if model != nil {
		t = unwrap(model).Type()
	}
	r.tableOf(text, t)
}

// tableOf is table where only the model's type is known.
func (r *renderer) tableOf(text *link, model types.Type) {
	if text != nil {
		a := text.c.arg(text.api.Table)
		if a == nil {
			a = text.c.arg(text.api.SQL)
		}
		r.arg(a, sqltext.Ident)
		return
	}
	if model != nil {
		if name := r.e.modelTable(model); name != "" {
			r.lit(`"` + name + `"`)
			return
		}
	}
	r.hole(sqltext.Ident)
}

func snake(name string) string {
	var b strings.Builder
	rs := []rune(name)
	for i, c := range rs {
		if unicode.IsUpper(c) {
			if i > 0 && (!unicode.IsUpper(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1])) {
				b.WriteByte('_')
			}
			c = unicode.ToLower(c)
		}
		b.WriteRune(c)
	}
	return b.String()
}

// renderGorm writes the statement of a finisher of gorm.
func renderGorm(r *renderer) sqltext.Text {
	key := r.finish.api.Clause
	if raw := r.last("raw"); raw != nil {
		r.arg(raw.c.arg(raw.api.SQL), sqltext.Unknown)
		return r.text
	}
	model := ssa.Value(nil)
	if l := r.last("model"); l != nil {
		model = l.c.arg(l.api.Value)
	}
	dest := r.finish.c.arg(r.finish.api.Dst)
	if dest == nil {
		dest = r.finish.c.arg(r.finish.api.Value)
	}
	if model == nil {
		model = dest
	}
	table := func() { r.table(r.last("table"), model) }
	if t := r.genericModel(); t != nil {
		// A new value of it is the model, which has no key.
		model = nil
		table = func() { r.tableOf(r.last("table"), t) }
	}
	switch key {
	case "create", "firstorcreate":
		r.lit("INSERT INTO ")
		table()
		r.insertModel(r.finish.c.arg(r.finish.api.Value))
		r.gormClauses(true)
	case "save", "update", "updates", "updatecolumn", "updatecolumns":
		r.lit("UPDATE ")
		table()
		r.lit(" SET ")
		r.gormSets()
		version := r.heldVersion(model)
		r.nextVersion(version)
		r.gormWhere()
		r.gormKey(model)
		r.sameVersion(model, version)
		r.gormReturning()
	case "delete":
		r.lit("DELETE FROM ")
		table()
		r.gormWhere()
		r.gormKey(model)
		r.gormReturning()
	case "count":
		r.lit("SELECT count(*) FROM ")
		table()
		r.gormWhere()
		r.gormClauses(false)
	default:
		r.lit("SELECT ")
		if key == "pluck" {
			r.column(r.finish.c.arg(r.finish.api.Column))
		} else {
			r.outputs(r.all("select"))
		}
		r.lit(" FROM ")
		table()
		r.gormWhere()
		r.orderLimit()
		switch key {
		case "first", "take", "last":
			if r.last("limit") == nil {
				r.lit(" LIMIT 1")
			}
		}
		r.gormClauses(false)
	}
	return r.text
}

// genericModel returns the type argument of GORM's generic API, or nil.
func (r *renderer) genericModel() types.Type {
	h := r.finish.c.arg(r.finish.api.Handle)
	if h == nil {
		return nil
	}
	if n, ok := types.Unalias(h.Type()).(*types.Named); ok && n.TypeArgs().Len() == 1 {
		return n.TypeArgs().At(0)
	}
	return nil
}

// outputs writes the list of a SELECT: what the links of a chain name, and a star
// where they name nothing or it is not known.
func (r *renderer) outputs(links []link) {
	var texts []string
	for _, l := range links {
		args := variadic(l.c.arg(l.api.Column))
		if l.api.SQL != 0 {
			args = []ssa.Value{l.c.arg(l.api.SQL)}
		}
		for _, a := range args {
			text, ok := r.constant(a)
			if !ok {
				r.lit("*")
				return
			}
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		texts = []string{"*"}
	}
	r.lit(strings.Join(texts, ", "))
}

// constant returns the one text that a value has, if it needs no parameters.
func (r *renderer) constant(v ssa.Value) (string, bool) {
	if v == nil || !isString(unwrap(v).Type()) {
		return "", false
	}
	set := r.e.text.Resolve(unwrap(v))
	if len(set) != 1 {
		return "", false
	}
	text, holes := set[0].Join()
	return text, len(holes) == 0 && text != "" && !strings.ContainsAny(text, "?@")
}

// gormWhere writes the conditions of the chain and those given to the finisher.
func (r *renderer) gormWhere() {
	r.where("where")
	if args := variadic(r.finish.c.arg(r.finish.api.Args)); len(args) > 0 && r.finish.api.Args != 0 {
		if len(r.all("where")) == 0 {
			r.lit(" WHERE (")
		} else {
			r.lit(" AND (")
		}
		r.gormInline(args)
		r.lit(")")
	}
}

// gormKey adds the primary key of the model to the conditions of a write.
func (r *renderer) gormKey(model ssa.Value) {
	key, path := r.modelKey(model)
	if key == "" {
		return
	}
	r.and()
	r.lit(quoted(key) + " = ")
	r.placeholder(unwrap(model), path)
}

// and writes what stands before one more condition.
func (r *renderer) and() {
	if text, _ := r.text.Join(); strings.Contains(text, " WHERE ") {
		r.lit(" AND ")
	} else {
		r.lit(" WHERE ")
	}
}

// gormClauses writes what Clauses adds: a locking clause, ON CONFLICT; a hole
// for what is not known.
func (r *renderer) gormClauses(insert bool) {
	unknown := len(r.all("scopes", "opaque", "set")) > 0
	for _, l := range r.all("clauses", "generic") {
		els := variadic(l.c.arg(l.api.Args))
		if els == nil && !isNil(l.c.arg(l.api.Args)) {
			unknown = true
		}
		for _, el := range els {
			if el == nil {
				unknown = true
				continue
			}
			switch typeName(unwrap(el).Type()) {
			case "gorm.io/gorm/clause.Locking":
				if !insert && !r.locking(unwrap(el)) {
					unknown = true
				}
			case "gorm.io/gorm/clause.OnConflict":
				if insert {
					r.lit(" ON CONFLICT DO NOTHING")
				}
			case "gorm.io/gorm/clause.Returning":
			default:
				unknown = true
			}
		}
	}
	if unknown {
		r.lit(" ")
		r.hole(sqltext.Unknown)
	}
}

// gormReturning writes what clause.Returning adds to a write.
func (r *renderer) gormReturning() {
	for _, l := range r.all("clauses", "generic") {
		for _, el := range variadic(l.c.arg(l.api.Args)) {
			if el != nil && typeName(unwrap(el).Type()) == "gorm.io/gorm/clause.Returning" {
				r.lit(" RETURNING *")
				return
			}
		}
	}
}

// locking writes the locking clause of a clause.Locking value; false when its
// strength is not known.
func (r *renderer) locking(v ssa.Value) bool {
	strength := r.e.text.ResolveField(v, "Strength")
	options := r.e.text.ResolveField(v, "Options")
	if len(strength) != 1 || len(options) != 1 || !tellable(strength[0]) || !tellable(options[0]) {
		return false
	}
	r.lit(" FOR ")
	r.text = append(r.text, strength[0]...)
	r.lit(" ")
	r.text = append(r.text, options[0]...)
	return true
}

// tellable reports whether a text is known, or is a parameter that a caller may
// know.
func tellable(t sqltext.Text) bool {
	return !slices.ContainsFunc(t, func(p sqltext.Part) bool {
		return p.Hole != nil && p.Hole.Param == nil && p.Hole.Foreign == nil
	})
}

// renderBun writes the statement of a finisher of bun.
func renderBun(r *renderer) sqltext.Text {
	r.named = r.bunName
	if raw := r.last("raw"); raw != nil {
		r.fragment(raw.c.arg(raw.api.SQL), variadic(raw.c.arg(raw.api.Args)))
		return r.text
	}
	return r.ofModelQuery(r.last("select", "insert", "update", "delete"))
}

// ofModelQuery writes the statement that the call verb makes of a query with a
// model, as bun and go-pg have them.
func (r *renderer) ofModelQuery(verb *link) sqltext.Text {
	if verb == nil {
		return nil
	}
	model := r.model()
	table := func() { r.modelTable(model) }
	unknown := len(r.all("apply", "opaque")) > 0
	switch verb.api.Clause {
	case "select":
		r.lit("SELECT ")
		r.outputs(r.all("column", "columnexpr"))
		r.lit(" FROM ")
		table()
		r.where("where", "wherepk")
		r.orderLimit()
		if l := r.last("for"); l != nil {
			r.lit(" FOR ")
			r.fragment(l.c.arg(l.api.SQL), variadic(l.c.arg(l.api.Args)))
		} else if unknown {
			r.lit(" ")
			r.hole(sqltext.Unknown)
		}
	case "insert":
		r.lit("INSERT INTO ")
		table()
		r.insertModel(model)
		if l := r.last("on"); l != nil {
			r.lit(" ON " + r.onConflict)
			r.arg(l.c.arg(l.api.SQL), sqltext.Unknown)
			r.conflictSets()
		} else if r.last("ignore") != nil {
			r.lit(" ON CONFLICT DO NOTHING")
		}
	case "update":
		r.lit("UPDATE ")
		table()
		r.lit(" SET ")
		if !r.sets() && !r.bunSets(model) {
			r.unknownAssignment()
		}
		r.where("where", "wherepk")
		if r.last("bulk") != nil {
			r.and()
			r.primaryKey(model)
		}
		r.returning()
	case "delete":
		r.lit("DELETE FROM ")
		table()
		r.where("where", "wherepk")
		r.returning()
	default:
		return nil
	}
	return r.text
}

// modelTable writes the table of a query with a model, and its alias.
func (r *renderer) modelTable(model ssa.Value) {
	named := r.last("table", "tableexpr", "modeltableexpr")
	r.table(named, model)
	if alias := r.alias(model); alias != "" && named == nil {
		r.lit(` AS "` + alias + `"`)
	}
}

// alias returns the alias that a library which has names in its texts gives the
// table of a model, or "".
func (r *renderer) alias(model ssa.Value) string {
	if r.named == nil || model == nil {
		return ""
	}
	alias, _ := r.named("TableAlias")
	return alias
}

// sets writes the assignments of Set calls, and reports whether there are any.
func (r *renderer) sets() bool {
	sets := r.all("set", "setcolumn")
	for i, l := range sets {
		if i > 0 {
			r.lit(", ")
		}
		if l.api.Column != 0 {
			r.column(l.c.arg(l.api.Column))
			r.lit(" = ")
		}
		r.fragment(l.c.arg(l.api.SQL), variadic(l.c.arg(l.api.Args)))
	}
	return len(sets) > 0
}

// conflictSets writes what follows DO UPDATE where the text of an ON CONFLICT
// clause ends with it: the assignments of Set calls, or all columns.
func (r *renderer) conflictSets() {
	last := r.text[len(r.text)-1].Lit
	if !strings.HasSuffix(strings.ToUpper(strings.TrimSpace(last)), "DO UPDATE") {
		return
	}
	r.lit(" SET ")
	if !r.sets() {
		r.unknownAssignment()
	}
	r.where("where")
}

// returning writes the RETURNING clause that a chain adds to a write.
func (r *renderer) returning() {
	l := r.last("returning")
	if l == nil {
		return
	}
	if text, ok := r.constant(l.c.arg(l.api.SQL)); ok && strings.EqualFold(text, "NULL") {
		return // bun: nothing
	}
	r.lit(" RETURNING *")
}

// renderSquirrel writes the statement of a builder of squirrel.
func renderSquirrel(r *renderer) sqltext.Text {
	for _, l := range r.all("prefix") {
		r.piece(l)
		r.lit(" ")
	}
	switch {
	case r.last("select") != nil:
		r.squirrelSelect()
	case r.last("insert") != nil:
		r.lit("INSERT INTO ")
		r.arg(r.last("insert", "into").c.arg(r.last("insert", "into").api.Table), sqltext.Ident)
		r.squirrelValues()
	case r.last("update") != nil:
		r.lit("UPDATE ")
		r.arg(r.last("update", "table").c.arg(r.last("update", "table").api.Table), sqltext.Ident)
		r.squirrelUpdate()
	case r.last("delete") != nil:
		r.lit("DELETE FROM ")
		l := r.last("delete", "from")
		r.arg(l.c.arg(l.api.Table), sqltext.Ident)
		r.where("where")
	default:
		return nil
	}
	for _, l := range r.all("suffix") {
		r.lit(" ")
		r.piece(l)
	}
	if len(r.all("opaque")) > 0 {
		r.lit(" ")
		r.hole(sqltext.Unknown)
	}
	return r.text
}

// piece writes a piece of SQL that a call of squirrel adds: a text with its
// arguments, or an expression.
func (r *renderer) piece(l link) {
	v := l.c.arg(l.api.SQL)
	if v != nil && isString(unwrap(v).Type()) {
		r.fragment(v, variadic(l.c.arg(l.api.Args)))
		return
	}
	if v != nil && r.expression(v) {
		return
	}
	r.hole(sqltext.Unknown)
	r.lost = true
}

// squirrelJoins are the calls that add a table to a SELECT, and what stands before it.
var squirrelJoins = map[string]string{
	"join": " JOIN ", "innerjoin": " INNER JOIN ", "leftjoin": " LEFT JOIN ", "rightjoin": " RIGHT JOIN ", "crossjoin": " CROSS JOIN ", "joinclause": " ",
}

// squirrelSelect writes a SELECT, from its columns to its end.
func (r *renderer) squirrelSelect() {
	r.lit("SELECT ")
	r.squirrelColumns()
	if l := r.last("from"); l != nil {
		r.lit(" FROM ")
		r.arg(l.c.arg(l.api.Table), sqltext.Ident)
	}
	for _, l := range r.all("join", "innerjoin", "leftjoin", "rightjoin", "crossjoin", "joinclause") {
		r.lit(squirrelJoins[l.api.Clause])
		r.piece(l)
	}
	r.where("where")
	r.orderLimit()
}

// squirrelColumns writes the columns that a SELECT asks for.
func (r *renderer) squirrelColumns() {
	n := 0
	next := func() {
		if n > 0 {
			r.lit(", ")
		}
		n++
	}
	for _, l := range r.all("select", "columns", "column") {
		if l.api.Clause == "column" {
			next()
			r.piece(l)
			continue
		}
		for _, c := range variadic(l.c.arg(l.api.Column)) {
			next()
			r.arg(c, sqltext.Unknown)
		}
	}
	switch {
	case r.last("removecolumns") != nil:
		next()
		r.hole(sqltext.Unknown)
	case n == 0:
		r.lit("*")
	}
}

// squirrelUpdate writes the assignments of an UPDATE, and its conditions.
func (r *renderer) squirrelUpdate() {
	r.lit(" SET ")
	sets := r.all("set")
	for i, l := range sets {
		if i > 0 {
			r.lit(", ")
		}
		r.arg(l.c.arg(l.api.Column), sqltext.Ident)
		r.lit(" = ")
		r.value(l.c.arg(l.api.Value))
	}
	if more, known := r.squirrelSets(); known && len(more) > 0 {
		if len(sets) > 0 {
			r.lit(", ")
		}
		r.assign(more)
	} else if len(sets) == 0 || !known {
		if len(sets) > 0 {
			r.lit(", ")
		}
		r.unknownAssignment()
	}
	r.where("where")
}
