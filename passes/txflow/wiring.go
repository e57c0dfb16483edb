package txflow

import (
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// An xFlow says that a value whose type serves as pool and transaction alike gets
// to a place: a field of a type, or a parameter of a function. It comes from
// another such place, or it is of the kind.
//
// Where a program comes together, all that gets to the field of a repository, by
// way of its constructor, says what the field is: a service that is put together
// of pools runs its statements on them, whoever calls it.
type xFlow struct {
	_          struct{} `cbor:",toarray"`
	Into, From string
	Kind       Kind
}

// fieldPlace names a field of a type, and paramPlace a parameter of a function.
func fieldPlace(typ, field string) string { return typ + "." + field }

func paramPlace(fn string, i int) string { return fn + "#" + strconv.Itoa(i) }

// flows lists what this package puts into fields and hands to functions of the
// user's.
func (e *engine) flows() []xFlow {
	seen := map[xFlow]bool{}
	for key, stored := range e.fields {
		if !e.ofUser(key.typ.Pkg()) || !e.undecided(fieldType(key.typ.Type(), "."+key.field)) {
			continue
		}
		for _, v := range stored {
			e.flow(seen, fieldPlace(placeName(key.typ), key.field), v)
		}
	}
	for _, fn := range e.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				e.flowsOfInstr(seen, in)
			}
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b xFlow) int {
		return strings.Compare(a.Into+"\x00"+a.From+"\x00"+strconv.Itoa(int(a.Kind)), b.Into+"\x00"+b.From+"\x00"+strconv.Itoa(int(b.Kind)))
	})
}

// flowsOfInstr adds the arguments of a call of one of the user's functions. What a
// function that is used as a value is called with is not known.
func (e *engine) flowsOfInstr(seen map[xFlow]bool, in ssa.Instruction) {
	call, isCall := in.(ssa.CallInstruction)
	for _, op := range in.Operands(nil) {
		fn, ok := (*op).(*ssa.Function)
		if !ok {
			continue
		}
		obj, ok := fn.Object().(*types.Func)
		if !ok || !e.ofUser(obj.Pkg()) || obj.Signature().Recv() != nil {
			continue // what a method is called with may come through an interface
		}
		params := obj.Origin().Signature().Params()
		for i := range params.Len() {
			if !e.undecided(params.At(i).Type()) {
				continue
			}
			into := paramPlace(fullName(obj), i)
			if !isCall || call.Common().Value != fn || i >= len(call.Common().Args) {
				seen[xFlow{Into: into, Kind: Unknown}] = true
				continue
			}
			e.flow(seen, into, call.Common().Args[i])
		}
	}
}

// flow adds what v is, in terms of the function that it belongs to.
func (e *engine) flow(seen map[xFlow]bool, into string, v ssa.Value) {
	got := e.resolve(e.eval(unwrap(v), ""))
	x := xFlow{Into: into, Kind: Unknown}
	switch p := got.Parameter(); {
	case got.Kind == None:
		return
	case got.Alien, got.Lone:
	case got.Kind == Pool, got.Kind == Session, got.Kind == Tx:
		x.Kind = got.Kind
	case got.Kind == Symbolic && p != nil:
		if from := e.comesFrom(p, got.Path); from != "" {
			x.From, x.Kind = from, None
		}
	}
	seen[x] = true
}

// comesFrom names the place at a path below a parameter, "" where that is no place
// of which all is known that gets there.
func (e *engine) comesFrom(p *ssa.Parameter, path string) string {
	fn := p.Parent()
	if path == "" {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || fn.Signature.Recv() != nil {
			return ""
		}
		return paramPlace(fullName(obj), paramIndex(fn, p))
	}
	i := strings.LastIndexByte(path, '.')
	owner := deref(p.Type())
	if i > 0 {
		owner = fieldType(owner, path[:i])
	}
	if owner == nil {
		return ""
	}
	n := namedOf(owner)
	if n == nil || !e.ofUser(n.Pkg()) {
		return ""
	}
	return fieldPlace(placeName(n), path[i+1:])
}

// placeName names a type, without its type parameters.
func placeName(n *types.TypeName) string { return unvendor(n.Pkg().Path()) + "." + n.Name() }

// ofUser reports whether a package is this one or one of the user's below it.
func (e *engine) ofUser(pkg *types.Package) bool {
	if pkg == nil {
		return false
	}
	_, below := e.blobs[pkg.Path()]
	return below || pkg == e.pass.Pkg
}

// undecided reports whether a type can be a pool as well as a transaction.
func (e *engine) undecided(t types.Type) bool {
	if t == nil {
		return false
	}
	k, flow := e.kindOfType(t)
	return k == Unknown && (flow || runsSQL(t))
}

// A wiring says what handles a program is put together of.
type wiring struct {
	into map[string][]xFlow
	kind map[string]Kind
}

func (w *wiring) add(flows []xFlow) {
	for _, f := range flows {
		w.into[f.Into] = append(w.into[f.Into], f)
	}
}

// at returns the kind of all that gets to a place; Unknown where it is not one.
func (w *wiring) at(place string) Kind {
	if k, ok := w.kind[place]; ok {
		return k
	}
	w.kind[place] = None // in a cycle, nothing new
	got := None
	for _, f := range w.into[place] {
		k := f.Kind
		if f.From != "" {
			k = w.at(f.From)
		}
		switch {
		case k == None || k == got:
		case got == None:
			got = k
		default:
			got = Unknown
		}
	}
	if got == None {
		got = Unknown
	}
	w.kind[place] = got
	return got
}

// wired decides a handle that is a field of the receiver of f, where all that the
// program puts there is known to be a pool.
func (l *linker) wired(f *linkFunc, v Value) Value {
	if v.Kind != Symbolic || f.unit.index(v.Base) != 0 || strings.LastIndexByte(v.Path, '.') != 0 {
		return v
	}
	recv := receiverPlace(f.name)
	if recv == "" || l.wiring.at(fieldPlace(recv, v.Path[1:])) != Pool {
		return v
	}
	v.Kind = Pool
	return v
}

// receiverPlace names the type of the receiver in the name of a method:
// "(*example.com/shop.Repo[T]).Get".
func receiverPlace(name string) string {
	recv, _, ok := strings.Cut(strings.TrimLeft(name, "(*"), ")")
	if !ok || !strings.HasPrefix(name, "(") {
		return ""
	}
	recv, _, _ = strings.Cut(recv, "[")
	return recv
}
