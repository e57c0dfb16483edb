package directive_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/pgtxvet/pgtxvet/passes/directive"
)

func TestForm(t *testing.T) {
	a := directive.New([]string{"lockoutsidetx", "sessionset"})
	analysistest.Run(t, analysistest.TestData(), a, "shop")
}
