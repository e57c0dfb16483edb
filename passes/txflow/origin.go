package txflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// A callKey names a call across functions: the call in the function that asks,
// and below it, as text, the call in the function that is called, and so on.
type callKey struct {
	call  ssa.CallInstruction
	inner string
}

// A source is something that a Go value is made of.
//
// The path below the base begins with what is taken out of it and goes on with
// fields: ".Field" is a field, "[2]" column 2 of a result, "{name}" the column
// of that name, "!" the error of a call, "#len" a number of rows, "#1" result 1
// of a call that is not seen, and at the end "#few" that a number is small, and "#not" the opposite of
// a condition.
type source struct {
	// base is a parameter (*ssa.Parameter, *foreignParam), a callKey, or a
	// konst.
	base any
	path string
	// derived is set when the value was computed from the source and is not a
	// copy of it.
	derived bool
}

// notSuffix ends the path of a source that is the opposite of a condition, and
// fewSuffix that of one that says that a number is small.
const (
	notSuffix = "#not"
	fewSuffix = "#few"
)

// A konst is a constant, as go/constant prints it exactly.
type konst string

// sources are what a value is made of. Something unknown may be in it too.
type sources []source

// maxSources bounds what a value is made of, maxOriginDepth the steps of one
// look-up, and maxOriginPath the length of a path.
const (
	maxSources     = 16
	maxOriginDepth = 40
	maxOriginPath  = 96
	// maxOriginCuts is how often a look-up that a cycle cut short is done again,
	// and maxOriginSteps the instructions that are looked at, in one package.
	maxOriginCuts  = 5000
	maxOriginSteps = 20_000_000
	// maxLookups bounds the look-ups that one question leads to, and maxAllLookups
	// those of one package.
	maxLookups    = 3000
	maxAllLookups = 1_000_000
)

func (s sources) with(more ...source) sources {
	for _, m := range more {
		if len(s) >= maxSources {
			return s
		}
		if len(m.path) <= maxOriginPath && !slices.Contains(s, m) {
			s = append(s, m)
		}
	}
	return s
}

// computed returns the sources of what is computed from a value with sources s.
func (s sources) computed() sources {
	var out sources
	for _, x := range s {
		if _, ok := x.base.(konst); ok {
			continue
		}
		x.derived = true
		out = out.with(x)
	}
	return out
}

// negated returns the sources of the opposite of a condition.
func (s sources) negated() sources { return s.computed().marked(notSuffix) }

// compared returns the sources of a comparison of what came out of a call: where
// that is a number of rows, whether it is small.
func (s sources) compared(op token.Token, with ssa.Value) sources {
	few := op == token.LSS || op == token.LEQ
	if k, ok := with.(*ssa.Const); ok && k.Value != nil && k.Value.ExactString() == "0" {
		few = few || op == token.EQL
		if op == token.NEQ || op == token.GTR {
			return s.marked(fewSuffix + notSuffix)
		}
	}
	if !few {
		return s
	}
	return s.marked(fewSuffix)
}

// marked puts a suffix to the paths of sources that calls return.
func (s sources) marked(suffix string) sources {
	for i := range s {
		if _, ok := s[i].base.(callKey); ok {
			s[i].path += suffix
		}
	}
	return s
}

// unmarked takes the suffixes off a path, and says whether it is of a condition
// that a number is small, and of the opposite of a condition.
func unmarked(path string) (rest string, few, not bool) {
	rest = path
	for {
		if cut, ok := strings.CutSuffix(rest, notSuffix); ok {
			rest, not = cut, !not
		} else if cut, ok := strings.CutSuffix(rest, fewSuffix); ok {
			rest, few = cut, true
		} else {
			return rest, few, not
		}
	}
}

// below returns the sources of what hangs at a path below a value.
func (s sources) below(path string) sources {
	if path == "" {
		return s
	}
	var out sources
	for _, x := range s {
		if _, ok := x.base.(konst); ok {
			continue
		}
		if !x.derived {
			x.path += path
		}
		out = out.with(x)
	}
	return out
}

// An originKey is a look-up: of a value, or of what a variable holds.
type originKey struct {
	v    ssa.Value
	path string
	at   ssa.Instruction
	held bool
}

// An origins is the memo of the look-ups of one package.
type origins struct {
	memo map[originKey]sources
	busy map[originKey]bool
	cuts int
	// steps are the instructions that were looked at.
	steps   int
	mutates map[*ssa.Parameter]bool
	// lookups are those of the question that is being answered, all those of the
	// package.
	lookups, all int
	changes      map[*ssa.Function]map[ssa.Value]map[*ssa.BasicBlock][]ssa.Instruction
	outs         map[outKey]sources
}

// exhausted counts a look-up, and reports whether there have been too many.
func (o *origins) exhausted() bool {
	if len(o.busy) == 0 {
		o.lookups = 0
	}
	o.lookups++
	o.all++
	return len(o.busy) > maxOriginDepth || o.lookups > maxLookups || o.all > maxAllLookups
}

type outKey struct {
	fn    *ssa.Function
	index int // a result, or -1-i for what parameter i points to
	path  string
}

// origin says what the field path below v is made of, in terms of the
// parameters of the function that v belongs to, the constants, and the calls in
// it whose results are not computed in Go. What a pointer points to is meant as
// it is before the instruction at.
func (e *engine) origin(v ssa.Value, path string, at ssa.Instruction) sources {
	if v == nil || len(path) > maxOriginPath {
		e.data.cuts++
		return nil
	}
	return e.data.answer(originKey{v: v, path: path, at: at}, func() sources { return e.traceOrigin(v, path, at) })
}

// answer looks a key up, or computes it with f and keeps it, unless a cycle or the
// budget cut the look-up short.
func (o *origins) answer(key originKey, f func() sources) sources {
	if got, ok := o.memo[key]; ok {
		return got
	}
	if o.busy[key] || o.exhausted() {
		o.cuts++
		return nil
	}
	cuts := o.cuts
	o.busy[key] = true
	got := f()
	delete(o.busy, key)
	if o.cuts == cuts || len(o.busy) == 0 || o.cuts > maxOriginCuts {
		o.memo[key] = got
	}
	return got
}

func (e *engine) traceOrigin(v ssa.Value, path string, at ssa.Instruction) sources {
	switch v.(type) {
	case *ssa.Call, *ssa.Extract, *ssa.Phi, *ssa.Lookup, *ssa.TypeAssert:
		// What is stored through a pointer after it was made.
		if in := v.(ssa.Instruction); in != at && at != nil && isPointer(v.Type()) && at.Parent() == in.Parent() {
			return e.memory(v, path, at)
		}
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && (path == "" || v.Value.Kind() != constant.Unknown) {
			return sources{{base: konst(v.Value.ExactString())}}
		}
		return nil
	case *ssa.Parameter:
		return e.memory(v, path, at)
	case *ssa.FreeVar, *ssa.Alloc:
		return e.memory(v, path, at)
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return e.memory(v, path, at)
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			return e.memory(v.X, path, v)
		case token.NOT:
			return e.origin(v.X, "", at).negated()
		case token.SUB, token.XOR:
			return e.origin(v.X, "", at).computed()
		}
	case *ssa.BinOp:
		x, y := e.origin(v.X, "", v).computed(), e.origin(v.Y, "", v).computed()
		if _, compares := swapped[v.Op]; compares {
			x, y = x.compared(v.Op, v.Y), y.compared(swapped[v.Op], v.X)
		}
		return x.with(y...)
	case *ssa.Phi:
		var got sources
		for _, edge := range v.Edges {
			got = got.with(e.origin(edge, path, at)...)
		}
		return got
	case *ssa.Field:
		return e.origin(v.X, "."+structOf(v.X.Type()).Field(v.Field).Name()+path, at)
	case *ssa.Index:
		return e.origin(v.X, path, at)
	case *ssa.Slice:
		return e.origin(v.X, path, at)
	case *ssa.Lookup:
		return e.origin(v.X, path, at).with(e.tableKey(v, at)...)
	case *ssa.MakeMap:
		return e.mapValues(v, path)
	case *ssa.MakeInterface:
		return e.origin(v.X, path, at)
	case *ssa.ChangeInterface:
		return e.origin(v.X, path, at)
	case *ssa.ChangeType:
		return e.origin(v.X, path, at)
	case *ssa.Convert:
		return e.origin(v.X, path, at)
	case *ssa.MultiConvert:
		return e.origin(v.X, path, at)
	case *ssa.SliceToArrayPointer:
		return e.origin(v.X, path, at)
	case *ssa.TypeAssert:
		return e.origin(v.X, path, at)
	case *ssa.Extract:
		return e.extracted(v, path, at)
	case *ssa.Call:
		return e.callOrigin(v, 0, path, at)
	}
	return nil
}

// extracted says what one result of a call, of a look-up or of an iteration is
// made of.
func (e *engine) extracted(v *ssa.Extract, path string, at ssa.Instruction) sources {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		return e.callOrigin(t, v.Index, path, at)
	case *ssa.TypeAssert:
		if v.Index == 0 {
			return e.origin(t.X, path, at)
		}
	case *ssa.Lookup:
		if v.Index == 0 {
			return e.origin(t.X, path, at).with(e.tableKey(t, at)...)
		}
		return e.origin(t.X, "", at).computed().with(e.tableKey(t, at)...)
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok && v.Index == 1 {
			return e.mapKeys(r.X)
		} else if ok && v.Index == 2 {
			return e.origin(r.X, path, at)
		}
	}
	return nil
}

// tableKey says what the key is made of under which something is looked up in a
// map of the package, such as the state that follows on a state: what is found
// there is a function of the key.
func (e *engine) tableKey(l *ssa.Lookup, at ssa.Instruction) sources {
	if root, _ := place(l.X, ""); root != nil {
		if _, ok := root.(*ssa.Global); ok {
			return e.origin(l.Index, "", at).computed()
		}
	}
	return nil
}

// mapUpdates returns the instructions that put something into the map m.
func mapUpdates(m ssa.Value) []*ssa.MapUpdate {
	if m.Referrers() == nil {
		return nil
	}
	var out []*ssa.MapUpdate
	for _, r := range *m.Referrers() {
		if u, ok := r.(*ssa.MapUpdate); ok && u.Map == m {
			out = append(out, u)
		}
	}
	return out
}

// mapKeys says what the keys of a map are made of.
func (e *engine) mapKeys(m ssa.Value) sources {
	root, _ := place(m, "")
	var got sources
	for _, u := range mapUpdates(root) {
		got = got.with(e.origin(u.Key, "", u)...)
	}
	return got
}

// mapValues says what the values put into a map are made of.
func (e *engine) mapValues(m ssa.Value, path string) sources {
	var got sources
	for _, u := range mapUpdates(m) {
		got = got.with(e.origin(u.Value, path, u)...)
	}
	return got
}

// place returns the variable that an address or a pointer leads to, and the
// path below it. Elements of arrays and slices are one.
func place(v ssa.Value, path string) (ssa.Value, string) {
	for range 32 {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v, path = x.X, "."+structOf(x.X.Type()).Field(x.Field).Name()+path
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return v, path
			}
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return v, path
		}
	}
	return v, path
}

// memory says what the field path below the variable at addr is made of just
// before the instruction at: what was stored last on the ways that lead there.
func (e *engine) memory(addr ssa.Value, path string, at ssa.Instruction) sources {
	root, path := place(addr, path)
	if _, ok := root.(*ssa.Global); ok {
		return nil
	}
	return e.data.answer(originKey{v: root, path: path, at: at, held: true}, func() sources { return e.held(root, path, at) })
}

func (e *engine) held(root ssa.Value, path string, at ssa.Instruction) sources {
	if at == nil || at.Block() == nil || parentOf(root) != at.Parent() {
		return e.initial(root, path)
	}
	if len(e.changes(root)) == 0 {
		return e.initial(root, path)
	}
	w := e.newWalk(root, path)
	w.back(at.Block(), at)
	return w.got
}

// changes lists, by block, the instructions that may change what a variable of a
// function holds, and the one that makes it.
func (e *engine) changes(root ssa.Value) map[*ssa.BasicBlock][]ssa.Instruction {
	fn := parentOf(root)
	if fn == nil {
		return nil
	}
	byRoot, ok := e.data.changes[fn]
	if !ok {
		byRoot = changesIn(fn)
		if e.data.changes == nil {
			e.data.changes = map[*ssa.Function]map[ssa.Value]map[*ssa.BasicBlock][]ssa.Instruction{}
		}
		e.data.changes[fn] = byRoot
	}
	return byRoot[root]
}

func changesIn(fn *ssa.Function) map[ssa.Value]map[*ssa.BasicBlock][]ssa.Instruction {
	out := map[ssa.Value]map[*ssa.BasicBlock][]ssa.Instruction{}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, root := range changedBy(in) {
				m := out[root]
				if m == nil {
					m = map[*ssa.BasicBlock][]ssa.Instruction{}
					out[root] = m
				}
				if n := len(m[b]); n == 0 || m[b][n-1] != in {
					m[b] = append(m[b], in)
				}
			}
		}
	}
	return out
}

// changedBy lists the variables that an instruction may change.
func changedBy(in ssa.Instruction) []ssa.Value {
	var out []ssa.Value
	add := func(v ssa.Value) {
		if v != nil && isAddressable(v.Type()) {
			root, _ := place(v, "")
			out = append(out, root)
		}
	}
	switch in := in.(type) {
	case *ssa.Store:
		add(in.Addr)
	case *ssa.MapUpdate:
		add(in.Map)
	case *ssa.Call:
		for _, a := range append([]ssa.Value{in.Call.Value}, in.Call.Args...) {
			add(a)
			for _, el := range variadic(a) {
				if el != nil {
					add(unwrap(el))
				}
			}
			if mc, ok := a.(*ssa.MakeClosure); ok {
				for _, b := range mc.Bindings {
					add(b)
				}
			}
			// A chain's model is filled by the call that ends the chain.
			for v, n := a, 0; n < 24; n++ {
				c, ok := v.(*ssa.Call)
				if !ok || len(c.Call.Args) == 0 {
					break
				}
				for _, arg := range c.Call.Args[1:] {
					add(onlyOne(arg))
				}
				v = c.Call.Args[0]
			}
		}
	}
	return out
}

func isAddressable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Slice:
		return true
	}
	return false
}

func (e *engine) newWalk(root ssa.Value, path string) *memoryWalk {
	return &memoryWalk{e: e, root: root, path: path, at: e.changes(root), made: madeIn(root), seen: map[*ssa.BasicBlock]bool{}}
}

// madeIn returns the block of the instruction that makes a value, nil for
// parameters.
func madeIn(v ssa.Value) *ssa.BasicBlock {
	if in, ok := v.(ssa.Instruction); ok {
		return in.Block()
	}
	return nil
}

func parentOf(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Parent()
	case *ssa.FreeVar:
		return v.Parent()
	case ssa.Instruction:
		return v.Parent()
	}
	return nil
}

// A memoryWalk goes backwards through a function and collects what a variable
// holds.
type memoryWalk struct {
	e     *engine
	root  ssa.Value
	path  string
	at    map[*ssa.BasicBlock][]ssa.Instruction // see changes
	made  *ssa.BasicBlock                       // where the variable is made
	seen  map[*ssa.BasicBlock]bool
	steps int
	// inner is set in a closure, where what a variable held before is not asked.
	inner bool
	got   sources
}

const maxMemorySteps = 6000

// back walks from before the instruction at, nil for the end of b.
func (w *memoryWalk) back(b *ssa.BasicBlock, at ssa.Instruction) {
	changes := w.at[b]
	n := len(changes)
	if at != nil {
		n = before(b, changes, at)
	}
	for i := n - 1; i >= 0; i-- {
		if w.defines(changes[i]) {
			return
		}
	}
	w.steps++
	if w.e.data.steps++; w.steps > maxMemorySteps || w.e.data.steps > maxOriginSteps {
		return
	}
	if b == w.made && (at == nil || at != w.root.(ssa.Instruction)) {
		w.begins()
		return
	}
	if len(b.Preds) == 0 {
		w.begins()
		return
	}
	for _, p := range b.Preds {
		if !w.seen[p] {
			w.seen[p] = true
			w.back(p, nil)
		}
	}
}

// begins adds what the variable holds before any of the changes.
func (w *memoryWalk) begins() {
	if !w.inner {
		w.got = w.got.with(w.e.initial(w.root, w.path)...)
	}
}

// before returns how many of the changes in b stand before the instruction at.
func before(b *ssa.BasicBlock, changes []ssa.Instruction, at ssa.Instruction) int {
	n := 0
	for _, in := range b.Instrs {
		if in == at {
			break
		}
		if n < len(changes) && changes[n] == in {
			n++
		}
	}
	return n
}

// defines adds what an instruction puts into the variable, and reports whether
// nothing of what was in it before is left.
func (w *memoryWalk) defines(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		root, path := place(in.Addr, "")
		if root != w.root {
			return false
		}
		if rest, ok := strings.CutPrefix(w.path, path); ok && (rest == "" || rest[0] == '.') {
			w.got = w.got.with(w.e.origin(in.Val, rest, in)...)
			_, element := in.Addr.(*ssa.IndexAddr)
			return !element
		}
		if strings.HasPrefix(path, w.path) {
			w.got = w.got.with(w.e.origin(in.Val, "", in)...) // a part of what is asked for
		}
	case *ssa.MapUpdate:
		if root, path := place(in.Map, ""); root == w.root && path == w.path {
			w.got = w.got.with(w.e.origin(in.Value, "", in)...)
		}
	case ssa.CallInstruction:
		if _, ok := in.(*ssa.Call); !ok {
			return false
		}
		if w.called(in) {
			return true
		}
	}
	return false
}

// called adds what a call puts into the variable.
func (w *memoryWalk) called(call ssa.CallInstruction) bool {
	for _, f := range w.e.fills(call) {
		root, path := place(f.dst, "")
		if root != w.root {
			continue
		}
		if rest, ok := strings.CutPrefix(w.path, path); ok && (rest == "" || rest[0] == '.') {
			w.got = w.got.with(f.at(rest)...)
			return true
		}
		if strings.HasPrefix(path, w.path) {
			w.got = w.got.with(f.at("").computed()...)
		}
	}
	common := call.Common()
	for _, c := range w.e.callees(common) {
		if c.fn == nil && c.foreign == nil || c.api() != nil {
			continue
		}
		for i, a := range c.args {
			if a == nil || !isPointer(a.Type()) {
				continue
			}
			root, path := place(a, "")
			rest, ok := strings.CutPrefix(w.path, path)
			if root != w.root || !ok || rest != "" && rest[0] != '.' {
				continue
			}
			if got, changed := w.e.outOrigin(call, &c, i, rest); changed {
				w.got = w.got.with(got...)
				return true
			}
		}
	}
	w.closures(call)
	return false
}

// closures adds what functions among the arguments of a call store in a
// variable that they share with this function.
func (w *memoryWalk) closures(call ssa.CallInstruction) {
	for _, a := range append([]ssa.Value{call.Common().Value}, call.Common().Args...) {
		mc, ok := a.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		fn := mc.Fn.(*ssa.Function)
		for i, b := range mc.Bindings {
			root, path := place(b, "")
			rest, ok := strings.CutPrefix(w.path, path)
			if root != w.root || !ok || i >= len(fn.FreeVars) {
				continue
			}
			for _, blk := range fn.Blocks {
				if _, ok := lastInstr(blk).(*ssa.Return); ok && len(w.e.changes(fn.FreeVars[i])) > 0 {
					in := w.e.newWalk(fn.FreeVars[i], rest)
					in.steps, in.inner = w.steps, true
					in.back(blk, nil)
					w.got = w.got.with(in.got...)
				}
			}
		}
	}
}

func isPointer(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// initial says what a variable holds where the function is entered, or what
// the value is that a pointer was made of.
func (e *engine) initial(root ssa.Value, path string) sources {
	switch r := root.(type) {
	case *ssa.Parameter:
		return sources{{base: r, path: path}}
	case *ssa.FreeVar:
		var got sources
		for i, f := range r.Parent().FreeVars {
			if f != r {
				continue
			}
			for _, mc := range e.closures[r.Parent()] {
				if i < len(mc.Bindings) {
					got = got.with(e.memory(mc.Bindings[i], path, mc)...)
				}
			}
		}
		return got
	case *ssa.Alloc, *ssa.Global, nil:
		return nil
	case *ssa.Call, *ssa.Extract, *ssa.Phi, *ssa.Lookup, *ssa.TypeAssert, *ssa.MakeMap, *ssa.Field, *ssa.Index:
		in := root.(ssa.Instruction)
		return e.origin(root, path, in)
	}
	return nil
}

// outOrigin says what a function leaves at a path below what its argument i
// points to; changed is false when it leaves it as it was.
func (e *engine) outOrigin(call ssa.CallInstruction, c *callee, i int, path string) (got sources, changed bool) {
	var own sources
	switch {
	case c.fn != nil && i < len(c.fn.Params):
		if !e.mutates(c.fn, i) {
			return nil, false
		}
		own = e.leaves(c.fn, -1-i, path)
		if len(own) == 0 || len(own) == 1 && own[0] == (source{base: c.fn.Params[i], path: path}) {
			return nil, false
		}
	case c.foreign != nil && c.foreign.mutates[i]:
		own = c.foreign.leaves(-1-i, path)
		if len(own) == 0 {
			return nil, false
		}
	default:
		return nil, false
	}
	return e.inCaller(call, c, own), true
}

// mutates reports whether a function may change what its parameter i points to.
func (e *engine) mutates(fn *ssa.Function, i int) bool {
	if i < 0 || i >= len(fn.Params) {
		return false
	}
	p := fn.Params[i]
	if got, ok := e.data.mutates[p]; ok {
		return got
	}
	if e.data.mutates == nil {
		e.data.mutates = map[*ssa.Parameter]bool{}
	}
	e.data.mutates[p] = false // in recursion
	got := false
	for _, list := range e.changes(p) {
		for _, in := range list {
			got = got || e.mutatesBy(in, p)
		}
	}
	e.data.mutates[p] = got
	return got
}

func (e *engine) mutatesBy(in ssa.Instruction, p ssa.Value) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return true
	}
	for _, a := range call.Call.Args {
		if _, ok := a.(*ssa.MakeClosure); ok {
			return true
		}
	}
	for _, c := range e.callees(call.Common()) {
		if c.fn == nil && c.foreign == nil {
			if len(e.fills(call)) > 0 {
				return true
			}
			continue
		}
		for i, a := range c.args {
			if a == nil || !isPointer(a.Type()) {
				continue
			}
			if root, _ := place(a, ""); root != p {
				continue
			}
			if c.fn != nil && e.mutates(c.fn, i) || c.foreign != nil && c.foreign.mutates[i] {
				return true
			}
		}
	}
	return false
}

// leaves says what result index of fn, or what parameter -1-index points to,
// is made of when fn returns.
func (e *engine) leaves(fn *ssa.Function, index int, path string) sources {
	key := outKey{fn, index, path}
	if got, ok := e.data.outs[key]; ok {
		return got
	}
	e.data.outs[key] = nil // in recursion
	var got sources
	at := -1
	if index < 0 && returnsNil(fn) {
		at = errorResult(fn)
	}
	for _, b := range fn.Blocks {
		ret, ok := lastInstr(b).(*ssa.Return)
		switch {
		case !ok || index >= len(ret.Results):
		case at >= 0 && !isNil(ret.Results[at]):
			// It failed; what it left half done is not used.
		case index >= 0:
			got = got.with(e.origin(ret.Results[index], path, ret)...)
		default:
			got = got.with(e.memory(fn.Params[-1-index], path, ret)...)
		}
	}
	e.data.outs[key] = got
	return got
}

// returnsNil reports whether fn returns an error, and nil somewhere.
func returnsNil(fn *ssa.Function) bool {
	at := errorResult(fn)
	if at < 0 {
		return false
	}
	for _, b := range fn.Blocks {
		if ret, ok := lastInstr(b).(*ssa.Return); ok && at < len(ret.Results) && isNil(ret.Results[at]) {
			return true
		}
	}
	return false
}

// inCaller puts sources in the terms of a called function into the terms of
// the function that calls it.
func (e *engine) inCaller(call ssa.CallInstruction, c *callee, own sources) sources {
	var got sources
	for _, s := range own {
		switch b := s.base.(type) {
		case *ssa.Parameter:
			if c.fn == nil || b.Parent() != c.fn {
				got = got.with(s) // of a function around a closure
				continue
			}
			got = got.with(e.argumentOrigin(call, c, paramIndex(c.fn, b), s)...)
		case *foreignParam:
			got = got.with(e.argumentOrigin(call, c, b.index, s)...)
		case callKey:
			s.base = e.keyInCaller(call, c.fn, b)
			got = got.with(s)
		default:
			got = got.with(s)
		}
	}
	return got
}

func (e *engine) argumentOrigin(call ssa.CallInstruction, c *callee, i int, s source) sources {
	if i < 0 || i >= len(c.args) || c.args[i] == nil {
		return nil
	}
	got := e.origin(c.args[i], "", call)
	if s.path != "" {
		got = e.pathOrigin(c.args[i], s.path, call)
	}
	if s.derived {
		got = got.computed()
	}
	return got
}

// pathOrigin is origin for a path that may begin with a column.
func (e *engine) pathOrigin(v ssa.Value, path string, at ssa.Instruction) sources {
	if i := strings.IndexAny(path, "[{!#"); i >= 0 {
		return e.origin(v, path[:i], at).below(path[i:])
	}
	return e.origin(v, path, at)
}

// keyInCaller names a call below a call of fn, which is nil for a function of
// another package.
func (e *engine) keyInCaller(call ssa.CallInstruction, fn *ssa.Function, k callKey) callKey {
	if fn != nil && sameFamily(fn, call.Parent()) {
		return k
	}
	inner := k.inner
	if k.call != nil {
		inner = e.keyText(k)
	}
	return callKey{call, inner}
}

// keyText writes a call of this package as text.
func (e *engine) keyText(k callKey) string {
	text := "?"
	if f, ok := k.call.(*foreignCall); ok {
		text = f.at.String() + ":" + strconv.Itoa(f.at.Col)
	} else if k.call != nil {
		p := e.pass.Fset.Position(instrPos(k.call))
		text = base(p.Filename) + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
	}
	if k.inner != "" {
		text += "/" + k.inner
	}
	if len(text) > 200 {
		return text[:200]
	}
	return text
}

// callOrigin says what result i of a call is made of.
func (e *engine) callOrigin(call *ssa.Call, i int, path string, at ssa.Instruction) sources {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return e.builtinOrigin(call, b.Name(), path)
	}
	var got sources
	for _, c := range e.callees(common) {
		got = got.with(e.calleeOrigin(call, &c, i, path, at)...)
	}
	return got
}

func (e *engine) builtinOrigin(call *ssa.Call, name, path string) sources {
	args := call.Common().Args
	var got sources
	switch name {
	case "append":
		for _, a := range args {
			got = got.with(e.origin(a, path, call)...)
		}
	case "len":
		for _, s := range e.origin(args[0], "", call) {
			if _, ok := s.base.(konst); !ok {
				got = got.with(source{base: s.base, path: cutColumns(s.path) + "#len", derived: true})
			}
		}
	case "min", "max":
		for _, a := range args {
			got = got.with(e.origin(a, "", call).computed()...)
		}
	}
	return got
}

// cutColumns cuts what a path takes out of a result.
func cutColumns(path string) string {
	if i := strings.IndexAny(path, "[{!#"); i >= 0 {
		return path[:i]
	}
	return path
}

func (e *engine) calleeOrigin(call *ssa.Call, c *callee, i int, path string, at ssa.Instruction) sources {
	if f := c.api(); f != nil {
		return e.apiOrigin(call, c, f, i, path)
	}
	switch {
	case c.fn != nil:
		return e.inCaller(call, c, e.leaves(c.fn, i, path))
	case c.foreign != nil:
		return e.inCaller(call, c, c.foreign.leaves(i, path))
	case c.invoked && c.obj != nil && c.obj.Pkg() != nil:
		if _, user := e.blobs[c.obj.Pkg().Path()]; user || c.obj.Pkg() == e.pass.Pkg {
			return e.invokedOrigin(call, c, i, path)
		}
	case c.param.Kind == Symbolic:
		return e.calledBack(call, c, i, path)
	}
	return e.computedOrigin(call, c, i)
}

// calledBack says what a function that a caller gives returns: most likely what it
// was given, if that is of the same type.
func (e *engine) calledBack(call *ssa.Call, c *callee, i int, path string) sources {
	res := call.Common().Signature().Results()
	if i >= res.Len() || structOf(elementType(res.At(i).Type())) == nil {
		return nil
	}
	var got sources
	for _, a := range c.args {
		if a != nil && types.Identical(elementType(a.Type()), elementType(res.At(i).Type())) {
			got = got.with(e.origin(a, path, call)...)
		}
	}
	return got
}

// invokedOrigin says what a method of one of the user's interfaces returns: what
// the implementations in this package do, or else something that is known
// further up.
func (e *engine) invokedOrigin(call *ssa.Call, c *callee, i int, path string) sources {
	var got sources
	impls := e.implementations(c.obj)
	for _, impl := range impls {
		k := *c
		k.fn, k.foreign = impl.fn, impl.foreign
		switch {
		case impl.fn != nil:
			got = got.with(e.inCaller(call, &k, e.leaves(impl.fn, i, path))...)
		case impl.foreign != nil:
			got = got.with(e.inCaller(call, &k, impl.foreign.leaves(i, path))...)
		}
	}
	return got.with(source{base: callKey{call: call}, path: "#" + strconv.Itoa(i) + path})
}

// computedOrigin says what a function that is not seen computes: something from
// its arguments.
func (e *engine) computedOrigin(call *ssa.Call, c *callee, i int) sources {
	if c.name == "" || c.name == "context.WithValue" {
		return nil
	}
	var got sources
	for _, a := range c.args {
		if a == nil || isContext(a.Type()) || isFunc(a.Type()) {
			continue
		}
		els := []ssa.Value{a}
		if vs := variadic(a); vs != nil {
			els = vs
		}
		for _, el := range els {
			if el != nil {
				got = got.with(e.origin(unwrap(el), "", call).computed()...)
			}
		}
	}
	return got
}

// apiOrigin says what a library function returns.
func (e *engine) apiOrigin(call *ssa.Call, c *callee, f *dbapi.Func, i int, path string) sources {
	self := callKey{call: call}
	switch f.Role {
	case dbapi.Run, dbapi.RunStmt, dbapi.Finish:
		switch {
		case i == errorIndex(call) && i >= 0:
			return sources{{base: self, path: "!"}}
		case path == ".Error":
			return sources{{base: self, path: "!"}}
		case path == ".RowsAffected":
			return sources{{base: self, path: "#affected"}}
		case i == 0 && (f.Clause == "get" || f.Clause == "scan") && types.Identical(call.Common().Signature().Results().At(0).Type(), types.Typ[types.Bool]):
			return sources{{base: self, path: "#next"}} // XORM, goqu: whether there is a row
		case f.Clause == "exists" || f.Clause == "count" || f.Clause == "scalar":
			return sources{{base: self, path: "[0]"}}
		case f.Exec || f.Row || f.Rows:
			return sources{{base: self, path: path}}
		case f.Role == dbapi.Run && i >= 0 && f.Dst == 0 && isScalar(call.Common().Signature().Results().At(i).Type()):
			return sources{{base: self, path: "[0]"}}
		case f.Role == dbapi.Finish && i >= 0: // the row itself, or a list of rows
			return sources{{base: self, path: columnPath(elementType(rowType(call, c, f, i)), path)}}
		}
		return sources{{base: self, path: path}}
	case dbapi.Scan, dbapi.Collect, dbapi.Next, dbapi.Affected, dbapi.Receive, dbapi.CloseRows:
		from := c.arg(f.From)
		if from == nil {
			return nil
		}
		rows := e.origin(unwrap(from), "", call)
		switch {
		case i == errorIndex(call) && i >= 0 && f.Role != dbapi.Next:
			return rows.below("!")
		case f.Role == dbapi.Next:
			return rows.below("#next")
		case f.Role == dbapi.Affected:
			return rows.below("#affected")
		}
		return e.collected(call, c, f, rows, i, path)
	case dbapi.Chain, dbapi.Derive:
		if f.Clause == "rowscanner" && c.arg(f.Handle) != nil {
			return e.origin(unwrap(c.arg(f.Handle)), "", call)
		}
		if path == ".Error" || path == ".RowsAffected" {
			return nil
		}
	}
	return nil
}

// isScalar reports whether a type is that of one column.
func isScalar(t types.Type) bool {
	_, basic := t.Underlying().(*types.Basic)
	return basic || isScalarStruct(t)
}

// rowType returns the type of the row that is result i of a call: that of the value
// that stands for it in the call, where the result is any.
func rowType(call *ssa.Call, c *callee, f *dbapi.Func, i int) types.Type {
	t := call.Common().Signature().Results().At(i).Type()
	if a := c.arg(f.Value); a != nil && types.IsInterface(t) {
		return unwrap(a).Type()
	}
	return t
}

// errorIndex returns which result of a call is its error, or -1.
func errorIndex(call *ssa.Call) int {
	res := call.Common().Signature().Results()
	if n := res.Len(); n > 0 && isError(res.At(n-1).Type()) {
		return n - 1
	}
	return -1
}

// collected says what a function of a library makes of rows.
func (e *engine) collected(call *ssa.Call, c *callee, f *dbapi.Func, rows sources, i int, path string) sources {
	name := ""
	if fn := c.arg(f.Fn); fn != nil {
		if t := e.functions(fn, 0); len(t) == 1 {
			switch {
			case t[0].fn != nil && t[0].recv == nil && len(t[0].fn.Params) > 0:
				k := callee{fn: t[0].fn, args: make([]ssa.Value, len(t[0].fn.Params))}
				var got sources
				for _, s := range e.leaves(t[0].fn, i, path) {
					if p, ok := s.base.(*ssa.Parameter); ok && p == t[0].fn.Params[0] {
						got = got.with(rows.below(s.path)...)
						continue
					}
					got = got.with(e.inCaller(call, &k, sources{s})...)
				}
				return got
			case t[0].obj != nil:
				name = t[0].obj.Name()
			}
		}
	} else if c.obj != nil {
		name = c.obj.Name()
	}
	res := call.Common().Signature().Results()
	if i >= res.Len() {
		return nil
	}
	t := elementType(res.At(i).Type())
	switch {
	case strings.Contains(name, "ByPos"):
		if n := fieldIndex(t, path); n >= 0 {
			return rows.below("[" + strconv.Itoa(n) + "]")
		}
	case strings.Contains(name, "Struct"):
		return rows.below(columnPath(t, path))
	case strings.HasPrefix(name, "RowTo"):
		return rows.below("[0]")
	}
	return rows
}

// elementType returns the type of the elements of a slice, behind pointers.
func elementType(t types.Type) types.Type {
	for range 4 {
		switch u := t.Underlying().(type) {
		case *types.Slice:
			t = u.Elem()
		case *types.Pointer:
			t = u.Elem()
		default:
			return t
		}
	}
	return t
}

// fieldIndex returns the number of the field that a path begins with.
func fieldIndex(t types.Type, path string) int {
	st := structOf(t)
	if st == nil || path == "" {
		return -1
	}
	name, _ := splitPath(path)
	for i := range st.NumFields() {
		if st.Field(i).Name() == name {
			return i
		}
	}
	return -1
}
