// Package report writes findings for people and for programs.
package report

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/check"
)

// A Report is what one run has to say.
type Report struct {
	Version  string         // of the program
	Rules    []Rule         // all that the program has
	Findings []Finding      // as [Findings] gives them
	Failed   []check.Result // those with an error
	Failures []string       // all that could not be analysed, for people
	Dir      string         // names of files are relative to it in text and checkstyle
	Root     string         // of the repository: in the other formats they are relative to it
	Style    Style          // of text
}

// A Rule is what a report says about a rule.
type Rule struct {
	Name        string
	Title       string
	Description string // a paragraph
	Text        string // documentation
	Markdown    string // the same as Markdown
	URL         string
	Level       string // "error", "warning" or "note"
	Default     bool   // it runs unless it is switched off
}

// A Finding is one diagnostic with its positions resolved.
type Finding struct {
	Rule     string
	Category string
	Package  string // path of the package it was found in
	Pos      token.Position
	End      token.Position
	Message  string
	URL      string
	Related  []Related
	Fixes    []Fix

	// What [Fingerprint] fills in: a name of the finding across runs, and the
	// parts of it that people can read.
	Fingerprint string
	File        string // with the path of its module in front
	Func        string // around the finding, "" outside of functions

	// Result has the diagnostic that the finding was made of, alone.
	Result check.Result
}

// A Related is a further place that a finding speaks of.
type Related struct {
	Pos, End token.Position
	Message  string
}

// A Fix is a suggested change.
type Fix struct {
	Message string
	Edits   []Edit
}

// An Edit replaces what stands from Pos up to End.
type Edit struct {
	Pos, End token.Position
	New      string
}

// formats are the forms of a report.
var formats = map[string]func(io.Writer, *Report) error{
	"text":       text,
	"json":       func(w io.Writer, r *Report) error { return JSON(w, r.Findings, r.Failed) },
	"sarif":      sarif,
	"github":     github,
	"gitlab":     gitlab,
	"checkstyle": checkstyle,
}

// Formats are the names of the forms that [Write] knows.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// ErrFormat is the error of a form that [Write] does not know.
var ErrFormat = errors.New("no such format")

// Write writes the report in a form.
func Write(w io.Writer, format string, r *Report) error {
	write, ok := formats[format]
	if !ok {
		return fmt.Errorf("%w: %q; the formats are %s", ErrFormat, format, strings.Join(Formats(), ", "))
	}
	return write(w, r)
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
	place := func(pos, end token.Pos) (token.Position, token.Position) {
		return fset.Position(pos), fset.Position(cmp.Or(end, pos))
	}
	f := Finding{
		Rule: r.Analyzer.Name, Category: d.Category, Package: r.Package.PkgPath,
		Message: d.Message, URL: d.URL, Result: r,
	}
	f.Result.Diagnostics = []analysis.Diagnostic{d}
	f.Pos, f.End = place(d.Pos, d.End)
	for _, rel := range d.Related {
		pos, end := place(rel.Pos, rel.End)
		f.Related = append(f.Related, Related{pos, end, rel.Message})
	}
	for _, suggested := range d.SuggestedFixes {
		fix := Fix{Message: suggested.Message}
		for _, e := range suggested.TextEdits {
			pos, end := place(e.Pos, e.End)
			fix.Edits = append(fix.Edits, Edit{pos, end, string(e.NewText)})
		}
		f.Fixes = append(f.Fixes, fix)
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

// place is file:line:col, with the shorter name of the file. A //line comment
// leaves no column.
func place(pos token.Position, dir string) string {
	if pos.Filename != "" {
		pos.Filename = Relative(pos.Filename, dir)
	}
	return pos.String()
}

// Relative is the path relative to dir, or as it is where that is shorter.
func Relative(path, dir string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// slashed is the path relative to dir with slashes, and whether it is below dir.
func slashed(path, dir string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(path), false
	}
	return filepath.ToSlash(rel), true
}

// note is the message with its further places, each on a line of its own.
func (f Finding) note(dir string) string {
	lines := []string{f.Message}
	for _, r := range f.Related {
		pos := r.Pos
		pos.Filename, _ = slashed(pos.Filename, dir)
		lines = append(lines, pos.String()+": "+r.Message)
	}
	return strings.Join(lines, "\n")
}

// level is that of the finding's rule.
func (r *Report) level(f Finding) string {
	for _, rule := range r.Rules {
		if rule.Name == f.Rule {
			return rule.Level
		}
	}
	return "warning"
}
