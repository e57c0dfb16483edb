package txflow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// subselect is the row of the end of a chain of GORM's that is an argument of
// another: it is a SELECT.
var subselect = &dbapi.Func{Name: "subselect", Role: dbapi.Finish, Clause: "find"}

// inline puts the statements that are arguments of a fragment, whose parts begin at
// n, in place of the placeholders that they stand for: "id = (?)" with a query.
func (r *renderer) inline(n int, values []chainValue) []chainValue {
	for i := len(values) - 1; i >= 0; i-- {
		text, args := r.e.subquery(values[i].v)
		if text == nil || !r.splice(n, i, text) {
			continue
		}
		if placeholdersIn(text) != len(args) {
			r.lost = true
		}
		values = slices.Concat(values[:i], args, values[i+1:])
	}
	return values
}

// queryOf returns the text of a value that is a query in the making, and the values
// of its placeholders; nil where it is none, or not one known text.
func (e *engine) queryOf(v ssa.Value) (sqltext.Text, []chainValue) {
	if v == nil {
		return nil, nil
	}
	v = unwrapNamed(v)
	var set sqltext.Set
	var args []chainValue
	switch {
	case builderLibrary(v) != "":
		set, args = e.builderText(v, nil)
	case typeName(v.Type()) == "*gorm.io/gorm.DB":
		ways := e.chains(v, 0)
		if len(ways) != 1 || !slices.ContainsFunc(ways[0], func(l link) bool { return l.api.Clause == "model" || l.api.Clause == "table" }) {
			return nil, nil
		}
		set, args = e.renderAll(renderGorm, ways, link{api: subselect})
	}
	if len(set) != 1 {
		return nil, nil
	}
	return set[0], args
}

// splice puts a text in place of the i-th placeholder of the parts from n on.
func (r *renderer) splice(n, i int, text sqltext.Text) bool {
	for p := n; p < len(r.text); p++ {
		lit := r.text[p].Lit
		if k := strings.Count(lit, "?"); i >= k {
			i -= k
			continue
		}
		at := 0
		for ; i > 0; i-- {
			at += strings.IndexByte(lit[at:], '?') + 1
		}
		at += strings.IndexByte(lit[at:], '?')
		before, after := r.text[p], sqltext.Part{Lit: lit[at+1:]}
		before.Lit = lit[:at]
		r.text = slices.Concat(r.text[:p], sqltext.Text{before}, text, sqltext.Text{after}, r.text[p+1:])
		return true
	}
	return false
}

// placeholdersIn counts the placeholders of a text.
func placeholdersIn(text sqltext.Text) int {
	n := 0
	for _, p := range text {
		n += strings.Count(p.Lit, "?")
	}
	return n
}
