package sqltext

import "golang.org/x/tools/go/ssa"

// ResolveField is [Resolver.Resolve] of the named field of v, a struct or a
// pointer to one. A field that is left out of a literal is the empty text.
func (r *Resolver) ResolveField(v ssa.Value, field string) Set {
	r.steps, r.stopped = 0, false
	return known(r.texts(r.value(r.root, v, "."+field)).settle())
}
