package externalcall_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/passes/externalcall"
	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
)

func TestPrograms(t *testing.T) { ruletest.Run(t, externalcall.Analyzer) }
