package txflow

import (
	"go/token"
	"go/types"
	"math/big"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// decide says of each effect of fn whether its handle is in a transaction, as
// far as fn itself can tell.
//
// The open transactions at a place are a forward may-analysis over the control
// flow: a begin opens, a commit or rollback of the same handle closes, and so
// does the error edge of the begin's own error. Deferred calls run at the end
// and close nothing before it.
func (e *engine) decide(fn *ssa.Function, effects []*Effect) {
	iv := e.intervals(fn, effects)
	escaped := func(v Value) bool {
		for _, x := range effects {
			if x.Op == Escape && x.Handle.Same(v) {
				return true
			}
		}
		return false
	}
	params, job := e.txParams(fn), e.jobOf(fn)
	defer markEnded(fn, effects)
	for _, x := range effects {
		x.Handle = e.resolve(x.Handle)
		e.addScopes(x, iv, append(params[:len(params):len(params)], job.around(x, effects)...))
		if tx := iv.inPlace(x); tx != nil {
			x.Handle = *tx
		}
		if x.Op != Run || x.settled {
			continue
		}
		x.State = e.stateOf(x, iv, fn, escaped)
		if x.State == Undecided && e.flowHandle(x.Handle) && iv.besideTx(x) {
			x.State, x.Presumed = Outside, true
		}
		if x.waits() {
			x.State = Undecided
		}
		x.settled = x.State != Undecided && e.textSettled(x)
	}
}

// markEnded marks the begins whose transactions no caller finds open: those that
// a deferred call ends, and all where no caller could get hold of one.
func markEnded(fn *ssa.Function, effects []*Effect) {
	held := returnsHandle(fn)
	for _, x := range effects {
		if x.Op != BeginTx || x.ended {
			continue
		}
		x.ended = !held
		for _, d := range effects {
			if !d.Deferred || x.ended {
				continue
			}
			switch d.Op {
			case CommitTx, RollbackTx:
				x.ended = d.Handle.Same(x.Handle) || beganOn(x, d.Handle)
			case closeReturned:
				x.ended = d.Handle.Base != nil && d.Handle.Base == x.Handle.Base && strings.HasPrefix(x.Handle.Path, d.Handle.Path)
			}
		}
	}
}

// returnsHandle reports whether a caller could get hold of a transaction that
// fn leaves open: through a result, or through an object that it is a method of.
func returnsHandle(fn *ssa.Function) bool {
	if fn.Parent() != nil {
		return true // a closure shares variables with the function around it
	}
	for v := range fn.Signature.Results().Variables() {
		if _, basic := v.Type().Underlying().(*types.Basic); !basic && !isError(v.Type()) {
			return true
		}
	}
	// begin() error that keeps the transaction in its receiver
	return fn.Signature.Recv() != nil && strings.Contains(strings.ToLower(fn.Name()), "begin")
}

// stateOf decides whether the handle of x is in a transaction.
func (e *engine) stateOf(x *Effect, iv *intervals, fn *ssa.Function, escaped func(Value) bool) State {
	switch v := x.Handle; v.Kind {
	case Tx:
		return Inside
	case Pool:
		return Outside
	case Session:
		switch {
		case iv.openOn(x, v), slices.ContainsFunc(x.Scopes, func(s Scope) bool { return s.Tx.onSession(v) }):
			return Inside
		case x.Deferred, x.Foreign, x.Go:
		case belongs(v, fn) && !escaped(v):
			return Outside
		}
	}
	return Undecided
}

// txParams returns the parameters of fn that are transactions in its whole
// body: of a transaction's type, never compared with nil, and not assigned
// another one.
func (e *engine) txParams(fn *ssa.Function) []Scope {
	if strings.HasPrefix(fn.Name(), "New") {
		return nil // a constructor keeps the transaction for later
	}
	var out []Scope
	for _, p := range fn.Params {
		if k, _ := e.kindOfType(p.Type()); k == Tx && !e.mayBeNil(p) && !e.habitual(p) && (fn.Signature.Recv() == nil || p != fn.Params[0]) {
			out = append(out, Scope{Tx: e.eval(p, "")})
		}
	}
	return out
}

// habitual reports whether a transaction's parameter says nothing, since it is a
// habit here to pass nil to named functions, and to functions that do not use it.
func (e *engine) habitual(p *ssa.Parameter) bool {
	return e.optionalTx() && (p.Parent().Parent() == nil || len(*p.Referrers()) == 0)
}

// optionalTx reports whether this package passes nil for a transaction somewhere.
// Then it is its habit that whoever has none passes nil, and a parameter says
// nothing: only the caller that has begun a transaction knows that one is open.
func (e *engine) optionalTx() bool {
	if e.passesNilTx == nil {
		e.passesNilTx = new(bool)
		for _, fn := range e.funcs {
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					if call, ok := in.(ssa.CallInstruction); ok && e.passesNil(call.Common()) {
						*e.passesNilTx = true
					}
				}
			}
		}
	}
	return *e.passesNilTx
}

// passesNil reports whether nil is among the arguments of a call where a
// transaction is expected.
func (e *engine) passesNil(c *ssa.CallCommon) bool {
	for _, a := range c.Args {
		if !isNil(a) {
			continue
		}
		if k, _ := e.kindOfType(a.Type()); k == Tx {
			return true
		}
	}
	return false
}

// mayBeNil reports whether the function compares its parameter with nil or
// assigns to it, or leads to one that does so to choose a handle. A parameter that
// a closure captures is kept in a variable.
func (e *engine) mayBeNil(p *ssa.Parameter) bool {
	if comparedWithNil(p) || e.chosenBelow(p, 0) {
		return true
	}
	for _, r := range *p.Referrers() {
		st, ok := r.(*ssa.Store)
		if !ok || st.Val != p {
			continue
		}
		a, ok := st.Addr.(*ssa.Alloc)
		if ok && (len(e.stores(a)) > 1 || loadsCompared(a)) {
			return true
		}
	}
	return false
}

// chosenBelow reports whether a function of the package that gets the parameter
// chooses a handle by whether it is nil: the transaction, or else the pool.
func (e *engine) chosenBelow(p *ssa.Parameter, depth int) bool {
	for _, r := range *p.Referrers() {
		call, ok := r.(ssa.CallInstruction)
		if !ok || depth > 3 {
			continue
		}
		fn := call.Common().StaticCallee()
		if fn == nil || fn.Blocks == nil {
			continue
		}
		for i, a := range call.Common().Args {
			if a != p || i >= len(fn.Params) {
				continue
			}
			if q := fn.Params[i]; comparedWithNil(q) && e.givesHandle(fn) || e.chosenBelow(q, depth+1) {
				return true
			}
		}
	}
	return false
}

// givesHandle reports whether a handle can be in the first result of fn.
func (e *engine) givesHandle(fn *ssa.Function) bool {
	if fn.Signature.Results().Len() == 0 {
		return false
	}
	t := fn.Signature.Results().At(0).Type()
	k, flow := e.kindOfType(t)
	return k != Unknown || flow || types.IsInterface(t) && !isError(t)
}

// loadsCompared reports whether what is loaded from a variable is compared with
// nil.
func loadsCompared(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		if load, ok := r.(*ssa.UnOp); ok && comparedWithNil(load) {
			return true
		}
	}
	return false
}

func comparedWithNil(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if op, ok := r.(*ssa.BinOp); ok && (isNil(op.X) || isNil(op.Y)) {
			return true
		}
	}
	return false
}

// addScopes adds the transactions that are open around x in this function.
func (e *engine) addScopes(x *Effect, iv *intervals, params []Scope) {
	if x.Deferred || x.Go || x.Foreign {
		return
	}
	for _, b := range iv.open(x) {
		if e.alien(b.Handle) {
			continue
		}
		if b.Op == BeginTx && !x.Handle.Same(b.Handle) || b.Op == BeginTx && x.Op == Run {
			x.Scopes = append(x.Scopes, Scope{Tx: b.Handle, Begin: b.At, Own: e.ownPool(b.Handle.Root())})
		}
	}
	for _, p := range params {
		if !slices.ContainsFunc(x.conds, func(c cond) bool { return c.test == isNilTest && c.want && c.v.Same(p.Tx) }) {
			x.Scopes = append(x.Scopes, p)
		}
	}
	x.fresh = len(x.Scopes) - x.put
	if (x.Op == Run && (x.Handle.Kind == Pool || e.flowHandle(x.Handle)) || (x.Op == BeginTx || x.Op == Take) && x.Handle.From != nil) && !x.besideBelow {
		x.Beside = e.beside(x)
		if x.Beside != nil && x.FromAmbient && x.fresh == 0 && x.putAt != nil {
			x.At, x.Path = x.putAt, x.putPath // where the transaction is open
		}
	}
}

// belongs reports whether the session v was taken in fn itself.
func belongs(v Value, fn *ssa.Function) bool {
	in, ok := v.Base.(ssa.Instruction)
	return ok && in.Parent() == fn
}

// textSettled reports whether the texts of x do not wait for a caller's
// arguments: no parameter decides what kind of statement it is, or what clause
// follows at its end.
func (e *engine) textSettled(x *Effect) bool {
	for _, t := range x.Texts {
		waiting := false
		for _, part := range t {
			waiting = waiting || decides(part.Hole)
		}
		if !waiting {
			continue
		}
		if decides(t[0].Hole) {
			return false
		}
		for _, st := range e.parse(t, x.API) {
			if st.Trailing || st.Partial {
				return false
			}
		}
	}
	return true
}

// decides reports whether a caller's argument in the hole may be a clause, and
// not just a number, a name or a list.
func decides(h *sqltext.Hole) bool {
	return h != nil && h.Kind == sqltext.Unknown && (h.Param != nil || h.Foreign != nil)
}

// intervals are the transactions open before each effect.
type intervals struct {
	begins []*Effect
	before map[*Effect]*big.Int
	begun  []Value // what is begun here, be it ended already or not
}

// openOn reports whether a transaction begun on the session v may be open
// before x.
func (iv *intervals) openOn(x *Effect, v Value) bool {
	open := iv.before[x]
	if open == nil {
		return false
	}
	for i, b := range iv.begins {
		if open.Bit(i) == 1 && beganOn(b, v) {
			return true
		}
	}
	return false
}

// open returns the begin effects whose transactions may be open before x.
func (iv *intervals) open(x *Effect) []*Effect {
	var out []*Effect
	if open := iv.before[x]; open != nil {
		for i, b := range iv.begins {
			// Of several functions that one call can run, only one is run.
			if open.Bit(i) == 1 && (b.Instr != x.Instr || b.alternative == x.alternative) {
				out = append(out, b)
			}
		}
	}
	return out
}

// besideTx reports whether x runs on a handle that an object has carried since
// before the transaction now open around it was begun on another handle: the
// type does not tell, but it can hardly be that transaction.
func (iv *intervals) besideTx(x *Effect) bool {
	v := x.Handle
	if v.Path == "" {
		return false
	}
	open := iv.open(x)
	for _, b := range open {
		if b.Handle.Same(v) || beganOn(b, v) {
			return false
		}
	}
	return len(open) > 0
}

// beganOn reports whether the transaction that b begins runs on the session v.
// A session with a Commit of its own (xorm) ends what was begun on it.
func beganOn(b *Effect, v Value) bool {
	if b.Op == Run {
		return b.Handle.Same(v)
	}
	return b.Handle.onSession(v)
}

// inPlace returns the transaction that a session has become by its own Begin
// (XORM) where x runs on it, or nil.
func (iv *intervals) inPlace(x *Effect) *Value {
	v := x.Handle
	if v.Kind != Session || !v.Flow || x.Deferred || x.Foreign || x.Go {
		return nil
	}
	switch x.Op {
	case Run, Faulty, CommitTx, RollbackTx:
	default:
		return nil
	}
	for _, b := range iv.open(x) {
		if b.Op == BeginTx && b.Handle.onSession(v) {
			return &b.Handle
		}
	}
	for _, s := range x.Scopes {
		if s.Tx.onSession(v) {
			return &s.Tx
		}
	}
	return nil
}

// onSession reports whether the transaction v was begun on the session s.
func (v Value) onSession(s Value) bool {
	for h := v.From; h != nil; h = h.From {
		if h.Same(s) {
			return true
		}
	}
	return false
}

func (e *engine) intervals(fn *ssa.Function, effects []*Effect) *intervals {
	iv := &intervals{before: map[*Effect]*big.Int{}}
	steps := map[*Effect]step{}
	byBlock := map[*ssa.BasicBlock][]*Effect{}
	for _, x := range effects {
		if x.Op == BeginTx {
			iv.begun = append(iv.begun, x.Handle)
		}
		if x.Deferred || x.Foreign || x.Go {
			continue
		}
		st := e.stepOf(x)
		steps[x] = st
		if st == opens || st == reopens {
			iv.begins = append(iv.begins, x)
		}
		b := x.Instr.Block()
		byBlock[b] = append(byBlock[b], x)
	}
	// Deferred and foreign effects still see what is open where they stand.
	if len(iv.begins) == 0 {
		return iv
	}
	in := make([]*big.Int, len(fn.Blocks))
	for i := range in {
		in[i] = new(big.Int)
	}
	apply := func(b *ssa.BasicBlock, record bool) *big.Int {
		open := new(big.Int).Set(in[b.Index])
		for _, x := range byBlock[b] {
			if record {
				iv.before[x] = new(big.Int).Set(open)
			}
			iv.step(open, x, steps[x])
		}
		return open
	}
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	visited := make([]bool, len(fn.Blocks))
	visited[0] = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		out := apply(b, false)
		for i, s := range b.Succs {
			edge := out
			if failed := failedCall(b, i); failed != nil {
				edge = new(big.Int).Set(out)
				for j, x := range iv.begins {
					if x.Instr.Value() == failed {
						edge.SetBit(edge, j, 0)
					}
				}
			}
			merged := new(big.Int).Or(in[s.Index], edge)
			if !visited[s.Index] || merged.Cmp(in[s.Index]) != 0 {
				visited[s.Index] = true
				in[s.Index] = merged
				work = append(work, s)
			}
		}
	}
	for _, b := range fn.Blocks {
		apply(b, true)
	}
	return iv
}

// A step is what an effect does to the set of open transactions.
type step uint8

const (
	nothing step = iota
	opens
	closes
	reopens // a text that closes one and opens another
)

func (e *engine) stepOf(x *Effect) step {
	switch x.Op {
	case BeginTx:
		if x.ended {
			return nothing
		}
		return opens
	case CommitTx, RollbackTx, closeReturned:
		return closes
	case Run:
		if x.Handle.Kind != Session && x.Handle.Kind != Symbolic {
			return nothing
		}
		st := nothing
		for _, alt := range e.statements(x) {
			for _, s := range alt {
				switch s.Kind {
				case pgsql.Begin:
					st = opens
				case pgsql.Commit, pgsql.Rollback:
					st = closes
				}
			}
		}
		return st
	}
	return nothing
}

func (iv *intervals) step(open *big.Int, x *Effect, st step) {
	switch st {
	case opens:
		for i, b := range iv.begins {
			if b == x {
				open.SetBit(open, i, 1)
			}
		}
	case closes:
		for i, b := range iv.begins {
			same := b.Handle.Same(x.Handle) || iv.closesAny(x) || x.Op != Run && beganOn(b, x.Handle)
			if x.Op == closeReturned {
				same = b.Handle.Base == x.Handle.Base && strings.HasPrefix(b.Handle.Path, x.Handle.Path)
			}
			if same && (x.Op == Run) == (b.Op == Run) {
				open.SetBit(open, i, 0)
			}
		}
	}
}

// closesAny reports whether x commits or rolls back a transaction of which it is
// not known where it was begun: one of several, or one that an object keeps.
// For all that is known it is any of those begun here.
func (iv *intervals) closesAny(x *Effect) bool {
	v := x.Handle
	switch {
	case x.Op != CommitTx && x.Op != RollbackTx:
		return false
	case v.Base == nil:
		return len(x.Path) == 0
	case v.Path == "" || v.Path[0] != '.':
		return false // a parameter, or begun by the function that ends it
	}
	return !slices.ContainsFunc(iv.begun, v.Same)
}

// failedCall returns the call whose own error is known to be set on the i-th
// edge out of b, or nil: the true edge of err != nil, the false edge of
// err == nil, where err is the call's last result (or gorm's tx.Error).
func failedCall(b *ssa.BasicBlock, i int) ssa.Value {
	if len(b.Instrs) == 0 || len(b.Succs) != 2 {
		return nil
	}
	cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	op, ok := cond.Cond.(*ssa.BinOp)
	if !ok || op.Op != token.NEQ && op.Op != token.EQL {
		return nil
	}
	if (op.Op == token.NEQ) != (i == 0) {
		return nil
	}
	switch {
	case isNil(op.Y):
		return callOfError(op.X)
	case isNil(op.X):
		return callOfError(op.Y)
	}
	return nil
}

// callOfError returns the call that the error v comes from, or nil.
func callOfError(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return call
		}
	case *ssa.Call:
		// row.Scan(&x) carries the error of the query before it.
		return v
	case *ssa.UnOp:
		// A variable that is not lifted: a named result beside a defer, or one
		// that a closure captures, here or around this function.
		switch v.X.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			if st := lastStore(v.X, v); st != nil {
				return callOfError(st)
			}
		}
		// tx.Error
		if fa, ok := v.X.(*ssa.FieldAddr); ok && structOf(fa.X.Type()).Field(fa.Field).Name() == "Error" {
			if call, ok := fa.X.(*ssa.Call); ok {
				return call
			}
		}
	}
	return nil
}

// lastStore returns the value that the load reads from the variable a, where a
// store in the same block tells.
func lastStore(a ssa.Value, load *ssa.UnOp) ssa.Value {
	var val ssa.Value
	for _, in := range load.Block().Instrs {
		if in == load {
			return val
		}
		if st, ok := in.(*ssa.Store); ok && st.Addr == a {
			val = st.Val
		}
	}
	return val
}
