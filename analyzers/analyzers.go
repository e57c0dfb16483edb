// Package analyzers is the suite: the list of pgtxvet's rules.
//
// Every analyzer in it is a rule. Passes that only help rules are reached
// through their Requires.
package analyzers

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// byDefault are the rules that run unless they are switched off.
var byDefault = []*analysis.Analyzer{}

// onRequest are the rules that run only when they are asked for by name.
var onRequest = []*analysis.Analyzer{}

// All returns the rules that run by default, in the order of their names.
func All() []*analysis.Analyzer { return sorted(byDefault) }

// Optional returns the rules that run only when they are asked for, in the
// order of their names.
func Optional() []*analysis.Analyzer { return sorted(onRequest) }

func sorted(rules []*analysis.Analyzer) []*analysis.Analyzer {
	return slices.SortedFunc(slices.Values(rules), func(a, b *analysis.Analyzer) int {
		return cmp.Compare(a.Name, b.Name)
	})
}
