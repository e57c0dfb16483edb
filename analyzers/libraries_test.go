package analyzers_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
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

// A place is a function that docs/libraries.md says a rule reports.
type place struct {
	library, rule, function, file string
}

var placeLink = regexp.MustCompile(`^\[(\w+)\]\(\.\./testdata/([^)]+\.go)\)$`)

// TestLibrariesTable holds docs/libraries.md to what is reported.
func TestLibrariesTable(t *testing.T) {
	places := libraryPlaces(t)
	if len(places) < 80 {
		t.Fatalf("only %d places in the table", len(places))
	}
	module, found := findingsAt(t, places)
	for _, p := range places {
		if !found[p.key(module)] {
			t.Errorf("docs/libraries.md: %s: %s does not report %s in %s", p.library, p.rule, p.function, p.file)
		}
	}
}

// featureRow is a row of a table of features: the feature, whether it is seen,
// and the function that shows it with the rule that reports it.
var featureRow = regexp.MustCompile(`^\| (.+) \| (yes|no) \| \[(\w+)\]\(\.\./testdata/([^)]+\.go)\) ([a-z0-9]+) \|$`)

// TestFeatures holds the tables of features of docs/libraries.md to what is
// reported: a function that shows what is seen, and is silent, fails it, and so
// does one that shows what is not seen, and is reported.
func TestFeatures(t *testing.T) {
	src, err := os.ReadFile("../docs/libraries.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(src), "\n## Features")
	if !ok {
		t.Fatal("docs/libraries.md has no features")
	}
	library := ""
	var seen, unseen []place
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "### "); ok {
			library = name
		}
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|-") || strings.HasPrefix(line, "| feature ") {
			continue
		}
		m := featureRow.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("docs/libraries.md: %s: want | feature | yes or no | [Function](file) rule |: %s", library, line)
			continue
		}
		p := place{library, m[5], m[3], m[4]}
		if m[2] == "yes" {
			seen = append(seen, p)
		} else {
			unseen = append(unseen, p)
		}
	}
	module, found := findingsAt(t, append(slices.Clip(seen), unseen...))
	for _, p := range seen {
		if !found[p.key(module)] {
			t.Errorf("docs/libraries.md: %s: %s does not report %s in %s", p.library, p.rule, p.function, p.file)
		}
	}
	for _, p := range unseen {
		switch {
		case found[p.key(module)]:
			t.Errorf("docs/libraries.md: %s: %s reports %s in %s: it is seen at last", p.library, p.rule, p.function, p.file)
		case !marksMissed(t, filepath.Join(module, p.file), p):
			t.Errorf("docs/libraries.md: %s: nothing in %s of %s is marked as missed by %s", p.library, p.function, p.file, p.rule)
		}
	}
}

// marksMissed reports whether a line of the function says that the rule misses it.
func marksMissed(t *testing.T, file string, p place) bool {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(src), "\n") {
		if strings.Contains(line, "// missed: "+p.rule) && functionAt(t, token.Position{Filename: file, Line: i + 1}) == p.function {
			return true
		}
	}
	return false
}

// key is the finding that a place asks for, as functionFindings has it.
func (p place) key(module string) string {
	return fmt.Sprintf("%s %s %s", p.rule, filepath.Join(module, p.file), p.function)
}

// findingsAt runs all rules over the programs of the places, which are below the
// folder module.
func findingsAt(t *testing.T, places []place) (module string, found map[string]bool) {
	t.Helper()
	module, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	shapes := filepath.Join(module, "shapes")
	patterns := map[string][]string{}
	for _, p := range places {
		parts := strings.Split(p.file, "/")
		dir, rest := module, parts
		if parts[0] == "shapes" {
			dir, rest = shapes, parts[1:]
		}
		// A program and what belongs to it: the first two folders.
		pattern := "./" + strings.Join(rest[:2], "/") + "/..."
		if !slices.Contains(patterns[dir], pattern) {
			patterns[dir] = append(patterns[dir], pattern)
		}
	}
	found = map[string]bool{}
	for dir, list := range patterns {
		functionFindings(t, dir, list, found)
	}
	return module, found
}

// libraryPlaces reads the first table of docs/libraries.md.
func libraryPlaces(t *testing.T) []place {
	t.Helper()
	src, err := os.ReadFile("../docs/libraries.md")
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(src), "\n## ")
	var rules []string
	var places []place
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		switch {
		case !strings.HasPrefix(line, "|"), strings.HasPrefix(line, "|-"):
			continue
		case rules == nil:
			rules = cells
			continue
		case len(cells) != len(rules):
			t.Errorf("docs/libraries.md: %d cells under %d heads: %s", len(cells), len(rules), line)
			continue
		}
		for i, cell := range cells[1:] {
			cell = strings.TrimSpace(cell)
			m := placeLink.FindStringSubmatch(cell)
			switch {
			case m != nil:
				places = append(places, place{strings.TrimSpace(cells[0]), strings.TrimSpace(rules[i+1]), m[1], m[2]})
			case cell != "–":
				t.Errorf("docs/libraries.md: %q is neither a function nor –", cell)
			}
		}
	}
	return places
}

// functionFindings adds "rule file function" of each finding in the packages.
func functionFindings(t *testing.T, dir string, patterns []string, found map[string]bool) {
	t.Helper()
	prog, err := load.Load(context.Background(), load.Config{Dir: dir, Patterns: patterns})
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
	for _, r := range results {
		if r.Err != nil {
			t.Error(r.Err)
		}
		for _, d := range r.Diagnostics {
			p := prog.Fset.Position(d.Pos)
			if fn := functionAt(t, p); fn != "" {
				found[fmt.Sprintf("%s %s %s", d.Category, p.Filename, fn)] = true
			}
		}
	}
}

// functionAt returns the name of the function that a position is in, or "".
func functionAt(t *testing.T, p token.Position) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, p.Filename, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fset.Position(fn.Pos()).Line <= p.Line && p.Line <= fset.Position(fn.End()).Line {
			return fn.Name.Name
		}
	}
	return ""
}
