package lostupdate_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/passes/internal/ruletest"
	"github.com/pgtxvet/pgtxvet/passes/lostupdate"
)

func TestPrograms(t *testing.T) { ruletest.Run(t, lostupdate.Analyzer) }
