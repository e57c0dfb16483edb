// Package ruledoc keeps the documentation of rules as data, from which their
// pages, what "pgtxvet explain" prints and what other reports show are made.
package ruledoc

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/lint"
)

// docs maps *analysis.Analyzer to *lint.RawDocumentation. An analyzer has no
// field for it, and a wrapper would have to be unwrapped by every driver.
var docs sync.Map

// Record keeps the documentation of a rule. Constructors of rules call it.
func Record(a *analysis.Analyzer, doc *lint.RawDocumentation) { docs.Store(a, doc) }

// Of returns the documentation of a rule, nil for an analyzer that is none.
func Of(a *analysis.Analyzer) *lint.RawDocumentation {
	doc, _ := docs.Load(a)
	raw, _ := doc.(*lint.RawDocumentation)
	return raw
}

// Title is what a rule reports, in a few words of plain text. Of an analyzer
// without documentation it is the first line of its Doc.
func Title(a *analysis.Analyzer) string {
	if raw := Of(a); raw != nil {
		return raw.Compile().Title
	}
	title, _, _ := strings.Cut(a.Doc, "\n")
	return strings.TrimPrefix(title, a.Name+": ")
}

// Description is what a rule is about, in a paragraph of plain text. Of an analyzer
// without documentation it is its title, as a sentence.
func Description(a *analysis.Analyzer) string {
	if raw := Of(a); raw != nil {
		first, _, _ := strings.Cut(raw.Compile().Text, "\n\n")
		return strings.Join(strings.Fields(first), " ")
	}
	return Title(a) + "."
}

// Text is the documentation of a rule as plain text.
func Text(a *analysis.Analyzer) string { return strings.TrimSpace(a.Doc) }

// Markdown is the documentation of a rule as Markdown: what it reports, the code
// before and after,.
func Markdown(a *analysis.Analyzer) string {
	raw := Of(a)
	if raw == nil {
		return Text(a)
	}
	doc := raw.Compile()
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n%s\n", doc.TitleMarkdown, doc.TextMarkdown)
	if doc.Before != "" {
		fmt.Fprintf(&b, "\nInstead of\n\n%s\nwrite\n\n%s", goBlock(doc.Before), goBlock(doc.After))
	}
	return b.String()
}

func goBlock(code string) string { return "```go\n" + strings.Trim(code, "\n") + "\n```\n" }

// levels are the names that SARIF has for severities.
var levels = map[lint.Severity]string{
	lint.SeverityError:      "error",
	lint.SeverityDeprecated: "warning",
	lint.SeverityWarning:    "warning",
	lint.SeverityInfo:       "note",
	lint.SeverityHint:       "note",
}

// Level is how bad it is what a rule finds: "error", "warning" or "note".
func Level(a *analysis.Analyzer) string {
	if raw := Of(a); raw != nil {
		return cmp.Or(levels[raw.Severity], "warning")
	}
	return "warning"
}
