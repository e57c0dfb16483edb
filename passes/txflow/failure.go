package txflow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// A failure is what the error that a function returns says when it is set.
type failure struct {
	// pure is set when only a failed statement sets the error, or, with noRows,
	// the absence of a row.
	pure, noRows bool
	// certain are the error variables that are returned only where a statement
	// has failed; absent those that say that there is no row.
	certain, absent []string
}

// and is what is known when it may be the one failure or the other.
func (f failure) and(g failure) failure {
	f.pure = f.pure && g.pure
	f.noRows = f.noRows || g.noRows
	f.certain = slices.DeleteFunc(slices.Clone(f.certain), func(s string) bool { return !slices.Contains(g.certain, s) })
	f.absent = append(slices.Clone(f.absent), g.absent...)
	return f
}

// failureAt says what the error of a call in fn says. The effects are those of
// the call.
func (e *engine) failureAt(call ssa.CallInstruction, effects []*Effect) failure {
	var got failure
	first := true
	add := func(f failure) {
		if first {
			got, first = f, false
			return
		}
		got = got.and(f)
	}
	for _, c := range e.callees(call.Common()) {
		switch f := c.api(); {
		case f != nil:
			got := e.failureOfAPI(f, effects)
			if a := c.arg(f.Value); a != nil && hooked(unwrap(a).Type()) {
				got.pure = false
			}
			add(got)
		case c.fn != nil:
			add(e.failure(c.fn))
		case c.foreign != nil:
			add(c.foreign.failure)
		case c.invoked:
			for _, impl := range e.implementations(c.obj) {
				add(e.failureOfUnit(impl.unit))
			}
		default:
			add(failure{})
		}
	}
	return got
}

// failureOfUnit says what the error that a function returns says.
func (e *engine) failureOfUnit(u unit) failure {
	if u.foreign != nil {
		return u.foreign.failure
	}
	return e.failure(u.fn)
}

// failureOfAPI says what the error of a library function says.
func (e *engine) failureOfAPI(f *dbapi.Func, effects []*Effect) failure {
	switch f.Role {
	case dbapi.Run, dbapi.RunStmt, dbapi.Finish:
		return failure{pure: true, noRows: !f.Exec && !f.Rows && !e.insertsRow(effects)}
	case dbapi.Affected, dbapi.CloseRows, dbapi.Next:
		return failure{pure: true}
	}
	return failure{}
}

// insertsRow reports whether the effects insert a row in every case, so that
// RETURNING returns one.
func (e *engine) insertsRow(effects []*Effect) bool {
	found := false
	for _, x := range effects {
		if x.Op != Run {
			continue
		}
		for _, alt := range e.statements(x) {
			for _, st := range alt {
				if st.Kind != pgsql.Insert || st.OnConflict != pgsql.ConflictNone || st.Partial || len(st.Reads) > 0 {
					return false
				}
				found = true
			}
		}
	}
	return found
}

// failure says what the error that fn returns says.
func (e *engine) failure(fn *ssa.Function) failure {
	if got, ok := e.failures[fn]; ok {
		return got
	}
	if e.failures == nil {
		e.failures = map[*ssa.Function]failure{}
	}
	e.failures[fn] = failure{} // in recursion
	at := errorResult(fn)
	if at < 0 {
		return failure{}
	}
	r := &returnedErrors{e: e, fn: fn, got: failure{pure: true}, seen: map[returnedKey]bool{}}
	for _, b := range fn.Blocks {
		if ret, ok := lastInstr(b).(*ssa.Return); ok && at < len(ret.Results) {
			r.add(b, ret.Results[at])
		}
	}
	r.got.certain = slices.DeleteFunc(r.got.certain, func(s string) bool { return slices.Contains(r.doubtful, s) })
	slices.Sort(r.got.certain)
	slices.Sort(r.got.absent)
	e.failures[fn] = r.got
	return r.got
}

// errorResult returns the number of the last result of fn if that is an error, or -1.
func errorResult(fn *ssa.Function) int {
	res := fn.Signature.Results()
	if n := res.Len(); n > 0 && isError(res.At(n-1).Type()) {
		return n - 1
	}
	return -1
}

type returnedKey struct {
	b *ssa.BasicBlock
	v ssa.Value
}

// returnedErrors collects what the errors that a function returns say.
type returnedErrors struct {
	e        *engine
	fn       *ssa.Function
	got      failure
	doubtful []string
	seen     map[returnedKey]bool
}

// add adds the error v, as it is where b ends.
func (r *returnedErrors) add(b *ssa.BasicBlock, v ssa.Value) {
	v = unwrap(v)
	key := returnedKey{b, v}
	if r.seen[key] || isNil(v) {
		return
	}
	r.seen[key] = true
	switch x := v.(type) {
	case *ssa.Phi:
		for i, edge := range x.Edges {
			r.add(x.Block().Preds[i], edge)
		}
		return
	case *ssa.UnOp:
		if a, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			for _, st := range storesTo(a, 0) {
				r.add(st.Block(), st.Val)
			}
			return
		}
	}
	switch r.e.failedIn(b) {
	case knownFailed:
		r.got.certain = append(r.got.certain, sentinelsIn(v, 0)...)
	case knownAbsent:
		r.got.noRows = true
		r.got.absent = append(r.got.absent, sentinelsIn(v, 0)...)
	default:
		r.addValue(b, v)
	}
}

// addValue adds an error that no branch tells about.
func (r *returnedErrors) addValue(b *ssa.BasicBlock, v ssa.Value) {
	if p, ok := v.(*ssa.Parameter); ok && isError(p.Type()) {
		return // what is given decides
	}
	if f, ok := r.e.failureOfValue(v); ok {
		r.merge(f)
		return
	}
	call, _ := v.(*ssa.Call)
	if call == nil {
		r.impure(v)
		return
	}
	wrapped := errorArgs(call)
	if len(wrapped) == 0 {
		r.impure(v)
		return
	}
	for _, a := range wrapped {
		r.add(b, a)
	}
	// A function of the user's that translates errors.
	for _, c := range r.e.callees(call.Common()) {
		var f failure
		switch {
		case c.fn != nil:
			f = r.e.failure(c.fn)
		case c.foreign != nil:
			f = c.foreign.failure
		default:
			continue
		}
		r.got.certain = append(r.got.certain, f.certain...)
		r.got.absent = append(r.got.absent, f.absent...)
		r.got.pure = r.got.pure && f.pure
	}
}

func (r *returnedErrors) merge(f failure) {
	r.got.pure = r.got.pure && f.pure
	r.got.noRows = r.got.noRows || f.noRows
	r.got.certain = append(r.got.certain, f.certain...)
	r.got.absent = append(r.got.absent, f.absent...)
}

func (r *returnedErrors) impure(v ssa.Value) {
	r.got.pure = false
	r.doubtful = append(r.doubtful, sentinelsIn(v, 0)...)
}

// failureOfValue says what the error v says when it is the error of a call that
// runs statements or of what such a call returned.
func (e *engine) failureOfValue(v ssa.Value) (failure, bool) {
	call, ok := callOfError(v).(*ssa.Call)
	if !ok {
		return failure{}, false
	}
	for _, c := range e.callees(call.Common()) {
		f := c.api()
		if f == nil {
			continue
		}
		switch f.Role {
		case dbapi.Scan, dbapi.Collect:
			// The error of the row's query, unless it is that there is none.
			from := c.arg(f.From)
			if x, ok := from.(*ssa.Extract); ok {
				from = x.Tuple
			}
			if q, ok := from.(*ssa.Call); ok {
				got := e.failureAt(q, e.directEffects(q))
				got.noRows = got.noRows || f.Role == dbapi.Collect
				return got, true
			}
			return failure{}, true
		}
	}
	if runs := e.directEffects(call); hasRun(runs) || e.isUserCall(call) && len(errorArgs(call)) == 0 {
		return e.failureAt(call, runs), true
	}
	return failure{}, false
}

// isUserCall reports whether the call is one of the user's functions.
func (e *engine) isUserCall(call ssa.CallInstruction) bool {
	for _, c := range e.callees(call.Common()) {
		if c.fn != nil || c.foreign != nil || c.invoked && c.api() == nil && len(e.implementations(c.obj)) > 0 {
			return true
		}
	}
	return false
}

// directEffects returns the effects of a call that a summary knows by now.
func (e *engine) directEffects(call ssa.CallInstruction) []*Effect {
	s := e.summaries[call.Parent()]
	if s == nil {
		return nil
	}
	var out []*Effect
	for _, x := range s.effects {
		if x.Instr == call {
			out = append(out, x)
		}
	}
	return out
}

func hasRun(effects []*Effect) bool {
	return slices.ContainsFunc(effects, func(x *Effect) bool { return x.Op == Run })
}

// errorArgs returns the errors among the arguments of a call.
func errorArgs(call ssa.CallInstruction) []ssa.Value {
	var out []ssa.Value
	for _, a := range call.Common().Args {
		els := variadic(a)
		if els == nil {
			els = []ssa.Value{a}
		}
		for _, el := range els {
			if el != nil && isError(unwrap(el).Type()) {
				out = append(out, unwrap(el))
			}
		}
	}
	return out
}

// sentinelsIn returns the error variables that v is or wraps.
func sentinelsIn(v ssa.Value, depth int) []string {
	if depth > 3 {
		return nil
	}
	v = unwrap(v)
	if name := sentinelName(v); name != "" {
		return []string{name}
	}
	var out []string
	if call, ok := v.(*ssa.Call); ok {
		for _, a := range errorArgs(call) {
			out = append(out, sentinelsIn(a, depth+1)...)
		}
	}
	return out
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// sentinelName names the error variable that v is read from, or is "".
func sentinelName(v ssa.Value) string {
	if ld, ok := unwrap(v).(*ssa.UnOp); ok && ld.Op == token.MUL {
		if g, ok := ld.X.(*ssa.Global); ok && g.Pkg != nil && types.Implements(ld.Type(), errorType) {
			return g.Pkg.Pkg.Path() + "." + g.Name()
		}
	}
	return ""
}

// storesTo returns the stores to a variable, those of closures included.
func storesTo(addr ssa.Value, depth int) []*ssa.Store {
	if depth > 4 || addr.Referrers() == nil {
		return nil
	}
	var out []*ssa.Store
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr {
				out = append(out, r)
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == addr && i < len(fn.FreeVars) {
					out = append(out, storesTo(fn.FreeVars[i], depth+1)...)
				}
			}
		}
	}
	return out
}

// A knownOutcome is what the branches that dominate a block tell.
type knownOutcome uint8

const (
	notKnownHow knownOutcome = iota
	knownFailed              // a statement has failed
	knownAbsent              // a query returned no row
)

// failedIn says what the branches that lead to b tell of some error.
func (e *engine) failedIn(b *ssa.BasicBlock) knownOutcome {
	errs := func(v ssa.Value) bool { return isError(v.Type()) }
	for d := b.Idom(); d != nil; d = d.Idom() {
		for j, s := range d.Succs {
			if len(s.Preds) != 1 || !s.Dominates(b) {
				continue
			}
			switch t := e.tellOf(d, j, errs); t.kind {
			case tellsState, tellsConflict, tellsDriver:
				return knownFailed
			case tellsNoRows:
				return knownAbsent
			case tellsSet:
				if f, ok := e.failureOfValue(t.v); ok && f.pure && !f.noRows {
					return knownFailed
				}
			}
		}
	}
	return notKnownHow
}

// errorsOf returns the error values that a call, or the Scan of its row, gives.
func errorsOf(v ssa.Value) []ssa.Value {
	var out []ssa.Value
	if isError(v.Type()) {
		out = append(out, v)
	}
	if v.Referrers() == nil {
		return out
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Extract:
			if isError(r.Type()) {
				out = append(out, r)
			}
		case *ssa.Call:
			if isError(r.Type()) && receiverOf(r) == v {
				out = append(out, r)
			}
		case *ssa.FieldAddr:
			// gorm's Error field
			if isError(derefPtr(r.Type())) && r.Referrers() != nil {
				for _, u := range *r.Referrers() {
					if ld, ok := u.(*ssa.UnOp); ok && ld.Op == token.MUL {
						out = append(out, ld)
					}
				}
			}
		}
	}
	return out
}

func receiverOf(call *ssa.Call) ssa.Value {
	c := call.Common()
	if c.IsInvoke() {
		return c.Value
	}
	if len(c.Args) > 0 {
		return c.Args[0]
	}
	return nil
}

// hooked reports whether a value that gorm writes has methods that gorm calls
// before the statement, whose errors are no failures of statements.
func hooked(t types.Type) bool {
	t = derefPtr(t)
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = derefPtr(s.Elem())
	}
	ms := types.NewMethodSet(types.NewPointer(t))
	for _, name := range []string{"BeforeCreate", "BeforeSave", "BeforeUpdate", "BeforeDelete"} {
		if ms.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}
