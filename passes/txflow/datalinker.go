package txflow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// dataLinks returns the links between reads and writes that stand behind
// interfaces, in whatever function of the program both come together.
func (l *linker) dataLinks(funcs []linkFunc) []*Link {
	var out []*Link
	for i := range funcs {
		f := &funcs[i]
		if f.generated || forTests(f.pkg()) || !l.mayLink(f) {
			continue
		}
		effects := l.expand(f)
		for _, x := range l.e.linksOf(f.unit.fn, effects) {
			if l.e.placeOf(x.Read.At) == l.e.placeOf(x.Write.At) {
				continue // the function that is called has the link
			}
			if x.Read.viaLink || x.Write.viaLink {
				x.caller = f
				out = append(out, x)
			}
		}
	}
	return out
}

// pkg returns the path of the function's package.
func (f *linkFunc) pkg() string {
	if f.unit.foreign != nil {
		return f.unit.foreign.pkg
	}
	if f.unit.fn != nil && f.unit.fn.Pkg != nil {
		return f.unit.fn.Pkg.Pkg.Path()
	}
	return ""
}

// mayLink reports whether a function reaches a read and a write, one of them
// through an interface.
func (l *linker) mayLink(f *linkFunc) bool {
	var reads, writes, pending bool
	for _, x := range f.effects {
		if x.Op == callMethod {
			r, w := l.accesses(x, 0)
			reads, writes = reads || r, writes || w
			pending = pending || r || w
		}
	}
	if !pending {
		return false
	}
	for _, x := range f.effects {
		if x.Op == Run && !(reads && writes) {
			r, w := l.e.accesses(x)
			reads, writes = reads || r, writes || w
		}
	}
	return reads && writes && pending
}

// accesses says whether an effect reads a table, and whether it writes one.
func (e *engine) accesses(x *Effect) (reads, writes bool) {
	if x.data.access != nil {
		return x.data.access[0], x.data.access[1]
	}
	if x.data.args == nil {
		return false, false
	}
	st := e.only(x)
	if st == nil {
		return false, false
	}
	switch st.Kind {
	case pgsql.Select:
		return true, false
	case pgsql.Update, pgsql.Insert, pgsql.Delete:
		return false, true
	}
	return false, false
}

// accesses says the same of what a pending call can run.
func (l *linker) accesses(p *Effect, depth int) (reads, writes bool) {
	key := implKey{p.pending.iface, p.pending.methodSig, p.pending.pkg}
	if got, ok := l.access[key]; ok {
		return got[0], got[1]
	}
	if depth >= maxLinks {
		return false, false
	}
	l.access[key] = [2]bool{}
	add := func(xs []*Effect) {
		for _, x := range xs {
			var r, w bool
			switch x.Op {
			case Run:
				r, w = l.e.accesses(x)
			case callMethod:
				r, w = l.accesses(x, depth+1)
			}
			reads, writes = reads || r, writes || w
		}
	}
	for _, m := range l.implementations(p) {
		add(l.e.effectsOfUnit(m.unit))
	}
	for _, xs := range p.pending.closures {
		add(xs)
	}
	l.access[key] = [2]bool{reads, writes}
	return reads, writes
}

// expand returns the effects of a function with its pending calls resolved, and
// the sources of their values in the function's terms.
func (l *linker) expand(f *linkFunc) []*Effect {
	r := &resolver{l: l, name: f.name, pending: map[callKey]*Effect{}}
	var out []*Effect
	for _, x := range f.effects {
		if x.Op == callMethod {
			r.pending[x.key] = x
		}
	}
	for _, x := range f.effects {
		if x.Op == callMethod {
			out = append(out, r.resolve(x, 0)...)
			continue
		}
		out = append(out, x)
	}
	for i, x := range out {
		if x.Op != Run || x.data.args == nil {
			continue
		}
		y := *x
		y.data.args = func(n int, name string) sources { return r.settle(x.data.args(n, name), 0) }
		if x.data.guards != nil {
			y.data.guards = func() []guard {
				gs := slices.Clone(x.data.guards())
				for i := range gs {
					gs[i].left, gs[i].right = r.settle(gs[i].left, 0), r.settle(gs[i].right, 0)
				}
				return gs
			}
		}
		out[i] = &y
	}
	return out
}

// A resolver puts what implementations do into the terms of one function.
type resolver struct {
	l    *linker
	name string
	// pending are the pending calls by the names that sources give them.
	pending map[callKey]*Effect
}

// maxExpanded bounds the effects that one pending call stands for.
const maxExpanded = 64

// resolve returns the effects of the implementations of a pending call.
func (r *resolver) resolve(p *Effect, depth int) []*Effect {
	if depth >= maxLinks || p.apart() {
		return nil
	}
	impls := r.l.implementations(p)
	if r.l.e.adapters(impls) {
		return nil
	}
	var out []*Effect
	for n, m := range impls {
		sub := r.l.terms(p, m, r.name)
		for _, x := range r.l.e.effectsOfUnit(m.unit) {
			if len(out) >= maxExpanded {
				return out
			}
			for _, y := range r.effect(p, m, x, sub, depth) {
				y.viaLink = true
				if len(impls) > 1 {
					y.alternative = y.alternative<<3 | (n + 1)
				}
				out = append(out, y)
			}
		}
	}
	return out
}

func (r *resolver) effect(p *Effect, m implementation, x *Effect, sub func(Value) Value, depth int) []*Effect {
	switch x.Op {
	case Run, BeginTx, callMethod:
	case callParam:
		var out []*Effect
		for _, y := range r.l.closure(p, m.unit, x, sub) {
			y.data.around(p.data.guards)
			if y.Op == callMethod {
				r.pending[y.key] = y
				out = append(out, r.resolve(y, depth+1)...)
				continue
			}
			out = append(out, y)
		}
		return out
	default:
		return nil
	}
	y := r.l.e.instance(p.Origin, m.unit, x, sub)
	if y == nil {
		return nil
	}
	y.key, y.data = r.keyOf(p, x.key), r.dataOf(p, m, x)
	y.At, y.Instr = p.At, p.Instr
	y.looks = x.looks || m.foreign != nil && m.foreign.looks || m.fn != nil && r.l.e.looksAtState(outermost(m.fn), 0)
	if y.Op == callMethod {
		r.pending[y.key] = y
		return r.resolve(y, depth+1)
	}
	return []*Effect{y}
}

// keyOf names a call of an implementation below the pending call p.
func (r *resolver) keyOf(p *Effect, k callKey) callKey {
	inner := k.inner
	if k.call != nil {
		inner = r.l.e.keyText(k)
	}
	if p.key.inner != "" {
		inner = p.key.inner + "/" + inner
	}
	return callKey{p.key.call, inner}
}

// dataOf puts the data of an implementation's effect into the terms of the
// function that has the pending call.
func (r *resolver) dataOf(p *Effect, m implementation, x *Effect) effectData {
	d := effectData{access: x.data.access}
	in := func(s sources) sources { return r.inTerms(p, m, s) }
	if args := x.data.args; args != nil {
		d.args = func(n int, name string) sources { return in(args(n, name)) }
	}
	if param := x.data.param; param != nil {
		d.param = func(i int, path string) sources { return in(param(i, path)) }
		d.paths = x.data.paths
	}
	if guards := x.data.guards; guards != nil {
		d.guards = func() []guard {
			gs := slices.Clone(guards())
			for i := range gs {
				gs[i].left, gs[i].right = in(gs[i].left), in(gs[i].right)
			}
			return gs
		}
	}
	d.around(p.data.guards)
	return d
}

func (r *resolver) inTerms(p *Effect, m implementation, own sources) sources {
	var out sources
	for _, s := range own {
		var i int
		switch b := s.base.(type) {
		case *ssa.Parameter:
			i = m.index(b)
		case *foreignParam:
			i = m.index(b)
		case callKey:
			s.base = r.keyOf(p, b)
			out = out.with(s)
			continue
		default:
			out = out.with(s)
			continue
		}
		if i < 0 || p.data.param == nil {
			continue
		}
		n := len(s.path)
		if k := strings.IndexAny(s.path, "[{!#"); k >= 0 {
			n = k
		}
		got := p.data.param(i, s.path[:n]).below(s.path[n:])
		if s.derived {
			got = got.computed()
		}
		out = out.with(got...)
	}
	return out
}

// settle replaces the results of pending calls by what their implementations
// return.
func (r *resolver) settle(in sources, depth int) sources {
	var out sources
	for _, s := range in {
		k, ok := s.base.(callKey)
		p := r.pending[k]
		if !ok || p == nil || len(s.path) < 2 || s.path[0] != '#' || s.path[1] < '0' || s.path[1] > '9' || depth >= maxLinks {
			out = out.with(s)
			continue
		}
		index, rest := int(s.path[1]-'0'), s.path[2:]
		n := len(rest)
		if k := strings.IndexAny(rest, "[{!#"); k >= 0 {
			n = k
		}
		for _, m := range r.l.implementations(p) {
			var own sources
			if m.foreign != nil {
				own = m.foreign.leaves(index, rest[:n])
			} else if m.fn != nil {
				own = r.l.e.leaves(m.fn, index, rest[:n])
			}
			got := r.settle(r.inTerms(p, m, own), depth+1).below(rest[n:])
			if s.derived {
				got = got.computed()
			}
			out = out.with(got...)
		}
	}
	return out
}
