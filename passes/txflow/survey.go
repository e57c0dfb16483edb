package txflow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Survey is what was found in a package by itself, without being declared: it
// tells a person what the configuration need not say, and what it may have to.
type Survey struct {
	// Runners are functions that run a function parameter in a transaction.
	Runners []*types.Func
	// Getters are functions that return the transaction of a context, or else a
	// pool.
	Getters []*types.Func
	// Asked are methods of the user's interfaces that are given functions: they
	// may be runners.
	Asked []*types.Func
}

// Survey looks through the functions of the package.
func (r *Result) Survey() Survey {
	var s Survey
	add := func(list *[]*types.Func, fn *types.Func) {
		if fn != nil && !slices.Contains(*list, fn) {
			*list = append(*list, fn)
		}
	}
	for _, site := range r.Effects {
		if site.Fn == nil {
			continue
		}
		if site.Op == callParam && len(site.Scopes) > 0 {
			add(&s.Runners, declaredFunc(site.Fn))
		}
		// What another package calls is told when that is looked at.
		if m := site.Origin; site.Op == callMethod && Here(m) && takesWork(m.Common().Signature()) {
			add(&s.Asked, m.Common().Method)
		}
	}
	if r.e != nil {
		for _, fn := range r.e.funcs {
			if !r.e.inGenerated(fn) && r.e.getter(fn) {
				add(&s.Getters, declaredFunc(fn))
			}
		}
	}
	return s
}

// takesWork reports whether a function is given one that can fail.
func takesWork(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if fn, ok := v.Type().Underlying().(*types.Signature); ok {
			if n := fn.Results().Len(); n > 0 && isError(fn.Results().At(n-1).Type()) {
				return true
			}
		}
	}
	return false
}

// declaredFunc is the declaration of fn, nil for a closure.
func declaredFunc(fn *ssa.Function) *types.Func {
	obj, _ := fn.Object().(*types.Func)
	return obj
}

// getter reports whether a result of fn is the transaction of a context, or else
// a pool. What may be anything, as of a Value method, is none.
func (e *engine) getter(fn *ssa.Function) bool {
	for i := range fn.Signature.Results().Len() {
		t, anything := fn.Signature.Results().At(i).Type().Underlying().(*types.Interface)
		anything = anything && t.Empty()
		if !anything && e.returned(fn, i, "").Kind == Ambient {
			return true
		}
	}
	return false
}
