package skiplocked_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
	"github.com/pgtxvet/pgtxvet/passes/skiplocked"
)

func TestPrograms(t *testing.T) { ruletest.Run(t, skiplocked.Analyzer) }
