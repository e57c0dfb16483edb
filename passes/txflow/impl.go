package txflow

import (
	"go/token"
	"go/types"
	"strings"
)

// maxImplementations bounds the types that a call through an interface is
// followed into; an interface with more says nothing.
const maxImplementations = 4

// An implementation is a method that a call through an interface can run.
type implementation struct {
	unit
	// path leads from the receiver to the embedded field whose method it is:
	// ".Queries"; empty where the type has the method itself.
	path string
	// held are the kinds of the handles below the receiver that its type decides
	// and that of the embedded field does not.
	held map[string]Kind
}

// bound gives the arguments of a call of the interface method as those of the
// implementation.
func (m implementation) bound(arg argument) argument {
	return func(i int, path string) (Value, bool) {
		if i != 0 {
			return arg(i, path)
		}
		path = m.path + path
		got, ok := arg(i, path)
		if k := m.held[path]; ok && k != None && (got.Kind == Symbolic || got.Kind == Unknown) && kept(arg) {
			got.Kind = k
		}
		return got, ok
	}
}

// kept reports whether the receiver of a call is what a field holds. What a function
// is given may as well be the embedded struct itself, over a transaction.
func kept(arg argument) bool {
	whole, ok := arg(0, "")
	return ok && whole.Path != ""
}

// An xHeld says what handle a type has at a path below it.
type xHeld struct {
	_    struct{} `cbor:",toarray"`
	Path string
	Kind Kind
}

// heldBelow lists the handles below the embedded structs of a type that this
// package alone can have put there: a store that embeds the queries of its pool.
func (e *engine) heldBelow(t types.Type) []xHeld {
	st := structOf(t)
	if st == nil {
		return nil
	}
	paths := map[string]bool{}
	for f := range st.Fields() {
		if f.Embedded() && structOf(f.Type()) != nil {
			e.handlePaths(f.Type(), "."+f.Name(), 0, paths)
		}
	}
	var out []xHeld
	for _, path := range sortedPaths(paths) {
		switch got := e.fieldValue(t, path, 0); got.Kind {
		case Pool, Session, Tx:
			if !got.Lone && !got.Alien {
				out = append(out, xHeld{Path: path, Kind: got.Kind})
			}
		}
	}
	return out
}

func heldKinds(held []xHeld) map[string]Kind {
	out := make(map[string]Kind, len(held))
	for _, h := range held {
		out[h.Path] = h.Kind
	}
	return out
}

// implementations returns the methods of this package's types that a call of
// the interface method m can run. Doubles for tests are left out.
func (e *engine) implementations(m *types.Func) []implementation {
	if got, ok := e.impls[m]; ok {
		return got
	}
	var out []implementation
	recv := m.Signature().Recv()
	if recv == nil {
		return nil
	}
	iface, ok := recv.Type().Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return nil
	}
	scope := e.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		n := e.concrete(scope.Lookup(name))
		if n == nil {
			continue
		}
		var t types.Type = n
		if !types.Implements(t, iface) {
			if t = types.NewPointer(t); !types.Implements(t, iface) {
				continue
			}
		}
		sel := types.NewMethodSet(t).Lookup(m.Pkg(), m.Name())
		if sel == nil {
			continue
		}
		if obj, ok := sel.Obj().(*types.Func); ok {
			if u := e.unitOf(obj); u != (unit{}) {
				out = append(out, implementation{u, promotedPath(t, sel.Index()), heldKinds(e.heldBelow(n))})
			}
		}
	}
	if len(out) > maxImplementations {
		out = nil
	}
	e.impls[m] = out
	return out
}

// concrete returns the type that an object of the package declares when its
// values can stand behind an interface in the program: no double, not declared
// for tests, not generic.
func (e *engine) concrete(obj types.Object) *types.Named {
	tn, ok := obj.(*types.TypeName)
	if !ok || tn.IsAlias() || isDouble(tn.Name()) || isDouble(e.pass.Pkg.Name()) || types.IsInterface(tn.Type()) {
		return nil
	}
	n, ok := tn.Type().(*types.Named)
	if !ok || n.TypeParams() != nil || e.inTest(tn.Pos()) {
		return nil
	}
	return n
}

// inTest reports whether a position is in a test file.
func (e *engine) inTest(pos token.Pos) bool {
	return strings.HasSuffix(e.pass.Fset.Position(pos).Filename, "_test.go")
}

// unitOf returns the function that a method is, of this package or of one below.
// It is zero when nothing is known of it: what an embedded interface does has no
// body.
func (e *engine) unitOf(obj *types.Func) unit {
	if fn := e.prog.FuncValue(obj.Origin()); fn != nil && e.body(fn) != nil {
		return unit{fn: fn}
	}
	return unit{foreign: e.foreign(obj, fullName(obj))}
}

// promotedPath returns the fields through which a method is promoted.
func promotedPath(t types.Type, index []int) string {
	var path strings.Builder
	for _, i := range index[:len(index)-1] {
		f := structOf(t).Field(i)
		path.WriteString("." + f.Name())
		t = f.Type()
	}
	return path.String()
}

// isDouble reports whether a type's name says that it stands in for another in
// tests, or does nothing.
func isDouble(name string) bool {
	name = strings.ToLower(name)
	for _, w := range []string{"mock", "fake", "stub", "noop", "nop", "dummy", "spy", "inmemory", "inmem", "memory"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// adapters reports whether some implementation of an interface runs statements
// on a transaction that it holds: the interface stands for pool and transaction
// alike, and which of them a value is cannot be told by its type.
func (e *engine) adapters(impls []implementation) bool {
	if len(impls) < 2 {
		return false
	}
	for _, m := range impls {
		for _, x := range e.effectsOfUnit(m.unit) {
			if x.Op == Run && x.Handle.Kind == Tx && m.index(x.Handle.Base) == 0 {
				return true
			}
		}
	}
	return false
}
