package rowsaffected_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
	"github.com/pgtxvet/pgtxvet/passes/rowsaffected"
)

func TestPrograms(t *testing.T) { ruletest.Run(t, rowsaffected.Analyzer) }
