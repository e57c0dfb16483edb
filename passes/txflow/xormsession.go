package txflow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

const xormSession = "*xorm.io/xorm.Session"

// A sessionStep is a call on a session of XORM: one that adds to the next
// statement, or one that runs a statement and so begins a new one.
type sessionStep struct {
	l    link
	runs bool
}

// sessionWays returns the ways to build what a call on a session of XORM runs. The
// session collects it in any calls since its last statement, whether or not
// their results are used, so they are looked for on the paths that lead here.
func (e *engine) sessionWays(v ssa.Value, at ssa.Instruction) [][]link {
	root := e.sessionRoot(v, 0)
	w := sessionWalk{e: e, root: root, memo: map[*ssa.BasicBlock][][]link{}, busy: map[*ssa.BasicBlock]bool{}}
	b := at.Block()
	var out [][]link
	for _, way := range w.before(b, slices.Index(b.Instrs, at)) {
		switch {
		case len(way) == 0 || way[0].api != again:
			out = append(out, way)
		case len(way) > 1: // something is added in each round of a loop
			out = append(out, []link{{api: opaque}})
		}
	}
	return orNone(out)
}

// again stands at the beginning of a way that comes round a loop.
var again = &dbapi.Func{Name: "again"}

// A sessionKey names a session in its function: a value, or a field of one.
type sessionKey struct {
	v     ssa.Value
	field int // plus one
}

// sessionRoot returns the session on which the calls that lead to v were made.
func (e *engine) sessionRoot(v ssa.Value, depth int) sessionKey {
	if depth > maxChain {
		return sessionKey{v: v}
	}
	switch x := v.(type) {
	case *ssa.Call:
		for _, c := range e.callees(x.Common()) {
			f := c.api()
			if f == nil || f.Role != dbapi.Chain && f.Role != dbapi.Derive {
				continue
			}
			if h := c.arg(f.Handle); h != nil && typeName(h.Type()) == xormSession {
				return e.sessionRoot(h, depth+1)
			}
		}
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return e.sessionAt(x.X, depth)
		}
	case *ssa.Phi:
		return e.sessionOfPhi(x, depth)
	}
	return sessionKey{v: v}
}

// sessionAt returns the session that a variable or a field holds.
func (e *engine) sessionAt(addr ssa.Value, depth int) sessionKey {
	switch a := addr.(type) {
	case *ssa.Alloc:
		if s := e.stores(a); len(s) == 1 {
			return e.sessionRoot(s[0], depth+1)
		}
	case *ssa.FieldAddr:
		if ld, ok := a.X.(*ssa.UnOp); ok && ld.Op == token.MUL {
			return sessionKey{v: ld.X, field: a.Field + 1}
		}
		return sessionKey{v: a.X, field: a.Field + 1}
	}
	return sessionKey{v: addr}
}

// sessionOfPhi returns the session that is the same on all paths.
func (e *engine) sessionOfPhi(phi *ssa.Phi, depth int) sessionKey {
	var root sessionKey
	for _, v := range phi.Edges {
		if v == ssa.Value(phi) {
			continue
		}
		got := e.sessionRoot(v, depth+maxChain/8)
		if got.v == ssa.Value(phi) {
			continue
		}
		if root.v != nil && got != root {
			return sessionKey{v: phi}
		}
		root = got
	}
	return root
}

// A sessionWalk goes back from a statement over the calls on its session.
type sessionWalk struct {
	e    *engine
	root sessionKey
	memo map[*ssa.BasicBlock][][]link
	busy map[*ssa.BasicBlock]bool
}

// before returns the ways that lead to instruction n of a block.
func (w *sessionWalk) before(b *ssa.BasicBlock, n int) [][]link {
	var tail []link
	for i := n - 1; i >= 0; i-- {
		call, ok := b.Instrs[i].(*ssa.Call)
		if !ok {
			continue
		}
		if ssa.Value(call) == w.root.v {
			return after(w.start(call), tail)
		}
		if s := w.e.sessionStep(call, w.root, 0); s != nil {
			if s.runs {
				return [][]link{tail}
			}
			tail = append([]link{s.l}, tail...)
		}
	}
	if len(b.Preds) == 0 {
		return after(w.entry(), tail)
	}
	return after(w.into(b), tail)
}

// into returns the ways that lead to the beginning of a block.
func (w *sessionWalk) into(b *ssa.BasicBlock) [][]link {
	if got, ok := w.memo[b]; ok {
		return got
	}
	if w.busy[b] {
		return [][]link{{{api: again}}}
	}
	w.busy[b] = true
	var out [][]link
	for _, p := range b.Preds {
		for _, way := range w.before(p, len(p.Instrs)) {
			if !slices.ContainsFunc(out, func(o []link) bool { return sameLinks(o, way) }) {
				out = append(out, way)
			}
		}
	}
	if len(out) > maxChains {
		out = [][]link{{{api: opaque}}}
	}
	delete(w.busy, b)
	w.memo[b] = out
	return out
}

// start returns what the call that makes the session has put into it.
func (w *sessionWalk) start(call *ssa.Call) [][]link {
	for _, c := range w.e.callees(call.Common()) {
		if f := c.api(); f != nil {
			if f.Role == dbapi.Chain { // of an engine
				return w.e.ways(call, 0)
			}
			return [][]link{nil}
		}
	}
	return orNone(w.e.ways(call, 0))
}

// entry returns what is in the session when the function begins. A variable that
// holds one session or another is not followed.
func (w *sessionWalk) entry() [][]link {
	switch w.root.v.(type) {
	case *ssa.Phi, *ssa.Alloc:
		return [][]link{{{api: opaque}}}
	}
	return [][]link{nil}
}

func orNone(ways [][]link) [][]link {
	if len(ways) == 0 {
		return [][]link{nil}
	}
	return ways
}

func after(ways [][]link, tail []link) [][]link {
	out := make([][]link, len(ways))
	for i, way := range ways {
		out[i] = slices.Concat(way, tail)
	}
	return out
}

// sessionStep says what a call does with a session, nil if nothing. A function
// that is given the session runs statements on it, unless it gives back the
// session, to which it may have added anything, or is seen to add only.
func (e *engine) sessionStep(call *ssa.Call, root sessionKey, depth int) *sessionStep {
	i := slices.IndexFunc(call.Call.Args, func(a ssa.Value) bool {
		return typeName(a.Type()) == xormSession && e.sessionRoot(a, 0) == root
	})
	if i < 0 {
		return nil
	}
	for _, c := range e.callees(call.Common()) {
		f := c.api()
		switch {
		case f == nil:
			continue
		case f.Role == dbapi.Chain:
			return &sessionStep{l: link{api: f, c: c}}
		case f.Role == dbapi.Finish || f.Role == dbapi.Run:
			return &sessionStep{runs: true}
		}
		return nil
	}
	if typeName(call.Type()) == xormSession || e.onlyAdds(call, i, depth) {
		return &sessionStep{l: link{api: opaque}}
	}
	return &sessionStep{runs: true}
}

// onlyAdds reports whether a function of this package adds to the session that
// is its argument i, and runs no statement by itself.
func (e *engine) onlyAdds(call *ssa.Call, i, depth int) bool {
	fn := call.Call.StaticCallee()
	if fn == nil || i >= len(fn.Params) || e.body(fn) == nil || depth > 3 {
		return false
	}
	adds := false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if s := e.sessionStep(c, sessionKey{v: fn.Params[i]}, depth+1); s != nil {
				if s.runs {
					return false
				}
				adds = true
			}
		}
	}
	return adds
}
