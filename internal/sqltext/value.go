package sqltext

import (
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// at is what v is, below a path, just before the instruction of p; where v is
// an address, what is there.
func (r *Resolver) at(p point, v ssa.Value, path string) vals {
	if path != "?" && path != "!" {
		if root, _ := r.address(v); isPointer(root.Type()) || strings.HasSuffix(path, "#") && types.IsInterface(root.Type()) {
			return r.mem(p, v, strings.TrimPrefix(path, "*"))
		}
	}
	return r.value(p.f, v, path)
}

// value is what v is, below a path.
func (r *Resolver) value(f *frame, v ssa.Value, path string) vals {
	if c, ok := v.(*ssa.Const); ok {
		return r.constant(c, path)
	}
	return r.remember(f, key{v: v, path: path}, func() vals { return r.eval(f, v, path) })
}

func (r *Resolver) eval(f *frame, v ssa.Value, path string) vals {
	switch {
	case path == "!" && !types.IsInterface(v.Type()):
		return itself(f, v)
	case path == "" && isNumeric(v.Type()):
		return r.numeric(f, v)
	case strings.HasPrefix(path, "[") && !strings.HasPrefix(path, "[]") && isSlice(v.Type()):
		step, rest := cut(path)
		return r.pick(r.value(f, v, "[]"), step[1:len(step)-1], rest)
	}
	switch v := v.(type) {
	case *ssa.Phi:
		return r.phi(f, v, path)
	case *ssa.BinOp:
		if path == "" && v.Op == token.ADD {
			return setVals(r.texts(r.value(f, v.X, "")).concat(r.texts(r.value(f, v.Y, ""))))
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return r.mem(point{f, v}, v.X, path)
		}
	case *ssa.Field:
		return r.at(point{f, v}, v.X, fieldStep(v.X.Type(), v.Field)+path)
	case *ssa.Index:
		if !isString(v.X.Type()) {
			return r.at(point{f, v}, v.X, indexStep(v.Index)+path)
		}
	case *ssa.Lookup:
		return r.lookup(f, v, path)
	case *ssa.Extract:
		return r.extract(f, v, path)
	case *ssa.Call:
		return r.result(f, v, 0, path)
	case *ssa.MakeInterface:
		return r.at(point{f, v}, v.X, path)
	case *ssa.ChangeInterface:
		return r.at(point{f, v}, v.X, path)
	case *ssa.ChangeType:
		return r.at(point{f, v}, v.X, path)
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return r.at(point{f, v}, v.X, path)
		}
	case *ssa.Convert:
		return r.convert(f, v.X, v.Type(), path)
	case *ssa.MultiConvert:
		return r.convert(f, v.X, v.Type(), path)
	case *ssa.Slice:
		return r.slice(f, v, path)
	case *ssa.MakeSlice:
		return r.makeSlice(f, v, path)
	case *ssa.Parameter:
		return r.parameter(f, v, path)
	case *ssa.FreeVar:
		return r.freeVar(f, v, path)
	}
	if path == "?" || path == "!" {
		return itself(f, v)
	}
	return nil
}

func itself(f *frame, v ssa.Value) vals {
	return vals{{kind: isValue, org: &operand{at: point{f: f}, v: v}}}
}

func (r *Resolver) constant(c *ssa.Const, path string) vals {
	switch {
	case path == "!":
		return itself(r.root, c)
	case c.Value == nil:
		return zero(c.Type(), path)
	case path == "?":
		return itself(r.root, c)
	case path != "":
		return nil
	case c.Value.Kind() == constant.String:
		return textVals(r.literal(c))
	}
	return textVals(literal(c.Value.ExactString()))
}

// zero is the zero value of a type, below a path. A nil slice is an empty
// list; a nil interface or pointer is no text.
func zero(t types.Type, path string) vals {
	switch viewOf(path) {
	case isList:
		return vals{{kind: isList}}
	case isValue:
		return vals{}
	}
	if path == "" && !isString(t) && !isByteSlice(t) {
		return nil
	}
	if strings.HasPrefix(path, "[") && isSlice(t) {
		return vals{}
	}
	return textVals(Text{})
}

// numeric is a number or boolean: its digits where it is constant.
func (r *Resolver) numeric(f *frame, v ssa.Value) vals {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil {
			return textVals(literal(v.Value.ExactString()))
		}
	case *ssa.Parameter:
		return numbers(r.parameter(f, v, ""))
	case *ssa.FreeVar:
		return numbers(r.freeVar(f, v, ""))
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return numbers(r.mem(point{f, v}, v.X, ""))
		}
	case *ssa.Field:
		return numbers(r.at(point{f, v}, v.X, fieldStep(v.X.Type(), v.Field)))
	case *ssa.ChangeType:
		return r.value(f, v.X, "")
	case *ssa.Convert:
		if isNumeric(v.X.Type()) {
			return r.value(f, v.X, "")
		}
	}
	return textVals(hole(Literal))
}

// numbers makes what is not a constant number a Literal hole.
func numbers(vs vals) vals {
	out := make(Set, 0, len(vs))
	for _, v := range vs {
		s, ok := v.text.constant()
		switch {
		case ok && (s == "true" || s == "false" || constant.MakeFromLiteral(s, token.INT, 0).Kind() == constant.Int):
			out = append(out, v.text)
		case len(v.text) == 1 && v.text[0].Hole != nil && v.text[0].Hole.Param != nil:
			h := *v.text[0].Hole
			h.Kind = Literal
			out = append(out, Text{{Hole: &h}})
		default:
			return textVals(hole(Literal))
		}
	}
	if len(out) == 0 {
		return textVals(hole(Literal))
	}
	return setVals(out.limit())
}

func (r *Resolver) phi(f *frame, v *ssa.Phi, path string) vals {
	alts := make([]vals, len(v.Edges))
	for i, e := range v.Edges {
		pred := v.Block().Preds[i]
		alts[i] = r.at(point{f, pred.Instrs[len(pred.Instrs)-1]}, e, path)
	}
	return union(viewOf(path), alts...)
}

func (r *Resolver) extract(f *frame, v *ssa.Extract, path string) vals {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		return r.result(f, t, v.Index, path)
	case *ssa.TypeAssert:
		if v.Index == 0 {
			return r.at(point{f, t}, t.X, path)
		}
	case *ssa.Lookup:
		if v.Index == 0 {
			return r.lookup(f, t, path)
		}
	case *ssa.Next:
		if rng, ok := t.Iter.(*ssa.Range); ok && !t.IsString {
			return r.ranged(f, rng.X, v.Index, path)
		}
	}
	return nil
}

func (r *Resolver) convert(f *frame, x ssa.Value, to types.Type, path string) vals {
	if path != "" {
		return r.at(point{f: f}, x, path)
	}
	_, param := types.Unalias(x.Type()).(*types.TypeParam)
	if isNumeric(x.Type()) || !isString(to) && !isByteSlice(to) || !isString(x.Type()) && !isByteSlice(x.Type()) && !param {
		return nil
	}
	return r.value(f, x, "")
}

// slice is v.X[low:high], of a string, a byte slice, or an array or slice as a
// list.
func (r *Resolver) slice(f *frame, v *ssa.Slice, path string) vals {
	if path == "" {
		if isPointer(v.X.Type()) {
			return r.bytes(r.arrayList(f, v))
		}
		return r.substring(f, v)
	}
	if path != "[]" {
		return nil
	}
	if isPointer(v.X.Type()) {
		return r.arrayList(f, v)
	}
	return r.sublist(f, v)
}

// bytes reads a list of constant bytes as text.
func (r *Resolver) bytes(lists vals) vals {
	if len(lists) != 1 {
		return nil
	}
	var b strings.Builder
	for _, e := range lists[0].list {
		if e.v == nil {
			return nil // what is stored there is not known
		}
		set := r.texts(r.operandVals(e.operand, ""))
		if e.more || len(set) != 1 {
			return nil
		}
		s, _ := set[0].constant()
		n, err := strconv.ParseUint(s, 10, 8)
		if err != nil {
			return nil
		}
		b.WriteByte(byte(n))
	}
	return textVals(literal(b.String()))
}

// substring handles constant bounds and s[:len(s)-n].
func (r *Resolver) substring(f *frame, v *ssa.Slice) vals {
	low, high := 0, 0 // bytes off the two ends
	if v.Low != nil {
		n, ok := intConst(v.Low)
		if !ok || n < 0 {
			return nil
		}
		low = int(n)
	}
	end := int64(-1)
	if v.High != nil {
		if n, ok := intConst(v.High); ok {
			end = n
		} else if n, ok := lenMinus(v.High, v.X); ok {
			high = n
		} else {
			return nil
		}
	}
	return setVals(r.texts(r.value(f, v.X, "")).each(func(t Text) Set {
		t = t.cutEnds(low, high)
		if t == nil {
			return Anything()
		}
		if end >= 0 {
			s, ok := t.constant()
			if !ok || int(end) < low || int(end)-low > len(s) {
				return Anything()
			}
			t = t.slice(0, int(end)-low)
		}
		return Set{t}
	}))
}

// cutEnds drops literal bytes at the ends, nil if there are holes in the way.
// A list that ends a text keeps its place: what is cut is its last comma.
func (t Text) cutEnds(low, high int) Text {
	n := len(t)
	if high > 0 && n > 0 && t[n-1].Hole != nil && t[n-1].Hole.Kind == List {
		high = 0
	}
	size := t.width()
	if low+high > size {
		return nil
	}
	for _, cut := range []Text{t.slice(0, low), t.slice(size-high, size)} {
		if _, ok := cut.constant(); !ok {
			return nil
		}
	}
	return append(Text{}, t.slice(low, size-high)...)
}

// lenMinus recognizes len(x)-n.
func lenMinus(v, x ssa.Value) (int, bool) {
	b, ok := v.(*ssa.BinOp)
	if !ok || b.Op != token.SUB {
		return 0, false
	}
	n, ok := intConst(b.Y)
	if !ok || n < 0 {
		return 0, false
	}
	c, ok := b.X.(*ssa.Call)
	if !ok || len(c.Call.Args) != 1 {
		return 0, false
	}
	fn, ok := c.Call.Value.(*ssa.Builtin)
	return int(n), ok && fn.Name() == "len" && sameLoad(c.Call.Args[0], x)
}

// sameLoad says whether two values are one, or loads of one variable.
func sameLoad(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok1 := a.(*ssa.UnOp)
	y, ok2 := b.(*ssa.UnOp)
	return ok1 && ok2 && x.Op == token.MUL && y.Op == token.MUL && x.X == y.X
}

// arrayList is a slice of an array: a slice literal, the arguments of a
// variadic call, or make with a constant size.
func (r *Resolver) arrayList(f *frame, v *ssa.Slice) vals {
	p, _ := v.X.Type().Underlying().(*types.Pointer)
	arr, ok := coreOf(p.Elem()).(*types.Array)
	if !ok {
		return nil
	}
	low, high := int64(0), arr.Len()
	if v.Low != nil {
		if low, ok = intConst(v.Low); !ok {
			return nil
		}
	}
	if v.High != nil {
		if high, ok = intConst(v.High); !ok {
			return nil
		}
	}
	if high-low > maxElems {
		return nil
	}
	if stores := r.elementStores(f, v); stores != nil {
		return vals{{kind: isList, list: []elem{{more: true, many: stores}}}}
	}
	list := make([]elem, 0, high-low)
	for i := low; i < high; i++ {
		list = append(list, elem{operand: operand{point{f, v}, v.X, "[" + strconv.FormatInt(i, 10) + "]"}})
	}
	return vals{{kind: isList, list: list}}
}

// elementStores are the values stored in elements of a slice after it is made.
func (r *Resolver) elementStores(f *frame, v ssa.Value) []operand {
	refs := v.Referrers()
	if refs == nil {
		return nil
	}
	var out []operand
	for _, ref := range *refs {
		ia, ok := ref.(*ssa.IndexAddr)
		if !ok || ia.X != v {
			continue
		}
		for _, use := range *ia.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == ia {
				out = append(out, operand{point{f, st}, st.Val, ""})
			}
		}
	}
	return out
}

func (r *Resolver) makeSlice(f *frame, v *ssa.MakeSlice, path string) vals {
	if path != "[]" {
		return nil
	}
	if n, ok := intConst(v.Len); ok && n == 0 {
		return vals{{kind: isList}}
	}
	return vals{{kind: isList, list: []elem{{more: true, many: r.elementStores(f, v)}}}}
}

func (r *Resolver) sublist(f *frame, v *ssa.Slice) vals {
	lists := r.value(f, v.X, "[]")
	low, high := int64(0), int64(-1)
	ok := true
	if v.Low != nil {
		low, ok = intConst(v.Low)
	}
	if ok && v.High != nil {
		high, ok = intConst(v.High)
	}
	if !ok {
		return nil
	}
	var out vals
	for _, l := range lists {
		for i, e := range l.list {
			if e.more && int64(i) < max(high, low) {
				return nil
			}
		}
		n := int64(len(l.list))
		hi := high
		if hi < 0 {
			hi = n
		}
		if low > hi || hi > n {
			continue
		}
		out = append(out, val{kind: isList, list: l.list[low:hi]})
	}
	return out
}

// appended is append(a, b...).
func (r *Resolver) appended(f *frame, c *ssa.CallCommon, path string) vals {
	if path == "" && isByteSlice(c.Args[0].Type()) {
		return setVals(r.texts(r.value(f, c.Args[0], "")).concat(r.texts(r.value(f, c.Args[1], ""))))
	}
	if path != "[]" {
		return nil
	}
	as, bs := r.value(f, c.Args[0], "[]"), r.value(f, c.Args[1], "[]")
	if as == nil && bs == nil {
		return nil
	}
	if as == nil {
		as = vals{unknownVal(isList)}
	}
	if bs == nil {
		bs = vals{unknownVal(isList)}
	}
	out := vals{}
	for _, a := range as {
		for _, b := range bs {
			list := append(append([]elem{}, a.list...), b.list...)
			if len(list) > maxElems {
				return nil
			}
			out = append(out, val{kind: isList, list: list})
		}
	}
	return out.limitLists()
}

// lookup is m[k]: the value of a constant key, or any value and none.
func (r *Resolver) lookup(f *frame, v *ssa.Lookup, path string) vals {
	if isString(v.X.Type()) {
		return nil
	}
	updates := r.updates(f, v.X)
	if updates == nil {
		return nil
	}
	var alts []vals
	for _, key := range r.texts(r.value(f, v.Index, "")) {
		k, ok := key.constant()
		found := false
		for _, u := range updates {
			if ok && u.key != k {
				continue
			}
			found = true
			alts = append(alts, r.entry(u, path))
			if len(alts) > 4*MaxTexts {
				return nil
			}
		}
		if !v.CommaOk && (!ok || !found) {
			alts = append(alts, zero(v.Type(), path))
		}
	}
	return union(viewOf(path), alts...)
}

// ranged is the key (1) or value (2) of a range over a map.
func (r *Resolver) ranged(f *frame, m ssa.Value, index int, path string) vals {
	updates := r.updates(f, m)
	if updates == nil || len(updates) > 4*MaxTexts {
		return nil
	}
	var alts []vals
	for _, u := range updates {
		if index == 1 {
			alts = append(alts, textVals(literal(u.key)))
			continue
		}
		alts = append(alts, r.entry(u, path))
	}
	return union(viewOf(path), alts...)
}

// An update is an entry of a map: its value, or, of a map of another package,
// its texts.
type update struct {
	key   string
	value operand
	texts Set
}

func (r *Resolver) entry(u update, path string) vals {
	if u.texts != nil {
		return setVals(u.texts)
	}
	return r.operandVals(u.value, path)
}

// updates are the entries of a map that is only built in one place, nil if it
// is not known to be. Keys are constant.
func (r *Resolver) updates(f *frame, m ssa.Value) []update {
	if load, ok := m.(*ssa.UnOp); ok {
		if g, ok := load.X.(*ssa.Global); ok && g.Pkg != r.pkg {
			return r.importedMap(g)
		}
	}
	return r.built(r.value(f, m, "?"))
}

// built are the entries of the maps that are made at origins.
func (r *Resolver) built(origins vals) []update {
	var out []update
	for _, org := range origins {
		if org.org == nil {
			return nil
		}
		mk, ok := org.org.v.(*ssa.MakeMap)
		if !ok || !r.onlyBuilt(mk) {
			return nil
		}
		for _, ref := range *mk.Referrers() {
			u, ok := ref.(*ssa.MapUpdate)
			if !ok {
				continue
			}
			keys := r.value(org.org.at.f, u.Key, "")
			if len(keys) != 1 {
				return nil
			}
			k, ok := keys[0].text.constant()
			if !ok {
				return nil
			}
			out = append(out, update{k, operand{point{org.org.at.f, u}, u.Value, ""}, nil})
		}
	}
	return out
}

// onlyBuilt says whether all updates of a map are among its referrers.
func (r *Resolver) onlyBuilt(m ssa.Value) bool {
	for _, ref := range *m.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MapUpdate:
			if ref.Map != m {
				return false
			}
		case *ssa.Store:
			if _, local := ref.Addr.(*ssa.Alloc); local {
				return false
			}
		case ssa.CallInstruction:
			if b, ok := ref.Common().Value.(*ssa.Builtin); ok && b.Name() == "len" {
				continue
			}
			if !r.readsOnly(ref.Common(), m) {
				return false
			}
		case *ssa.MakeClosure, *ssa.Send:
			return false
		}
	}
	return true
}

// readsOnly says whether a function of the package only reads a map it is
// given.
func (r *Resolver) readsOnly(c *ssa.CallCommon, m ssa.Value) bool {
	fn := r.body(c.StaticCallee())
	if fn == nil || len(fn.Params) != len(c.Args) {
		return false
	}
	for i, a := range c.Args {
		if a != m {
			continue
		}
		for _, ref := range *fn.Params[i].Referrers() {
			switch ref.(type) {
			case *ssa.Lookup, *ssa.Range, *ssa.DebugRef:
			default:
				return false
			}
		}
	}
	return true
}

// parameter follows a parameter to the call of its frame; in the root frame it
// is symbolic.
func (r *Resolver) parameter(f *frame, p *ssa.Parameter, path string) vals {
	if f.fn != nil && f.fn == p.Parent() {
		for i, q := range f.fn.Params {
			if q == p && i < len(f.args) {
				return r.at(point{f.caller, f.site}, f.args[i], path)
			}
		}
		return nil
	}
	if f != r.root && f.fn != nil {
		return nil
	}
	if p.Parent().Synthetic == "range-over-func yield" {
		return r.yielded(p, path)
	}
	switch {
	case path == "!" || path == "?":
		return itself(f, p)
	case !onlyFields(path), path == "" && !isTextual(p.Type()):
		return nil
	}
	h := &Hole{Param: p, Path: path}
	if path == "" && isNumeric(p.Type()) {
		h.Kind = Literal
	}
	return textVals(Text{{Hole: h}})
}

// freeVar follows a free variable to the function that made the closure.
func (r *Resolver) freeVar(f *frame, v *ssa.FreeVar, path string) vals {
	i := 0
	for v.Parent().FreeVars[i] != v {
		i++
	}
	if f.fn == v.Parent() {
		if i >= len(f.binds) {
			return nil
		}
		if f.caller == f.maker && f.site.Parent() == f.made.Parent() {
			return r.at(point{f.caller, f.site}, f.binds[i], path)
		}
		return r.captured(f.maker, f.made, f.binds[i], path)
	}
	mc, ok := r.index().made[v.Parent()].(*ssa.MakeClosure)
	if !ok {
		return nil
	}
	return r.captured(r.root, mc, mc.Bindings[i], path)
}

// captured is a variable as a closure sees it that may run at any time after
// it is made.
func (r *Resolver) captured(f *frame, made ssa.Instruction, bind ssa.Value, path string) vals {
	vs := r.at(point{f, made}, bind, path)
	root, sub := r.address(bind)
	if isPointer(root.Type()) && r.uses(root).writtenAfter(made, root, sub+path) {
		return union(viewOf(path), vs, nil)
	}
	return vs
}

// yielded is what a range-over-func loop gets from its iterator.
func (r *Resolver) yielded(p *ssa.Parameter, path string) vals {
	body := p.Parent()
	n := 0
	for body.Params[n] != p {
		n++
	}
	var call *ssa.Call
	var arg ssa.Value = body
	site := r.index().made[body]
	if mc, ok := site.(*ssa.MakeClosure); ok && len(*mc.Referrers()) == 1 {
		arg = mc
		site = (*mc.Referrers())[0]
	}
	call, ok := site.(*ssa.Call)
	if !ok || len(call.Call.Args) != 1 || call.Call.Args[0] != arg {
		return nil
	}
	if it, ok := call.Call.Value.(*ssa.Call); ok {
		if from, ok := iterators[nameOf(it.Call.StaticCallee())]; ok && n == from {
			return r.at(point{r.root, it}, it.Call.Args[0], "[*]"+path)
		}
	}
	var alts []vals
	for _, c := range r.callees(r.root, call) {
		f := r.enter(r.root, call, c)
		if f == nil {
			return nil
		}
		for _, ref := range *c.fn.Params[len(c.fn.Params)-1].Referrers() {
			y, ok := ref.(*ssa.Call)
			if !ok || y.Call.Value != c.fn.Params[len(c.fn.Params)-1] || n >= len(y.Call.Args) {
				return nil
			}
			alts = append(alts, r.at(point{f, y}, y.Call.Args[n], path))
		}
	}
	if alts == nil {
		return nil
	}
	return union(viewOf(path), alts...)
}

// iterators are functions that range over the slice they are given, and which
// of the loop's variables is the element.
var iterators = map[string]int{
	"slices.Values":   0,
	"slices.All":      1,
	"slices.Backward": 1,
}
