package analyzers_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgtxvet/pgtxvet/analyzers"
	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/load"
)

var shapeMark = regexp.MustCompile(`// (expect|or|also|missed): ([a-z0-9]+)`)

// TestShapes holds the suite to the marked programs of testdata/shapes: what is
// expected is reported, what is known to be missed is not yet, and nothing is
// reported in a program that is right.
func TestShapes(t *testing.T) {
	dir, err := filepath.Abs("../testdata/shapes")
	if err != nil {
		t.Fatal(err)
	}
	found := shapeFindings(t, dir)
	marked := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*", "bad", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no marked programs: %v", err)
	}
	deeper, err := filepath.Glob(filepath.Join(dir, "*", "bad", "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	expected := 0
	for _, file := range slices.Concat(files, deeper) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(src), "\n") {
			for _, m := range shapeMark.FindAllStringSubmatch(line, -1) {
				kind, rule := m[1], m[2]
				key := fmt.Sprintf("%s:%d: %s", file, i+1, rule)
				marked[key] = true
				switch {
				case kind == "expect" && !found[key] && !orElsewhere(t, file, rule, found):
					t.Errorf("%s: expected", key)
				case kind == "missed" && found[key]:
					t.Errorf("%s: found at last; mark it as expected", key)
				}
				if kind == "expect" {
					expected++
				}
			}
		}
	}
	for key := range found {
		if !marked[key] {
			t.Errorf("%s: reported, and not marked", key)
		}
	}
	if expected < 100 {
		t.Errorf("only %d expectations", expected)
	}
}

// orElsewhere reports whether another line of the file that is as good has the
// finding.
func orElsewhere(t *testing.T, file, rule string, found map[string]bool) bool {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(src), "\n") {
		if strings.Contains(line, "// or: "+rule) && found[fmt.Sprintf("%s:%d: %s", file, i+1, rule)] {
			return true
		}
	}
	return false
}

// shapeFindings runs the suite over all shapes.
func shapeFindings(t *testing.T, dir string) map[string]bool {
	t.Helper()
	prog, err := load.Load(context.Background(), load.Config{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range prog.Failures {
		t.Errorf("%s: %s", f.Pos(), f.Message())
	}
	results, err := check.Run(context.Background(), analyzers.All(), prog.Roots, check.Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, r := range results {
		if r.Err != nil {
			t.Error(r.Err)
		}
		for _, d := range r.Diagnostics {
			p := prog.Fset.Position(d.Pos)
			found[fmt.Sprintf("%s:%d: %s", p.Filename, p.Line, d.Category)] = true
		}
	}
	return found
}
