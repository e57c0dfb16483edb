// Package ruledoc keeps the documentation of rules as data, from which their
// pages, what "pgtxvet explain" prints and what other reports show are made.
package ruledoc

import (
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
