// Package report writes findings for people and for programs.
package report

import (
	"cmp"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/check"
)

// A Finding is one diagnostic with its positions resolved.
type Finding struct {
	Rule    string
	Package string // path of the package it was found in
	Pos     token.Position
	End     token.Position
	Message string
	URL     string
	Related []Related
	Fixes   []string // messages of the suggested fixes
}

// A Related is a further place that a finding speaks of.
type Related struct {
	Pos     token.Position
	Message string
}

// Findings gives the findings in the results, sorted by position, rule and
// message.
func Findings(fset *token.FileSet, results []check.Result) []Finding {
	var all []Finding
	for _, r := range results {
		for _, d := range r.Diagnostics {
			all = append(all, newFinding(fset, r, d))
		}
	}
	slices.SortStableFunc(all, Finding.compare)
	return all
}

// Distinct leaves out diagnostics where an earlier result has one of the same
// rule at the same position: a place can be seen from a package and from its
// test variant, or from two programs, whose messages may name different ways
// that lead there.
func Distinct(fset *token.FileSet, results []check.Result) []check.Result {
	type key struct {
		pos  token.Position
		rule string
	}
	first := make(map[key]int)
	var kept []check.Result
	for i, r := range results {
		var diagnostics []analysis.Diagnostic
		for _, d := range r.Diagnostics {
			k := key{fset.Position(d.Pos), r.Analyzer.Name}
			k.pos.Offset = 0
			if by, seen := first[k]; !seen || by == i {
				first[k] = i
				diagnostics = append(diagnostics, d)
			}
		}
		if r.Diagnostics = diagnostics; r.Err != nil || len(diagnostics) > 0 {
			kept = append(kept, r)
		}
	}
	return kept
}

func newFinding(fset *token.FileSet, r check.Result, d analysis.Diagnostic) Finding {
	f := Finding{
		Rule:    r.Analyzer.Name,
		Package: r.Package.PkgPath,
		Pos:     fset.Position(d.Pos),
		End:     fset.Position(cmp.Or(d.End, d.Pos)),
		Message: d.Message,
		URL:     d.URL,
	}
	for _, rel := range d.Related {
		f.Related = append(f.Related, Related{fset.Position(rel.Pos), rel.Message})
	}
	for _, fix := range d.SuggestedFixes {
		f.Fixes = append(f.Fixes, fix.Message)
	}
	return f
}

// compare orders findings as they are printed.
func (f Finding) compare(g Finding) int {
	return cmp.Or(
		cmp.Compare(f.Pos.Filename, g.Pos.Filename),
		cmp.Compare(f.Pos.Line, g.Pos.Line),
		cmp.Compare(f.Pos.Column, g.Pos.Column),
		cmp.Compare(f.Rule, g.Rule),
		cmp.Compare(f.Message, g.Message),
	)
}
