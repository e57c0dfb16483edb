package txflow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// An Op is the kind of an [Effect].
type Op uint8

const (
	// Run runs statements on a handle.
	Run Op = iota
	// BeginTx begins a transaction: Handle is the transaction.
	BeginTx
	// CommitTx and RollbackTx end the transaction Handle.
	CommitTx
	RollbackTx
	// Take takes a session from a pool: Handle is the session.
	Take
	// GiveBack gives the session Handle back to its pool.
	GiveBack
	// Destroy closes the session Handle for good, or takes it out of its pool.
	Destroy
	// Escape passes Handle to code that is not seen.
	Escape
	// External sends something over the network or to another process and
	// waits for it, or just waits.
	External
	// closeReturned calls a function that came out of the call Handle.Base
	// together with a transaction: a commit or a rollback, most likely.
	closeReturned
	// Faulty is no call but what the control flow between calls does wrong; see
	// [Fault].
	Faulty
	// Mark sets a savepoint in the transaction Handle, or goes back to one.
	Mark
	// callParam calls a function parameter.
	callParam
	// callMethod calls a method of an interface whose implementations may be
	// seen further up.
	callMethod
)

// A State says whether an effect's handle is in a transaction.
type State uint8

const (
	// Undecided effects depend on a caller, or on what was not traced.
	Undecided State = iota
	// Inside effects run in an open transaction.
	Inside
	// Outside effects run with no transaction open.
	Outside
)

// An Effect is something that a function does to a database, by itself or
// through what it calls, in terms of the function's parameters.
type Effect struct {
	Op     Op
	Handle Value
	// API is the table row of the library function that has the effect.
	API *dbapi.Func
	// Instr is the call in the function that has the effect.
	Instr ssa.CallInstruction
	// Origin is the call of the library function; it is Instr unless the
	// effect came through calls.
	Origin ssa.CallInstruction
	// At is the call that a user should look at: Instr, or the call inside a
	// closure of the same function that leads to Origin.
	At ssa.CallInstruction
	// Path are the functions between At and Origin, outermost first, by the
	// names that readers use.
	Path []string
	// Enter is the call that entered the function in which Origin stands; nil
	// when At is Origin. FromAmbient is set when the handle was the context's
	// transaction or else a pool, and a caller's context carries none.
	Enter       ssa.CallInstruction
	FromAmbient bool
	// FromContext is set when that handle was looked up in a context, and not a
	// parameter that callers may leave out.
	FromContext bool
	// Texts are the SQL texts that Run runs.
	Texts sqltext.Set
	// Batch is set when Texts are all run, one after another.
	Batch bool
	// Deferred and Go are set for effects of defer and go statements; Foreign
	// for those of a closure that unseen code may call.
	Deferred, Go, Foreign bool
	// State is whether the handle is in a transaction, once that is known.
	State State

	// Presumed is set when State rests on the long life of the handle (a field
	// of an object that outlives the transaction open around the call) and not
	// on where the handle was made.
	Presumed bool

	// Scopes are the transactions open around the effect, innermost first. The
	// last fresh of them were opened by the function whose effect this is, the
	// others by the functions it calls.
	Scopes     []Scope
	fresh, put int
	// putAt and putPath are At and Path in the function that has opened the
	// innermost of Scopes, where that is not the one whose effect this is.
	putAt   ssa.CallInstruction
	putPath []string
	// Beside is the open transaction that a statement or a begin on another
	// connection of the same database bypasses, nil if there is none;
	// besideBelow is set when a called function bypassed one already.
	Beside      *Scope
	besideBelow bool
	// keys are the columns that the tags of the model that is inserted call a key
	// or unique.
	keys modelKeys
	// What says what an External effect is, in words: "an HTTP request". Of a pending
	// call it is what the method's form says.
	What string
	// Mode is the isolation level and access mode that BeginTx asks for.
	Mode Mode

	// Retry says whether the effect is run again when it fails: by the functions
	// it came through, or by the one whose effect this is. RetriedHere is set
	// when that one does it.
	Retry       Retry
	RetriedHere bool

	// rows is what becomes of the number of rows that Run changes.
	rows rowCount

	// Fault is what a Faulty effect says.
	Fault *Fault

	// conds are the conditions on parameters and contexts under which the
	// effect happens.
	conds []cond
	// settled is set when all that can be known is known; below when a called
	// function knew it already.
	settled, below bool
	// pending is the call that callParam and callMethod make.
	pending *pendingCall
	// alternative numbers the functions that one call can run.
	alternative int
	// ended is set on a BeginTx whose transaction is over when the function
	// returns, or that no caller could hold.
	ended bool
	// key names the call of the library function, as sources name it.
	key callKey
	// data is where the values of a statement come from.
	data effectData
	// viaLink is set on effects of implementations of a pending call, looks when
	// the implementation tests the SQLSTATE of an error.
	viaLink, looks bool
	// fromArg is set when the function that was called got the handle as an
	// argument.
	fromArg bool
}

// A pendingCall calls what is not known yet.
type pendingCall struct {
	// callee is the function parameter that callParam calls; methodSig and iface
	// are the method that callMethod calls, in the package pkg.
	callee                Value
	methodSig, iface, pkg string
	// bind gives the arguments (receiver first), which bindPaths lists.
	bind      func(i int, path string) Value
	bindPaths []pathOf
	// closures are, of callMethod, the effects of the functions among the
	// arguments, by the argument's number, in terms of [closureParam]s.
	closures map[int][]*Effect
}

// rebind puts the arguments of the call into other terms.
func (c *pendingCall) rebind(sub func(Value) Value) *pendingCall {
	if c == nil {
		return nil
	}
	d := *c
	d.bind = func(i int, path string) Value { return sub(c.bind(i, path)) }
	return &d
}

// A Scope is a transaction that is open around an effect.
type Scope struct {
	// Tx is the transaction; Tx.From what it was begun on, if that is known.
	Tx Value
	// Begin is the call that begins it; nil when it comes in as a parameter.
	Begin ssa.CallInstruction
	// Own is set when the pool that it was begun on is one that a method of the type
	// that keeps it has opened: perhaps no other code has this pool.
	Own bool
}

// A Mode is what a transaction is begun with.
type Mode struct {
	Isolation  pgsql.Isolation
	ReadOnly   bool
	Deferrable bool
	// Unknown is set when options are given that were not understood.
	Unknown bool
	// level is the isolation level when a parameter decides it, else nil.
	level *Value
	// Here is set when the caller whose effect this is decided the level.
	Here bool
}

// A summary is the effects of one function.
type summary struct {
	effects []*Effect
	busy    bool
}

// maxEffects bounds a summary: generated code with thousands of statements in
// one function is cut in source order.
const maxEffects = 256

// maxPath bounds the calls that an effect is followed through.
const maxPath = 8

// summary returns the effects of fn, computing them when needed. In recursion
// the inner call has none.
func (e *engine) summary(fn *ssa.Function) *summary {
	if s, ok := e.summaries[fn]; ok {
		return s
	}
	s := &summary{busy: true}
	e.summaries[fn] = s
	var now, later []*Effect
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok || len(now) > maxEffects {
				continue
			}
			for _, x := range e.effectsOf(call) {
				if x.Deferred {
					later = append(later, x)
				} else {
					now = append(now, x)
				}
			}
		}
	}
	s.effects = append(now, later...)
	if worksJobs(fn) {
		for _, x := range s.effects {
			x.Retry = max(x.Retry, MaybeRetried)
		}
	}
	e.decide(fn, s.effects)
	s.effects = e.addFaults(fn, s.effects)
	s.busy = false
	return s
}

// worksJobs reports whether a function is given a job of a queue and returns an
// error, upon which the queue runs it again.
func worksJobs(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	if res.Len() == 0 || !isError(res.At(res.Len()-1).Type()) {
		return false
	}
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return dbapi.Job(typeName(p.Type())) })
}

// effectsOf returns the effects of one call, go or defer statement.
func (e *engine) effectsOf(call ssa.CallInstruction) []*Effect {
	var out []*Effect
	callees := e.callees(call.Common())
	for i, c := range callees {
		xs := e.effectsOfCallee(call, &c)
		if len(callees) > 1 {
			for _, x := range xs {
				x.alternative = x.alternative<<3 | (i + 1)
			}
		}
		out = append(out, xs...)
	}
	if body := loopBody(call.Common()); body != nil && len(callees) == 0 {
		// What the iterator yields is not known, but it yields here.
		out = append(out, e.applyFunction(call, body, func(int, string) Value { return Value{Kind: Unknown} })...)
	}
	if t := closedCall(call.Common(), len(callees) == 0); t != nil {
		out = append(out, &Effect{Op: closeReturned, Origin: call, Handle: Value{Kind: Unknown, Base: t}})
	}
	e.countRows(call, out)
	_, isDefer := call.(*ssa.Defer)
	_, isGo := call.(*ssa.Go)
	for _, x := range out {
		x.Instr = call
		e.addData(x, call)
		if x.At == nil {
			x.At = call
		}
		x.Deferred = isDefer
		x.Go = x.Go || isGo
		x.conds = append(x.conds[:len(x.conds):len(x.conds)], e.conds(call.Block())...)
		if x.Retry != Retried {
			if r := e.retryOf(call.Parent(), call); r > x.Retry {
				x.Retry, x.RetriedHere = r, true
			}
		}
	}
	return out
}

// rangeOverFuncBody is what ssa calls the function that is the body of a loop over
// an iterator.
const rangeOverFuncBody = "range-over-func yield"

// loopBody returns the body of the range-over-func loop that a call runs, or nil.
func loopBody(c *ssa.CallCommon) ssa.Value {
	if c.IsInvoke() || len(c.Args) != 1 {
		return nil
	}
	fn, _ := c.Args[0].(*ssa.Function)
	if mc, ok := c.Args[0].(*ssa.MakeClosure); ok {
		fn, _ = mc.Fn.(*ssa.Function)
	}
	if fn == nil || fn.Synthetic != rangeOverFuncBody {
		return nil
	}
	return c.Args[0]
}

// closers begin the names of methods that end a transaction, whoever wrote them.
var closers = []string{"commit", "rollback", "abort", "end", "finish", "close", "complete", "done", "discard"}

// closedCall returns the call whose transaction is ended by a call of what it
// returned: a function that came with the transaction and is not known, or a
// method of the transaction with the name of one that ends it. It is nil for
// other calls.
func closedCall(c *ssa.CallCommon, unknown bool) ssa.Value {
	if x, ok := c.Value.(*ssa.Extract); ok && unknown {
		return x.Tuple
	}
	var recv ssa.Value
	name := ""
	if c.IsInvoke() {
		recv, name = c.Value, c.Method.Name()
	} else if fn := c.StaticCallee(); fn != nil && fn.Signature.Recv() != nil && len(c.Args) > 0 {
		recv, name = c.Args[0], fn.Name()
	}
	name = strings.ToLower(name)
	for _, w := range closers {
		if strings.HasPrefix(name, w) {
			return originCall(recv, 0)
		}
	}
	return nil
}

// originCall returns the call that a value came out of, or nil.
func originCall(v ssa.Value, depth int) ssa.Value {
	if depth > 8 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Extract:
		return v.Tuple
	case *ssa.Call:
		return v
	case *ssa.UnOp:
		return originCall(v.X, depth+1)
	case *ssa.FieldAddr:
		return originCall(v.X, depth+1)
	case *ssa.MakeInterface:
		return originCall(v.X, depth+1)
	case *ssa.ChangeInterface:
		return originCall(v.X, depth+1)
	case *ssa.TypeAssert:
		return originCall(v.X, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if c := originCall(e, depth+2); c != nil {
				return c
			}
		}
	case *ssa.Alloc:
		if v.Referrers() != nil {
			for _, r := range *v.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == v {
					if c := originCall(st.Val, depth+2); c != nil {
						return c
					}
				}
			}
		}
	}
	return nil
}

func (e *engine) effectsOfCallee(call ssa.CallInstruction, c *callee) []*Effect {
	if f := c.api(); f != nil {
		if out, ok := e.effectsOfAPI(call, c, f); ok {
			return out
		}
	}
	if out, ok := e.effectsOfDeclared(call, c); ok {
		return out
	}
	if c.name == "time.After" {
		return e.effectsOfTimer(call)
	}
	if f := c.outside(); f != nil {
		if out, ok := e.effectsOfOutside(call, c, f); ok {
			return out
		}
	}
	if c.invoked && c.fn == nil {
		var out []*Effect
		impls := e.implementations(c.obj)
		if e.adapters(impls) {
			impls = nil
		}
		for i, impl := range impls {
			for _, x := range e.instantiateWith(call, impl.unit, impl.bound(e.argumentsOf(c.args)), c.args...) {
				x.alternative = x.alternative<<3 | (i + 1)
				out = append(out, x)
			}
		}
		p, f := e.pending(call, c), dbapi.ExternalShape(c.obj)
		if p != nil {
			if f != nil && f.Role == dbapi.External && !f.Maybe && len(out) == 0 {
				p.What = f.What
			}
			out = append(out, p)
		}
		if out != nil {
			return out
		}
		if f != nil {
			out, _ := e.effectsOfOutside(call, c, f)
			return out
		}
	}
	switch {
	case c.fn != nil:
		return e.instantiate(call, c)
	case c.foreign != nil:
		return e.instantiateWith(call, unit{foreign: c.foreign}, e.argumentsOf(c.args), c.args...)
	case c.param.Kind == Symbolic:
		return []*Effect{{Op: callParam, Origin: call, pending: &pendingCall{callee: c.param, bind: e.bindArgs(c.args), bindPaths: e.argPaths(c.args)}}}
	}
	return e.effectsOfUnseen(call, c)
}

// bindArgs gives the arguments of a call by number and path.
func (e *engine) bindArgs(args []ssa.Value) func(int, string) Value {
	arg := e.argumentsOf(args)
	return func(i int, path string) Value {
		if v, ok := arg(i, path); ok {
			return v
		}
		return Value{Kind: Unknown}
	}
}

// closureArgs returns the effects of the functions among the arguments of a
// call of an interface method.
func (e *engine) closureArgs(call ssa.CallInstruction, args []ssa.Value) map[int][]*Effect {
	var out map[int][]*Effect
	for i, a := range args {
		if a == nil || !isFunc(a.Type()) {
			continue
		}
		effects := e.applyFunction(call, a, func(j int, path string) Value {
			return Value{Kind: Symbolic, Base: closureParam{arg: i, index: j}, Path: path}
		})
		for _, x := range effects {
			x.Instr = call
			if x.At == nil {
				x.At = call
			}
		}
		if len(effects) > maxEffects/4 {
			effects = effects[:maxEffects/4]
		}
		if len(effects) > 0 {
			if out == nil {
				out = map[int][]*Effect{}
			}
			out[i] = effects
		}
	}
	return out
}

// pending returns the effect of calling a method of one of the user's
// interfaces, to be linked where its implementations are seen.
func (e *engine) pending(call ssa.CallInstruction, c *callee) *Effect {
	iface := e.userInterface(c)
	if iface == "" {
		return nil
	}
	return &Effect{
		Op: callMethod, Origin: call, Handle: Value{Kind: None},
		pending: &pendingCall{
			methodSig: methodKey(c.obj.Name(), c.obj.Signature()), iface: iface, pkg: e.pass.Pkg.Path(),
			bind: e.bindArgs(c.args), bindPaths: e.argPaths(c.args), closures: e.closureArgs(call, c.args),
		},
	}
}

// userInterface names the interface whose method a callee is, if it is one of the
// user's.
func (e *engine) userInterface(c *callee) string {
	if c.obj == nil || !c.obj.Exported() {
		return ""
	}
	if !e.isUsers(c.obj) {
		return ""
	}
	recv := c.obj.Signature().Recv()
	if recv == nil {
		return ""
	}
	n, ok := types.Unalias(recv.Type()).(*types.Named)
	if !ok {
		return ""
	}
	return c.obj.Pkg().Path() + "." + n.Obj().Name()
}

// effectsOfAPI returns the effects of a library function.
func (e *engine) effectsOfAPI(call ssa.CallInstruction, c *callee, f *dbapi.Func) ([]*Effect, bool) {
	handle := Value{Kind: Unknown}
	if a := c.arg(f.Handle); a != nil {
		handle = e.eval(a, "")
	}
	x := &Effect{API: f, Origin: call, Handle: handle}
	result, _ := call.(*ssa.Call)
	switch f.Role {
	case dbapi.Run:
		return e.runs(c, x), true
	case dbapi.Finish:
		return e.finishes(call, c, x), true
	case dbapi.RunStmt:
		x.Op = Run
		x.Handle, x.Texts = e.prepared(handle)
	case dbapi.SendBatch:
		x.Op = Run
		x.Batch = true
		x.Texts = e.batchTexts(c.arg(f.Batch))
	case dbapi.Begin:
		if result == nil {
			return nil, true
		}
		x.Op = BeginTx
		x.Handle = Value{Kind: Tx, Base: result, From: &handle}
		x.Mode = e.mode(c.arg(f.Options))
	case dbapi.Commit:
		x.Op = CommitTx
	case dbapi.Rollback:
		x.Op = RollbackTx
	case dbapi.Savepoint, dbapi.RollbackTo:
		x.Op = Mark
	case dbapi.RunTx, dbapi.RunSession, dbapi.RunOn:
		return retriedBy(f, e.runBody(call, c, f, handle)), true
	case dbapi.Acquire, dbapi.Connect:
		if result == nil {
			return nil, true
		}
		x.Op = Take
		x.Handle = e.eval(result, "")
		if !x.Handle.Handle() {
			x.Handle = Value{Kind: Session, Base: result, From: &handle}
		}
	case dbapi.Release:
		x.Op = GiveBack
	case dbapi.Destroy:
		x.Op = Destroy
	case dbapi.Raw:
		return e.rawBody(call, c, x), true
	case dbapi.NoRole, dbapi.Migration:
		return nil, false
	default:
		return nil, true
	}
	return []*Effect{x}, true
}

// rawBody returns the effects of a function that is called with the driver's
// connection below a session: those of the function, and that the session leaves
// our sight where the function does other things with the connection.
func (e *engine) rawBody(call ssa.CallInstruction, c *callee, x *Effect) []*Effect {
	x.Op = Escape
	fn := c.arg(x.API.Fn)
	seen := true
	for _, t := range e.functions(fn, 0) {
		if t.fn == nil || t.recv != nil || len(t.fn.Params) != 1 || !e.keepsInSight(t.fn.Params[0], 0) {
			seen = false
		}
		if t.fn != nil && mentionsBadConn(t.fn) {
			x.Op, seen = Destroy, false
		}
	}
	session := x.Handle
	out := e.applyFunction(call, fn, func(i int, _ string) Value {
		if i == 0 {
			return session
		}
		return Value{Kind: Unknown}
	})
	if !seen || len(out) == 0 {
		out = append(out, x)
	}
	return out
}

// keepsInSight reports whether all that is done with a driver's connection, or
// with what is taken out of it, is known: it becomes what a table knows, on which
// functions of the same library are called.
func (e *engine) keepsInSight(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || depth > 8 {
		return false
	}
	for _, r := range *v.Referrers() {
		ok := false
		switch r := r.(type) {
		case *ssa.DebugRef:
			ok = true
		case *ssa.TypeAssert:
			k, _ := e.kindOfType(r.AssertedType)
			ok = k == Session && e.keepsInSight(r, depth+1)
		case *ssa.Extract:
			ok = r.Index != 0 || e.keepsInSight(r, depth+1)
		case *ssa.MakeInterface:
			ok = e.keepsInSight(r, depth+1)
		case *ssa.Store:
			a, local := r.Addr.(*ssa.Alloc)
			ok = local && r.Val == v && e.variableInSight(a, depth+1)
		case *ssa.Call:
			f := e.rowOf(r)
			ok = f != nil && (f.Role != dbapi.Derive || e.keepsInSight(r, depth+1))
		case ssa.CallInstruction:
			ok = e.rowOf(r) != nil
		}
		if !ok {
			return false
		}
	}
	return true
}

// variableInSight is keepsInSight for what a variable holds, here and in closures.
func (e *engine) variableInSight(addr ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	for _, r := range *addr.Referrers() {
		ok := false
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Store:
			ok = true
		case *ssa.UnOp:
			ok = e.keepsInSight(r, depth+1)
		case *ssa.MakeClosure:
			ok = true
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				ok = ok && (b != addr || e.variableInSight(fn.FreeVars[i], depth+1))
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// runs returns the effects of running a statement: one for each handle and text
// that a parameter or the context decides between.
func (e *engine) runs(c *callee, x *Effect) []*Effect {
	x.Op = Run
	handles, texts := []handleChoice{{v: x.Handle}}, []choice{{}}
	if a := c.arg(x.API.Handle); a != nil {
		handles = e.handleChoices(a)
	}
	if a := c.arg(x.API.SQL); a != nil {
		texts = e.choices(a)
	}
	var out []*Effect
	for _, h := range handles {
		for _, t := range texts {
			y := *x
			y.Handle = h.v
			if t.v != nil {
				y.Texts = e.named(e.textOf(t.v))
			}
			y.conds = append(append(y.conds, h.conds...), t.conds...)
			out = append(out, &y)
		}
	}
	return out
}

// waitsForGoroutines are the waits for what the function itself has started.
var waitsForGoroutines = map[string]bool{
	"(*sync.WaitGroup).Wait":                   true,
	"(*golang.org/x/sync/errgroup.Group).Wait": true,
	"(*sync.Cond).Wait":                        true,
	"(*sync.Once).Do":                          true,
	"(*sync.Mutex).Lock":                       true,
}

// readsForm are the methods that read the body of a request unless its form was
// parsed before.
var readsForm = map[string]bool{
	"(*net/http.Request).FormFile": true, "(*net/http.Request).FormValue": true, "(*net/http.Request).PostFormValue": true,
}

// parsesForms reports whether the package parses forms itself, which it does
// before it asks for their fields.
func (e *engine) parsesForms() bool {
	for _, fn := range e.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				callee := call.Common().StaticCallee()
				if callee == nil {
					continue
				}
				if obj, ok := callee.Object().(*types.Func); ok && parsesForm[fullName(obj)] {
					return true
				}
			}
		}
	}
	return false
}

var parsesForm = map[string]bool{
	"(*net/http.Request).ParseForm": true, "(*net/http.Request).ParseMultipartForm": true,
}

// effectsOfOutside returns the effects of a call that leaves the process, waits
// or runs a function again; false where the function's body says more.
func (e *engine) effectsOfOutside(call ssa.CallInstruction, c *callee, f *dbapi.Func) ([]*Effect, bool) {
	switch f.Role {
	case dbapi.External, dbapi.Wait:
		if waitsForGoroutines[f.Name] {
			return e.effectsOfGoroutines(call), true
		}
		if f.Maybe || f.Role == dbapi.Wait && f.Endless && f.What == "" {
			return nil, true
		}
		if waitsForCallers[f.Name] && e.ownGroup(call) {
			return nil, true
		}
		if readsForm[f.Name] && e.parsesForms() {
			return nil, true
		}
		return []*Effect{{Op: External, Origin: call, What: f.What, Handle: Value{Kind: Unknown}, API: f}}, true
	case dbapi.ReadStream:
		return e.effectsOfStream(call, c, f), true
	case dbapi.Inside:
		return nil, true
	case dbapi.Retry:
		out := e.applyFunction(call, c.arg(f.Fn), func(int, string) Value { return Value{Kind: Unknown} })
		for _, x := range out {
			if f.Again != dbapi.Never {
				x.RetriedHere = x.Retry != Retried && retriesErrors(f)
				x.Retry = Retried
			}
		}
		return out, true
	}
	return nil, c.fn == nil
}

// mentionsBadConn reports whether the function returns driver.ErrBadConn or
// closes the driver's connection, either of which makes database/sql drop it.
func mentionsBadConn(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, op := range in.Operands(nil) {
				if g, ok := (*op).(*ssa.Global); ok && g.Name() == "ErrBadConn" {
					return true
				}
			}
			if c, ok := in.(ssa.CallInstruction); ok {
				if m := c.Common().Method; m != nil && m.Name() == "Close" {
					return true
				}
				if fn := c.Common().StaticCallee(); fn != nil && fn.Name() == "Close" {
					return true
				}
			}
		}
	}
	return false
}

// batchTexts returns the texts queued in the batch v, in source order.
func (e *engine) batchTexts(v ssa.Value) sqltext.Set {
	if v == nil {
		return nil
	}
	batch := e.eval(v, "")
	if batch.Base == nil {
		return nil
	}
	var out sqltext.Set
	for _, fn := range e.funcs {
		if in, ok := v.(ssa.Instruction); !ok || !within(fn, in.Parent()) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				for _, c := range e.callees(call.Common()) {
					f := c.api()
					if f == nil || f.Role != dbapi.Queue {
						continue
					}
					if a := c.arg(f.Batch); a != nil && e.eval(a, "").Same(batch) {
						out = append(out, e.text.Resolve(c.arg(f.SQL))...)
					}
				}
			}
		}
	}
	return out
}

// runBody returns the effects of a function that a library runs inside a
// transaction or with one session.
func (e *engine) runBody(call ssa.CallInstruction, c *callee, f *dbapi.Func, handle Value) []*Effect {
	result, _ := call.(*ssa.Call)
	var base ssa.Value
	if result != nil {
		base = result
	}
	h := Value{Kind: Tx, Base: base, From: &handle}
	ctx := Value{Kind: TxContext, Base: base, From: &h}
	if f.Role == dbapi.RunSession || f.Role == dbapi.RunOn {
		h.Kind = Session
		if f.Role == dbapi.RunOn {
			h = handle
		}
		ctx = Value{Kind: Unknown}
		if a := c.arg(f.Ctx); a != nil {
			ctx = e.eval(a, "")
		}
	}
	bind := func(i int, path string) Value {
		switch i {
		case f.FnHandle.Index():
			return h
		case f.FnCtx.Index():
			return ctx
		}
		return Value{Kind: Unknown}
	}
	var out []*Effect
	var joined []cond
	if f.Joins {
		// The transaction that the context carries is used, if there is one.
		if a := c.arg(f.Ctx); a != nil {
			outer := e.eval(a, "")
			if outer.Kind == TxContext {
				bind0 := bind
				bind = func(i int, path string) Value {
					if i == f.FnCtx.Index() {
						return outer
					}
					return bind0(i, path)
				}
				return e.applyFunction(call, c.arg(f.Fn), bind)
			}
			joined = []cond{{test: carriesTx, v: outer, want: false, handle: true}}
		}
	}
	switch f.Role {
	case dbapi.RunTx:
		out = append(out, &Effect{Op: BeginTx, API: f, Origin: call, Handle: h, conds: joined, Mode: e.mode(c.arg(f.Options))})
	case dbapi.RunOn:
		return e.applyFunction(call, c.arg(f.Fn), bind)
	default:
		out = append(out, &Effect{Op: Take, API: f, Origin: call, Handle: h})
	}
	out = append(out, e.applyFunction(call, c.arg(f.Fn), bind)...)
	if f.Role == dbapi.RunTx {
		end := CommitTx
		if f.Undone {
			end = RollbackTx
		}
		out = append(out, &Effect{Op: end, API: f, Origin: call, Handle: h, conds: joined})
	} else {
		out = append(out, &Effect{Op: GiveBack, API: f, Origin: call, Handle: h})
	}
	return out
}

// applyFunction returns the effects of calling the function value v with the
// arguments that bind gives.
func (e *engine) applyFunction(call ssa.CallInstruction, v ssa.Value, bind func(int, string) Value) []*Effect {
	if v == nil {
		return nil
	}
	var out []*Effect
	for _, t := range e.functions(v, 0) {
		u := unit{fn: t.fn}
		if t.fn == nil && t.obj != nil {
			u.foreign = e.foreign(t.obj, fullName(t.obj))
		}
		switch {
		case u.fn != nil || u.foreign != nil:
			shift := 0
			if t.recv != nil {
				shift = 1
			}
			effects := e.instantiateWith(call, u, func(i int, path string) (Value, bool) {
				if i < shift {
					return e.eval(t.recv, path), true
				}
				return bind(i-shift, path), true
			})
			out = append(out, unreturned(effects)...)
		case t.param.Kind == Symbolic:
			out = append(out, &Effect{Op: callParam, Origin: call, pending: &pendingCall{callee: t.param, bind: bind, bindPaths: e.functionPaths(v.Type())}})
		}
	}
	return out
}

// functionPaths lists the parameters of a function type, with the field paths
// at which handles may be.
func (e *engine) functionPaths(t types.Type) []pathOf {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	var out []pathOf
	for i := range sig.Params().Len() {
		paths := map[string]bool{"": true}
		e.handlePaths(sig.Params().At(i).Type(), "", 0, paths)
		for _, p := range sortedPaths(paths) {
			out = append(out, pathOf{i, p})
		}
	}
	return out
}

// instantiate returns the effects of a call of a function of this package.
func (e *engine) instantiate(call ssa.CallInstruction, c *callee) []*Effect {
	return e.instantiateWith(call, unit{fn: c.fn}, e.argumentsOf(c.args), c.args...)
}

// effectsOfUnit returns the unit's own effects, nil while they are being computed.
func (e *engine) effectsOfUnit(u unit) []*Effect {
	if u.foreign != nil {
		return u.foreign.effects
	}
	if sum := e.summary(u.fn); !sum.busy {
		return sum.effects
	}
	return nil
}

// instantiateWith copies the effects of a unit, with the parameters replaced.
// The arguments, where there are any, also replace parameters in texts and say
// which functions are called.
func (e *engine) instantiateWith(call ssa.CallInstruction, u unit, arg argument, args ...ssa.Value) []*Effect {
	var fresh ssa.Value
	if result, ok := call.(*ssa.Call); ok {
		fresh = result
	}
	sub := func(v Value) Value { return e.substitute(v, u, arg, fresh) }
	var out []*Effect
	for _, x := range e.effectsOfUnit(u) {
		if len(out) > maxEffects || len(x.Path) >= maxPath {
			break
		}
		if x.Op == callParam {
			out = append(out, e.instantiateCall(call, u, x, sub, args)...)
			continue
		}
		if y := e.instance(call, u, x, sub); y != nil {
			y.Texts = e.substituteTexts(call, x.Texts, u, args)
			if i := u.index(x.Handle.Base); x.Op == Run && x.Handle.Path == "" && i >= 0 && i < len(args) && args[i] != nil && e.halfBuilt(args[i]) {
				y.Texts = unfinished(y.Texts)
			}
			e.instantiateData(y, x, call, u, args)
			if own := e.argsOfBuilder(call, x.Texts, u, args); own != nil {
				y.data.args = own
			}
			if y.pending != nil {
				for _, zs := range y.pending.closures {
					for _, z := range zs {
						e.instantiateData(z, z, call, u, args)
					}
				}
			}
			out = append(out, y)
		}
	}
	return out
}

// scopes puts the transactions around an effect into other terms.
func (e *engine) scopes(x *Effect, sub func(Value) Value) []Scope {
	out := make([]Scope, len(x.Scopes))
	for i, sc := range x.Scopes {
		tx := sub(sc.Tx)
		out[i] = Scope{Tx: tx, Begin: sc.Begin, Own: sc.Own || e.ownPool(tx.Root())}
	}
	return out
}

// unfinished returns texts to which something unknown was added.
func unfinished(s sqltext.Set) sqltext.Set {
	out := make(sqltext.Set, len(s))
	for i, t := range s {
		out[i] = append(slices.Clone(t), sqltext.Part{Lit: " "}, sqltext.Part{Hole: &sqltext.Hole{Kind: sqltext.Unknown}})
	}
	return out
}

// instance copies one effect of a unit into the terms of a caller; nil when a
// condition says that it does not happen there. The unit is zero for an effect
// of a function argument that only its caller knows.
func (e *engine) instance(call ssa.CallInstruction, u unit, x *Effect, sub func(Value) Value) *Effect {
	y := *x
	var happens bool
	if y.conds, happens = substituteConds(x.conds, sub); !happens {
		return nil
	}
	y.Scopes = e.scopes(x, sub)
	y.fresh, y.put = 0, len(x.Scopes)
	closure := u.fn != nil && Here(call) && sameFamily(u.fn, call.Parent())
	if !closure && len(x.Scopes) > 0 && x.putAt == nil {
		y.putAt, y.putPath = x.At, x.Path
	}
	if closure {
		y.put = x.put // a closure's scopes are those of the function it is in
	}
	y.besideBelow = x.besideBelow || x.Beside != nil
	y.Beside = nil
	switch {
	case u.foreign != nil:
		y.At = nil
		y.Path = append([]string{u.foreign.short}, x.Path...)
	case u.fn != nil && !closure:
		y.At = nil
		y.Path = append([]string{FuncName(u.fn)}, x.Path...)
	}
	y.Handle = sub(x.Handle)
	y.rows = e.rowsAbove(u, x)
	y.decidedFrom(x)
	if y.Enter == nil && len(y.Path) > 0 && len(x.Path) == 0 {
		y.Enter = call
	}
	y.Mode = x.Mode.substitute(sub)
	y.RetriedHere = false
	y.Fault = x.Fault.substitute(sub)
	y.settled = x.settled && (u.fn == nil || !e.inGenerated(u.fn))
	y.below = y.settled
	if !y.settled {
		y.State = Undecided
	}
	if y.pending = x.pending.rebind(sub); y.pending != nil && len(x.pending.closures) > 0 {
		y.pending.closures = map[int][]*Effect{}
		for i, list := range x.pending.closures {
			for _, z := range list {
				if z := e.instance(call, u, z, sub); z != nil {
					if z.At == nil {
						z.At = call
					}
					y.pending.closures[i] = append(y.pending.closures[i], z)
				}
			}
		}
	}
	return &y
}

// decidedFrom notes what the handle of x was before a caller, in whose terms y is,
// has decided which one it is.
func (y *Effect) decidedFrom(x *Effect) {
	y.FromContext = x.FromContext || x.Handle.Kind == Ambient && y.Handle.Kind == Pool
	y.FromAmbient = x.FromAmbient || y.FromContext || x.waits() && len(y.conds) < len(x.conds)
}

// shortName makes "Store.Lock" of "(*example.com/app/store.Store).Lock".
func shortName(full string) string {
	if i := strings.LastIndexByte(full, '/'); i >= 0 {
		full = full[i+1:]
	}
	if i := strings.IndexByte(full, '.'); i >= 0 && strings.Contains(full, ")") {
		full = full[i+1:]
	}
	return receiverMarks.Replace(full)
}

// receiverMarks are what go/types writes around the type of a receiver.
var receiverMarks = strings.NewReplacer("(", "", ")", "", "*", "")

// instantiateCall resolves a call of a function parameter at a call of the
// function that makes it.
func (e *engine) instantiateCall(call ssa.CallInstruction, u unit, x *Effect, sub func(Value) Value, args []ssa.Value) []*Effect {
	callee, pending := x.pending.callee, x.pending.rebind(sub)
	i := u.index(callee.Base)
	switch {
	case i < 0 && callee.Parameter() != nil:
		y := *x
		y.pending = pending
		return []*Effect{&y}
	case i < 0 || callee.Path != "" || i >= len(args):
		return nil
	}
	conds, happens := substituteConds(x.conds, sub)
	if !happens {
		return nil
	}
	out := e.applyFunction(call, args[i], pending.bind)
	for _, y := range out {
		// The runner's own scopes and conditions are around the function it is given.
		y.data.around(e.dataInCaller(x, call, u, args).guards)
		y.conds = append(y.conds[:len(y.conds):len(y.conds)], conds...)
		y.Go = y.Go || x.Go
		y.RetriedHere = y.RetriedHere || x.Retry == Retried && y.Retry != Retried
		y.Retry = max(y.Retry, x.Retry)
		y.Scopes = append(y.Scopes, e.scopes(x, sub)...)
	}
	return out
}

// substituteTexts replaces parameters in texts by the arguments' texts.
func (e *engine) substituteTexts(call ssa.CallInstruction, s sqltext.Set, u unit, args []ssa.Value) sqltext.Set {
	if len(args) == 0 || len(s.Params()) == 0 {
		return s
	}
	return s.Substitute(func(h *sqltext.Hole) sqltext.Set {
		i := -1
		if h.Param != nil {
			i = u.index(h.Param)
		} else if p, ok := h.Foreign.(*foreignParam); ok {
			i = u.index(p)
		}
		if i < 0 || i >= len(args) || args[i] == nil {
			return nil
		}
		if field, ok := strings.CutPrefix(h.Path, "."); ok {
			return e.text.ResolveField(args[i], field)
		}
		if builderLibrary(args[i]) != "" {
			set, _ := e.builderText(args[i], call)
			return set
		}
		return e.textOf(args[i])
	})
}

// effectsOfUnseen returns the effects of a call of a function whose body is
// not seen: closures that are passed may be called, handles may be used.
func (e *engine) effectsOfUnseen(call ssa.CallInstruction, c *callee) []*Effect {
	var out []*Effect
	for _, a := range c.args {
		if a == nil {
			continue
		}
		if isFunc(a.Type()) {
			for _, t := range e.functions(a, 0) {
				if t.fn == nil || t.recv != nil {
					continue
				}
				for _, x := range unreturned(e.instantiateWith(call, unit{fn: t.fn}, func(int, string) (Value, bool) {
					return Value{Kind: Unknown}, true
				})) {
					x.Foreign = true
					x.Retry = max(x.Retry, MaybeRetried)
					out = append(out, x)
				}
			}
			continue
		}
		if v := e.eval(unwrap(a), ""); v.Kind == Session {
			out = append(out, &Effect{Op: Escape, Origin: call, Handle: v})
		}
	}
	return out
}

// sameFamily reports whether a and b are closures of the same declared function.
func sameFamily(a, b *ssa.Function) bool { return outermost(a) == outermost(b) }

// outermost returns the declared function that fn is, or is a closure in.
func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

func (e *engine) inGenerated(fn *ssa.Function) bool {
	return fn.Pos().IsValid() && e.generated[e.pass.Fset.File(fn.Pos())]
}

type sourceKey struct {
	text  string
	style pgsql.Style
}

// statements parses the alternatives of an effect's text.
func (e *engine) statements(x *Effect) [][]*pgsql.Statement {
	var out [][]*pgsql.Statement
	for _, t := range x.Texts {
		out = append(out, e.parse(t, x.API))
	}
	return out
}

// parse parses one text, with a memo for texts without holes.
func (e *engine) parse(t sqltext.Text, f *dbapi.Func) []*pgsql.Statement {
	text, holes := t.Join()
	src := pgsql.Source{Text: text, Style: e.style(f)}
	for _, h := range holes {
		src.Holes = append(src.Holes, pgsql.Hole{Off: h.Off, Kind: holeKinds[h.Hole.Kind]})
	}
	key := sourceKey{t.String(), src.Style}
	if got, ok := e.parsed[key]; ok {
		return got
	}
	got := pgsql.Parse(src)
	e.parsed[key] = got
	return got
}

var holeKinds = map[sqltext.HoleKind]pgsql.HoleKind{
	sqltext.Unknown: pgsql.HoleUnknown,
	sqltext.Ident:   pgsql.HoleIdent,
	sqltext.Literal: pgsql.HoleLiteral,
	sqltext.List:    pgsql.HoleList,
}

// styles are the placeholder syntaxes by the tables' words. "?" given to a
// library that wants $1 is another database's text, or goes through Rebind.
var styles = map[string]pgsql.Style{
	"$": pgsql.StyleAuto,
	"?": pgsql.StyleQuestion,
	":": pgsql.StyleNamed,
	"@": pgsql.StyleAt,
}

// style returns the placeholder syntax of the library that runs the text.
func (e *engine) style(f *dbapi.Func) pgsql.Style {
	if f == nil {
		return pgsql.StyleAuto
	}
	if f.Style != "" {
		return styles[f.Style]
	}
	if lib := dbapi.LibraryOf(f); lib != nil {
		return styles[lib.Style]
	}
	return pgsql.StyleAuto
}

// textOf returns the texts of an SQL argument: resolved, or rendered when it is
// what a query builder made.
func (e *engine) textOf(v ssa.Value) sqltext.Set {
	if els := variadic(v); len(els) > 0 && els[0] != nil {
		v = els[0] // xorm: the text and its arguments
	}
	if builderLibrary(v) != "" {
		set, _ := e.builderText(v, nil)
		return set
	}
	if x, ok := v.(*ssa.Extract); ok && x.Index == 0 {
		if call, ok := x.Tuple.(*ssa.Call); ok {
			for _, c := range e.callees(call.Common()) {
				if f := c.api(); f != nil && f.Role == dbapi.Text && e.renders(f) {
					return e.chainText(call, &c, f)
				}
			}
		}
	}
	return nonEmpty(e.text.Resolve(v))
}

// renders reports whether the text that a function returns is that of a chain.
func (e *engine) renders(f *dbapi.Func) bool {
	lib := dbapi.LibraryOf(f)
	return lib == nil || renderers[lib.Name] != nil
}

// nonEmpty drops the empty text, which runs nothing, where there are others: it
// is what a map of statements gives for a key that it does not have.
func nonEmpty(s sqltext.Set) sqltext.Set {
	if len(s) < 2 {
		return s
	}
	return slices.DeleteFunc(s, func(t sqltext.Text) bool { return len(t) == 0 })
}
