package sqltext

import (
	"go/types"
	"regexp"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"
)

func sortUses(list []use) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].index < list[j].index })
}

// indexOf is the place of an instruction in its block.
func (r *Resolver) indexOf(inst ssa.Instruction) int {
	b := inst.Block()
	if len(b.Instrs) < 64 {
		for i, x := range b.Instrs {
			if x == inst {
				return i
			}
		}
	}
	m := r.places[b]
	if m == nil {
		m = make(map[ssa.Instruction]int, len(b.Instrs))
		for i, x := range b.Instrs {
			m[x] = i
		}
		r.places[b] = m
	}
	return m[inst]
}

// A callee is a function that a call may reach, with the arguments and the
// free variables it gets.
type callee struct {
	fn    *ssa.Function
	args  []ssa.Value
	binds []ssa.Value
	maker *frame
	made  ssa.Instruction
}

// callees are the functions a call reaches, nil if they are not all known.
func (r *Resolver) callees(f *frame, call ssa.CallInstruction) []callee {
	c := call.Common()
	if c.IsInvoke() {
		return r.invoked(f, c)
	}
	if fn, ok := c.Value.(*ssa.Function); ok {
		return []callee{{fn: fn, args: c.Args}}
	}
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return nil
	}
	var out []callee
	for _, v := range r.value(f, c.Value, "?") {
		if v.org == nil {
			return nil
		}
		switch fn := v.org.v.(type) {
		case *ssa.Function:
			out = append(out, callee{fn: fn, args: c.Args})
		case *ssa.MakeClosure:
			out = append(out, callee{fn.Fn.(*ssa.Function), c.Args, fn.Bindings, v.org.at.f, fn})
		default:
			return nil
		}
	}
	return out
}

// invoked finds the methods behind an interface whose concrete values are
// known.
func (r *Resolver) invoked(f *frame, c *ssa.CallCommon) []callee {
	var out []callee
	for _, v := range r.value(f, c.Value, "!") {
		if v.org == nil || types.IsInterface(v.org.v.Type()) || v.org.at.f != f {
			return nil
		}
		fn := r.method(v.org.v.Type(), c.Method)
		if fn == nil {
			return nil
		}
		out = append(out, callee{fn: fn, args: append([]ssa.Value{v.org.v}, c.Args...)})
	}
	return out
}

// method is the declared method of a type in the package, not a promoted one.
func (r *Resolver) method(t types.Type, m *types.Func) *ssa.Function {
	obj, index, _ := types.LookupFieldOrMethod(t, false, m.Pkg(), m.Name())
	fn, ok := obj.(*types.Func)
	if !ok || len(index) != 1 {
		return nil
	}
	recv := fn.Signature().Recv().Type()
	if isPointer(recv) != isPointer(t) {
		return nil
	}
	return r.pkg.Prog.FuncValue(fn.Origin())
}

// body is the function with a body that stands for fn, nil if there is none
// in this package.
func (r *Resolver) body(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Blocks == nil {
		return nil
	}
	if fn.Pkg == r.pkg {
		return fn
	}
	if obj := fn.Object(); fn.Pkg == nil && obj != nil && obj.Pkg() == r.pkg.Pkg {
		return fn
	}
	return nil
}

// enter makes the frame of a call, nil for functions without a body here, and
// for recursion.
func (r *Resolver) enter(f *frame, site ssa.Instruction, c callee) *frame {
	fn := r.body(c.fn)
	if fn == nil || f.depth >= maxDepth {
		return nil
	}
	if f.fn == fn || site.Parent() == fn {
		return nil
	}
	for up := f; up != nil; up = up.caller {
		if up.fn == fn {
			return nil
		}
	}
	k := kid{site, fn, c.made}
	if g := f.kids[k]; g != nil {
		return g
	}
	g := newFrame(f)
	g.site, g.fn, g.args, g.binds, g.maker, g.made = site, fn, c.args, c.binds, c.maker, c.made
	if f.kids == nil {
		f.kids = map[kid]*frame{}
	}
	f.kids[k] = g
	return g
}

type kid struct {
	site ssa.Instruction
	fn   *ssa.Function
	made ssa.Instruction
}

// result is what a call returns at index.
func (r *Resolver) result(f *frame, call *ssa.Call, index int, path string) vals {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			return r.appended(f, &call.Call, path)
		}
		return nil
	}
	callees := r.callees(f, call)
	if callees == nil && rebinds(&call.Call) && index == 0 && path == "" {
		return same(0).eval(&folding{r, f, call, call.Call.Args})
	}
	if callees == nil {
		return r.opaque(f, call, path)
	}
	alts := make([]vals, len(callees))
	for i, c := range callees {
		if fold := functions[nameOf(c.fn)]; fold.index == index && fold.eval != nil {
			if fold.view == viewOfCall(path) {
				alts[i] = fold.eval(&folding{r, f, call, c.args})
			}
			continue
		}
		if g := r.enter(f, call, c); g != nil {
			alts[i] = r.returned(g, index, path)
		} else if len(callees) == 1 {
			return r.opaque(f, call, path)
		}
	}
	return union(viewOf(path), alts...)
}

// rebinds reports whether a call is of an interface method in the form of sqlx's
// Rebind, in whose image users write their own: it changes placeholders only.
func rebinds(c *ssa.CallCommon) bool {
	if !c.IsInvoke() || c.Method.Name() != "Rebind" {
		return false
	}
	sig := c.Method.Signature()
	return sig.Params().Len() == 1 && sig.Results().Len() == 1 && isString(sig.Params().At(0).Type()) && isString(sig.Results().At(0).Type())
}

// opaque is the result of a call that is not followed: a value of its own.
func (r *Resolver) opaque(f *frame, call *ssa.Call, path string) vals {
	if path == "?" || path == "!" {
		return itself(f, call)
	}
	return nil
}

func viewOfCall(path string) string {
	if path == "#" || path == "[]" {
		return path
	}
	if path == "" {
		return ""
	}
	return "-"
}

// returned is what a function returns at index. What it returns with an error
// is nobody's text.
func (r *Resolver) returned(g *frame, index int, path string) vals {
	var alts []vals
	for _, b := range g.fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || b == g.fn.Recover || index >= len(ret.Results) || fails(ret, index) {
			continue
		}
		alts = append(alts, r.at(point{g, ret}, ret.Results[index], path))
	}
	return union(viewOf(path), alts...)
}

// fails says whether a return gives an error, and a zero value at index.
func fails(ret *ssa.Return, index int) bool {
	n := len(ret.Results) - 1
	if n == index || ret.Results[n].Type().String() != "error" {
		return false
	}
	if e, ok := ret.Results[n].(*ssa.Const); ok && e.IsNil() {
		return false
	}
	c, ok := ret.Results[index].(*ssa.Const)
	return ok && (c.Value == nil || c.Value.ExactString() == `""`)
}

// effect is the content of rest, below what a call is given the address of,
// after the call.
func (r *Resolver) effect(f *frame, u use, rest string, earlier func() vals) vals {
	call, ok := u.inst.(*ssa.Call)
	if !ok {
		return nil
	}
	callees := r.callees(f, call)
	if callees == nil {
		return nil
	}
	alts := make([]vals, 0, len(callees))
	for _, c := range callees {
		alts = append(alts, r.calleeEffect(f, u, c, rest, earlier))
	}
	return union(viewOf(rest), alts...)
}

func (r *Resolver) calleeEffect(f *frame, u use, c callee, rest string, earlier func() vals) vals {
	if rest == "#" && u.kind == isCall {
		if op, ok := writers[nameOf(c.fn)]; ok && op.arg == u.arg {
			if op.write == nil {
				return earlier()
			}
			return op.write(&folding{r, f, u.inst.(*ssa.Call), c.args}, earlier)
		}
	}
	fn := r.body(c.fn)
	if fn == nil {
		return nil
	}
	var root ssa.Value
	switch {
	case u.kind == isClose:
		root = fn.FreeVars[u.arg]
	case u.arg < len(fn.Params):
		root = fn.Params[u.arg]
	default:
		return nil
	}
	if !r.touches(root, rest, map[ssa.Value]bool{}) {
		return earlier()
	}
	g := r.enter(f, u.inst, c)
	if g == nil {
		return nil
	}
	var alts []vals
	for _, b := range fn.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != fn.Recover {
			alts = append(alts, r.before(g, root, rest, b, len(b.Instrs)))
		}
	}
	return union(viewOf(rest), alts...)
}

// touches says whether a function may write below a parameter or free variable
// of its own.
func (r *Resolver) touches(root ssa.Value, path string, busy map[ssa.Value]bool) bool {
	if busy[root] {
		return false
	}
	busy[root] = true
	u := r.uses(root)
	for _, list := range u.blocks {
		for _, x := range list {
			rest, ok, _ := below(path, x.path)
			if ok && (x.kind != isCall || r.passes(x, rest, busy)) {
				return true
			}
		}
	}
	return false
}

// passes says whether a use that is a call may write.
func (r *Resolver) passes(u use, rest string, busy map[ssa.Value]bool) bool {
	call, ok := u.inst.(*ssa.Call)
	if !ok {
		return true
	}
	name := nameOf(call.Call.StaticCallee())
	if op, ok := writers[name]; ok && op.arg == u.arg && op.write == nil {
		return false
	}
	if _, ok := functions[name]; ok {
		return false
	}
	fn := r.body(call.Call.StaticCallee())
	if fn == nil || u.arg >= len(fn.Params) {
		return true
	}
	return r.touches(fn.Params[u.arg], rest, busy)
}

var version = regexp.MustCompile(`/v\d+\b`)

// nameOf is the full name of a function, without type arguments and without
// the major version in its package path.
func nameOf(fn *ssa.Function) string {
	if fn == nil {
		return ""
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return ""
	}
	name := obj.FullName()
	if strings.Contains(name, "/v") {
		name = version.ReplaceAllString(name, "")
	}
	return name
}

// folding is a call whose result is folded: args has the receiver first.
type folding struct {
	r    *Resolver
	f    *frame
	call *ssa.Call
	args []ssa.Value
}

func (c *folding) text(i int) Set {
	return c.r.texts(c.r.at(point{c.f, c.call}, c.args[i], ""))
}

func (c *folding) list(i int) vals {
	return c.r.at(point{c.f, c.call}, c.args[i], "[]")
}

// constant is an argument that is one known text.
func (c *folding) constant(i int) (string, bool) {
	s := c.text(i)
	if len(s) != 1 {
		return "", false
	}
	return s[0].constant()
}
