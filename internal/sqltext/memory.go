package sqltext

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// address splits an address into what it is based on and the path below.
func (r *Resolver) address(v ssa.Value) (root ssa.Value, path string) {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			path = fieldStep(x.X.Type(), x.Field) + path
			v = x.X
		case *ssa.IndexAddr:
			if isSlice(x.X.Type()) {
				return v, path
			}
			path = indexStep(x.Index) + path
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Call:
			i := r.fluent(x.Call.StaticCallee())
			if i < 0 || i >= len(x.Call.Args) {
				return v, path
			}
			v = x.Call.Args[i]
		default:
			return v, path
		}
	}
}

// mem is the content of an address, below a path, just before p.
func (r *Resolver) mem(p point, addr ssa.Value, path string) vals {
	root, sub := r.address(addr)
	path = sub + path
	if endless(path) {
		return nil
	}
	switch x := root.(type) {
	case *ssa.Global:
		return r.global(x, path)
	case *ssa.IndexAddr:
		return r.value(p.f, x.X, indexStep(x.Index)+path)
	case *ssa.Const:
		return r.constant(x, path)
	}
	if strings.Contains(path, "[*]") {
		if vs, ok := r.anyElement(p, root, path); ok {
			return vs
		}
	}
	if p.inst == nil || p.inst.Parent() != root.Parent() {
		return r.value(p.f, root, content(path))
	}
	block := p.inst.Block()
	return r.before(p.f, root, path, block, r.indexOf(p.inst))
}

// endless says whether a path comes from a loop along a linked structure: it
// repeats a field, or is long.
func endless(path string) bool {
	last := ""
	for n := 0; path != ""; n++ {
		var step string
		step, path = cut(path)
		if n > maxPath || step == last && step[0] == '.' {
			return true
		}
		last = step
	}
	return false
}

// anyElement is some element of an array: of a local one, all that is stored.
func (r *Resolver) anyElement(p point, root ssa.Value, path string) (vals, bool) {
	if _, ok := root.(*ssa.Alloc); !ok {
		return nil, false
	}
	u := r.uses(root)
	var alts []vals
	for _, b := range u.order {
		for _, use := range u.blocks[b] {
			rest, ok, _ := below(path, use.path)
			switch {
			case !ok:
			case use.kind != isStore:
				return nil, true
			default:
				alts = append(alts, r.at(point{p.f, use.inst}, use.val, rest))
			}
			if len(alts) > 4*MaxTexts {
				return nil, true
			}
		}
	}
	return union(viewOf(path), alts...), true
}

// before is the content below root just before instruction n of a block.
func (r *Resolver) before(f *frame, root ssa.Value, path string, block *ssa.BasicBlock, n int) vals {
	u := r.uses(root)
	list := u.blocks[block]
	i := len(list) - 1
	for i >= 0 && list[i].index >= n {
		i--
	}
	return r.scan(f, root, path, block, list[:i+1])
}

// scan goes back through the uses of root in a block.
func (r *Resolver) scan(f *frame, root ssa.Value, path string, block *ssa.BasicBlock, list []use) vals {
	if !r.step() {
		return nil
	}
	if len(list) == 0 {
		return r.blockStart(f, root, path, block)
	}
	last := list[len(list)-1]
	earlier := func() vals { return r.scan(f, root, path, block, list[:len(list)-1]) }
	rest, ok, sure := below(path, last.path)
	if !ok {
		return earlier()
	}
	switch last.kind {
	case isStore:
		vs := r.at(point{f, last.inst}, last.val, rest)
		if !sure || last.weak {
			return union(viewOf(path), vs, earlier())
		}
		return vs
	case isEscape:
		if _, ok := root.(*ssa.Parameter); ok {
			return earlier() // others have known the address before
		}
		if strings.HasSuffix(path, "#") || r.uses(root).stores(path) != 1 {
			return nil
		}
		return earlier()
	case isWild:
		return nil
	}
	return r.effect(f, last, rest, earlier)
}

// blockStart is the content below root where a block begins, or where root is
// made in it.
func (r *Resolver) blockStart(f *frame, root ssa.Value, path string, block *ssa.BasicBlock) vals {
	if inst, ok := root.(ssa.Instruction); ok && inst.Block() == block {
		return r.origin(f, root, path)
	}
	if block.Index == 0 {
		return r.value(f, root, content(path))
	}
	if len(block.Preds) == 0 {
		return vals{}
	}
	if r.uses(root).quiet {
		return r.origin(f, root, path)
	}
	return r.remember(f, key{v: root, path: path, block: block}, func() vals {
		alts := make([]vals, len(block.Preds))
		for i, p := range block.Preds {
			alts[i] = r.before(f, root, path, p, len(p.Instrs))
		}
		return union(viewOf(path), alts...)
	})
}

func (r *Resolver) origin(f *frame, root ssa.Value, path string) vals {
	if a, ok := root.(*ssa.Alloc); ok {
		return zero(coreElem(a), path)
	}
	return r.value(f, root, content(path))
}

// content is the path of what a pointer points to, as a path below the
// pointer: only for a view of values these are not the same.
func content(path string) string {
	if path == "?" || path == "!" {
		return "*" + path
	}
	return path
}

// fluent is the parameter that a function of the package always returns, -1
// for none.
func (r *Resolver) fluent(fn *ssa.Function) int {
	fn = r.body(fn)
	if fn == nil || fn.Signature.Results().Len() != 1 || len(fn.Params) == 0 || !isPointer(fn.Params[0].Type()) ||
		!types.Identical(fn.Signature.Results().At(0).Type(), fn.Params[0].Type()) {
		return -1
	}
	if n, ok := r.fluents[fn]; ok {
		return n
	}
	r.fluents[fn] = -1 // for recursion
	n := -1
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || b == fn.Recover {
			continue
		}
		if root, path := r.address(ret.Results[0]); root != fn.Params[0] || path != "" {
			n = -1
			break
		}
		n = 0
	}
	r.fluents[fn] = n
	return n
}

// uses

type useKind uint8

const (
	isStore  useKind = iota // val is stored at path
	isCall                  // a call is given the address of path as argument arg
	isClose                 // a closure that has the address of path as free variable arg is called
	isEscape                // the address of path is stored
	isWild                  // something unknown may write
)

// A use is one instruction that writes, or may write, below a root.
type use struct {
	kind  useKind
	inst  ssa.Instruction
	index int // of inst in its block
	path  string
	val   ssa.Value
	arg   int
	made  *ssa.MakeClosure
	weak  bool // through a phi: perhaps another root is written
}

// usage is the uses of one root in its function, in order.
type usage struct {
	blocks map[*ssa.BasicBlock][]use
	order  []*ssa.BasicBlock
	quiet  bool // no uses
}

// stores counts the stores that reach a path.
func (u *usage) stores(path string) int {
	n := 0
	for _, list := range u.blocks {
		for _, x := range list {
			if _, ok, _ := below(path, x.path); ok && x.kind == isStore {
				n++
			}
		}
	}
	return n
}

// writtenAfter says whether the content of a path may change after an
// instruction, other than by a new root.
func (u *usage) writtenAfter(inst ssa.Instruction, root ssa.Value, path string) bool {
	def, _ := root.(ssa.Instruction)
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock, from ssa.Instruction) bool
	visit = func(b *ssa.BasicBlock, from ssa.Instruction) bool {
		active := from == nil
		for _, x := range b.Instrs {
			if x == from {
				active = true
				continue
			}
			if !active {
				continue
			}
			if x == def {
				return false
			}
			for _, y := range u.blocks[b] {
				if y.inst == x && y.kind != isEscape && y.made != from {
					if _, ok, _ := below(path, y.path); ok {
						return true
					}
				}
			}
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				if visit(s, nil) {
					return true
				}
			}
		}
		return false
	}
	if u.quiet {
		return false
	}
	return visit(inst.Block(), inst)
}

// uses collects, once, what may write below a root.
func (r *Resolver) uses(root ssa.Value) *usage {
	if u := r.usage[root]; u != nil {
		return u
	}
	c := collector{r: r, seen: map[ssa.Value]bool{}}
	r.usage[root] = &usage{quiet: true} // for recursion
	c.collect(root, "", false)
	u := c.sorted()
	r.usage[root] = u
	return u
}

type collector struct {
	r    *Resolver
	seen map[ssa.Value]bool
	list []use
}

func (c *collector) collect(v ssa.Value, path string, weak bool) {
	refs := v.Referrers()
	if c.seen[v] || refs == nil {
		return
	}
	c.seen[v] = true
	for _, ref := range *refs {
		c.referrer(v, ref, path, weak)
	}
}

func (c *collector) referrer(v ssa.Value, ref ssa.Instruction, path string, weak bool) {
	add := func(u use) {
		u.inst, u.path, u.weak = ref, path, weak
		c.list = append(c.list, u)
	}
	switch x := ref.(type) {
	case *ssa.Store:
		if x.Addr == v {
			add(use{kind: isStore, val: x.Val})
		}
		if x.Val == v && holdsAddress(v) {
			add(use{kind: isEscape})
		}
	case *ssa.FieldAddr:
		c.collect(x, path+fieldStep(x.X.Type(), x.Field), weak)
	case *ssa.IndexAddr:
		if x.X == v {
			c.collect(x, path+indexStep(x.Index), weak)
		}
	case *ssa.Slice:
		if isPointer(x.X.Type()) {
			c.slice(x, path, weak)
		}
	case *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface:
		c.collect(ref.(ssa.Value), path, weak)
	case *ssa.TypeAssert:
		if !x.CommaOk {
			c.collect(x, path, weak)
		}
	case *ssa.UnOp:
		if isPointer(x.Type()) {
			c.collect(x, path, weak)
		}
	case *ssa.Phi:
		if holdsAddress(v) {
			c.collect(x, path, true)
		}
	case *ssa.MakeClosure:
		c.closure(v, x, path, weak)
	case ssa.CallInstruction:
		c.call(v, x, path, weak, add)
	case *ssa.Send, *ssa.MapUpdate, *ssa.Select:
		add(use{kind: isEscape})
	}
}

// holdsAddress is false for values that are loaded from below the root only to
// be copied.
func holdsAddress(v ssa.Value) bool {
	_, load := v.(*ssa.UnOp)
	return !load
}

// slice follows the elements of a slice of the root, an array.
func (c *collector) slice(s *ssa.Slice, path string, weak bool) {
	if c.seen[s] {
		return
	}
	c.seen[s] = true
	for _, ref := range *s.Referrers() {
		if x, ok := ref.(*ssa.IndexAddr); ok && x.X == s {
			step := indexStep(x.Index)
			if s.Low != nil {
				step = "[*]"
			}
			c.collect(x, path+step, weak)
		}
	}
}

func (c *collector) call(v ssa.Value, call ssa.CallInstruction, path string, weak bool, add func(use)) {
	if _, ok := call.(*ssa.Defer); ok {
		return
	}
	common := call.Common()
	if common.IsInvoke() && common.Value == v {
		add(use{kind: isWild})
		return
	}
	if !holdsAddress(v) && !isPointer(v.Type()) {
		return
	}
	for i, a := range common.Args {
		if a == v {
			add(use{kind: isCall, arg: i})
		}
	}
	if x, ok := call.(*ssa.Call); ok && c.r.fluent(common.StaticCallee()) == 0 && common.Args[0] == v {
		c.collect(x, path, weak)
	}
}

// closure adds the calls of a closure that writes the variable it captures.
func (c *collector) closure(v ssa.Value, mc *ssa.MakeClosure, path string, weak bool) {
	fn, _ := mc.Fn.(*ssa.Function)
	for i, b := range mc.Bindings {
		if b != v || fn == nil || c.r.uses(fn.FreeVars[i]).quiet {
			continue
		}
		for _, ref := range *mc.Referrers() {
			u := use{kind: isWild, inst: ref, path: path, weak: weak, made: mc}
			if d, ok := ref.(*ssa.Defer); ok && d.Call.Value == mc {
				c.deferred(u)
				continue
			}
			if call, ok := ref.(*ssa.Call); ok && call.Call.Value == mc {
				u.kind, u.arg = isClose, i
			}
			c.list = append(c.list, u)
		}
	}
}

// deferred adds a use where the function runs its deferred calls.
func (c *collector) deferred(u use) {
	for _, b := range u.inst.Parent().Blocks {
		for _, inst := range b.Instrs {
			if run, ok := inst.(*ssa.RunDefers); ok {
				u.inst = run
				c.list = append(c.list, u)
			}
		}
	}
}

// sorted orders the uses as the instructions stand in their blocks.
func (c *collector) sorted() *usage {
	u := &usage{blocks: map[*ssa.BasicBlock][]use{}, quiet: len(c.list) == 0}
	for _, x := range c.list {
		b := x.inst.Block()
		if u.blocks[b] == nil {
			u.order = append(u.order, b)
		}
		x.index = c.r.indexOf(x.inst)
		u.blocks[b] = append(u.blocks[b], x)
	}
	for _, list := range u.blocks {
		sortUses(list)
	}
	return u
}

func coreElem(a *ssa.Alloc) types.Type { return a.Type().Underlying().(*types.Pointer).Elem() }
