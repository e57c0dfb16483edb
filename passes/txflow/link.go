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
	Name    string
	Methods []xMethod
}

// An xMethod is a method by name and signature, and the function that it is.
type xMethod struct {
	Key  string
	Func string
}

// An xIface is an interface by its method set.
type xIface struct {
	Name    string
	Methods []string
}

func itoa(p token.Pos) string { return strconv.Itoa(int(p)) }

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
		if isDouble(name) || isDouble(e.pass.Pkg.Name()) {
			continue
		}
		x := xType{Name: full}
		ms := types.NewMethodSet(types.NewPointer(n))
		for sel := range ms.Methods() {
			m := sel.Obj().(*types.Func)
			if !m.Exported() {
				continue
			}
			// A promoted method counts for the interface, but what it does is
			// what the embedded value does, which is not known here.
			f := ""
			if len(sel.Index()) == 1 {
				f = fullName(m)
			}
			x.Methods = append(x.Methods, xMethod{methodKey(m.Name(), sel.Type().(*types.Signature)), f})
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
	impls map[implKey][]unit
	// said are the functions in which a linked effect was known already.
	said  map[linkKey]map[string]bool
	sites []*Site
}

type implKey struct{ iface, method, pkg string }

type linkType struct {
	pkg string
	xType
}

// link returns the sites that come to light when interface calls of the program
// below this main package are resolved.
func (e *engine) link() []*Site {
	l := &linker{e: e, ifaces: map[string][]string{}, types: map[string][]linkType{}, impls: map[implKey][]unit{}, said: map[linkKey]map[string]bool{}}
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
		}
	}
	add(e.pass.Pkg.Path(), e.ownTypes, e.ownIfaces)
	var funcs []linkFunc
	for _, path := range paths {
		if p := e.foreignPackage(path); p != nil {
			for _, f := range p.order {
				funcs = append(funcs, linkFunc{name: f.name, short: f.short, effects: f.effects, calls: f.calls, generated: f.generated, unit: unit{foreign: f}, ctx: f.ctx})
			}
		}
	}
	for _, fn := range e.funcs {
		if obj, ok := fn.Object().(*types.Func); ok && fn.Parent() == nil {
			funcs = append(funcs, linkFunc{name: fullName(obj), short: FuncName(fn), effects: e.summary(fn).effects, calls: e.calledBy(fn),
				generated: e.inGenerated(fn), unit: unit{fn: fn}, ctx: contextParam(fn), own: true})
		}
	}
	l.roots(funcs)
	// What a called function knows is not said again by its callers.
	for length := 0; length <= maxPath; length++ {
		for i := range funcs {
			l.function(&funcs[i], length)
		}
	}
	return l.sites
}

// A linkFunc is a function of the program.
type linkFunc struct {
	name, short string
	effects     []*Effect
	calls       []string
	generated   bool
	unit        unit
	ctx         int
	// own is set for functions of the main package, whose own sites are found
	// without linking; root for functions that nothing in the program calls.
	own, root bool
}

// roots marks the functions that nothing in the program calls: they are entered
// from outside (an HTTP or gRPC server, a test, main), and a context that comes
// in there carries no transaction.
func (l *linker) roots(funcs []linkFunc) {
	called := map[string]bool{}
	for i := range funcs {
		f := &funcs[i]
		if f.generated {
			continue
		}
		for _, name := range f.calls {
			called[name] = true
		}
		for _, p := range f.effects {
			if p.Op != callMethod {
				continue
			}
			for _, u := range l.implementations(p) {
				if u.foreign != nil {
					called[u.foreign.name] = true
				} else if obj, ok := u.fn.Object().(*types.Func); ok {
					called[fullName(obj)] = true
				}
			}
			for _, t := range l.types[p.methodSig] {
				for _, m := range t.Methods {
					if m.Key == p.methodSig && t.has(l.ifaces[p.iface]) {
						called[m.Func] = true
					}
				}
			}
		}
	}
	for i := range funcs {
		funcs[i].root = !called[funcs[i].name]
	}
}

// enter puts an effect of a root into terms in which its context carries no
// transaction.
func (l *linker) enter(f *linkFunc, y *Effect) *Effect {
	if !f.root || f.ctx < 0 {
		return y
	}
	sub := func(v Value) Value {
		return l.e.substitute(v, f.unit, func(i int, path string) (Value, bool) {
			if i == f.ctx && path == "" {
				return Value{Kind: RootContext}, true
			}
			return Value{}, false
		}, nil)
	}
	z := *y
	var happens bool
	if z.conds, happens = substituteConds(y.conds, sub); !happens {
		return nil
	}
	z.Handle = sub(y.Handle)
	z.FromAmbient = y.FromAmbient || y.Handle.Kind == Ambient && z.Handle.Kind == Pool || y.waits() && len(z.conds) < len(y.conds)
	z.Fault = y.Fault.substitute(sub)
	z.Scopes = nil
	for _, sc := range y.Scopes {
		z.Scopes = append(z.Scopes, Scope{Tx: sub(sc.Tx), Begin: sc.Begin})
	}
	return &z
}

// function resolves the pending calls among the effects of one function, and
// decides those that wait for a context where the function is a root.
func (l *linker) function(f *linkFunc, length int) {
	for _, p := range f.effects {
		if len(p.Path) != length || p.Go || p.Foreign {
			continue
		}
		switch {
		case p.Op == callMethod:
			for _, y := range l.resolve(p, f.name, 0, len(p.Scopes) > 0) {
				if y := l.enter(f, y); y != nil && y.Op != Faulty {
					l.judge(f, y, p)
				} else if y != nil {
					l.fault(f, y)
				}
			}
		case p.Op == Faulty:
			if y := l.enter(f, p); y != nil {
				l.fault(f, y)
			}
		case p.Op == Run && !p.settled && f.root && f.ctx >= 0:
			if y := l.enter(f, p); y != nil && y.FromAmbient {
				z := *y
				z.Scopes = nil
				q := *p
				q.fresh = 0
				l.judge(f, &z, &q)
			}
		}
	}
}

// resolve returns the effects of the implementations of a pending call, in the
// terms of the function that has it.
func (l *linker) resolve(p *Effect, name string, depth int, scoped bool) []*Effect {
	if depth >= maxLinks {
		return nil
	}
	var out []*Effect
	units := l.implementations(p)
	if l.e.adapters(units) {
		return nil
	}
	for _, u := range units {
		fresh := &foreignFresh{id: name + l.e.placeOf(p.Origin).String()}
		arg := func(i int, path string) (Value, bool) { return p.bind(i, path), true }
		sub := func(v Value) Value { return l.e.substitute(v, u, arg, fresh) }
		for _, x := range l.e.effectsOfUnit(u) {
			if !l.matters(x, scoped) {
				continue
			}
			var ys []*Effect
			if x.Op == callParam {
				ys = l.closure(p, u, x, sub)
			} else if y := l.instance(u, x, sub); y != nil {
				ys = []*Effect{y}
			}
			for _, y := range ys {
				if y.At == nil {
					y.At = p.At
				}
				if y.Enter == nil {
					y.Enter = p.Origin
				}
				if y.Op == callMethod {
					for _, z := range l.resolve(y, name, depth+1, scoped || len(y.Scopes) > 0) {
						z.Path = append(slices.Clone(y.Path), z.Path...)
						z.Scopes = append(z.Scopes, y.Scopes...)
						z.put = len(z.Scopes) // said where that transaction is open
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

// matters reports whether an effect of an implementation can say something new
// where it is linked: with no transaction open, only statements that wait for
// their handle, and what leads to more.
func (l *linker) matters(x *Effect, scoped bool) bool {
	if x.Go || x.Foreign {
		return false
	}
	switch x.Op {
	case callMethod, callParam, Faulty:
		return true
	case Run:
		return scoped || !x.settled
	case External, BeginTx, Take:
		return scoped
	}
	return false
}

// instance is one effect of an implementation in the terms of the caller.
func (l *linker) instance(u unit, x *Effect, sub func(Value) Value) *Effect {
	y := *x
	var happens bool
	if y.conds, happens = substituteConds(x.conds, sub); !happens {
		return nil
	}
	y.Scopes = nil
	for _, sc := range x.Scopes {
		y.Scopes = append(y.Scopes, Scope{Tx: sub(sc.Tx), Begin: sc.Begin})
	}
	y.put = len(y.Scopes)
	y.Handle = sub(x.Handle)
	y.Fault = x.Fault.substitute(sub)
	y.At = nil
	if u.foreign != nil {
		y.Path = append([]string{u.foreign.short}, x.Path...)
	} else {
		y.Path = append([]string{FuncName(u.fn)}, x.Path...)
	}
	y.below = x.settled
	if !y.settled {
		y.State = Undecided
	}
	if x.bind != nil {
		y.bind = func(i int, path string) Value { return sub(x.bind(i, path)) }
	}
	return &y
}

// closure returns the effects of a function argument of the pending call p that
// its implementation calls.
func (l *linker) closure(p *Effect, u unit, x *Effect, sub func(Value) Value) []*Effect {
	i := u.index(x.callee.Base)
	if i < 0 || x.callee.Path != "" {
		return nil
	}
	conds, happens := substituteConds(x.conds, sub)
	if !happens {
		return nil
	}
	var out []*Effect
	for _, z := range p.closures[i] {
		bind := func(v Value) Value {
			return l.e.replaceClosureParams(v, i, func(j int, path string) Value { return sub(x.bind(j, path)) })
		}
		y := *z
		var happens bool
		if y.conds, happens = substituteConds(z.conds, bind); !happens {
			continue
		}
		y.conds = append(y.conds[:len(y.conds):len(y.conds)], conds...)
		y.Handle = bind(z.Handle)
		y.Fault = z.Fault.substitute(bind)
		y.Scopes = nil
		for _, sc := range z.Scopes {
			y.Scopes = append(y.Scopes, Scope{Tx: bind(sc.Tx), Begin: sc.Begin})
		}
		y.put = len(y.Scopes)
		for _, sc := range x.Scopes {
			y.Scopes = append(y.Scopes, Scope{Tx: sub(sc.Tx), Begin: sc.Begin})
		}
		y.below = z.settled
		y.Retry = max(y.Retry, x.Retry)
		if z.bind != nil {
			y.bind = func(i int, path string) Value { return bind(z.bind(i, path)) }
		}
		out = append(out, &y)
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
func (l *linker) implementations(p *Effect) []unit {
	key := implKey{p.iface, p.methodSig, p.pkg}
	if got, ok := l.impls[key]; ok {
		return got
	}
	got := l.find(p)
	l.impls[key] = got
	return got
}

func (l *linker) find(p *Effect) []unit {
	want, ok := l.ifaces[p.iface]
	if !ok {
		return nil
	}
	var out []unit
	for _, t := range l.types[p.methodSig] {
		if t.pkg == p.pkg || !t.has(want) {
			continue
		}
		for _, m := range t.Methods {
			if m.Key != p.methodSig || m.Func == "" {
				continue
			}
			if t.pkg == l.e.pass.Pkg.Path() {
				for _, fn := range l.e.funcs {
					if obj, ok := fn.Object().(*types.Func); ok && fullName(obj) == m.Func {
						out = append(out, unit{fn: fn})
					}
				}
			} else if fp := l.e.foreignPackage(t.pkg); fp != nil && fp.funcs[m.Func] != nil {
				out = append(out, unit{foreign: fp.funcs[m.Func]})
			}
		}
	}
	if len(out) > 2*maxImplementations {
		return nil
	}
	return out
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
	inner := len(y.Scopes) - y.put // put on by the implementation around a closure
	y.Scopes = append(y.Scopes, p.Scopes...)
	y.fresh = len(y.Scopes) - y.put
	if lower > 0 || y.put > 0 {
		y.fresh = 0
	}
	_ = inner
	said := y.fresh > 0 && y.Op == External
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
	if (y.Op == Run && y.Handle.Kind == Pool || (y.Op == BeginTx || y.Op == Take) && y.Handle.From != nil) && !y.besideBelow && !y.waits() && lower == 0 && y.put == 0 {
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

// A linkKey names a call that is linked and the effect it leads to.
type linkKey struct {
	call, origin Place
	op           Op
}
