package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgtxvet/pgtxvet/analyzers"
)

// TestFixes applies what the rules suggest for the programs on the real libraries.
// What comes out must type-check and have nothing left to fix.
func TestFixes(t *testing.T) {
	if testing.Short() {
		t.Skip("it looks at all programs twice")
	}
	dir := t.TempDir()
	copyPrograms(t, dir)
	t.Setenv("GOPROXY", "off")
	before := lines(t, "-C", dir, "-diff", "./...")
	if !strings.Contains(before.stdout, "\n+++ ") {
		t.Fatalf("nothing to fix: %s", before.stderr)
	}
	after := lines(t, "-C", dir, "-fix", "./...")
	if strings.Contains(after.stdout, "\tfix: ") {
		t.Errorf("fixes are left:\n%s", after.stdout)
	}
	for line := range strings.Lines(after.stderr) {
		if strings.HasPrefix(line, "pgtxvet: ") && !strings.Contains(line, " applied in ") && !strings.Contains(before.stderr, line) {
			t.Errorf("after the fixes: %s", line)
		}
	}
}

type output struct{ stdout, stderr string }

// lines runs the suite in this process.
func lines(t *testing.T, args ...string) output {
	t.Helper()
	var stdout, stderr bytes.Buffer
	p := program{suite: suite{byDefault: analyzers.All(), onRequest: analyzers.Optional()}, stdout: &stdout, stderr: &stderr}
	if code := p.run(args); code == exitFailed {
		t.Fatalf("status %d: %s", code, stderr.String())
	}
	return output{stdout.String(), stderr.String()}
}

// copyPrograms copies the Go files of testdata.
func copyPrograms(t *testing.T, to string) {
	t.Helper()
	from := os.DirFS("../../testdata")
	err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "shapes" || name == "timelines"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o777)
		}
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}
