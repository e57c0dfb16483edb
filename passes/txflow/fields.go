package txflow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// resolve decides a symbolic handle that is kept in a field of a type of this
// package, where every value that can be in the field is known: the field, or
// the object as a whole, can only be made here, and all that is stored in it is
// a pool, or all of it a transaction. The identity of the handle stays as it is.
func (e *engine) resolve(v Value) Value {
	p := v.Parameter()
	if p == nil || v.Kind != Symbolic && v.Kind != Pool || v.Path == "" {
		return v
	}
	got := e.fieldValue(p.Type(), v.Path, 0)
	if v.Kind == Pool {
		v.Lone = v.Lone || got.Kind == Pool && got.Lone
		v.Alien = v.Alien || got.Kind == Pool && got.Alien
		return v
	}
	switch got.Kind {
	case Pool, Tx, Session:
		v.Kind, v.Lone, v.Alien, v.From = got.Kind, got.Lone, got.Alien, got.From
	}
	return v
}

// fieldValue joins what the package stores in the field that path begins with,
// below a value of type t. It is Unknown when something else may be in it.
func (e *engine) fieldValue(t types.Type, path string, depth int) Value {
	unknown := Value{Kind: Unknown}
	if depth > 6 || path == "" {
		return unknown
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() != e.pass.Pkg {
		return unknown
	}
	name, rest := splitPath(path)
	if token.IsExported(name) && n.Obj().Exported() && !e.keepsPool(n) {
		return unknown // anybody may set it
	}
	stored := e.fields[fieldKey{n.Origin().Obj(), name}]
	if len(stored) == 0 {
		return unknown
	}
	var got Value
	for _, s := range stored {
		got = join(got, e.settleStored(e.eval(s, rest), depth+1))
		if got.Kind == Unknown {
			return got
		}
	}
	return got
}

// keepsPool reports whether a type also keeps a pool where only this package can
// put it: its values are made by a constructor, not in other packages.
func (e *engine) keepsPool(n *types.Named) bool {
	st := structOf(n)
	if st == nil {
		return false
	}
	for f := range st.Fields() {
		if k, _ := e.kindOfType(f.Type()); k == Pool && !f.Exported() {
			return true
		}
	}
	return false
}

// settleStored decides a value that is stored in a field, in the terms of the
// function that stores it: a parameter of a constructor is what its callers
// pass, if all of them are in this package.
func (e *engine) settleStored(v Value, depth int) Value {
	p := v.Parameter()
	if p == nil || v.Kind != Symbolic {
		return v
	}
	if depth > 6 {
		return Value{Kind: Unknown}
	}
	fn := p.Parent()
	if i := paramIndex(fn, p); i >= 0 && e.allCallersSeen(fn) {
		var got Value
		for _, call := range e.callers[fn] {
			args := call.Common().Args
			if i >= len(args) {
				return Value{Kind: Unknown}
			}
			got = join(got, e.settleStored(e.eval(args[i], v.Path), depth+1))
		}
		if got.Kind != None && got.Kind != Symbolic {
			return got
		}
	}
	if v.Path != "" {
		return e.fieldValue(p.Type(), v.Path, depth+1)
	}
	return Value{Kind: Unknown}
}

// allCallersSeen reports whether fn can only be called in this package, and is
// called there.
func (e *engine) allCallersSeen(fn *ssa.Function) bool {
	return len(e.callers[fn]) > 0 && !e.used[fn] && fn.Parent() == nil && !token.IsExported(fn.Name())
}

// ownPool reports whether a pool is kept in a field in which this package stores
// nothing but what methods of the field's own type return: s.db = s.connect().
func (e *engine) ownPool(v Value) bool {
	p := v.Parameter()
	if p == nil || v.Path == "" {
		return false
	}
	n, ok := types.Unalias(derefPtr(p.Type())).(*types.Named)
	if !ok || n.Obj().Pkg() != e.pass.Pkg {
		return false
	}
	name, _ := splitPath(v.Path)
	stored := e.fields[fieldKey{n.Origin().Obj(), name}]
	for _, s := range stored {
		call, ok := originCall(s, 0).(*ssa.Call)
		if !ok || !methodOf(call.Call.StaticCallee(), n) {
			return false
		}
	}
	return len(stored) > 0
}

// methodOf reports whether fn is a method of a type.
func methodOf(fn *ssa.Function, n *types.Named) bool {
	if fn == nil || fn.Signature.Recv() == nil {
		return false
	}
	recv, ok := types.Unalias(derefPtr(fn.Signature.Recv().Type())).(*types.Named)
	return ok && recv.Origin() == n.Origin()
}
