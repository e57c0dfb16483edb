package sqltext

import "golang.org/x/tools/go/ssa"

// ResolveField is [Resolver.Resolve] of the named field of v, a struct or a
// pointer to one. A field that is left out of a literal is the empty text.
// What a pointer points to is taken where the pointer is first handed on.
func (r *Resolver) ResolveField(v ssa.Value, field string) Set {
	r.steps, r.stopped = 0, false
	p := point{r.root, handedOn(v)}
	return known(r.texts(r.at(p, v, "."+field)).settle())
}

// handedOn is the first use of a pointer other than to set what it points to,
// nil if there is none or v is no pointer.
func handedOn(v ssa.Value) ssa.Instruction {
	if !isPointer(v.Type()) || v.Referrers() == nil {
		return nil
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
		case *ssa.Store:
			if ref.Val == v {
				return ref
			}
		default:
			return ref
		}
	}
	return nil
}
