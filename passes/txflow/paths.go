package txflow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// A Leak is a path on which a held session goes back to its pool, or a
// transaction ends, before what was done to it is undone.
type Leak struct {
	// At is where the path ends: the call that gives the session back, or the
	// return statement.
	At ssa.Instruction
}

// Leak looks for a path from x, once x has succeeded, to a place where the
// session (or transaction) v is given back, with no effect on the way for
// which undone is true. It returns nil when every path undoes it, or when the
// handle leaves the function's sight: returned, stored, passed to unseen code.
//
// For a session, the places are its Release or Close, explicit or deferred.
// For a transaction they are its commit, and returning to the caller.
func (s *Site) Leak(v Value, undone func(*Effect) bool) *Leak {
	w := &walker{site: s, v: v, undone: undone, seen: map[*ssa.BasicBlock]bool{}}
	if s.Fn == nil || v.Base == nil || w.escapes() {
		return nil
	}
	w.byInstr = map[ssa.Instruction][]*Effect{}
	for _, x := range s.e.summary(s.Fn).effects {
		w.byInstr[x.Instr] = append(w.byInstr[x.Instr], x)
	}
	w.start = s.Instr
	// A deferred undo that was registered before covers every path.
	for in, xs := range w.byInstr {
		if _, ok := in.(*ssa.Defer); ok && w.undoes(xs) && dominates(in, s.Instr) {
			return nil
		}
	}
	return w.from(s.Instr.Block(), indexOf(s.Instr)+1)
}

type walker struct {
	site    *Site
	v       Value
	undone  func(*Effect) bool
	byInstr map[ssa.Instruction][]*Effect
	seen    map[*ssa.BasicBlock]bool
	start   ssa.CallInstruction
}

func (w *walker) undoes(xs []*Effect) bool {
	for _, x := range xs {
		if x.Op == Destroy && x.Handle.Same(w.v) || x.Op == Escape && x.Handle.Same(w.v) || x.Op == Run && w.undone(x) {
			return true
		}
	}
	return false
}

// from walks the instructions of b from index i on, then its successors.
func (w *walker) from(b *ssa.BasicBlock, i int) *Leak {
	for ; i < len(b.Instrs); i++ {
		in := b.Instrs[i]
		xs := w.byInstr[in]
		if w.undoes(xs) {
			return nil
		}
		for _, x := range xs {
			if !x.Deferred && w.ends(x) {
				return &Leak{At: in}
			}
		}
		if ret, ok := in.(*ssa.Return); ok {
			return w.atReturn(ret)
		}
	}
	for j, succ := range b.Succs {
		if w.seen[succ] || w.failed(b, j) {
			continue
		}
		w.seen[succ] = true
		if leak := w.from(succ, 0); leak != nil {
			return leak
		}
	}
	return nil
}

// ends reports whether x gives the handle back.
func (w *walker) ends(x *Effect) bool {
	if !x.Handle.Same(w.v) {
		return false
	}
	return x.Op == GiveBack || w.v.Kind == Tx && (x.Op == CommitTx || x.Op == RollbackTx)
}

// atReturn decides a path that reaches a return statement: it leaks when a
// deferred call gives the session back.
func (w *walker) atReturn(ret *ssa.Return) *Leak {
	for in, xs := range w.byInstr {
		d, ok := in.(*ssa.Defer)
		if !ok || !reaches(d.Block(), ret.Block()) {
			continue
		}
		for _, x := range xs {
			if w.ends(x) {
				return &Leak{At: ret}
			}
		}
	}
	return nil
}

// escapes reports whether the handle leaves the function's sight.
func (w *walker) escapes() bool {
	base, ok := w.v.Base.(ssa.Instruction)
	if !ok || base.Parent() != w.site.Fn {
		return true
	}
	val, ok := w.v.Base.(ssa.Value)
	if !ok {
		return true
	}
	if w.site.API != nil && w.site.API.Role == dbapi.RunSession {
		return false
	}
	return w.escapesFrom(val, map[ssa.Value]bool{})
}

func (w *walker) escapesFrom(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Extract:
			if r.Index == 0 && w.escapesFrom(r, seen) {
				return true
			}
		case *ssa.Phi, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.ChangeType, *ssa.Convert:
			if w.escapesFrom(r.(ssa.Value), seen) {
				return true
			}
		case *ssa.Return:
			return true
		case *ssa.Store:
			if r.Val == v {
				if a, ok := r.Addr.(*ssa.Alloc); ok {
					if w.escapesFrom(a, seen) {
						return true
					}
					continue
				}
				return true
			}
		case *ssa.UnOp:
			if r.Op == token.MUL && w.escapesFrom(r, seen) {
				return true
			}
		case *ssa.MakeClosure:
			if w.closureEscapes(r, seen) {
				return true
			}
		case *ssa.MapUpdate, *ssa.Send:
			return true
		}
	}
	return false
}

// closureEscapes reports whether a closure that captures the handle is more
// than called, deferred or handed to a function that runs it.
func (w *walker) closureEscapes(c *ssa.MakeClosure, seen map[ssa.Value]bool) bool {
	if c.Referrers() == nil {
		return false
	}
	for _, r := range *c.Referrers() {
		switch r := r.(type) {
		case *ssa.Defer, *ssa.Call:
		case *ssa.Store:
			if _, ok := r.Addr.(*ssa.Alloc); !ok {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// failed reports whether the i-th edge out of b is taken only when the start
// did not do its work: its error is set, or the boolean it reports is false.
func (w *walker) failed(b *ssa.BasicBlock, i int) bool {
	if call := failedCall(b, i); call != nil && w.ofStart(call) {
		return true
	}
	if len(b.Succs) != 2 {
		return false
	}
	cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	v, want := cond.Cond, i == 1 // false edge of got
	if not, ok := v.(*ssa.UnOp); ok && not.Op == token.NOT {
		v, want = not.X, i == 0
	}
	return want && w.reported(v)
}

// ofStart reports whether the call is the start, or the Scan of its row.
func (w *walker) ofStart(call ssa.Value) bool {
	if call == w.start.Value() {
		return true
	}
	c, ok := call.(*ssa.Call)
	if !ok {
		return false
	}
	for _, op := range c.Operands(nil) {
		if *op == w.start.Value() && w.start.Value() != nil {
			return true
		}
	}
	if f, ok := c.Common().Value.(ssa.Value); ok && c.Common().IsInvoke() && f == w.start.Value() {
		return true
	}
	return false
}

// reported reports whether v is a boolean that the start reports: a result of
// the call, or a variable that the row is scanned into.
func (w *walker) reported(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Extract:
		return v.Tuple == w.start.Value()
	case *ssa.Call:
		return v == w.start.Value()
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return false
		}
		a, ok := v.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		for _, target := range w.site.e.scanTargets(w.start) {
			if unwrap(target) == a {
				return true
			}
		}
	}
	return false
}

// scanTargets returns the pointers that the row of a query is scanned into.
func (e *engine) scanTargets(call ssa.CallInstruction) []ssa.Value {
	var out []ssa.Value
	for _, c := range e.callees(call.Common()) {
		if f := c.api(); f != nil && f.Args.Index() >= 0 {
			for i := 0; i < f.Args.Index() && i < len(c.args); i++ {
				if _, ok := unwrap(c.args[i]).(*ssa.Alloc); ok {
					out = append(out, c.args[i]) // sqlx's Get(&dest, text)
				}
			}
		}
	}
	v := call.Value()
	if v == nil {
		return out
	}
	var follow func(ssa.Value, int)
	follow = func(v ssa.Value, depth int) {
		if depth > 4 || v.Referrers() == nil {
			return
		}
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Extract:
				follow(r, depth+1)
			case *ssa.Call:
				common := r.Common()
				recv := common.Value
				if !common.IsInvoke() && len(common.Args) > 0 {
					recv = common.Args[0]
				}
				if recv != v {
					continue
				}
				for _, a := range common.Args {
					els := variadic(a)
					if els == nil {
						els = []ssa.Value{a}
					}
					for _, el := range els {
						if el != nil && el != recv {
							out = append(out, el)
						}
					}
				}
			}
		}
	}
	follow(v, 0)
	return out
}

func indexOf(in ssa.Instruction) int {
	for i, x := range in.Block().Instrs {
		if x == in {
			return i
		}
	}
	return -1
}

// dominates reports whether a is executed before b on every path to b.
func dominates(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return indexOf(a) < indexOf(b)
	}
	return a.Block().Dominates(b.Block())
}

// reaches reports whether there is a path from a to b.
func reaches(a, b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(*ssa.BasicBlock) bool
	visit = func(x *ssa.BasicBlock) bool {
		if x == b {
			return true
		}
		if seen[x] {
			return false
		}
		seen[x] = true
		for _, s := range x.Succs {
			if visit(s) {
				return true
			}
		}
		return false
	}
	return visit(a)
}
