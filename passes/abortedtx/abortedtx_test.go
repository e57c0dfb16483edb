package abortedtx_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/passes/abortedtx"
	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
)

func TestPrograms(t *testing.T) { ruletest.Run(t, abortedtx.Analyzer) }
