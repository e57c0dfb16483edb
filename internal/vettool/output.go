package vettool

import (
	"cmp"
	"fmt"
	"go/token"
	"io"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/fix"
	"github.com/pgtxvet/pgtxvet/internal/report"
)

// report writes findings in the form that was asked for, or applies their fixes.
func (r *run) report(results []check.Result) (int, error) {
	var fset *token.FileSet
	for i := range results {
		fset = results[i].Package.Fset
		for j := range results[i].Diagnostics {
			results[i].Diagnostics[j].URL = "" // not in the form of go vet
		}
	}
	for _, err := range fix.ValidateAll(fset, results) {
		fmt.Fprintf(r.stderr, "pgtxvet: %v\n", err)
	}
	switch {
	case r.opts.fix:
		return r.fix(results)
	case r.opts.json:
		return exitOK, report.JSON(r.stdout, report.Findings(fset, results), report.Failed(results))
	}
	code := r.errors(results)
	for _, res := range results {
		for _, d := range res.Diagnostics {
			printPlain(r.stderr, fset, r.opts.context, d)
			code = exitFailed
		}
	}
	return code, nil
}

// errors says which rules failed.
func (r *run) errors(results []check.Result) int {
	code := exitOK
	for _, res := range results {
		if res.Err != nil {
			fmt.Fprintf(r.stderr, "pgtxvet: %v\n", res.Err)
			code = exitFailed
		}
	}
	return code
}

// printPlain writes a finding for people, with lines of the source around it
// unless the number of them is negative.
func printPlain(w io.Writer, fset *token.FileSet, context int, d analysis.Diagnostic) {
	place(w, fset, context, d.Pos, d.End, d.Message)
	for _, rel := range d.Related {
		place(w, fset, context, rel.Pos, rel.End, "\t"+rel.Message)
	}
}

func place(w io.Writer, fset *token.FileSet, context int, pos, end token.Pos, message string) {
	from, to := fset.Position(pos), fset.Position(cmp.Or(end, pos))
	fmt.Fprintf(w, "%s: %s\n", from, message)
	if context < 0 {
		return
	}
	data, err := os.ReadFile(from.Filename)
	if err != nil {
		return
	}
	lines := strings.Split(string(data), "\n")
	for i := max(1, from.Line-context); i <= min(len(lines), to.Line+context); i++ {
		fmt.Fprintf(w, "%d\t%s\n", i, lines[i-1])
	}
}
