// Package ruletest runs a rule over its programs in the module testdata.
package ruletest

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// Run holds what a rule reports on its programs, testdata/<rule>, to their
// "// want" comments, and what its fixes make of a file to the .golden file
// beside it. It is called from the directory of the rule.
func Run(t *testing.T, a *analysis.Analyzer) {
	t.Helper()
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	touch(t, filepath.Join(dir, a.Name))
	if err := download(dir); err != nil {
		t.Fatal(err)
	}
	analysistest.RunWithSuggestedFixes(t, dir, a, "./"+a.Name+"/...")
}

// touch looks at all files below dir: the go command keeps the result of a test
// until a file changes that the test itself looked at.
func touch(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, _ fs.DirEntry, err error) error { return err })
	if err != nil {
		t.Fatal(err)
	}
}

var (
	downloaded sync.Once
	errModules error
)

// download brings the modules of testdata to this machine, since analysistest
// stays off the network.
func download(dir string) error {
	downloaded.Do(func() {
		cmd := exec.Command("go", "mod", "download")
		cmd.Dir = dir
		errModules = cmd.Run()
	})
	return errModules
}
