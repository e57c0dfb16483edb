package txflow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// maxImplementations bounds the types that a call through an interface is
// followed into; an interface with more says nothing.
const maxImplementations = 4

// An implementation is a method that a call through an interface can run.
type implementation struct {
	fn *ssa.Function
	// path leads from the receiver to the embedded field whose method it is:
	// ".Queries"; empty where the type has the method itself.
	path string
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
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || isDouble(name) {
			continue
		}
		t := tn.Type()
		if types.IsInterface(t) {
			continue
		}
		if n, ok := t.(*types.Named); ok && n.TypeParams() != nil {
			continue
		}
		if !types.Implements(t, iface) {
			if t = types.NewPointer(t); !types.Implements(t, iface) {
				continue
			}
		}
		sel := types.NewMethodSet(t).Lookup(m.Pkg(), m.Name())
		if sel == nil {
			continue
		}
		obj, ok := sel.Obj().(*types.Func)
		if !ok {
			continue
		}
		// What an embedded interface does is not known: it has no body.
		if fn := e.prog.FuncValue(obj.Origin()); fn != nil && e.body(fn) != nil {
			out = append(out, implementation{fn, promotedPath(t, sel.Index())})
		}
	}
	if len(out) > maxImplementations {
		out = nil
	}
	e.impls[m] = out
	return out
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
func (e *engine) adapters(units []unit) bool {
	if len(units) < 2 {
		return false
	}
	for _, u := range units {
		for _, x := range e.effectsOfUnit(u) {
			if x.Op == Run && x.Handle.Kind == Tx && u.index(x.Handle.Base) == 0 {
				return true
			}
		}
	}
	return false
}
