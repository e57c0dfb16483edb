package txflow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

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
//
// A session that a library lends to a function goes back when that function
// returns. One that the function keeps in a field, or in a function that it
// returns, goes back where the field's methods, or that function, give it back.
func (s *Site) Leak(v Value, undone func(*Effect) bool) *Leak {
	w := s.walk(v, undone)
	if w == nil || w.escapes() {
		return nil
	}
	for _, x := range s.e.summary(w.fn).effects {
		w.byInstr[x.Instr] = append(w.byInstr[x.Instr], x)
	}
	// A deferred undo that was registered before covers every path.
	for in, xs := range w.byInstr {
		if _, ok := in.(*ssa.Defer); ok && w.undoes(xs) && dominates(in, w.start) {
			return nil
		}
	}
	if f := w.e.rowOf(w.start); f != nil && f.Role == dbapi.Raw {
		// In the function that gets the driver's connection: on which of its paths
		// is not asked.
		if others := slices.DeleteFunc(slices.Clone(w.byInstr[w.start]), func(x *Effect) bool { return x.Origin == s.Origin }); w.undoes(others) {
			return nil
		}
	}
	return w.from(w.start.Block(), indexOf(w.start)+1)
}

// A walker follows the paths of fn from start on, which did something to the
// handle v.
type walker struct {
	e      *engine
	fn     *ssa.Function
	v      Value
	undone func(*Effect) bool
	start  ssa.CallInstruction
	// lent is set when the handle goes back with every return.
	lent    bool
	byInstr map[ssa.Instruction][]*Effect
	seen    map[*ssa.BasicBlock]bool
	// releasers are the returned closures that give the handle back, and kept
	// the stores of the handle in a field from which an effect gives it back.
	releasers map[ssa.Value]bool
	kept      map[ssa.Instruction]*Effect
	inField   bool // while the uses of a field are looked at
}

// walk returns the walker for a site's handle v, or nil.
func (s *Site) walk(v Value, undone func(*Effect) bool) *walker {
	if s.Fn == nil || v.Base == nil {
		return nil
	}
	w := &walker{
		e: s.e, fn: s.Fn, v: v, undone: undone, start: s.Instr,
		byInstr: map[ssa.Instruction][]*Effect{}, seen: map[*ssa.BasicBlock]bool{},
		releasers: map[ssa.Value]bool{}, kept: map[ssa.Instruction]*Effect{},
	}
	for _, x := range s.e.summary(s.Fn).effects {
		if x.Op == Take && x.Instr == s.Instr && x.API != nil && x.API.Role == dbapi.RunSession && x.Handle.Same(v) {
			return s.walkBody(w, x)
		}
	}
	return w
}

// walkBody points w at the function to which the library call of take lends the
// session: there the handle is a parameter.
func (s *Site) walkBody(w *walker, take *Effect) *walker {
	p := s.e.lentTo(take)
	if p == nil {
		return nil
	}
	outer, undone := w.v, w.undone
	w.fn, w.v, w.lent = p.Parent(), s.e.eval(p, ""), true
	w.undone = func(x *Effect) bool {
		y := *x
		if x.Handle.Same(w.v) {
			y.Handle = outer
		}
		return undone(&y)
	}
	for _, x := range s.e.summary(w.fn).effects {
		if x.Origin == s.Origin && x.Handle.Same(w.v) {
			w.start = x.Instr
			return w
		}
	}
	return nil
}

// lentTo returns the parameter in which the function that a library runs with a
// session gets it; nil when it is not known which function that is.
func (e *engine) lentTo(take *Effect) *ssa.Parameter {
	for _, c := range e.callees(take.Instr.Common()) {
		if c.api() != take.API {
			continue
		}
		ts := e.functions(c.arg(take.API.Fn), 0)
		if len(ts) != 1 || ts[0].fn == nil {
			return nil
		}
		i := take.API.FnHandle.Index()
		if ts[0].recv != nil {
			i++
		}
		if i >= 0 && i < len(ts[0].fn.Params) {
			return ts[0].fn.Params[i]
		}
	}
	return nil
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
		if x := w.kept[in]; x != nil {
			return &Leak{At: x.Instr}
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

// atReturn decides a path that reaches a return statement: it leaks when the
// return, a deferred call or a returned function gives the session back.
func (w *walker) atReturn(ret *ssa.Return) *Leak {
	if w.lent {
		return &Leak{At: ret}
	}
	for _, v := range ret.Results {
		if w.releasers[unwrap(v)] {
			return &Leak{At: ret}
		}
	}
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
	if p := w.v.Parameter(); w.lent && p != nil {
		return w.escapesFrom(p, map[ssa.Value]bool{})
	}
	base, ok := w.v.Base.(ssa.Instruction)
	if !ok || base.Parent() != w.fn {
		return true
	}
	return w.escapesFrom(w.v.Base, map[ssa.Value]bool{})
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
				if !w.keeps(r) {
					return true
				}
			}
		case *ssa.UnOp:
			if r.Op == token.MUL && w.escapesFrom(r, seen) {
				return true
			}
		case *ssa.MakeClosure:
			if w.closureEscapes(r) {
				return true
			}
		case *ssa.MapUpdate, *ssa.Send:
			return true
		}
	}
	return false
}

// keeps notes that the handle is kept in a field of an object whose methods
// give it back as it is; false when something else may become of it there.
func (w *walker) keeps(st *ssa.Store) bool {
	a, ok := st.Addr.(*ssa.FieldAddr)
	if !ok || w.v.Kind != Session || w.inField {
		return false // from one field to another: too far
	}
	key, ok := keyOfField(a)
	if !ok || token.IsExported(key.field) || w.fieldEscapes(key) {
		return false
	}
	x := w.givenBackFrom(key)
	if x != nil {
		w.kept[st] = x
	}
	return x != nil
}

// fieldEscapes reports whether some function of the package lets what is in the
// field out of sight.
func (w *walker) fieldEscapes(key fieldKey) bool {
	w.inField = true
	defer func() { w.inField = false }()
	for _, fn := range w.e.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if v := fieldOf(in, key); v != nil && w.escapesFrom(v, map[ssa.Value]bool{}) {
					return true
				}
			}
		}
	}
	return false
}

// fieldOf returns the value of an instruction that selects the field, or nil.
func fieldOf(in ssa.Instruction, key fieldKey) ssa.Value {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		if k, ok := keyOfField(in); ok && k == key {
			return in
		}
	case *ssa.Field:
		n, ok := types.Unalias(in.X.Type()).(*types.Named)
		if ok && n.Origin().Obj() == key.typ && structOf(n).Field(in.Field).Name() == key.field {
			return in
		}
	}
	return nil
}

// givenBackFrom returns the effect by which a function of the package gives
// back the session in the field; nil when there is none, or when the package
// undoes what was done to it, destroys it, or runs on it what is not known.
func (w *walker) givenBackFrom(key fieldKey) *Effect {
	var found *Effect
	for _, fn := range w.e.funcs {
		for _, x := range w.e.summary(fn).effects {
			y := *x
			y.Handle = w.v
			if x.Op == Run && w.undone(&y) {
				return nil
			}
			if !inField(x.Handle, key) {
				continue
			}
			switch {
			case x.Op == Destroy, x.Op == Escape, x.Op == Run && (len(x.Texts) == 0 || !w.e.textSettled(x)):
				return nil
			case x.Op == GiveBack && found == nil:
				found = x
			}
		}
	}
	return found
}

// inField reports whether the value is what the field of some object holds.
func inField(v Value, key fieldKey) bool {
	p := v.Parameter()
	i := strings.LastIndexByte(v.Path, '.')
	if p == nil || i < 0 || v.Path[i+1:] != key.field {
		return false
	}
	owner := fieldType(p.Type(), v.Path[:i])
	if owner == nil {
		return false
	}
	n, ok := types.Unalias(derefPtr(owner)).(*types.Named)
	return ok && n.Origin().Obj() == key.typ
}

// releases reports whether all that a closure does to the handle is to give it
// back.
func (w *walker) releases(c *ssa.MakeClosure) bool {
	found := false
	for _, x := range w.e.summary(c.Fn.(*ssa.Function)).effects {
		if w.undoes([]*Effect{x}) {
			return false
		}
		found = found || w.ends(x)
	}
	return found
}

// closureEscapes reports whether a closure that captures the handle is more
// than called, deferred, handed to a function that runs it, or returned as what
// gives the handle back.
func (w *walker) closureEscapes(c *ssa.MakeClosure) bool {
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
		case *ssa.Return:
			if !w.releases(c) {
				return true
			}
			w.releasers[c] = true
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
	if c.Common().IsInvoke() && c.Common().Value == w.start.Value() {
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
		for _, target := range w.e.scanTargets(w.start) {
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
	for _, f := range e.fills(call) {
		out = append(out, f.dst) // what the end of a chain scans into
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
