package golangci

import (
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/analyzers"
)

// built returns the names of the linter's analyzers.
func built(t *testing.T, settings any) (names []string) {
	t.Helper()
	newPlugin, err := register.GetPlugin("pgtxvet")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlugin(settings)
	if err != nil {
		t.Fatal(err)
	}
	if mode := p.GetLoadMode(); mode != register.LoadModeTypesInfo {
		t.Errorf("the load mode is %s", mode)
	}
	list, err := p.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	if err := analysis.Validate(list); err != nil {
		t.Error(err)
	}
	for _, a := range list[1:] {
		names = append(names, a.Name)
	}
	return names
}

func TestRules(t *testing.T) {
	var all []string
	for _, a := range analyzers.All() {
		all = append(all, a.Name)
	}
	for _, test := range []struct {
		settings any
		want     string
	}{
		{nil, strings.Join(all, " ")},
		{map[string]any{"rules": []any{"sessionset", "lostupdate"}}, "lostupdate sessionset"},
		{map[string]any{"disable": []any{"all"}, "enable": []any{"poolintx"}}, "poolintx"},
	} {
		if got := strings.Join(built(t, test.settings), " "); got != test.want {
			t.Errorf("%v: %s, want %s", test.settings, got, test.want)
		}
	}
	_, err := New(map[string]any{"rules": []any{"sessionsets"}})
	if err == nil || !strings.HasPrefix(err.Error(), `linters.settings.custom.pgtxvet.settings.rules[0]: no rule "sessionsets"`) {
		t.Errorf("a rule that does not exist: %v", err)
	}
}

// TestAlone holds that a finding comes without the places that belong to it, and
// with all else.
func TestAlone(t *testing.T) {
	rule := &analysis.Analyzer{Name: "rule", Run: func(pass *analysis.Pass) (any, error) {
		pass.Report(analysis.Diagnostic{Pos: 1, Message: "wrong", Related: []analysis.RelatedInformation{{Pos: 2}}})
		return nil, nil
	}}
	var found []analysis.Diagnostic
	a := alone(rule)
	if _, err := a.Run(&analysis.Pass{Analyzer: a, Report: func(d analysis.Diagnostic) { found = append(found, d) }}); err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Message != "wrong" || found[0].Pos != 1 || found[0].Related != nil {
		t.Errorf("%+v", found)
	}
}
