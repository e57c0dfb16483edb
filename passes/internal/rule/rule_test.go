package rule_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
	"honnef.co/go/tools/analysis/lint"

	"github.com/pgtxvet/pgtxvet/internal/ruledoc"
	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
)

// demo reports every statement.
var demo = rule.New("demo", doc, func(p *rule.Pass) {
	for _, s := range p.Sites {
		pos, end := s.Range()
		p.Report(pos, end, "a statement")
	}
})

var doc = &lint.RawDocumentation{Title: `Statement`, Text: `Reports statements.`, Since: "0.1.0"}

func TestDirective(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), demo, "orders")
}

func TestDocumentation(t *testing.T) {
	if ruledoc.Of(demo) != doc {
		t.Error("New does not record the documentation")
	}
}
