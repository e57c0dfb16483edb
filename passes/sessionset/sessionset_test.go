package sessionset_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
	"github.com/pgtxvet/pgtxvet/passes/sessionset"
)

func TestPrograms(t *testing.T) { ruletest.Run(t, sessionset.Analyzer) }
