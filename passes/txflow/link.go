package txflow

import (
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// An xType is a named type with methods, as the linker sees it.
type xType struct {
	Name    string
	Methods []xMethod
}

// An xMethod is a method by name and signature, and the function that it is.
type xMethod struct {
	Key  string
	Func string
}

// An xIface is an interface by its method set.
type xIface struct {
	Name    string
	Methods []string
}

func itoa(p token.Pos) string { return strconv.Itoa(int(p)) }

// methodKey is the name and signature of a method without parameter names:
// types of the other side are not needed to compare it.
func methodKey(name string, sig *types.Signature) string {
	strip := func(t *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range t.Variables() {
			vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	s := types.NewSignatureType(nil, nil, nil, strip(sig.Params()), strip(sig.Results()), sig.Variadic())
	return name + types.TypeString(s, nil)[len("func"):]
}

// methodSets lists the package's types with methods and its interfaces.
func (e *engine) methodSets() (ts []xType, is []xIface) {
	scope := e.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok || n.TypeParams() != nil {
			continue
		}
		full := e.pass.Pkg.Path() + "." + name
		if iface, ok := n.Underlying().(*types.Interface); ok {
			x := xIface{Name: full}
			for m := range iface.Methods() {
				x.Methods = append(x.Methods, methodKey(m.Name(), m.Signature()))
			}
			if len(x.Methods) > 0 {
				is = append(is, x)
			}
			continue
		}
		if isDouble(name) || isDouble(e.pass.Pkg.Name()) {
			continue
		}
		x := xType{Name: full}
		ms := types.NewMethodSet(types.NewPointer(n))
		for sel := range ms.Methods() {
			m := sel.Obj().(*types.Func)
			if !m.Exported() {
				continue
			}
			// A promoted method counts for the interface, but what it does is
			// what the embedded value does, which is not known here.
			f := ""
			if len(sel.Index()) == 1 {
				f = fullName(m)
			}
			x.Methods = append(x.Methods, xMethod{methodKey(m.Name(), sel.Type().(*types.Signature)), f})
		}
		if len(x.Methods) > 0 {
			ts = append(ts, x)
		}
	}
	return ts, is
}

// A pathOf is an argument and a field path below it.
type pathOf struct {
	index int
	path  string
}

// argPaths returns the arguments of a call with the field paths at which
// handles may be.
func (e *engine) argPaths(args []ssa.Value) []pathOf {
	var out []pathOf
	for i, a := range args {
		if a == nil {
			continue
		}
		paths := map[string]bool{"": true}
		e.handlePaths(unwrap(a).Type(), "", 0, paths)
		for _, p := range sortedPaths(paths) {
			out = append(out, pathOf{i, p})
		}
	}
	return out
}
