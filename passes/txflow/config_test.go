package txflow_test

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/pgtxvet/pgtxvet/passes/externalcall"
	"github.com/pgtxvet/pgtxvet/passes/poolintx"
	"github.com/pgtxvet/pgtxvet/passes/unhandled40001"
)

// several runs several rules as one, whose claims are those of all of them.
var several = &analysis.Analyzer{
	Name:     "several",
	Doc:      "several rules",
	Requires: poolintx.Analyzer.Requires,
	Run: func(pass *analysis.Pass) (any, error) {
		for _, a := range []*analysis.Analyzer{poolintx.Analyzer, externalcall.Analyzer, unhandled40001.Analyzer} {
			p := *pass
			p.Analyzer = a
			if _, err := a.Run(&p); err != nil {
				return nil, err
			}
		}
		return nil, nil
	},
}

// TestDeclared holds that the rules follow what .pgtxvet.yaml declares.
func TestDeclared(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), several, "declared")
}
