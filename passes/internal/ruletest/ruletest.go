// Package ruletest runs a rule over its programs in the module testdata.
//
// It takes the program's way, load and check, and not analysistest's: a finding
// may be made while another package is analyzed than the one that it stands in
// (where a main package links an interface with what implements it), and the
// claims are those of all packages together.
package ruletest

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/load"
)

// Run holds what a rule reports on its programs, testdata/<rule>, to their
// comments "// want regexp", and what its fixes make of a file to the .golden
// file beside it. Tests are left out: they prove, and some do on purpose what
// is not to be done. It is called from the directory of the rule.
func Run(t *testing.T, a *analysis.Analyzer) {
	t.Helper()
	module, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(module, a.Name)
	found := run(t, module, a.Name, []*analysis.Analyzer{a})
	checkFixes(t, dir, found)
}

// RunAll holds what several rules report on the programs below a folder of the
// module to the same comments. What fixes make of them is not compared.
func RunAll(t *testing.T, module, folder string, rules []*analysis.Analyzer) {
	t.Helper()
	module, err := filepath.Abs(module)
	if err != nil {
		t.Fatal(err)
	}
	run(t, module, folder, rules)
}

// run compares what the rules report on the programs below a folder with their
// claims.
func run(t *testing.T, module, folder string, rules []*analysis.Analyzer) []finding {
	t.Helper()
	dir := filepath.Join(module, folder)
	wants := readWants(t, dir)
	if len(wants) == 0 {
		t.Fatalf("%s claims nothing", dir)
	}
	found := findings(t, module, "./"+folder+"/...", rules)
	compare(t, module, wants, found)
	return found
}

// A want is a claim that a line is reported.
type want struct {
	file string
	line int
	text *regexp.Regexp
}

// claim is a comment that claims; its operands are Go strings.
var (
	claim   = regexp.MustCompile("// want((?: +(?:\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`))+)")
	operand = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")
)

// readWants reads the claims of all programs below dir. It looks at every file
// there: the go command keeps the result of a test until a file changes that
// the test looked at.
func readWants(t *testing.T, dir string) []want {
	t.Helper()
	var wants []want
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			for _, comment := range group.List {
				m := claim.FindStringSubmatch(comment.Text)
				if m == nil {
					continue
				}
				for _, op := range operand.FindAllString(m[1], -1) {
					text, err := strconv.Unquote(op)
					if err != nil {
						return fmt.Errorf("%s: %s: %w", fset.Position(comment.Pos()), op, err)
					}
					re, err := regexp.Compile(text)
					if err != nil {
						return fmt.Errorf("%s: %w", fset.Position(comment.Pos()), err)
					}
					wants = append(wants, want{path, fset.Position(comment.Pos()).Line, re})
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return wants
}

// A finding is a diagnostic with its positions resolved.
type finding struct {
	pos     token.Position
	message string
	fixes   [][]edit
}

type edit struct {
	file     string
	from, to int
	text     string
}

// findings runs the rules over packages of the module, each finding once.
func findings(t *testing.T, module, pattern string, rules []*analysis.Analyzer) []finding {
	t.Helper()
	// An error here says more than packages that do not type-check.
	download := exec.CommandContext(t.Context(), "go", "mod", "download")
	download.Dir = module
	if out, err := download.CombinedOutput(); err != nil {
		t.Fatalf("go mod download: %v\n%s", err, out)
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: module, Patterns: []string{pattern}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range prog.Failures {
		t.Errorf("%s: %s", f.Pos(), f.Message())
	}
	results, err := check.Run(context.Background(), rules, prog.Roots, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var all []finding
	for _, r := range results {
		if r.Err != nil {
			t.Errorf("%s: %v", r.Package.PkgPath, r.Err)
		}
		for _, d := range r.Diagnostics {
			f := newFinding(prog.Fset, d)
			key := fmt.Sprint(f.pos, f.message)
			if !seen[key] {
				seen[key] = true
				all = append(all, f)
			}
		}
	}
	return all
}

func newFinding(fset *token.FileSet, d analysis.Diagnostic) finding {
	f := finding{pos: fset.Position(d.Pos), message: d.Message}
	for _, fix := range d.SuggestedFixes {
		var edits []edit
		for _, e := range fix.TextEdits {
			from, to := fset.Position(e.Pos), fset.Position(e.End)
			if !e.End.IsValid() {
				to = from
			}
			edits = append(edits, edit{from.Filename, from.Offset, to.Offset, string(e.NewText)})
		}
		f.fixes = append(f.fixes, edits)
	}
	return f
}

// compare matches each claim with one finding on its line.
func compare(t *testing.T, module string, wants []want, found []finding) {
	t.Helper()
	short := func(file string) string { return strings.TrimPrefix(file, module+string(filepath.Separator)) }
	left := slices.Clone(found)
	for _, w := range wants {
		i := slices.IndexFunc(left, func(f finding) bool {
			return f.pos.Filename == w.file && f.pos.Line == w.line && w.text.MatchString(f.message)
		})
		if i < 0 {
			t.Errorf("%s:%d: nothing is reported that matches %q", short(w.file), w.line, w.text)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, f := range left {
		t.Errorf("%s:%d:%d: is reported and not claimed: %s", short(f.pos.Filename), f.pos.Line, f.pos.Column, f.message)
	}
}

// checkFixes applies the first fix of every finding, and compares each file
// that changes with its .golden file. A .golden file of a file that does not
// change is a fix that is missing.
func checkFixes(t *testing.T, dir string, found []finding) {
	t.Helper()
	edits := map[string][]edit{}
	for _, f := range found {
		if len(f.fixes) > 0 {
			for _, e := range f.fixes[0] {
				edits[e.file] = append(edits[e.file], e)
			}
		}
	}
	for file, list := range edits {
		got, err := apply(file, list)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		golden, err := os.ReadFile(file + ".golden")
		if err != nil {
			t.Errorf("%v; the fixed file is\n%s", err, got)
		} else if !bytes.Equal(got, golden) {
			t.Errorf("%s.golden is not the fixed file, which is\n%s", file, got)
		}
	}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if file, ok := strings.CutSuffix(path, ".golden"); ok && edits[file] == nil {
			t.Errorf("%s: nothing is fixed in this file", file)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// apply gives the file with the edits, which must not overlap, formatted.
func apply(file string, edits []edit) ([]byte, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from })
	end := len(src)
	for _, e := range edits {
		if e.to > end || e.from > e.to {
			return nil, fmt.Errorf("edits overlap at offset %d", e.from)
		}
		src = slices.Concat(src[:e.from], []byte(e.text), src[e.to:])
		end = e.from
	}
	return format.Source(src)
}
