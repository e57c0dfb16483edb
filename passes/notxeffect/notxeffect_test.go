package notxeffect_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
	"github.com/pgtxvet/pgtxvet/passes/notxeffect"
)

func TestPrograms(t *testing.T) { ruletest.Run(t, notxeffect.Analyzer) }

// TestFix is apart from the programs: what is fixed there needs no transaction,
// so that there is no harm to prove.
func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), notxeffect.Analyzer, "fixes")
}
