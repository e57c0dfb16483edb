package poolintx_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
	"github.com/pgtxvet/pgtxvet/passes/poolintx"
)

func TestPrograms(t *testing.T) { ruletest.Run(t, poolintx.Analyzer) }
