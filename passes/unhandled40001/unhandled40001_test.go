package unhandled40001_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
	"github.com/pgtxvet/pgtxvet/passes/unhandled40001"
)

func TestPrograms(t *testing.T) { ruletest.Run(t, unhandled40001.Analyzer) }
