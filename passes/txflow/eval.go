package txflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

type evalKey struct {
	v    ssa.Value
	path string
}

// eval says what the fields path below v are, in terms of the parameters of
// the function that v belongs to (and, in a closure, of the functions around it).
//
// An address and the value loaded from it are treated as one.
func (e *engine) eval(v ssa.Value, path string) Value {
	key := evalKey{v, path}
	if got, ok := e.values[key]; ok {
		return got
	}
	if e.evalBusy[key] || len(e.evalBusy) > maxEvalDepth {
		e.evalCuts++
		return Value{Kind: None}
	}
	cuts := e.evalCuts
	e.evalBusy[key] = true
	got := e.refine(e.trace(v, path), v, path)
	delete(e.evalBusy, key)
	// What was cut short by a cycle that is still open is only part of the
	// answer. The budget keeps pathological graphs linear all the same.
	if e.evalCuts == cuts || len(e.evalBusy) == 0 || e.evalCuts > maxEvalCuts {
		e.values[key] = got
	}
	return got
}

const (
	maxEvalDepth = 60
	maxEvalCuts  = 100_000
)

// refine lets the static type decide where it can, and keeps the identity that
// tracing found.
func (e *engine) refine(got Value, v ssa.Value, path string) Value {
	k, flow := e.kindOfType(fieldType(deref(v.Type()), path))
	got.Flow = got.Flow || flow
	if k == Unknown {
		return got
	}
	switch {
	case got.Kind == k, got.Kind == Ambient, got.Kind == Carried, got.Kind == None:
		return got
	case k == Pool && (got.Kind == Session || got.Kind == Tx):
		// An interface of the user's with the shape of a pool holds something
		// narrower, or bun.Conn stands behind a pool's interface.
		return got
	}
	got.Kind = k
	return got
}

// deref returns the type that an address points to when that is a pointer or
// an interface variable's address, else t.
func deref(t types.Type) types.Type {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return t
	}
	switch p.Elem().Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return p.Elem()
	}
	return t
}

func (e *engine) trace(v ssa.Value, path string) Value {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return Value{Kind: None}
		}
		if path == "" && v.Value.Kind() != constant.String || path == "" && len(constant.StringVal(v.Value)) < 64 {
			return Value{Kind: Constant, Const: v.Value.ExactString()}
		}
	case *ssa.Parameter:
		return Value{Kind: Symbolic, Base: v, Path: path}
	case *ssa.FreeVar:
		var got Value
		for _, b := range e.bindings(v) {
			got = join(got, e.eval(b, path))
		}
		return got
	case *ssa.Global:
		return e.traceGlobal(v, path)
	case *ssa.Alloc:
		return e.traceAlloc(v, path)
	case *ssa.FieldAddr:
		return e.evalField(v.X, v.Field, path)
	case *ssa.Field:
		return e.evalField(v.X, v.Field, path)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return e.eval(v.X, path)
		}
	case *ssa.MakeInterface:
		if path == "" {
			path = e.promotedFrom(v)
		}
		return e.eval(v.X, path)
	case *ssa.ChangeInterface:
		return e.eval(v.X, path)
	case *ssa.ChangeType:
		return e.eval(v.X, path)
	case *ssa.Convert:
		return e.eval(v.X, path)
	case *ssa.TypeAssert:
		return e.asserted(v, path)
	case *ssa.Phi:
		var got Value
		for _, edge := range v.Edges {
			got = join(got, e.eval(edge, path))
		}
		return got
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Call:
			return e.traceCall(t, v.Index, path)
		case *ssa.TypeAssert:
			got := e.asserted(t, path)
			if v.Index == 0 {
				return got
			}
			if got.Kind == Carried {
				got.Kind = carriedOK
				return got
			}
		case *ssa.Lookup, *ssa.UnOp, *ssa.Next:
		}
	case *ssa.Call:
		return e.overwritten(v, path, e.traceCall(v, 0, path))
	}
	return Value{Kind: Unknown}
}

// asserted evaluates a type assertion. What a context carries for a type that has
// no place for a handle, a user or an identifier, is no transaction.
func (e *engine) asserted(v *ssa.TypeAssert, path string) Value {
	got := e.eval(v.X, path)
	if got.Kind == Carried && !e.holdsHandle(v.AssertedType, 0) {
		return Value{Kind: Unknown}
	}
	return got
}

// holdsHandle reports whether a handle can be in a value of a type.
func (e *engine) holdsHandle(t types.Type, depth int) bool {
	if k, flow := e.kindOfType(t); k != Unknown || flow || depth > 4 {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Pointer:
		return e.holdsHandle(u.Elem(), depth+1)
	case *types.Slice:
		return e.holdsHandle(u.Elem(), depth+1)
	case *types.Array:
		return e.holdsHandle(u.Elem(), depth+1)
	case *types.Map:
		return e.holdsHandle(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if e.holdsHandle(f.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true // an interface, a function
}

// evalField evaluates the path below field i of the struct that v is or points
// to. A struct that a library embeds its handle in is that handle.
func (e *engine) evalField(v ssa.Value, i int, path string) Value {
	name := structOf(v.Type()).Field(i).Name()
	if dbapi.HandleField(strings.TrimPrefix(typeName(v.Type()), "*")+"."+name) || isClientOf(v.Type(), structOf(v.Type()).Field(i).Type()) {
		return e.eval(v, path)
	}
	return e.eval(v, "."+name+path)
}

// promotedFrom returns the path to the embedded handle that an interface made of
// a struct stands for: all of its methods are promoted from there.
func (e *engine) promotedFrom(v *ssa.MakeInterface) string {
	iface, ok := v.Type().Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 || structOf(v.X.Type()) == nil {
		return ""
	}
	if k, flow := e.kindOfType(v.X.Type()); k != Unknown || flow {
		return ""
	}
	path := ""
	for m := range iface.Methods() {
		_, index, _ := types.LookupFieldOrMethod(v.X.Type(), true, m.Pkg(), m.Name())
		from, t := embeddedPath(v.X.Type(), index)
		if from == "" || path != "" && from != path {
			return ""
		}
		if k, flow := e.kindOfType(t); k == Unknown && !flow {
			return ""
		}
		path = from
	}
	return path
}

// embeddedPath returns the path of embedded fields to the one whose method a
// selection finds, and the field's type.
func embeddedPath(t types.Type, index []int) (path string, field types.Type) {
	for _, i := range index[:max(len(index)-1, 0)] {
		f := structOf(t).Field(i)
		path, t = path+"."+f.Name(), f.Type()
	}
	return path, t
}

// traceGlobal evaluates a package variable: what this package stores in it.
func (e *engine) traceGlobal(g *ssa.Global, path string) Value {
	var got Value
	for _, s := range e.globalStores[g] {
		got = join(got, e.eval(s, path))
	}
	if path != "" {
		name, rest := splitPath(path)
		for _, s := range e.globalFields[globalField{g, name}] {
			got = join(got, e.eval(s, rest))
		}
	}
	if got.Kind == Constant {
		return got
	}
	if got.Kind == None || got.Kind == Symbolic {
		got = Value{Kind: Unknown}
	}
	got.Base, got.Path = g, path
	return got
}

// traceAlloc evaluates a local variable or a composite literal: what is stored
// in it whole, and what is stored in its fields.
func (e *engine) traceAlloc(a *ssa.Alloc, path string) Value {
	var got Value
	for _, s := range e.stores(a) {
		got = join(got, e.eval(s, path))
	}
	if path != "" {
		e.storesBelow(a, path, func(val ssa.Value, rest string) {
			got = join(got, e.eval(val, rest))
		})
	}
	if got.Kind == None {
		// Nothing is stored: the zero value, or filled in where we do not see
		// (a pointer that is passed on).
		return Value{Kind: Unknown, Base: a, Path: path}
	}
	return got
}

// fieldStores calls f with what is stored in the named field of the variable
// at addr, here and in closures.
func (e *engine) fieldStores(addr ssa.Value, name string, depth int, f func(ssa.Value)) {
	e.fieldAddrs(addr, name, depth, func(r *ssa.FieldAddr) {
		for _, u := range *r.Referrers() {
			if st, ok := u.(*ssa.Store); ok && st.Addr == r {
				f(st.Val)
			}
		}
	})
}

// storesBelow calls f with what is stored at a path below the variable at addr,
// and with the rest of the path below that.
func (e *engine) storesBelow(addr ssa.Value, path string, f func(v ssa.Value, rest string)) {
	name, rest := splitPath(path)
	e.fieldAddrs(addr, name, 0, func(r *ssa.FieldAddr) {
		for _, u := range *r.Referrers() {
			if st, ok := u.(*ssa.Store); ok && st.Addr == r {
				f(st.Val, rest)
			}
		}
		if rest != "" { // a literal within a literal is filled in place
			e.storesBelow(r, rest, f)
		}
	})
}

// fieldAddrs calls f with the places where the named field of the variable at addr
// is selected, here and in closures.
func (e *engine) fieldAddrs(addr ssa.Value, name string, depth int, f func(*ssa.FieldAddr)) {
	if depth > 4 || addr.Referrers() == nil {
		return
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if r.X == addr && structOf(addr.Type()).Field(r.Field).Name() == name {
				f(r)
			}
		case *ssa.UnOp:
			// A pointer variable: the struct is behind what is stored in it.
			if _, ok := r.Type().Underlying().(*types.Pointer); ok && r.Op == token.MUL {
				e.fieldAddrs(r, name, depth+1, f)
			}
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == addr && i < len(fn.FreeVars) {
					e.fieldAddrs(fn.FreeVars[i], name, depth+1, f)
				}
			}
		}
	}
}

// traceCall evaluates result i of a call.
func (e *engine) traceCall(call *ssa.Call, i int, path string) Value {
	if val, ok := e.traceContextValue(call); ok {
		return val
	}
	var got Value
	for _, c := range e.callees(call.Common()) {
		got = join(got, e.traceCallee(call, &c, i, path))
	}
	if got.Kind == None {
		return Value{Kind: Unknown, Base: call, Path: resultPath(i, path)}
	}
	return got
}

// overwritten joins what a call returns at a path with what the function that
// calls it stores there: copy := conn.Copy(); copy.Connection = tx.
func (e *engine) overwritten(call *ssa.Call, path string, got Value) Value {
	if path == "" {
		return got
	}
	name, rest := splitPath(path)
	e.fieldStores(call, name, 0, func(val ssa.Value) {
		got = join(got, e.eval(val, rest))
	})
	return got
}

// resultPath names a part of a call's results.
func resultPath(i int, path string) string {
	if i == 0 {
		return path
	}
	return "#" + string(rune('0'+i%10)) + path
}

// traceContextValue recognises ctx.Value(key): the carried transaction.
func (e *engine) traceContextValue(call *ssa.Call) (Value, bool) {
	c := call.Common()
	if !c.IsInvoke() || c.Method.Name() != "Value" || !isContext(c.Value.Type()) {
		return Value{}, false
	}
	ctx := e.eval(c.Value, "")
	return Value{Kind: Carried, Ctx: &ctx, Base: call}, true
}

func (e *engine) traceCallee(call *ssa.Call, c *callee, i int, path string) Value {
	if f := c.api(); f != nil {
		if got, ok := e.traceAPI(call, c, f, i); ok {
			return got
		}
	}
	switch {
	case c.fn != nil:
		got := e.returned(c.fn, i, path)
		return e.substitute(got, unit{fn: c.fn}, e.argumentsOf(c.args), call)
	case c.foreign != nil:
		got := lookupPath(c.foreign.results, i, path)
		return e.substitute(got, unit{foreign: c.foreign}, e.argumentsOf(c.args), call)
	}
	return Value{Kind: Unknown, Base: call, Path: resultPath(i, path)}
}

// traceAPI evaluates a result of a function that a table describes.
func (e *engine) traceAPI(call *ssa.Call, c *callee, f *dbapi.Func, i int) (Value, bool) {
	if i != 0 {
		return Value{Kind: Unknown, Base: call, Path: resultPath(i, "")}, true
	}
	handle := func() *Value {
		a := c.arg(f.Handle)
		if a == nil {
			return nil
		}
		h := e.eval(a, "")
		return &h
	}
	ctx := func() *Value {
		a := c.arg(f.Ctx)
		if a == nil {
			return nil
		}
		h := e.eval(a, "")
		return &h
	}
	switch f.Role {
	case dbapi.Begin:
		return Value{Kind: Tx, Base: call, From: handle(), Flow: f.Result == dbapi.Flow}, true
	case dbapi.Acquire:
		return Value{Kind: Session, Base: call, From: handle()}, true
	case dbapi.Connect:
		return Value{Kind: Session, Base: call, Lone: true}, true
	case dbapi.Destroy:
		if h := handle(); h != nil && f.Result == dbapi.Session {
			h.Lone = true
			return *h, true
		}
	case dbapi.Open:
		if tx := e.driverTx(c, f); tx != nil {
			return *tx, true
		}
		return Value{Kind: Pool, Base: call, Flow: f.Result == dbapi.Flow, Lone: e.lonePools[call], Alien: f.System != "" || opensAlien(call)}, true
	case dbapi.Derive, dbapi.Chain:
		if a := c.arg(f.On); a != nil {
			return e.eval(a, ""), true // RunWith, Conn
		}
		switch f.Result {
		case dbapi.Runner:
			return Value{Kind: Manager, Base: call, From: handle()}, true
		case dbapi.Stmt:
			return Value{Kind: Stmt, Base: call, From: handle()}, true
		}
		if h := handle(); h != nil {
			if f.Result == dbapi.Pool {
				h.Kind = Pool
				h.Alien = h.Alien || f.System != ""
			}
			return *h, true
		}
	case dbapi.Finish, dbapi.Run:
		// A chain that ran is still the handle: db.Find(&x).Error.
		if h := handle(); h != nil && h.Flow && !isError(call.Type()) {
			return *h, true
		}
	case dbapi.Prepare:
		return Value{Kind: Stmt, Base: call, From: handle()}, true
	case dbapi.Getter:
		x := ctx()
		h := handle()
		if f.Result == dbapi.Pool {
			h = &Value{Kind: Pool, Base: call} // declared, and the pool it falls back to not seen
		}
		if h != nil {
			if h.Kind == Symbolic {
				h.Kind = Pool // what is used where there is no transaction
			}
			return settleAmbient(Value{Kind: Ambient, Ctx: x, From: h, Base: h.Base, Path: h.Path}), true
		}
		if _, tells := call.Type().(*types.Tuple); tells && f.Result == dbapi.Tx {
			return Value{Kind: Tx, Base: call}, true // beside it is said whether there is one
		}
		return Value{Kind: Carried, Ctx: x, Base: call}, true
	case dbapi.CtxRoot:
		return Value{Kind: RootContext, Base: call, Detached: strings.HasPrefix(f.Name, "context.")}, true
	case dbapi.CtxDerive, dbapi.CtxDetach:
		if x := ctx(); x != nil {
			switch tx, held := e.contextPayload(c); {
			case tx.Kind == Tx:
				return contextOf(tx), true
			case tx.Kind == Symbolic:
				return Value{Kind: handContext, Base: tx.Base, Path: tx.Path, From: &tx, Ctx: x}, true
			case held:
				return Value{Kind: Unknown, Base: call}, true
			}
			if f.Role == dbapi.CtxDetach {
				x.Detached = true
			}
			return *x, true
		}
	case dbapi.WithTx:
		h := handle()
		return Value{Kind: TxContext, Base: call, From: h}, true
	}
	return Value{}, false
}

// contextOf is a context that carries tx. It goes by the name of tx, so that what
// takes a transaction out of it takes that one.
func contextOf(tx Value) Value {
	return Value{Kind: TxContext, Base: tx.Base, Path: tx.Path, From: &tx}
}

// contextPayload evaluates what context.WithValue puts in: the handle, or the one
// that an object holds, which may have hooks for after the commit beside it. held
// is set where it holds a handle that may be a transaction.
func (e *engine) contextPayload(c *callee) (tx Value, held bool) {
	if c.name != "context.WithValue" || len(c.args) != 3 {
		return Value{}, false
	}
	v := unwrap(c.args[2])
	paths := map[string]bool{"": true}
	e.handlePaths(v.Type(), "", 0, paths)
	for _, path := range sortedPaths(paths) {
		t := fieldType(v.Type(), path)
		if k, flow := e.kindOfType(t); k != Tx && !flow && (k != Unknown || !runsSQL(t)) {
			continue
		}
		held = true
		if got := e.eval(v, path); got.Kind == Tx || got.Kind == Symbolic {
			return got, true
		}
	}
	return Value{}, held
}

// runsSQL reports whether a type is an interface that runs statements.
func runsSQL(t types.Type) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range iface.Methods() {
		if f := shapeOf(m); f != nil && f.Role == dbapi.Run {
			return true
		}
	}
	return false
}

// returned evaluates the fields path of result i of a function, in its own terms.
func (e *engine) returned(fn *ssa.Function, i int, path string) Value {
	var got Value
	for _, b := range fn.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || i >= len(ret.Results) {
			continue
		}
		got = join(got, e.eval(ret.Results[i], path))
	}
	return got
}

// A unit is a function whose summary is put into a caller's terms: one of this
// package, or one of another package.
type unit struct {
	fn      *ssa.Function
	foreign *foreignFunc
}

// index returns which parameter of the unit a base is, or -1.
func (u unit) index(base ssa.Value) int {
	switch b := base.(type) {
	case *ssa.Parameter:
		if u.fn != nil {
			return paramIndex(u.fn, b)
		}
	case *foreignParam:
		if b.fn == u.foreign {
			return b.index
		}
	}
	return -1
}

// fresh names what the unit itself began or acquired.
func (u unit) fresh(base ssa.Value) (id string, ok bool) {
	switch b := base.(type) {
	case *foreignFresh:
		return b.id, b.fn == u.foreign
	case *foreignParam, foreignGlobal, closureParam, *ssa.Parameter:
		return "", false
	case ssa.Instruction:
		return placeInFunc(b), u.fn != nil && within(b.Parent(), u.fn)
	}
	return "", false
}

// An argument gives what a caller passes for a parameter, or for what hangs
// below it; false when nothing is passed for it there.
type argument func(i int, path string) (Value, bool)

// argumentsOf gives the arguments of a call.
func (e *engine) argumentsOf(args []ssa.Value) argument {
	return func(i int, path string) (Value, bool) {
		if i < 0 || i >= len(args) || args[i] == nil {
			return Value{}, false
		}
		return e.eval(args[i], path), true
	}
}

// substitute puts a value in a unit's terms into its caller's: parameters
// become arguments; what the unit began or acquired is known by the call.
func (e *engine) substitute(v Value, u unit, arg argument, call ssa.Value) Value {
	var sub func(Value, int) Value
	sub = func(v Value, depth int) Value {
		if depth > 4 {
			return Value{Kind: Unknown}
		}
		if v.From != nil {
			f := sub(*v.From, depth+1)
			v.From = &f
		}
		if v.Ctx != nil {
			x := sub(*v.Ctx, depth+1)
			v.Ctx = &x
		}
		switch v.Kind {
		case Ambient, Carried, carriedOK:
			return settleAmbient(v)
		case handContext:
			return settleHandContext(v)
		case TxContext:
			if v.From != nil && u.index(v.Base) >= 0 {
				v.Base, v.Path = v.From.Base, v.From.Path // it goes by the name of its transaction
				return v
			}
		}
		if i := u.index(v.Base); i >= 0 {
			got, ok := arg(i, v.Path)
			if !ok {
				return v
			}
			if v.Kind != Symbolic && (got.Kind == Unknown || got.Kind == Symbolic || got.Kind == None) {
				got.Kind = v.Kind // the callee's static type decided
			}
			got.Detached = got.Detached || v.Detached
			return got
		}
		if id, ok := u.fresh(v.Base); ok && call != nil {
			// Two transactions begun in one callee stay two.
			v.Path = "@" + id + v.Path
			v.Base = call
		}
		return v
	}
	return sub(v, 0)
}

// settleHandContext decides a context that was given a handle, once it is known
// what the handle is. A pool in it is as good as nothing in it.
func settleHandContext(v Value) Value {
	switch v.From.Kind {
	case Tx:
		return contextOf(*v.From)
	case Symbolic:
		v.Base, v.Path = v.From.Base, v.From.Path
		return v
	case Pool:
		if v.Ctx.Kind == RootContext {
			return *v.Ctx
		}
	}
	return Value{Kind: Unknown}
}

// settleAmbient decides an ambient handle whose context is known.
func settleAmbient(v Value) Value {
	if v.Ctx == nil {
		return v
	}
	switch v.Ctx.Kind {
	case TxContext:
		if v.Kind == carriedOK {
			return Value{Kind: Constant, Const: "true"}
		}
		return Value{Kind: Tx, Base: v.Ctx.Base, Path: v.Ctx.Path, From: v.From, Ctx: v.Ctx}
	case RootContext:
		if v.Kind == Ambient && v.From != nil && v.From.Kind != Unknown {
			return *v.From
		}
		switch v.Kind {
		case Carried:
			return Value{Kind: None}
		case carriedOK:
			return Value{Kind: Constant, Const: "false"}
		}
	}
	return v
}

// within reports whether fn is outer or a closure inside it.
func within(fn, outer *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == outer {
			return true
		}
	}
	return false
}

func paramIndex(fn *ssa.Function, p *ssa.Parameter) int {
	for i, q := range fn.Params {
		if q == p {
			return i
		}
	}
	return -1
}
