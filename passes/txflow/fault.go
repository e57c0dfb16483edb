package txflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// A FaultKind says what is wrong with the control flow around a statement that
// has failed.
type FaultKind uint8

const (
	// UsedAfterFailure is a statement in a transaction that a failed statement
	// has aborted.
	UsedAfterFailure FaultKind = iota
	// CommittedAfterFailure is the commit of such a transaction.
	CommittedAfterFailure
	// ReturnedAfterFailure is a return of nil from the body of such a
	// transaction: the runner commits it.
	ReturnedAfterFailure
	// RetriedInside is what is run again after a conflict inside the
	// transaction that the conflict has aborted.
	RetriedInside
	// swallowed is a function that returns as if nothing had happened, with the
	// transaction aborted.
	swallowed
)

// A Fault is what a [Faulty] effect says. Its place is the effect's Origin.
type Fault struct {
	Kind FaultKind
	// Failed is the statement that fails first, or the call that leads to it.
	Failed Place
	// Again is set when the statement is the failed one itself, in a later round
	// of a loop.
	Again bool

	// first and next are the calls of interface methods that only a program as
	// a whole decides: first is what fails, next what follows. need is what the
	// error of first must say.
	first *Effect
	next  []*Effect
	need  need
	// ret is where a function returns that swallows the failure; plain is set
	// when its results say nothing else of it.
	ret   Place
	plain bool
}

// A need is what the error of a call must say so that a fault is one.
type need struct {
	pure, noRows bool
	certain      string
}

// met reports whether the error of a function that may fail in the way f says it.
func (n need) met(f failure) bool {
	return (!n.pure || f.pure) && (!n.pure || n.noRows || !f.noRows) && (n.certain == "" || slices.Contains(f.certain, n.certain))
}

// assume is a failure that just meets the need.
func (n need) assume() failure {
	f := failure{pure: n.pure, noRows: n.noRows}
	if n.certain != "" {
		f.certain = []string{n.certain}
	}
	return f
}

// A failState is what is known of an error on a path.
type failState uint8

const (
	notKnown  failState = iota
	isSet               // the error is set, but need not come from a statement
	certainly           // the statement has failed
	stopped             // nothing is to be found on the path
)

// A mark says what a value is on a path.
type mark uint8

const (
	holdsError mark = iota + 1
	holdsNil
	holdsTrue
	holdsFalse
)

// marked reports whether what values of the type hold is followed.
func marked(t types.Type) bool {
	return isError(t) || types.Identical(t.Underlying(), types.Typ[types.Bool])
}

// marks are the values and variables whose content is known on a path. They are
// shared between paths and copied to be changed.
type marks map[ssa.Value]mark

func (m marks) holds(v ssa.Value) bool { return m[v] == holdsError }

func (m marks) set(v ssa.Value, k mark) marks {
	if m[v] == k {
		return m
	}
	out := make(marks, len(m)+1)
	for w, l := range m {
		out[w] = l
	}
	if k == 0 {
		delete(out, v)
	} else {
		out[v] = k
	}
	return out
}

// of says what v is.
func (m marks) of(v ssa.Value) mark {
	if isNil(v) {
		return holdsNil
	}
	if k, ok := v.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Bool {
		if constant.BoolVal(k.Value) {
			return holdsTrue
		}
		return holdsFalse
	}
	return m[unwrap(v)]
}

// excludes reports whether the j-th edge out of b is never taken, by the flag
// that decides.
func (m marks) excludes(b *ssa.BasicBlock, j int) bool {
	br, ok := lastInstr(b).(*ssa.If)
	if !ok {
		return false
	}
	cond, taken := br.Cond, j == 0
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		cond, taken = not.X, !taken
	}
	k := m.of(cond)
	return taken && k == holdsFalse || !taken && k == holdsTrue
}

// flagsAt are the flags that have one value when the call is reached: one store
// to them dominates it, and all others come after it.
func flagsAt(call ssa.CallInstruction) marks {
	m := marks{}
	at := call.Block()
	for _, b := range call.Parent().Blocks {
		for _, in := range b.Instrs {
			a, ok := in.(*ssa.Alloc)
			if !ok || !types.Identical(derefPtr(a.Type()).Underlying(), types.Typ[types.Bool]) {
				continue
			}
			k, set := holdsFalse, false
			for _, st := range storesTo(a, 0) {
				switch sb := st.Block(); {
				case st.Parent() != call.Parent():
					k = 0
				case !set && sb.Dominates(at) && (sb != at || indexOf(st) < indexOf(call)):
					k, set = m.of(st.Val), true
				case !at.Dominates(sb) || reaches(sb, at):
					k = 0
				}
				if k == 0 {
					break
				}
			}
			if k != 0 {
				m[a] = k
			}
		}
	}
	return m
}

// collected is marked where the error has been put into a list or a field, which
// whoever goes on may look at.
var collected ssa.Value = new(ssa.Global)

func collects(in ssa.Instruction, m marks) bool {
	if st, ok := in.(*ssa.Store); ok {
		if _, field := st.Addr.(*ssa.FieldAddr); !field {
			return false
		}
	}
	return keeps(in, m)
}

// after are the marks after an instruction.
func (m marks) after(in ssa.Instruction) marks {
	if collects(in, m) {
		return m.set(collected, holdsTrue)
	}
	switch in := in.(type) {
	case *ssa.Store:
		if marked(in.Val.Type()) {
			return m.set(in.Addr, m.of(in.Val))
		}
	case *ssa.UnOp:
		if in.Op == token.MUL && marked(in.Type()) && m[in.X] != 0 {
			return m.set(in, m[in.X])
		}
	case *ssa.Call:
		if isError(in.Type()) && m[in] == 0 {
			for _, a := range errorArgs(in) {
				if m.holds(a) {
					return m.set(in, holdsError)
				}
			}
		}
	}
	return m
}

// enter are the marks after the edge from b to its j-th successor.
func (m marks) enter(b *ssa.BasicBlock, j int) (marks, string) {
	succ := b.Succs[j]
	pred := slices.Index(succ.Preds, b)
	if j == 1 && b.Succs[0] == succ {
		pred = len(succ.Preds) - 1 - slices.Index(reversed(succ.Preds), b)
	}
	out := m
	var taken strings.Builder
	for _, in := range succ.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if marked(phi.Type()) && pred >= 0 {
			k := m.of(phi.Edges[pred])
			out = out.set(phi, k)
			taken.WriteByte('0' + byte(k))
		}
	}
	return out, taken.String()
}

func reversed(bs []*ssa.BasicBlock) []*ssa.BasicBlock {
	out := slices.Clone(bs)
	slices.Reverse(out)
	return out
}

type walkKey struct {
	b    *ssa.BasicBlock
	s    failState
	phis string
}

// A failureWalk follows the paths from a call on, with what is known of its error.
type failureWalk struct {
	e *engine
	// step says what is known after a branch that tells something.
	step func(failState, tell) failState
	// visit looks at an instruction; it returns false where the path ends.
	visit func(ssa.Instruction, failState, marks) bool
	seen  map[walkKey]bool
	done  bool
}

func (w *failureWalk) from(b *ssa.BasicBlock, i int, state failState, m marks) {
	for ; i < len(b.Instrs) && !w.done; i++ {
		in := b.Instrs[i]
		if again := nextRound(in); again != nil {
			key := walkKey{b: again, s: state}
			if !w.seen[key] {
				w.seen[key] = true
				w.from(again, 0, state, m)
			}
			return
		}
		if !w.visit(in, state, m) || w.done {
			return
		}
		m = m.after(in)
	}
	for j, succ := range b.Succs {
		if m.excludes(b, j) {
			continue
		}
		next := state
		if t := w.e.tellOf(b, j, m.holds); t.kind != tellsNothing {
			if next = w.step(state, t); next == stopped {
				continue
			}
		}
		n, phis := m.enter(b, j)
		key := walkKey{b: succ, s: next, phis: phis}
		if w.done || w.seen[key] {
			continue
		}
		w.seen[key] = true
		w.from(succ, 0, next, n)
	}
}

// nextRound returns the block in which a range-over-func loop goes on after the
// return of its body that asks for the next element, nil for other instructions.
func nextRound(in ssa.Instruction) *ssa.BasicBlock {
	ret, ok := in.(*ssa.Return)
	if !ok || ret.Parent().Synthetic != rangeOverFuncBody || len(ret.Results) != 1 || len(ret.Parent().Blocks[0].Succs) == 0 {
		return nil
	}
	c, ok := ret.Results[0].(*ssa.Const)
	if !ok || c.Value == nil || !constant.BoolVal(c.Value) {
		return nil
	}
	return ret.Parent().Blocks[0].Succs[0] // the other one panics
}

// follow walks the paths after a call whose error is known to be state.
func (w *failureWalk) follow(call ssa.CallInstruction, state failState, k mark) {
	m := flagsAt(call)
	if v := call.Value(); v != nil {
		for _, err := range errorsOf(v) {
			m[err] = k
		}
	}
	w.seen = map[walkKey]bool{}
	w.from(call.Block(), indexOf(call)+1, state, m)
}

// steps says how the tests of an error whose failure is f change what is known
// of the statement.
func (f failure) steps(s failState, t tell) failState {
	switch t.kind {
	case tellsNil, tellsNoRows, tellsConflict:
		// What is done about conflicts is another rule's question.
		return stopped
	case tellsSet:
		if f.pure && !f.noRows {
			return certainly
		}
		return max(s, isSet)
	case tellsState, tellsDriver:
		return certainly
	case tellsOwn:
		if f.pure {
			return stopped // what the server sends is of no such type
		}
	case tellsOtherThan:
		return f.unlessAbsent(s)
	case tellsSentinel:
		if slices.Contains(f.certain, t.name) {
			return certainly
		}
		if slices.Contains(f.absent, t.name) || f.pure {
			// What the server sends is no variable of the user's; that is another
			// name of a library's own, such as the one that says that there is no row.
			return stopped
		}
		return max(s, isSet)
	case tellsNotSentinel:
		if slices.Contains(f.absent, t.name) {
			return f.unlessAbsent(s)
		}
	}
	return s
}

func (f failure) unlessAbsent(s failState) failState {
	if s == isSet && f.pure {
		return certainly
	}
	return s
}

// A faultFinder finds the faults of one function.
type faultFinder struct {
	e       *engine
	fn      *ssa.Function
	effects []*Effect
	byInstr map[ssa.Instruction][]*Effect
	found   []*Effect
}

// addFaults settles the faults among the effects of fn that its calls have, and
// adds its own.
func (e *engine) addFaults(fn *ssa.Function, effects []*Effect) []*Effect {
	f := &faultFinder{e: e, fn: fn, byInstr: map[ssa.Instruction][]*Effect{}}
	var calls []ssa.CallInstruction
	for _, x := range effects {
		if x.Op == Faulty && !f.keep(x) {
			continue
		}
		if x.Op != Faulty || x.Fault.Kind != swallowed {
			f.effects = append(f.effects, x)
		}
		if f.byInstr[x.Instr] == nil {
			calls = append(calls, x.Instr)
		}
		f.byInstr[x.Instr] = append(f.byInstr[x.Instr], x)
	}
	if len(effects) > 0 {
		for _, call := range calls {
			f.call(call)
		}
	}
	return append(f.effects, f.firstFaults()...)
}

// firstFaults leaves out what goes wrong after a place that is a fault already.
func (f *faultFinder) firstFaults() []*Effect {
	return slices.DeleteFunc(slices.Clone(f.found), func(x *Effect) bool {
		return slices.ContainsFunc(f.found, func(y *Effect) bool {
			return x != y && x.Fault.Kind != RetriedInside && y.Fault.Kind != swallowed && y.Fault.first == nil &&
				f.e.placeOf(y.Origin) == x.Fault.Failed && !y.Fault.Again
		})
	})
}

// keep settles a fault that came with a call; false when it is none.
func (f *faultFinder) keep(x *Effect) bool {
	switch x.Handle.Kind {
	case Pool:
		return false
	case Unknown, None:
		return x.Fault.first != nil
	case Tx:
		if x.Fault.first == nil && x.Fault.Kind != swallowed && x.Handle.Base != nil {
			x.settled = true
		}
	}
	return true
}

// add adds a fault of the transaction tx at a call.
func (f *faultFinder) add(at ssa.CallInstruction, tx Value, fault *Fault, from ...*Effect) {
	x := &Effect{Op: Faulty, Handle: tx, Instr: at, Origin: at, At: at, Fault: fault}
	for _, y := range from {
		x.conds = append(x.conds, y.conds...)
	}
	if fault.Kind == ReturnedAfterFailure {
		x.Origin = &foreignCall{at: fault.ret}
	}
	if tx.Kind == Session {
		x.settled = true
	}
	if f.keep(x) {
		f.found = append(f.found, x)
	}
}

// call looks at one call of the function.
func (f *faultFinder) call(call ssa.CallInstruction) {
	if _, ok := call.(*ssa.Call); !ok {
		return
	}
	f.retried(call)
	for _, x := range f.byInstr[call] {
		if x.Op == Faulty && x.Fault.Kind == swallowed && !x.Go && !x.Foreign {
			f.afterSwallow(call, x)
		}
	}
	first, known := f.failing(call)
	if first == nil {
		return
	}
	if !known {
		f.pending(call, first)
		return
	}
	fail := f.e.failureAt(call, f.byInstr[call])
	start := notKnown
	if fail.pure && f.dropped(call) {
		start = certainly
	}
	f.after(call, first, fail.steps, start, holdsError, nil)
}

// afterSwallow looks for what follows a call that has swallowed a failure.
func (f *faultFinder) afterSwallow(call ssa.CallInstruction, x *Effect) {
	if f.savepoints(x.Handle) {
		return
	}
	began := false
	for _, y := range f.byInstr[call] {
		if y.Op == CommitTx && y.Handle.Same(x.Handle) {
			f.add(call, x.Handle, &Fault{Kind: ReturnedAfterFailure, Failed: x.Fault.Failed, ret: x.Fault.ret}, x)
			return
		}
		began = began || y.Op == BeginTx && y.Handle.Same(x.Handle)
	}
	if began || !x.Fault.plain {
		return
	}
	steps := func(s failState, t tell) failState {
		if t.kind == tellsSet {
			return stopped
		}
		return s
	}
	f.after(call, x, steps, certainly, holdsNil, x.Fault)
}

// failing returns an effect of the call that runs a statement in a transaction,
// when all that the call does is done in that transaction: then an error that a
// statement sets has aborted it. Of a call through an interface that nobody
// implements here, known is false.
func (f *faultFinder) failing(call ssa.CallInstruction) (first *Effect, known bool) {
	var pending *Effect
	for _, x := range f.byInstr[call] {
		if x.Deferred || x.Go || x.Foreign {
			return nil, false
		}
		switch x.Op {
		case Run:
			if x.API != nil && x.API.Must { // what follows is not reached
				return nil, false
			}
			if first != nil && !sameTx(first.Handle, x.Handle) || !mayBeTx(x) || f.controls(x) {
				return nil, false
			}
			if first == nil {
				first = x
			}
		case callMethod:
			pending = x
		case External, Faulty:
		default:
			return nil, false
		}
	}
	switch {
	case first != nil:
		if f.savepoints(first.Handle) {
			return nil, false
		}
		return first, true
	case pending != nil:
		return pending, false
	}
	return nil, false
}

// mayBeTx reports whether the handle of x is a transaction, or can be one.
func mayBeTx(x *Effect) bool {
	switch x.Handle.Kind {
	case Tx, Symbolic:
		return x.Handle.Base != nil
	case Session:
		return x.State == Inside
	case Ambient, Carried:
		return x.Handle.Ctx != nil
	}
	return false
}

// sameTx reports whether two handles are the same transaction, if they are one.
func sameTx(v, w Value) bool {
	if v.Ctx != nil && w.Ctx != nil && (v.Kind == Ambient || v.Kind == Carried) && v.Kind == w.Kind {
		return v.Ctx.Same(*w.Ctx)
	}
	return v.Kind == w.Kind && v.Same(w)
}

// controls reports whether x runs a text that begins or ends something.
func (f *faultFinder) controls(x *Effect) bool {
	return f.e.anyStatement(x, func(k pgsql.Kind) bool {
		return k == pgsql.Begin || k == pgsql.Commit || k == pgsql.Rollback || k == pgsql.Savepoint || k == pgsql.RollbackTo
	})
}

func (e *engine) anyStatement(x *Effect, pred func(pgsql.Kind) bool) bool {
	for _, alt := range e.statements(x) {
		for _, st := range alt {
			if pred(st.Kind) {
				return true
			}
		}
	}
	return false
}

// savepoints reports whether the function, or one that it calls, sets savepoints
// in the transaction.
func (f *faultFinder) savepoints(tx Value) bool {
	for _, x := range f.effects {
		if !sameTx(x.Handle, tx) {
			continue
		}
		if x.Op == Mark || x.Op == Run && f.e.anyStatement(x, func(k pgsql.Kind) bool { return k == pgsql.Savepoint || k == pgsql.RollbackTo }) {
			return true
		}
	}
	return false
}

// dropped reports whether nobody looks at the error of a call that writes.
func (f *faultFinder) dropped(call ssa.CallInstruction) bool {
	if c, ok := call.(*ssa.Call); !ok || !errorUnused(c) {
		return false
	}
	for _, x := range f.byInstr[call] {
		if x.Op == Run && !f.writesPlainly(x) {
			return false
		}
	}
	return true
}

// writesPlainly reports whether x is a write that can fail by what the rows hold.
func (f *faultFinder) writesPlainly(x *Effect) bool {
	alts := f.e.statements(x)
	for _, alt := range alts {
		for _, st := range alt {
			if !st.Writing || st.OnConflict != pgsql.ConflictNone {
				return false
			}
		}
	}
	return len(alts) > 0
}

// after looks for the next use of the transaction of first on the paths from a
// call on, and for silent returns. via is the swallowed failure of the call, if
// it has one.
func (f *faultFinder) after(call ssa.CallInstruction, first *Effect, steps func(failState, tell) failState, start failState, k mark, via *Fault) {
	failed := f.e.placeOf(call)
	if via != nil {
		failed = via.Failed
	}
	tx := first.Handle
	var hit, silent bool
	var ret *ssa.Return
	w := &failureWalk{e: f.e, step: steps}
	w.visit = func(in ssa.Instruction, s failState, m marks) bool {
		switch in := in.(type) {
		case *ssa.Return:
			if s == certainly && returnsSilently(in, m) && m[collected] == 0 {
				silent, ret = true, in
			}
			return false
		case ssa.CallInstruction:
			if neverReturns(in, m) || f.endsTx(in, tx) {
				return false
			}
			x := f.use(in, tx)
			if x == nil {
				return s != certainly || !f.unseen(in, tx)
			}
			if s == certainly && (m[collected] == 0 || in == call) {
				fault := &Fault{Kind: UsedAfterFailure, Failed: failed, Again: in == call && via == nil}
				if f.commits(x) {
					fault.Kind = CommittedAfterFailure
				}
				f.add(in, tx, fault, first, x)
				hit, w.done = true, true
			}
			return false
		}
		return true
	}
	w.follow(call, start, k)
	if !hit && silent && f.outlives(tx) {
		fault := &Fault{Kind: swallowed, Failed: failed, ret: f.placeOfReturn(ret), plain: plainResults(f.fn)}
		f.found = append(f.found, &Effect{Op: Faulty, Handle: tx, Instr: call, Origin: call, At: call, Fault: fault, conds: first.conds})
	}
}

// plainResults reports whether a function returns nothing but an error, or
// nothing: other results may tell the caller what has happened.
func plainResults(fn *ssa.Function) bool {
	n := fn.Signature.Results().Len()
	return n == 0 || n == 1 && errorResult(fn) == 0
}

// returnsSilently reports whether a return says nothing of an error.
func returnsSilently(ret *ssa.Return, m marks) bool {
	n := len(ret.Results)
	if n == 0 {
		return true
	}
	return isError(ret.Results[n-1].Type()) && m.of(ret.Results[n-1]) == holdsNil
}

// outlives reports whether the transaction is neither begun by the function
// itself nor rolled back when it returns.
func (f *faultFinder) outlives(tx Value) bool {
	rolledBack := false
	for _, x := range f.effects {
		if (x.Op == BeginTx || x.Op == Take) && x.Handle.Same(tx) {
			return false
		}
		rolledBack = rolledBack || x.Deferred && x.Op == RollbackTx && sameTx(x.Handle, tx)
	}
	commits := func(x *Effect) bool { return x.Deferred && x.Op == CommitTx && sameTx(x.Handle, tx) }
	return tx.Kind != Session && (!rolledBack || slices.ContainsFunc(f.effects, commits))
}

// use returns the effect of a call that uses the transaction, or nil.
func (f *faultFinder) use(in ssa.CallInstruction, tx Value) *Effect {
	for _, x := range f.byInstr[in] {
		if !x.Deferred && !x.Go && !x.Foreign && (x.Op == Run || x.Op == CommitTx) && sameTx(x.Handle, tx) {
			return x
		}
	}
	return nil
}

// commits reports whether x commits, by a method or as text.
func (f *faultFinder) commits(x *Effect) bool {
	return x.Op == CommitTx || f.e.anyStatement(x, func(k pgsql.Kind) bool { return k == pgsql.Commit })
}

// endsTx reports whether a call rolls the transaction back, or begins it anew.
func (f *faultFinder) endsTx(in ssa.CallInstruction, tx Value) bool {
	for _, x := range f.byInstr[in] {
		if x.Deferred || x.Go {
			continue
		}
		switch x.Op {
		case RollbackTx, Mark, BeginTx, Take, GiveBack, Destroy:
			if sameTx(x.Handle, tx) || x.Handle.Kind == Unknown {
				return true
			}
			if x.Op == BeginTx && x.Handle.From != nil && sameTx(*x.Handle.From, tx) {
				return true
			}
		case closeReturned:
			if x.Handle.Base == tx.Base && f.use(in, tx) == nil {
				return true
			}
		case Run:
			if sameTx(x.Handle, tx) && f.e.anyStatement(x, func(k pgsql.Kind) bool { return k == pgsql.Rollback || k == pgsql.Begin }) {
				return true
			}
		}
	}
	return false
}

// unseen reports whether the transaction is handed to a function of which
// nothing is known: it may roll back.
func (f *faultFinder) unseen(in ssa.CallInstruction, tx Value) bool {
	for _, c := range f.e.callees(in.Common()) {
		if c.api() != nil || c.foreign != nil {
			return false
		}
	}
	c := in.Common()
	args := c.Args
	if c.IsInvoke() {
		args = append([]ssa.Value{c.Value}, args...)
	}
	for _, a := range args {
		if v := f.e.eval(unwrap(a), ""); v.Kind == tx.Kind && sameTx(v, tx) && v.Kind != Symbolic {
			return true
		}
	}
	return false
}

// exits begin the names of functions that do not come back.
var exits = []string{"fatal", "panic", "exit", "goexit", "failnow", "die", "must", "skip"}

// checks begin the names of functions that may not come back when they are given
// an error that is set: require.NoError, checkErr.
var checks = []string{"noerr", "nil", "check", "assert", "require", "handle", "abort", "ensure", "throw", "raise", "fail", "expect"}

// neverReturns reports whether the name of the called function says that it does
// not come back, or may not with the error at hand.
func neverReturns(in ssa.CallInstruction, m marks) bool {
	name := ""
	if m := in.Common().Method; m != nil {
		name = m.Name()
	} else if fn := in.Common().StaticCallee(); fn != nil {
		name = fn.Name()
	}
	name = strings.ToLower(name)
	begins := func(w string) bool { return strings.HasPrefix(name, w) }
	return slices.ContainsFunc(exits, begins) ||
		slices.ContainsFunc(checks, begins) && slices.ContainsFunc(errorArgs(in), m.holds)
}

// placeOfReturn returns the place of a return statement.
func (f *faultFinder) placeOfReturn(ret *ssa.Return) Place {
	p := f.e.pass.Fset.Position(ret.Pos())
	if !ret.Pos().IsValid() {
		p = f.e.pass.Fset.Position(f.fn.Syntax().End() - 1) // the end of the body
		return Place{p.Filename, p.Line, p.Column, p.Line, p.Column + 1}
	}
	return Place{p.Filename, p.Line, p.Column, p.Line, p.Column + len("return")}
}

// maxNext bounds the calls that may follow a failure that is not decided yet.
const maxNext = 3

// pending looks for what follows the failure of a call through an interface,
// under each assumption of what its error says; a program that has the
// implementations decides.
func (f *faultFinder) pending(call ssa.CallInstruction, first *Effect) {
	needs := []need{{}}
	for _, name := range f.sentinels() {
		needs = append(needs, need{certain: name})
	}
	needs = append(needs, need{pure: true, noRows: true}, need{pure: true})
	for _, n := range needs {
		var next []*Effect
		w := &failureWalk{e: f.e, step: n.assume().steps}
		w.visit = func(in ssa.Instruction, s failState, m marks) bool {
			switch in := in.(type) {
			case *ssa.Return:
				return false
			case ssa.CallInstruction:
				if neverReturns(in, m) || f.endsAny(in) {
					return false
				}
				if x := f.mayUse(in); x != nil && s == certainly {
					next = append(next, x)
					w.done = len(next) >= maxNext
				}
			}
			return true
		}
		w.follow(call, notKnown, holdsError)
		if len(next) > 0 {
			f.found = append(f.found, &Effect{Op: Faulty, Handle: Value{Kind: None}, Instr: call, Origin: call, At: call, conds: first.conds,
				Fault: &Fault{Kind: UsedAfterFailure, Failed: f.e.placeOf(call), first: first, next: next, need: n}})
			return
		}
	}
}

// sentinels returns the error variables that the function mentions.
func (f *faultFinder) sentinels() []string {
	var out []string
	for _, b := range f.fn.Blocks {
		for _, in := range b.Instrs {
			if ld, ok := in.(*ssa.UnOp); ok {
				if name := sentinelName(ld); name != "" && !isNoRows(ld) && !slices.Contains(out, name) && len(out) < 4 {
					out = append(out, name)
				}
			}
		}
	}
	return out
}

// endsAny reports whether a call begins or ends some transaction.
func (f *faultFinder) endsAny(in ssa.CallInstruction) bool {
	return slices.ContainsFunc(f.byInstr[in], func(x *Effect) bool {
		return x.Op == RollbackTx || x.Op == Mark || x.Op == BeginTx || x.Op == Take
	})
}

// mayUse returns an effect of a call that may use the transaction of a call that
// is not decided yet, or nil.
func (f *faultFinder) mayUse(in ssa.CallInstruction) *Effect {
	for _, x := range f.byInstr[in] {
		if x.Deferred || x.Go || x.Foreign {
			continue
		}
		if x.Op == callMethod || x.Op == Run && mayBeTx(x) {
			return x
		}
	}
	return nil
}

// retried adds what a call that runs something again runs inside the transaction
// that the failure has aborted.
func (f *faultFinder) retried(call ssa.CallInstruction) {
	for _, x := range f.byInstr[call] {
		if !x.RetriedHere || x.Retry != Retried || x.Deferred || x.Go || x.Foreign {
			continue
		}
		tx := x.Handle
		switch x.Op {
		case Run:
		case BeginTx:
			if x.Handle.From == nil {
				continue
			}
			tx = *x.Handle.From // a savepoint
		case callMethod:
			if f.pendingRetry(call, x) {
				return
			}
			continue
		default:
			continue
		}
		y := *x
		y.Handle = tx
		if !mayBeTx(&y) || tx.Kind == Session || !f.staysInside(call, tx) || f.restarts(call, tx) {
			continue
		}
		f.add(call, tx, &Fault{Kind: RetriedInside, Failed: f.e.placeOf(call)}, x)
		return
	}
}

// restarts reports whether the call also goes back to a savepoint of the
// transaction.
func (f *faultFinder) restarts(call ssa.CallInstruction, tx Value) bool {
	for _, x := range f.byInstr[call] {
		if (x.Op == RollbackTx || x.Op == Mark) && sameTx(x.Handle, tx) {
			return true
		}
	}
	return false
}

// staysInside reports whether each try of the call runs in the one transaction
// tx: a runner is given it, or the loop comes back to the call after a conflict
// without beginning anew.
func (f *faultFinder) staysInside(call ssa.CallInstruction, tx Value) bool {
	if tx.Base != nil && tx.Base == call.Value() {
		return false
	}
	if f.e.retryOf(f.fn, call) != Retried {
		return true
	}
	again := false
	w := &failureWalk{e: f.e}
	w.step = func(s failState, t tell) failState {
		switch t.kind {
		case tellsConflict:
			return certainly
		case tellsNil, tellsState, tellsNoRows, tellsNoConflict, tellsSentinel:
			return stopped
		}
		return s
	}
	w.visit = func(in ssa.Instruction, s failState, m marks) bool {
		c, ok := in.(ssa.CallInstruction)
		switch {
		case !ok:
			return true
		case c == call:
			again = again || s == certainly
			return false
		}
		return !f.endsTx(c, tx)
	}
	w.follow(call, notKnown, holdsError)
	return again
}

// pendingRetry adds a call through an interface that is run again, when what it
// is given is not begun by the call that runs it again.
func (f *faultFinder) pendingRetry(call ssa.CallInstruction, x *Effect) bool {
	if f.e.retryOf(f.fn, call) == Retried {
		return false
	}
	inside := false
	for _, p := range x.pending.bindPaths {
		switch v := x.pending.bind(p.index, p.path); v.Kind {
		case Tx, TxContext:
			if v.Base == call.Value() {
				return false
			}
			inside = true
		case Symbolic:
			inside = inside || v.Path == ""
		}
	}
	if !inside {
		return false
	}
	f.found = append(f.found, &Effect{Op: Faulty, Handle: Value{Kind: None}, Instr: call, Origin: call, At: call, conds: x.conds,
		Fault: &Fault{Kind: RetriedInside, Failed: f.e.placeOf(call), first: x}})
	return true
}

// retriesErrors reports whether a function of the tables calls its function
// again when that returns an error, outside any transaction of its own.
func retriesErrors(f *dbapi.Func) bool {
	return (f.Again == dbapi.OnError || f.Again == dbapi.OnMarked) && f.Handle.Index() < 0
}
