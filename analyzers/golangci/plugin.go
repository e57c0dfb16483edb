// Package golangci makes the suite a linter of golangci-lint, named pgtxvet: a
// plugin of the kind "module". docs/golangci-lint.md says how to build and to
// configure it.
//
// To import the package registers the plugin, which is how golangci-lint finds
// it.
package golangci

import (
	"fmt"
	"os"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/analyzers"
	"github.com/pgtxvet/pgtxvet/internal/config"
)

// name is what .golangci.yml calls the linter.
const name = "pgtxvet"

func init() { register.Plugin(name, New) }

// place is where the settings stand in .golangci.yml.
const place = "linters.settings.custom." + name + ".settings"

// New makes the linter with the settings of .golangci.yml. They say what
// .pgtxvet.yaml can say, and with the key rules which rules run. What they
// declare holds for all packages, in place of the files .pgtxvet.yaml. An error
// says which setting is wrong.
func New(settings any) (register.LinterPlugin, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c, err := config.Settings(place, dir, settings)
	if err != nil {
		return nil, err
	}
	p := &plugin{dir: dir}
	if err := c.CheckRules(p.choose(c)); err != nil {
		return nil, err
	}
	if c.Declares() {
		if err := c.UseForAll(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return p, nil
}

// A plugin is the linter.
type plugin struct {
	dir   string
	rules []*analysis.Analyzer
}

// choose takes the rules that the settings let run, and returns the names of all.
func (p *plugin) choose(c *config.Config) (known []string) {
	for _, group := range []struct {
		rules     []*analysis.Analyzer
		byDefault bool
	}{{analyzers.All(), true}, {analyzers.Optional(), false}} {
		for _, a := range group.rules {
			known = append(known, a.Name)
			if c.Runs(a.Name, group.byDefault) {
				p.rules = append(p.rules, a)
			}
		}
	}
	return known
}

// GetLoadMode says that the rules need types.
func (*plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

// BuildAnalyzers returns the rules. One more pass is among them that reports
// nothing: see [keyed].
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	list := []*analysis.Analyzer{keyed(p.dir)}
	for _, a := range p.rules {
		list = append(list, alone(a))
	}
	return list, nil
}

// alone returns the rule without the places that belong to a finding: golangci-lint
// makes findings of their own of them. A message names the lines by itself.
func alone(a *analysis.Analyzer) *analysis.Analyzer {
	b := *a
	b.Run = func(pass *analysis.Pass) (any, error) {
		p := *pass
		p.Report = func(d analysis.Diagnostic) {
			d.Related = nil
			pass.Report(d)
		}
		return a.Run(&p)
	}
	return &b
}
