// Package directive defines the rule that holds the suite's own directives,
// "//pgtxvet:ignore RULE reason", to their form.
package directive

import (
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/lint"

	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/ruledoc"
	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
)

const name = "directive"

var doc = &lint.RawDocumentation{
	Title: `Malformed directive`,
	Text: `A finding is silenced where it stands by a comment on its line, or alone on the
line above it:

    //pgtxvet:ignore RULE reason

The rule must be one of the suite's; several stand with commas between them. The
reason is required: it is what the next reader needs. This check reports
directives that lack either, since they silence nothing, and comments that only
look like one: \'// pgtxvet:ignore\' with a space, \'//pgtxvet:disable\'. A well-formed directive that silences no finding is reported by
the rule it names.`,
	Since:    "0.1.0",
	Severity: lint.SeverityWarning,
}

// New makes the analyzer for a suite with the given rules. It also fails, as
// the one rule that does, where the configuration of a package is wrong, so
// that every driver says so.
func New(rules []string) *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name: name,
		Doc:  doc.Compile().String(),
		URL:  rule.URL + name + ".md",

		Requires: []*analysis.Analyzer{config.Analyzer},
	}
	ruledoc.Record(a, doc)
	all := append(slices.Clone(rules), name)
	a.Run = func(pass *analysis.Pass) (any, error) {
		c := pass.ResultOf[config.Analyzer].(*config.Package)
		if err := errors.Join(c.Err, c.CheckRules(all)); err != nil || c.Disabled(name) {
			return nil, err
		}
		report := func(pos, end token.Pos, msg string) {
			pass.Report(analysis.Diagnostic{Pos: pos, End: end, Category: name, URL: a.URL, Message: msg})
		}
		for _, f := range pass.Files {
			for _, ig := range rule.Ignores(pass.Fset, f) {
				if msg := fault(ig, rules); msg != "" {
					report(ig.Pos, ig.End, msg)
				}
			}
			for _, l := range rule.Lookalikes(f, rules) {
				report(l.Pos, l.End, l.Why)
			}
		}
		return nil, nil
	}
	return a
}

// fault says what is wrong with a directive, "" when nothing is.
func fault(ig *rule.Ignore, rules []string) string {
	switch {
	case ig.Rule == "":
		return "directive without a rule and a reason; write //pgtxvet:ignore RULE reason"
	case !slices.Contains(rules, ig.Rule):
		return fmt.Sprintf("directive for an unknown rule %q; the rules are %s", ig.Rule, strings.Join(rules, ", "))
	case ig.Reason == "" && ig.First:
		return fmt.Sprintf("directive without a reason silences nothing; write //pgtxvet:ignore %s and why it is right here", ig.List)
	}
	return ""
}
