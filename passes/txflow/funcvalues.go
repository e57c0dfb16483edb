package txflow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Function values that are kept in fields, slices and maps are known where every
// store is seen: then they are like an interface with those implementations. One
// store that is not understood makes all of it unknown.

// fieldFunctions returns the functions that a field can hold, or nil.
func (e *engine) fieldFunctions(a *ssa.FieldAddr) []target {
	key, ok := keyOfField(a)
	if !ok || !e.closedField(key) {
		return nil
	}
	if got, ok := e.fieldFuncs[key]; ok {
		return got
	}
	e.fieldFuncs[key] = nil // while it is looked for
	got := e.storedFunctions(e.fields[key], 0)
	e.fieldFuncs[key] = got
	return got
}

// closedField reports whether only this package can store in the field.
func (e *engine) closedField(key fieldKey) bool {
	return key.typ.Pkg() == e.pass.Pkg && !(token.IsExported(key.field) && key.typ.Exported())
}

// storedFunctions returns the functions among stored values, or nil when one of
// them is not known.
func (e *engine) storedFunctions(vals []ssa.Value, depth int) []target {
	var out []target
	for _, v := range vals {
		if isNil(v) {
			continue
		}
		ts := e.settledFunctions(v, depth)
		if len(ts) == 0 {
			return nil
		}
		out = append(out, ts...)
	}
	return few(out)
}

// settledFunctions returns the functions that a stored value can be, without the
// help of callers that are not seen.
func (e *engine) settledFunctions(v ssa.Value, depth int) []target {
	if depth > 4 {
		return nil
	}
	if p, ok := unwrap(v).(*ssa.Parameter); ok {
		fn := p.Parent()
		if !e.allCallersSeen(fn) {
			return nil
		}
		i := paramIndex(fn, p)
		var args []ssa.Value
		for _, call := range e.callers[fn] {
			if i >= len(call.Common().Args) {
				return nil
			}
			args = append(args, call.Common().Args[i])
		}
		return e.storedFunctions(args, depth+1)
	}
	ts := e.functions(v, 0)
	for _, t := range ts {
		if t.fn == nil && t.obj == nil {
			return nil // a parameter decides
		}
	}
	return ts
}

// elementFunctions returns the functions that the elements of a slice, an array
// or a map can be, or nil.
func (e *engine) elementFunctions(v ssa.Value) []target {
	if got, ok := e.elementFuncs[v]; ok {
		return got
	}
	e.elementFuncs[v] = nil
	s := &elementSearch{e: e, seen: map[any]bool{}}
	var got []target
	if s.of(v, 0) {
		got = e.storedFunctions(s.found, 0)
	}
	e.elementFuncs[v] = got
	return got
}

// An elementSearch collects what is stored in a collection.
type elementSearch struct {
	e     *engine
	seen  map[any]bool
	found []ssa.Value
}

// of adds the elements of a collection; false when there may be others.
func (s *elementSearch) of(v ssa.Value, depth int) bool {
	if depth > 12 {
		return false
	}
	if s.seen[v] {
		return true
	}
	s.seen[v] = true
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value == nil
	case *ssa.MakeSlice, *ssa.MakeMap:
		return s.updates(v)
	case *ssa.ChangeType:
		return s.of(v.X, depth+1)
	case *ssa.Phi:
		return s.all(v.Edges, depth+1)
	case *ssa.Slice:
		return s.of(v.X, depth+1)
	case *ssa.UnOp:
		return v.Op == token.MUL && s.at(v.X, depth+1)
	case *ssa.Alloc:
		if _, array := derefPtr(v.Type()).Underlying().(*types.Array); array {
			return s.updates(v)
		}
		return s.at(v, depth+1)
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && s.all(v.Call.Args, depth+1)
	}
	return false
}

func (s *elementSearch) all(vals []ssa.Value, depth int) bool {
	for _, v := range vals {
		if !s.of(v, depth) {
			return false
		}
	}
	return true
}

// at adds the elements of the collections that are stored in a variable or a
// field, and what is put into them there.
func (s *elementSearch) at(addr ssa.Value, depth int) bool {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		key, ok := keyOfField(a)
		if !ok || !s.e.closedField(key) {
			return false
		}
		if s.seen[key] {
			return true
		}
		s.seen[key] = true
		s.found = append(s.found, s.e.fieldElems[key]...)
		return s.all(s.e.fields[key], depth)
	case *ssa.Global:
		if token.IsExported(a.Name()) {
			return false
		}
		s.found = append(s.found, s.e.globalElems[a]...)
		return s.all(s.e.globalStores[a], depth)
	case *ssa.Alloc:
		return s.loads(a) && s.all(s.e.stores(a), depth)
	case *ssa.FreeVar:
		for _, b := range s.e.bindings(a) {
			if !s.at(b, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// updates adds what is put into a collection; false when a function that is
// given it may put in more.
func (s *elementSearch) updates(coll ssa.Value) bool {
	for _, r := range *coll.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			s.found = append(s.found, r.Value)
		case *ssa.IndexAddr:
			s.found = append(s.found, storesAt(r)...)
		case ssa.CallInstruction:
			if _, ok := r.Common().Value.(*ssa.Builtin); !ok {
				return false
			}
		}
	}
	return true
}

// loads adds what is put into the collection in a local variable, here and in
// closures.
func (s *elementSearch) loads(addr ssa.Value) bool {
	if s.seen[addr] || addr.Referrers() == nil {
		return s.seen[addr]
	}
	s.seen[addr] = true
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.Op == token.MUL && !s.updates(r) {
				return false
			}
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == addr && !s.loads(r.Fn.(*ssa.Function).FreeVars[i]) {
					return false
				}
			}
		}
	}
	return true
}

// storesAt returns what is stored at the address of an element.
func storesAt(a *ssa.IndexAddr) []ssa.Value {
	var out []ssa.Value
	for _, r := range *a.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == a {
			out = append(out, st.Val)
		}
	}
	return out
}

// indexElement records what is put into a collection that a field or a package
// variable keeps.
func (e *engine) indexElement(in ssa.Instruction) {
	var coll ssa.Value
	var vals []ssa.Value
	switch in := in.(type) {
	case *ssa.MapUpdate:
		coll, vals = in.Map, []ssa.Value{in.Value}
	case *ssa.IndexAddr:
		coll, vals = in.X, storesAt(in)
	}
	load, ok := coll.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || len(vals) == 0 {
		return
	}
	switch a := load.X.(type) {
	case *ssa.FieldAddr:
		if key, ok := keyOfField(a); ok {
			e.fieldElems[key] = append(e.fieldElems[key], vals...)
		}
	case *ssa.Global:
		e.globalElems[a] = append(e.globalElems[a], vals...)
	}
}
