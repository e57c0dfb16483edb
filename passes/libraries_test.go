package passes_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/analyzers"
	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
)

// TestLibraries holds what all rules report on one program for each library,
// testdata/libraries, to its comments.
func TestLibraries(t *testing.T) { ruletest.RunAll(t, "../testdata", "libraries", analyzers.All()) }
