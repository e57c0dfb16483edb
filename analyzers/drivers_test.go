package analyzers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestDrivers holds the program and go vet to the same findings on all of
// testdata, and holds that only claimed lines of its programs are reported, by
// any rule.
func TestDrivers(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go vet on a module with many dependencies")
	}
	const dir = "../testdata"
	// The go command keeps the result of a test until a file changes that the
	// test itself looked at.
	if err := filepath.WalkDir(dir, func(_ string, _ fs.DirEntry, err error) error { return err }); err != nil {
		t.Fatal(err)
	}
	tool := filepath.Join(t.TempDir(), "pgtxvet")
	output(t, "..", "go", "build", "-buildvcs=false", "-o", tool, "./cmd/pgtxvet")

	program := parse(t, output(t, dir, tool, "-tests", "-json", "./..."))
	vet := parse(t, output(t, dir, "go", "vet", "-vettool="+tool, "-json", "./..."))
	if len(program) == 0 {
		t.Fatal("no findings")
	}
	if !reflect.DeepEqual(program, vet) {
		in, out := texts(program), texts(vet)
		t.Errorf("only the program reports\n%s\nonly go vet reports\n%s", strings.Join(without(in, out), "\n"), strings.Join(without(out, in), "\n"))
	}
	for _, f := range program {
		if !f.inHarness() && !strings.Contains(f.line(t), "// want ") {
			t.Errorf("%s: %s reports a line that is not claimed: %s", f.Posn, f.rule, f.Message)
		}
	}
}

// without returns the elements of a that are not in b.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// TestReadme holds the example of README.md to what the program prints.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	out := output(t, "..", "go", "run", "./cmd/pgtxvet", "-C", "testdata", "-json", "./lockoutsidetx/seats")
	found := parse(t, out)
	if len(found) != 1 {
		t.Fatalf("%d findings in the example's package", len(found))
	}
	f := found[0]
	if !bytes.Contains(readme, []byte(f.Message)) {
		t.Errorf("README.md does not show the message:\n%s", f.Message)
	}
	if _, place, _ := strings.Cut(f.Posn, "/testdata/"); !bytes.Contains(readme, []byte(place+": ")) {
		t.Errorf("README.md does not show the place %s", place)
	}
	code, _, _ := strings.Cut(strings.TrimSpace(f.line(t)), " // want ")
	if !bytes.Contains(readme, []byte(code)) {
		t.Errorf("README.md does not show the line\n%s", code)
	}
}

// output runs a command, which may exit with 1, and returns its standard
// output.
func output(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && json.Valid(out) {
		err = nil // findings
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, stderr.Bytes())
	}
	return out
}

type finding struct {
	Posn    string `json:"posn"`
	Message string `json:"message"`

	rule string
	text string // all of it
}

// inHarness reports whether the finding is in code that proves something, and
// not in a program: some of it does on purpose what is not to be done.
func (f finding) inHarness() bool {
	posn := filepath.ToSlash(f.Posn)
	return strings.Contains(posn, "/testdata/internal/") || strings.Contains(posn, "_test.go:")
}

// line is the line of source on which the finding stands.
func (f finding) line(t *testing.T) string {
	t.Helper()
	parts := strings.Split(f.Posn, ":")
	n, err := strconv.Atoi(parts[len(parts)-2])
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(strings.Join(parts[:len(parts)-2], ":"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")[n-1]
}

// parse reads the findings of all packages: trees of package, rule, findings,
// with comments of go vet between them.
func parse(t *testing.T, out []byte) []finding {
	t.Helper()
	var trees []byte
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte("#")) {
			trees = append(trees, line...)
		}
	}
	var all []finding
	for dec := json.NewDecoder(bytes.NewReader(trees)); dec.More(); {
		var tree map[string]map[string]json.RawMessage
		if err := dec.Decode(&tree); err != nil {
			t.Fatal(err)
		}
		for pkg, rules := range tree {
			for rule, raw := range rules {
				var list []map[string]any
				if err := json.Unmarshal(raw, &list); err != nil {
					t.Fatalf("%s: %s: %s", pkg, rule, raw) // an error in place of findings
				}
				for _, m := range list {
					all = append(all, newFinding(t, pkg, rule, m))
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b finding) int { return strings.Compare(a.text, b.text) })
	return all
}

func newFinding(t *testing.T, pkg, rule string, m map[string]any) finding {
	t.Helper()
	delete(m, "url") // go vet does not write it
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	f := finding{rule: rule, text: pkg + " " + rule + " " + string(data)}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func texts(all []finding) []string {
	var list []string
	for _, f := range all {
		list = append(list, f.text)
	}
	return list
}
