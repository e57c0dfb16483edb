package txflow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// maxImplementations bounds the types that a call through an interface is
// followed into; an interface with more says nothing.
const maxImplementations = 4

// implementations returns the methods of this package's types that a call of
// the interface method m can run. Doubles for tests are left out.
func (e *engine) implementations(m *types.Func) []*ssa.Function {
	if got, ok := e.impls[m]; ok {
		return got
	}
	var out []*ssa.Function
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
		if !ok || len(sel.Index()) > 1 {
			continue // promoted: a decorator, or an embedded interface
		}
		if fn := e.prog.FuncValue(obj.Origin()); fn != nil && e.body(fn) != nil {
			out = append(out, fn)
		}
	}
	if len(out) > maxImplementations {
		out = nil
	}
	e.impls[m] = out
	return out
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
