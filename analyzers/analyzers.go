// Package analyzers is the suite: the list of pgtxvet's rules.
//
// Every analyzer in it is a rule, which is also passes/<rule>.Analyzer. Passes that
// only help rules are reached through their Requires. The rules need a driver that
// hands on facts; without facts they are silent about what two packages do
// together. docs/integrations.md has drivers to begin with.
package analyzers

import (
	"cmp"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/passes/abortedtx"
	"github.com/pgtxvet/pgtxvet/passes/advisorypool"
	"github.com/pgtxvet/pgtxvet/passes/directive"
	"github.com/pgtxvet/pgtxvet/passes/externalcall"
	"github.com/pgtxvet/pgtxvet/passes/lockoutsidetx"
	"github.com/pgtxvet/pgtxvet/passes/lostupdate"
	"github.com/pgtxvet/pgtxvet/passes/notxeffect"
	"github.com/pgtxvet/pgtxvet/passes/poolintx"
	"github.com/pgtxvet/pgtxvet/passes/rowsaffected"
	"github.com/pgtxvet/pgtxvet/passes/sessionset"
	"github.com/pgtxvet/pgtxvet/passes/skiplocked"
	"github.com/pgtxvet/pgtxvet/passes/unhandled40001"
)

// byDefault are the rules that run unless they are switched off.
var byDefault = []*analysis.Analyzer{
	abortedtx.Analyzer,
	advisorypool.Analyzer,
	externalcall.Analyzer,
	lockoutsidetx.Analyzer,
	lostupdate.Analyzer,
	notxeffect.Analyzer,
	poolintx.Analyzer,
	rowsaffected.Analyzer,
	sessionset.Analyzer,
	skiplocked.Analyzer,
	unhandled40001.Analyzer,
}

// onRequest are the rules that run only when they are asked for by name.
var onRequest = []*analysis.Analyzer{}

// All returns the rules that run by default, in the order of their names.
func All() []*analysis.Analyzer {
	return sorted(append(byDefault[:len(byDefault):len(byDefault)], directives()))
}

// Optional returns the rules that run only when they are asked for, in the
// order of their names.
func Optional() []*analysis.Analyzer { return sorted(onRequest) }

// directives is the rule that knows the names of all others.
var directives = sync.OnceValue(func() *analysis.Analyzer {
	var names []string
	for _, a := range slices.Concat(byDefault, onRequest) {
		names = append(names, a.Name)
	}
	slices.Sort(names)
	return directive.New(names)
})

func sorted(rules []*analysis.Analyzer) []*analysis.Analyzer {
	return slices.SortedFunc(slices.Values(rules), func(a, b *analysis.Analyzer) int {
		return cmp.Compare(a.Name, b.Name)
	})
}
