package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/pgtxvet/pgtxvet/analyzers"
	"github.com/pgtxvet/pgtxvet/passes/abortedtx"
	"github.com/pgtxvet/pgtxvet/passes/advisorypool"
	"github.com/pgtxvet/pgtxvet/passes/externalcall"
	"github.com/pgtxvet/pgtxvet/passes/lockoutsidetx"
	"github.com/pgtxvet/pgtxvet/passes/lostupdate"
	"github.com/pgtxvet/pgtxvet/passes/notxeffect"
	"github.com/pgtxvet/pgtxvet/passes/poolintx"
	"github.com/pgtxvet/pgtxvet/passes/rowsaffected"
	"github.com/pgtxvet/pgtxvet/passes/sessionset"
	"github.com/pgtxvet/pgtxvet/passes/skiplocked"
	"github.com/pgtxvet/pgtxvet/passes/unhandled40001"
)

// singles are the rules as a program picks them, one by one.
var singles = []*analysis.Analyzer{
	abortedtx.Analyzer,
	advisorypool.Analyzer,
	externalcall.Analyzer,
	lockoutsidetx.Analyzer,
	lostupdate.Analyzer,
	notxeffect.Analyzer,
	poolintx.Analyzer,
	rowsaffected.Analyzer,
	sessionset.Analyzer,
	skiplocked.Analyzer,
	unhandled40001.Analyzer,
}

// TestMain makes the test binary golangci-lint with the plugin, and drivers of
// x/tools, and builds the program beside them.
func TestMain(m *testing.M) {
	testscript.Main(withProgram{m}, map[string]func(){
		"golangci-lint": main,
		"multichecker":  func() { multichecker.Main(analyzers.All()...) },
		"singles":       func() { multichecker.Main(singles...) },
		"unitchecker":   func() { unitchecker.Main(analyzers.All()...) },
	})
}

// withProgram are the tests, with the program pgtxvet in PATH.
type withProgram struct{ *testing.M }

func (m withProgram) Run() int {
	dir, err := os.MkdirTemp("", "pgtxvet")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }() // of no use to anyone
		err = build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.M.Run()
}

// build builds the program and puts it in PATH.
func build(dir string) error {
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(dir, "pgtxvet"), "./cmd/pgtxvet")
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the program: %w\n%s", err, out)
	}
	return os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// TestSingles holds that every rule of the suite can be picked alone, but
// directive, which knows the names of all others.
func TestSingles(t *testing.T) {
	names := func(list []*analysis.Analyzer) (names []string) {
		for _, a := range list {
			if a.Name != "directive" {
				names = append(names, a.Name)
			}
		}
		slices.Sort(names)
		return names
	}
	all := names(slices.Concat(analyzers.All(), analyzers.Optional()))
	if picked := names(singles); !slices.Equal(picked, all) {
		t.Errorf("the rules are %v, and picked are %v", all, picked)
	}
	if err := analysis.Validate(singles); err != nil {
		t.Error(err)
	}
}

// TestScripts are scripts that run golangci-lint with the plugin.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOLANGCI_LINT_CACHE", filepath.Join(env.WorkDir, ".cache"))
			return goEnvironment(env)
		},
	})
}

// goEnvironment gives a script what the go command needs to find its caches,
// which would depend on HOME, and keeps it off the network.
func goEnvironment(env *testscript.Env) error {
	var errs []error
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		value, err := exec.Command("go", "env", name).Output()
		errs = append(errs, err)
		env.Setenv(name, string(value[:max(0, len(value)-1)]))
	}
	env.Setenv("GOPROXY", "off")
	env.Setenv("GOFLAGS", "")
	env.Setenv("GOTOOLCHAIN", "local")
	return errors.Join(errs...)
}

// TestVersion holds the files that say how golangci-lint is built to the version
// that is tested.
func TestVersion(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`github.com/golangci/golangci-lint/v2 (v\S+)`).FindSubmatch(mod)
	if m == nil {
		t.Fatal("go.mod does not require golangci-lint")
	}
	for _, name := range []string{".custom-gcl.yml", "docs/golangci-lint.md", "Makefile"} {
		text, err := os.ReadFile("../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, m[1]) {
			t.Errorf("%s is not about %s", name, m[1])
		}
	}
}
