package lockoutsidetx_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
	"github.com/pgtxvet/pgtxvet/passes/lockoutsidetx"
)

func TestPrograms(t *testing.T) { ruletest.Run(t, lockoutsidetx.Analyzer) }
