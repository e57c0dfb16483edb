package txflow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// inPlace reports whether v is a builder that calls on it change, whatever is done
// with their results.
func inPlace(v ssa.Value) bool { return dbapi.InPlace(typeName(v.Type())) }

// builderOf returns the pointer where v is what a builder that changes in place
// points to, as for a method that is not the pointer's, else v itself.
func builderOf(v ssa.Value) ssa.Value {
	if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL && inPlace(ld.X) {
		return ld.X
	}
	return v
}

// mutated returns the chain of a builder that changes in place, as it is at an
// instruction of the same function: the calls on it that come before, whatever is
// done with their results.
func (e *engine) mutated(v ssa.Value, at ssa.Instruction, depth int) [][]link {
	if depth > maxChain {
		return [][]link{{{api: opaque}}}
	}
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
			case *ssa.Phi:
				open = open || at == nil || reaches(r.Block(), at.Block())
			case *ssa.MakeClosure, *ssa.Go, *ssa.Defer:
				open = true
			}
		}
	}
	decided, asked := e.decided(calls, where, at)
	links, sure := inOrder(calls, where, at, decided)
	links = e.applied(links, depth)
	if open || !sure {
		links = append(links, link{api: opaque})
	}
	var out [][]link
	for _, way := range before {
		way = slices.Concat(way, links)
		if decided == nil {
			out = append(out, e.withScopes(way, depth))
			continue
		}
		without := asked
		without.want = !asked.want
		out = append(out, e.withScopes(slices.Concat(way, []link{{api: chosen, conds: []cond{without}}}), depth),
			e.withScopes(slices.Concat(way, e.applied([]link{*decided}, depth), []link{{api: chosen, conds: []cond{asked}}}), depth))
	}
	return out
}

// decided returns the one call of a builder that is made, before an instruction,
// under a condition that a caller decides, and the condition: a lock that is asked
// for. It is nil if there is none, or more than one. Conditions and orders are not
// asked about.
func (e *engine) decided(links []link, calls []*ssa.Call, at ssa.Instruction) (*link, cond) {
	var found *link
	var asked cond
	for i, c := range calls {
		if at == nil || onPath(c, at) || !reaches(c.Block(), at.Block()) || maybeAdded(links[i]) {
			continue
		}
		var own []cond
		for _, x := range e.conds(c.Block()) {
			if !slices.Contains(e.conds(at.Block()), x) {
				own = append(own, x)
			}
		}
		if found != nil || len(own) != 1 || !c.Block().Idom().Dominates(at.Block()) {
			return nil, cond{}
		}
		found, asked = &links[i], own[0]
	}
	return found, asked
}

// onPath reports whether a call is made on every path to an instruction.
func onPath(c *ssa.Call, at ssa.Instruction) bool { return c.Block().Dominates(at.Block()) }

// maybeAdded reports whether it does not matter much if a call is made on some
// paths only.
func maybeAdded(l link) bool { return l.api.Clause == somewhere.Clause || l.api.Clause == "order" }

// withScopes puts what the functions that are given to Scope add in the place of
// its calls.
func (e *engine) withScopes(links []link, depth int) []link {
	var out []link
	for _, l := range links {
		if l.api.Clause == "scopes" {
			out = append(out, e.scopeLinks(l, depth)...)
			continue
		}
		out = append(out, l)
	}
	return out
}

// applied puts what functions add to a builder in the place of the calls that
// apply them.
func (e *engine) applied(links []link, depth int) []link {
	var out []link
	for _, l := range links {
		if l.api.Clause == "apply" {
			out = append(out, e.scopeLinks(l, depth)...)
		} else {
			out = append(out, l)
		}
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
			if f := c.api(); f != nil && f.Role == dbapi.Chain && c.arg(f.Handle) != nil && inPlace(c.arg(f.Handle)) {
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
	case *ssa.Phi:
		return e.startsOf(x, depth)
	case *ssa.Call:
		for _, c := range e.callees(x.Common()) {
			switch f := c.api(); {
			case f != nil && f.Role == dbapi.Derive && f.Clause == "" && c.arg(f.Handle) != nil && inPlace(c.arg(f.Handle)):
				return e.mutated(c.arg(f.Handle), x, depth+1) // a copy
			case f != nil && (f.Role == dbapi.Chain || f.Role == dbapi.Derive && f.Clause != ""):
				return [][]link{{{api: f, c: c}}}
			case f == nil && c.fn != nil:
				return e.chainsThrough(x, &c, depth)
			}
		}
	}
	return [][]link{{{api: opaque}}}
}

// startsOf returns the chains of a builder that is one or the other by the path
// that led here.
func (e *engine) startsOf(phi *ssa.Phi, depth int) [][]link {
	choices := e.choices(phi)
	var out [][]link
	for i, v := range phi.Edges {
		if e.builderBase(v, 0) == ssa.Value(phi) {
			return [][]link{{{api: opaque}}} // something is added in a loop
		}
		for _, way := range e.mutated(v, lastInstr(phi.Block().Preds[i]), depth+maxChain/8) {
			if len(choices) == len(phi.Edges) && len(choices[i].conds) > 0 {
				way = append([]link{{api: chosen, conds: choices[i].conds}}, way...)
			}
			if !slices.ContainsFunc(out, func(o []link) bool { return sameLinks(o, way) }) {
				out = append(out, way)
			}
		}
	}
	if len(out) > maxChains {
		return [][]link{{{api: opaque}}}
	}
	return out
}

// sameLinks reports whether two ways are the same calls.
func sameLinks(a, b []link) bool {
	return slices.EqualFunc(a, b, func(x, y link) bool {
		return x.api == y.api && x.api != chosen && x.made == y.made && slices.Equal(x.c.args, y.c.args)
	})
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

// somewhere stands for a condition that is added on some paths only.
var somewhere = &dbapi.Func{Name: "somewhere", Role: dbapi.Chain, Clause: "where"}

// inOrder sorts calls as they are made before an instruction. It is not sure where
// one is made on some paths only and adds more than a condition. The decided one is
// left out where it is.
func inOrder(links []link, calls []*ssa.Call, at ssa.Instruction, decided *link) (out []link, sure bool) {
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
		case at != nil && !reaches(c.Block(), at.Block()):
			continue
		case at != nil && !onPath(c, at):
			if links[i].api.Clause == somewhere.Clause {
				out = append(out, link{api: somewhere})
			}
			sure = sure && (maybeAdded(links[i]) || &links[i] == decided)
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
