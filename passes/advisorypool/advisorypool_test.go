package advisorypool_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/passes/advisorypool"
	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
)

func TestPrograms(t *testing.T) { ruletest.Run(t, advisorypool.Analyzer) }
