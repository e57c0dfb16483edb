package txflow

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// sqlbuilderName is go-sqlbuilder, whose builders change in place.
const sqlbuilderName = "go-sqlbuilder"

// mutated returns the chain of a builder that changes in place, as it is at an
// instruction of the same function: the calls on it that come before, whatever is
// done with their results.
func (e *engine) mutated(v ssa.Value, at ssa.Instruction, depth int) [][]link {
	base := e.builderBase(v, 0)
	if at == nil {
		at = onlyReturn(base.Parent())
	}
	before := e.startOf(base, depth)
	var calls []link
	var where []*ssa.Call
	open := false
	seen := map[ssa.Value]bool{base: true}
	for work := []ssa.Value{base}; len(work) > 0; work = work[1:] {
		for _, r := range *work[0].Referrers() {
			switch r := r.(type) {
			case *ssa.Call:
				l, known := e.addedHere(r, work[0])
				open = open || !known && !follows(r, at)
				if l != nil && !seen[r] {
					seen[r] = true
					calls, where, work = append(calls, *l), append(where, r), append(work, r)
				}
			case *ssa.Store:
				// A variable that only ever holds this builder.
				a, ok := r.Addr.(*ssa.Alloc)
				if !ok || r.Val != work[0] || len(e.stores(a)) != 1 {
					open = open || r.Val == work[0]
					continue
				}
				for _, u := range *a.Referrers() {
					if ld, ok := u.(*ssa.UnOp); ok && ld.Op == token.MUL && !seen[ld] {
						seen[ld] = true
						work = append(work, ld)
					}
				}
			case *ssa.Phi, *ssa.MakeClosure, *ssa.Go, *ssa.Defer:
				open = true
			}
		}
	}
	links, sure := inOrder(calls, where, at)
	if open || !sure {
		links = append(links, link{api: opaque})
	}
	out := slices.Clone(before)
	for i := range out {
		out[i] = slices.Concat(out[i], links)
	}
	return out
}

// follows reports whether a call is made at an instruction, or after it.
func follows(call *ssa.Call, at ssa.Instruction) bool {
	switch {
	case at == nil:
		return false
	case call.Block() == at.Block():
		return indexOf(call) >= slices.Index(at.Block().Instrs, at)
	}
	return at.Block().Dominates(call.Block())
}

// builderBase returns the builder that the calls of a chain were first made on.
func (e *engine) builderBase(v ssa.Value, depth int) ssa.Value {
	if depth > maxChain {
		return v
	}
	switch x := v.(type) {
	case *ssa.Call:
		for _, c := range e.callees(x.Common()) {
			if f := c.api(); f != nil && f.Role == dbapi.Chain && c.arg(f.Handle) != nil {
				return e.builderBase(c.arg(f.Handle), depth+1)
			}
		}
	case *ssa.UnOp:
		if a, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			if s := e.stores(a); len(s) == 1 {
				return e.builderBase(s[0], depth+1)
			}
		}
	}
	return v
}

// startOf returns the chains with which a builder begins.
func (e *engine) startOf(base ssa.Value, depth int) [][]link {
	switch x := base.(type) {
	case *ssa.Parameter:
		return [][]link{{{api: given, param: x}}}
	case *ssa.Call:
		for _, c := range e.callees(x.Common()) {
			switch f := c.api(); {
			case f != nil && f.Role == dbapi.Chain:
				return [][]link{{{api: f, c: c}}}
			case f == nil && c.fn != nil:
				return e.chainsThrough(x, &c, depth)
			}
		}
	}
	return [][]link{{{api: opaque}}}
}

// addedHere returns what a call adds to a builder, nil if nothing; known is false
// where it may add anything.
func (e *engine) addedHere(call *ssa.Call, builder ssa.Value) (l *link, known bool) {
	for _, c := range e.callees(call.Common()) {
		f := c.api()
		switch {
		case f != nil && f.Role == dbapi.Chain && c.arg(f.Handle) == builder:
			return &link{api: f, c: c}, true
		case f != nil || c.fn == nil && c.obj != nil && c.obj.Pkg() != nil && dbapi.Known(c.obj.Pkg().Path()):
			return nil, true
		}
	}
	return nil, false
}

// inOrder sorts calls as they are made before an instruction. It is not sure where
// one is made on some paths only.
func inOrder(links []link, calls []*ssa.Call, at ssa.Instruction) (out []link, sure bool) {
	sure = at != nil
	type step struct {
		l    link
		call *ssa.Call
	}
	var steps []step
	for i, c := range calls {
		switch {
		case at != nil && c.Block() == at.Block():
			if indexOf(c) > slices.Index(at.Block().Instrs, at) {
				continue
			}
		case at != nil && !c.Block().Dominates(at.Block()):
			sure = false
			continue
		}
		steps = append(steps, step{links[i], c})
	}
	slices.SortStableFunc(steps, func(a, b step) int {
		switch {
		case a.call.Block() == b.call.Block():
			return indexOf(a.call) - indexOf(b.call)
		case a.call.Block().Dominates(b.call.Block()):
			return -1
		}
		return 1
	})
	for _, s := range steps {
		out = append(out, s.l)
	}
	return out, sure
}

// onlyReturn returns the return instruction of a function that has one, or nil.
func onlyReturn(fn *ssa.Function) ssa.Instruction {
	var found ssa.Instruction
	if fn == nil {
		return nil
	}
	for _, b := range fn.Blocks {
		if ret, ok := lastInstr(b).(*ssa.Return); ok {
			if found != nil {
				return nil
			}
			found = ret
		}
	}
	return found
}

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
		r.hole(sqltext.Ident)
		r.lit(" = ")
		r.hole(sqltext.Literal)
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
		r.hole(sqltext.Ident)
		r.lit(" = ")
		r.hole(sqltext.Literal)
		r.lost = true
	}
}
