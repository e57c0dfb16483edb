package sqltext

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// An Entry is a text of a package variable: of the variable itself, or of the
// element with the key where it is a map.
type Entry struct {
	Key  string
	Text string
}

// Variable returns what a package variable of type string, or map of strings,
// holds, if it is set where it is declared and nowhere else. It is nil when that
// is not known, or not without parameters.
func (r *Resolver) Variable(v *ssa.Global) []Entry {
	r.steps, r.stopped = 0, false
	r.index()
	elem := v.Type().Underlying().(*types.Pointer).Elem()
	if isString(elem) {
		return entries(nil, "", r.global(v, ""))
	}
	m, ok := elem.Underlying().(*types.Map)
	if !ok || !isString(m.Key()) || !isString(m.Elem()) {
		return nil
	}
	var out []Entry
	for _, u := range r.built(r.global(v, "?")) {
		if out = entries(out, u.key, r.entry(u, "")); out == nil {
			return nil
		}
	}
	return out
}

// entries adds the one constant text that vs is, nil if it is something else.
func entries(to []Entry, key string, vs vals) []Entry {
	if len(vs) != 1 || vs[0].kind != isText {
		return nil
	}
	s, ok := vs[0].text.constant()
	if !ok {
		return nil
	}
	return append(to, Entry{key, s})
}

// Others sets what tells the content of variables of other packages.
func (r *Resolver) Others(of func(v *ssa.Global) []Entry) { r.others = of }

// otherEntries returns the content of a variable of another package, nil if it is
// not known or this package may change it.
func (r *Resolver) otherEntries(v *ssa.Global) []Entry {
	if r.others == nil || r.index().written[v] {
		return nil
	}
	return r.others(v)
}

// imported is the content of a string variable of another package.
func (r *Resolver) imported(v *ssa.Global, path string) vals {
	if path != "" || !isString(v.Type().Underlying().(*types.Pointer).Elem()) {
		return nil
	}
	es := r.otherEntries(v)
	if len(es) != 1 {
		return nil
	}
	return textVals(literal(es[0].Text))
}

// importedMap are the entries of a map of another package.
func (r *Resolver) importedMap(v *ssa.Global) []update {
	var out []update
	for _, e := range r.otherEntries(v) {
		out = append(out, update{key: e.Key, texts: Set{literal(e.Text)}})
	}
	return out
}
