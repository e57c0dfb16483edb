package analyzers_test

import (
	"context"
	"fmt"
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/analyzers"
	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/load"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// TestWithoutFacts holds that facts which a driver loses, or garbles, make the
// suite say less and nothing else.
func TestWithoutFacts(t *testing.T) {
	whole := findings(t)
	if len(whole) == 0 {
		t.Fatal("no findings")
	}
	run := txflow.Analyzer.Run
	t.Cleanup(func() { txflow.Analyzer.Run = run })
	for name, lose := range map[string]func(*txflow.Facts) bool{
		"lost": func(*txflow.Facts) bool { return false },
		"garbled": func(f *txflow.Facts) bool {
			var packages []*txflow.PackageFacts
			for _, p := range f.Packages {
				packages = append(packages, &txflow.PackageFacts{Path: p.Path, Data: p.Data[:len(p.Data)/2]})
			}
			f.Packages = packages
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			txflow.Analyzer.Run = func(pass *analysis.Pass) (any, error) {
				p := *pass
				imported := pass.ImportPackageFact
				p.ImportPackageFact = func(pkg *types.Package, fact analysis.Fact) bool {
					return imported(pkg, fact) && lose(fact.(*txflow.Facts))
				}
				return run(&p)
			}
			less := findings(t)
			for f := range less {
				if !whole[f] {
					t.Errorf("found only without facts: %s", f)
				}
			}
			if len(less) >= len(whole) {
				t.Errorf("%d findings without facts, %d with them: the programs do not need facts", len(less), len(whole))
			}
		})
	}
}

// findings runs the suite over the marked programs and returns what it reports.
func findings(t *testing.T) map[string]bool {
	t.Helper()
	prog, err := load.Load(context.Background(), load.Config{Dir: "../testdata", Patterns: []string{"./lockoutsidetx/...", "./notxeffect/...", "./poolintx/...", "./externalcall/..."}})
	if err != nil {
		t.Fatal(err)
	}
	results, err := check.Run(context.Background(), analyzers.All(), prog.Roots, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, r := range results {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		for _, d := range r.Diagnostics {
			found[fmt.Sprintf("%s: %s", prog.Fset.Position(d.Pos), d.Category)] = true
		}
	}
	return found
}
