package txflow

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// An xType is a named type with methods, as the linker sees it.
type xType struct {
	_       struct{} `cbor:",toarray"`
	Name    string
	Methods []xMethod
	Held    []xHeld
}

// An xMethod is a method by name and signature, the function that it is, in
// which package, and the fields through which it is promoted.
type xMethod struct {
	_                    struct{} `cbor:",toarray"`
	Key, Func, Pkg, Path string
}

// An xIface is an interface by its method set.
type xIface struct {
	_       struct{} `cbor:",toarray"`
	Name    string
	Methods []string
}

// placeInFunc names an instruction by its place in the function around it, so that
// the name changes with that function only.
func placeInFunc(in ssa.Instruction) string {
	fn := outermost(in.Parent())
	return fn.Name() + ":" + strconv.Itoa(int(in.Pos()-fn.Pos()))
}

// methodKey is the name and signature of a method without parameter names:
// types of the other side are not needed to compare it.
func methodKey(name string, sig *types.Signature) string {
	strip := func(t *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range t.Variables() {
			vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	s := types.NewSignatureType(nil, nil, nil, strip(sig.Params()), strip(sig.Results()), sig.Variadic())
	return name + types.TypeString(s, nil)[len("func"):]
}

// methodSets lists the package's types with methods and its interfaces.
func (e *engine) methodSets() (ts []xType, is []xIface) {
	scope := e.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok || n.TypeParams() != nil {
			continue
		}
		full := e.pass.Pkg.Path() + "." + name
		if iface, ok := n.Underlying().(*types.Interface); ok {
			x := xIface{Name: full}
			for m := range iface.Methods() {
				x.Methods = append(x.Methods, methodKey(m.Name(), m.Signature()))
			}
			if len(x.Methods) > 0 {
				is = append(is, x)
			}
			continue
		}
		if e.concrete(tn) == nil {
			continue
		}
		x := xType{Name: full, Held: e.heldBelow(n)}
		ms := types.NewMethodSet(types.NewPointer(n))
		for sel := range ms.Methods() {
			m := sel.Obj().(*types.Func)
			if !m.Exported() {
				continue
			}
			xm := xMethod{Key: methodKey(m.Name(), sel.Type().(*types.Signature))}
			// What an embedded interface does has no body.
			if recv := m.Signature().Recv(); recv != nil && !types.IsInterface(recv.Type()) && m.Pkg() != nil {
				xm.Func, xm.Pkg, xm.Path = fullName(m), m.Pkg().Path(), promotedPath(n, sel.Index())
			}
			x.Methods = append(x.Methods, xm)
		}
		if len(x.Methods) > 0 {
			ts = append(ts, x)
		}
	}
	return ts, is
}

// A pathOf is an argument and a field path below it.
type pathOf struct {
	index int
	path  string
}

// argPaths returns the arguments of a call with the field paths at which
// handles may be.
func (e *engine) argPaths(args []ssa.Value) []pathOf {
	var out []pathOf
	for i, a := range args {
		if a == nil {
			continue
		}
		paths := map[string]bool{"": true}
		e.handlePaths(unwrap(a).Type(), "", 0, paths)
		for _, p := range sortedPaths(paths) {
			out = append(out, pathOf{i, p})
		}
	}
	return out
}

// maxLinks bounds the interface calls that are followed one behind another.
const maxLinks = 4

// A linker resolves calls of interface methods where both the callers and the
// implementations are seen: in a main package.
type linker struct {
	e      *engine
	ifaces map[string][]string
	// types are the types that have a method of a name and signature.
	types map[string][]linkType
	impls map[implKey][]implementation
	// parts are the packages that belong together where no main package joins
	// them.
	parts parts
	// interceptors are the packages that call servers' methods in a transaction.
	interceptors []string
	// called are the functions that are called by those that the linker does not see.
	called []string
	// said are the functions in which a linked effect was known already.
	said  map[linkKey]map[string]bool
	sites []*Site
	// wiring says what the program is put together of, where its main is seen.
	wiring wiring
	// access says what a pending call can read and write.
	access map[implKey][2]bool
}

type implKey struct{ iface, method, pkg string }

type linkType struct {
	pkg string
	xType
}

// link returns the sites that come to light when interface calls of the program
// below this main package are resolved. said reports whether one of them says what
// a site of the package itself says of a function that it calls.
func (e *engine) link() (sites []*Site, said func(*Site) bool) {
	l := &linker{e: e, ifaces: map[string][]string{}, types: map[string][]linkType{}, impls: map[implKey][]implementation{}, said: map[linkKey]map[string]bool{}, parts: parts{}, access: map[implKey][2]bool{}, wiring: wiring{map[string][]xFlow{}, map[string]Kind{}}}
	whole := e.isProgram()
	add := func(pkg string, ts []xType, is []xIface) {
		for _, i := range is {
			l.ifaces[i.Name] = i.Methods
		}
		for _, t := range ts {
			for _, m := range t.Methods {
				l.types[m.Key] = append(l.types[m.Key], linkType{pkg, t})
			}
		}
	}
	paths := slices.Sorted(maps.Keys(e.blobs))
	for _, path := range paths {
		if p := e.foreignPackage(path); p != nil {
			add(path, p.types, slices.Collect(maps.Values(p.ifaces)))
			if whole {
				l.wiring.add(p.flows)
			}
			if p.intercepts {
				l.interceptors = append(l.interceptors, path)
			}
			if whole {
				l.parts.join(path, e.pass.Pkg.Path())
			}
			for _, imp := range p.imports {
				l.parts.join(path, imp)
			}
			l.called = append(l.called, p.called...)
		}
	}
	add(e.pass.Pkg.Path(), e.ownTypes, e.ownIfaces)
	if whole {
		l.wiring.add(e.flows())
	}
	if e.interceptsWithTx() {
		l.interceptors = append(l.interceptors, e.pass.Pkg.Path())
	}
	var funcs []linkFunc
	for _, path := range paths {
		if p := e.foreignPackage(path); p != nil {
			for _, f := range p.order {
				lf := linkFunc{name: f.Name, short: shortName(f.Name), calls: f.Calls, generated: f.Generated, ctx: f.Ctx - 1, served: f.Served, inner: f.Inner}
				if f.Links {
					if fn := f.function(); fn != nil {
						lf.effects, lf.unit = fn.effects, unit{foreign: fn}
					}
				}
				funcs = append(funcs, lf)
			}
		}
	}
	for _, fn := range e.funcs {
		if obj, ok := fn.Object().(*types.Func); ok && fn.Parent() == nil {
			funcs = append(funcs, linkFunc{name: fullName(obj), short: FuncName(fn), effects: e.summary(fn).effects, calls: e.calledBy(fn),
				generated: e.inGenerated(fn), unit: unit{fn: fn}, ctx: contextParam(fn), served: served(fn)})
		}
	}
	l.roots(funcs)
	e.linkedData = func() []*Link { return l.dataLinks(funcs) }
	// What a called function knows is not said again by its callers.
	for length := 0; length <= maxPath; length++ {
		for i := range funcs {
			l.function(&funcs[i], length)
		}
	}
	return l.sites, l.saidBelow
}

// A linkFunc is a function of the program.
type linkFunc struct {
	name, short string
	effects     []*Effect
	calls       []string
	generated   bool
	unit        unit
	ctx         int
	// served is set for methods that a server calls, inner for functions below this
	// package that no other package can call, root for functions that are entered
	// from outside.
	served, inner, root bool
}

// function resolves the pending calls among the effects of one function, and
// decides those that wait for a context where the function is a root.
func (l *linker) function(f *linkFunc, length int) {
	for _, p := range f.effects {
		if len(p.Path) != length {
			continue
		}
		switch {
		case p.Op == callMethod:
			for _, y := range l.resolve(p, f.name, 0, len(p.Scopes) > 0) {
				y = l.enter(f, y)
				switch {
				case y == nil:
				case y.Op != Faulty:
					l.judge(f, y, p)
				case !y.apart():
					l.fault(f, y)
				}
			}
		case p.Op == Faulty && !p.apart():
			if y := l.enter(f, p); y != nil {
				l.fault(f, y)
			}
		case p.Op == Run && !p.settled:
			l.decideRun(f, p)
		}
	}
}

// decideRun makes a site of a statement of f whose handle the program decides: by
// the context that comes in, or by what it is put together of.
func (l *linker) decideRun(f *linkFunc, p *Effect) {
	if f.root && f.ctx >= 0 {
		if y := l.enter(f, p); y != nil && y.FromAmbient {
			z := *y
			z.Scopes = nil
			q := *p
			q.fresh = 0
			l.judge(f, &z, &q)
			return
		}
	}
	if !p.apart() && l.wired(f, p.Handle).Kind == Pool {
		y := *p
		y.Scopes = nil
		l.judge(f, &y, p)
	}
}

// saidBelow reports whether the linker has decided the statement of a site in a
// function that the site came through.
func (l *linker) saidBelow(s *Site) bool {
	at := l.e.placeOf(s.Origin)
	below := l.said[linkKey{at, at, Run}]
	return len(below) > 0 && slices.ContainsFunc(s.Path, func(name string) bool { return below[name] })
}

// apart reports whether the effect is not part of what its function does by
// itself: a goroutine has it, or a closure that unseen code may call. No
// transaction is open around it, but it can need one.
func (x *Effect) apart() bool { return x.Go || x.Foreign }

// resolve returns the effects of the implementations of a pending call, in the
// terms of the function that has it.
func (l *linker) resolve(p *Effect, name string, depth int, scoped bool) []*Effect {
	if depth >= maxLinks {
		return nil
	}
	var out []*Effect
	impls := l.implementations(p)
	if l.e.adapters(impls) {
		return nil
	}
	if l.implementers(p.pending) == 0 {
		out = l.byForm(p, scoped)
		if depth == 0 && len(out) > 0 {
			out[0].Path = p.Path
		}
		return out
	}
	for _, m := range impls {
		sub := l.terms(p, m, name)
		for _, x := range l.e.effectsOfUnit(m.unit) {
			if !l.matters(x, scoped) {
				continue
			}
			var ys []*Effect
			if x.Op == callParam {
				ys = l.closure(p, m.unit, x, sub)
			} else if y := l.e.instance(p.Origin, m.unit, x, sub); y != nil {
				ys = []*Effect{y}
			}
			for _, y := range ys {
				if y.At == nil {
					y.At = p.At
				}
				if y.Enter == nil {
					y.Enter = p.Origin
				}
				y.conds = slices.Concat(y.conds, p.conds)
				y.Go, y.Foreign = y.Go || p.Go, y.Foreign || p.Foreign
				if y.Op == callMethod {
					scoped := scoped || len(y.Scopes) > 0
					zs := l.resolve(y, name, depth+1, scoped)
					if y.pending.same(p.pending) && l.implementers(p.pending) == 1 {
						zs = l.byForm(y, scoped) // a decorator around what is not the user's
					}
					for _, z := range zs {
						z.Path = append(slices.Clone(y.Path), z.Path...)
						// What is wrong in a transaction that the implementation opens around
						// its own call is said there; in one around a closure, here.
						z.put = len(z.Scopes) + y.put
						if !z.apart() {
							z.Scopes = append(z.Scopes, y.Scopes...)
						}
						z.put = min(z.put, len(z.Scopes))
						z.At = y.At
						if z.Enter == nil {
							z.Enter = y.Origin
						}
						out = append(out, z)
					}
					continue
				}
				out = append(out, y)
			}
		}
	}
	return out
}

// byForm returns what a call of a method of one of the user's interfaces does
// when none of the user's types has the method: one of a library does, and the
// method's form tells which kind (an HTTP client's Do, an SDK's PutObject).
func (l *linker) byForm(p *Effect, scoped bool) []*Effect {
	if p.What == "" || !scoped || p.apart() {
		return nil
	}
	return []*Effect{{
		Op: External, What: p.What, Handle: Value{Kind: Unknown}, Origin: p.Origin, At: p.At, Enter: p.Enter,
		Retry: p.Retry, conds: p.conds,
	}}
}

// implementers counts the user's types that have the method that is called, though
// it may do nothing that is known.
func (l *linker) implementers(c *pendingCall) int {
	n := 0
	for _, t := range l.types[c.methodSig] {
		if t.has(l.ifaces[c.iface]) && l.parts.of(t.pkg) == l.parts.of(c.pkg) {
			n++
		}
	}
	return n
}

// same reports whether two calls are of the same method of the same interface.
func (c *pendingCall) same(d *pendingCall) bool {
	return c.iface == d.iface && c.methodSig == d.methodSig
}

// terms puts values of an implementation into the terms of the function, known by
// its name, that has the pending call p.
func (l *linker) terms(p *Effect, m implementation, name string) func(Value) Value {
	fresh := &foreignFresh{id: name + l.e.placeOf(p.Origin).String()}
	arg := m.bound(func(i int, path string) (Value, bool) { return p.pending.bind(i, path), true })
	return func(v Value) Value { return l.e.substitute(v, m.unit, arg, fresh) }
}

// matters reports whether an effect of an implementation can say something new
// where it is linked: with no transaction open, only statements that wait for
// their handle, and what leads to more.
func (l *linker) matters(x *Effect, scoped bool) bool {
	switch x.Op {
	case callMethod, callParam:
		return true
	case Faulty:
		return !x.apart()
	case Run:
		return scoped && !x.apart() || !x.settled
	case External, BeginTx, Take:
		return scoped && !x.apart()
	}
	return false
}

// closure returns the effects of a function argument of the pending call p that
// its implementation calls.
func (l *linker) closure(p *Effect, u unit, x *Effect, sub func(Value) Value) []*Effect {
	i := u.index(x.pending.callee.Base)
	if i < 0 || x.pending.callee.Path != "" {
		return nil
	}
	conds, happens := substituteConds(x.conds, sub)
	if !happens {
		return nil
	}
	var out []*Effect
	for _, z := range p.pending.closures[i] {
		y := l.e.instance(p.Origin, unit{}, z, func(v Value) Value {
			return l.e.replaceClosureParams(v, i, func(j int, path string) Value { return sub(x.pending.bind(j, path)) })
		})
		if y == nil {
			continue
		}
		y.conds = append(y.conds[:len(y.conds):len(y.conds)], conds...)
		y.Scopes = append(y.Scopes, l.e.scopes(x, sub)...)
		y.Retry = max(y.Retry, x.Retry)
		out = append(out, y)
	}
	return out
}

// replaceClosureParams puts what an implementation passes to a closure in place
// of the closure's parameters.
func (e *engine) replaceClosureParams(v Value, arg int, with func(int, string) Value) Value {
	if v.From != nil {
		f := e.replaceClosureParams(*v.From, arg, with)
		v.From = &f
	}
	if v.Ctx != nil {
		x := e.replaceClosureParams(*v.Ctx, arg, with)
		v.Ctx = &x
	}
	switch v.Kind {
	case Ambient, Carried, carriedOK:
		return settleAmbient(v)
	case handContext:
		return settleHandContext(v)
	}
	if p, ok := v.Base.(closureParam); ok && p.arg == arg {
		got := with(p.index, v.Path)
		if v.Kind != Symbolic && (got.Kind == Unknown || got.Kind == Symbolic || got.Kind == None) {
			got.Kind = v.Kind
		}
		return got
	}
	return v
}

// implementations returns the functions that a pending call can run and that
// were not seen in the package of the call.
func (l *linker) implementations(p *Effect) []implementation {
	key := implKey{p.pending.iface, p.pending.methodSig, p.pending.pkg}
	if got, ok := l.impls[key]; ok {
		return got
	}
	got := l.find(p.pending)
	l.impls[key] = got
	return got
}

func (l *linker) find(p *pendingCall) []implementation {
	want, ok := l.ifaces[p.iface]
	if !ok {
		return nil
	}
	var out []implementation
	for _, t := range l.types[p.methodSig] {
		if t.pkg == p.pkg || !t.has(want) || l.parts.of(t.pkg) != l.parts.of(p.pkg) {
			continue
		}
		for _, m := range t.Methods {
			if m.Key != p.methodSig || m.Func == "" {
				continue
			}
			if u := l.unit(m); u != (unit{}) {
				out = append(out, implementation{u, m.Path, heldKinds(t.Held)})
			}
		}
	}
	if len(out) > 2*maxImplementations {
		return nil
	}
	return out
}

// unit returns the function that a method is; zero when nothing is known of it.
func (l *linker) unit(m xMethod) unit {
	if m.Pkg == l.e.pass.Pkg.Path() {
		for _, fn := range l.e.funcs {
			if obj, ok := fn.Object().(*types.Func); ok && fullName(obj) == m.Func {
				return unit{fn: fn}
			}
		}
	} else if fp := l.e.foreignPackage(m.Pkg); fp != nil {
		return unit{foreign: fp.funcs[m.Func].function()}
	}
	return unit{}
}

// has reports whether the type has all the methods.
func (t *linkType) has(want []string) bool {
	for _, w := range want {
		if !slices.ContainsFunc(t.Methods, func(m xMethod) bool { return m.Key == w }) {
			return false
		}
	}
	return true
}

// judge makes a site of an effect that linking brought to light in f, if it is
// known there what no called function knew.
func (l *linker) judge(f *linkFunc, y, p *Effect) {
	key := linkKey{l.e.placeOf(p.Origin), l.e.placeOf(y.Origin), y.Op}
	for _, name := range p.Path {
		if l.said[key][name] {
			return
		}
	}
	lower := len(p.Scopes) - p.fresh
	y.Handle = l.wired(f, y.Handle)
	if y.Handle.From != nil {
		from := l.wired(f, *y.Handle.From)
		y.Handle.From = &from
	}
	if !y.apart() {
		y.Scopes = append(y.Scopes, p.Scopes...)
	}
	y.fresh = len(y.Scopes) - y.put
	if lower > 0 || y.put > 0 {
		y.fresh = 0
	}
	said := y.fresh > 0 && y.Op == External && !y.apart()
	if y.Op == Run && !y.below {
		switch y.Handle.Kind {
		case Tx:
			y.State = Inside
		case Pool:
			y.State = Outside
		}
		if y.waits() {
			y.State = Undecided
		}
		y.settled = y.State != Undecided && l.e.textSettled(y)
		said = said || y.settled
	}
	if (y.Op == Run && y.Handle.Kind == Pool || (y.Op == BeginTx || y.Op == Take) && y.Handle.From != nil) && !y.besideBelow && !y.waits() && lower == 0 && y.put == 0 && !y.apart() {
		y.Beside = l.e.beside(y)
		said = said || y.Beside != nil
	}
	if !said {
		return
	}
	if l.said[key] == nil {
		l.said[key] = map[string]bool{}
	}
	l.said[key][f.short] = true
	if y.Enter != nil && y.Beside == nil && y.Op == Run {
		y.At = y.Enter // around which the transaction is missing
	}
	l.sites = append(l.sites, &Site{Effect: y, e: l.e, linked: f.effects, Linked: true})
}

// DecidedAbove reports whether a package above this one may find more at the
// place of the effect: it calls a method of an interface, or depends on a caller.
func (s *Site) DecidedAbove() bool {
	return s.Op == callMethod || (s.Op == Run || s.Op == Faulty) && !s.settled
}

// A linkKey names a call that is linked and the effect it leads to.
type linkKey struct {
	call, origin Place
	op           Op
}
