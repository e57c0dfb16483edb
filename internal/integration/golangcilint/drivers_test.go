package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// program is what the drivers are run on: folders of several rules in testdata,
// with main packages that link what two other packages say of each other.
var program = struct {
	dir      string
	patterns []string
	least    int    // number of findings that there are at least
	linked   string // a file whose findings only a main package brings out
}{"../../../testdata", []string{"./lockoutsidetx/...", "./externalcall/...", "./poolintx/...", "./sessionset/...", "./lostupdate/..."}, 40, "lockoutsidetx/wallets/wallets.go"}

// A driver runs the suite on the program and returns what it finds, each finding
// as "file:line:column: rule: message".
type driver struct {
	name string
	run  func(t *testing.T) []string
}

func drivers() []driver {
	return []driver{
		{"the program", func(t *testing.T) []string {
			return trees(t, run(t, tool(t), with("-tests", "-json")...))
		}},
		{"go vet -vettool", func(t *testing.T) []string {
			return trees(t, run(t, "go", with("vet", "-vettool="+tool(t), "-json")...))
		}},
		{"the language server", languageServer},
		{"golangci-lint", func(t *testing.T) []string {
			t.Setenv("GOLANGCI_LINT_CACHE", t.TempDir())
			return golangci(t)
		}},
		{"golangci-lint with a full cache", func(t *testing.T) []string {
			t.Setenv("GOLANGCI_LINT_CACHE", t.TempDir())
			golangci(t)
			return golangci(t)
		}},
		{"multichecker", func(t *testing.T) []string {
			return trees(t, run(t, "multichecker", with("-json")...))
		}},
		{"multichecker of single rules", func(t *testing.T) []string {
			return trees(t, run(t, "singles", with("-json")...))
		}},
		{"unitchecker", func(t *testing.T) []string {
			unit, err := exec.LookPath("unitchecker")
			if err != nil {
				t.Fatal(err)
			}
			return trees(t, run(t, "go", with("vet", "-vettool="+unit, "-json")...))
		}},
	}
}

// TestDrivers holds all drivers to the same findings.
func TestDrivers(t *testing.T) {
	all := drivers()
	want := all[0].run(t)
	if len(want) < program.least {
		t.Fatalf("%s finds only %d", all[0].name, len(want))
	}
	if !strings.Contains(strings.Join(want, "\n"), absolute(t, program.linked)+":") {
		t.Errorf("%s finds nothing in %s", all[0].name, program.linked)
	}
	for _, d := range all[1:] {
		t.Run(d.name, func(t *testing.T) {
			got := d.run(t)
			for _, f := range without(want, got) {
				t.Errorf("missing: %s", f)
			}
			for _, f := range without(got, want) {
				t.Errorf("not found by %s: %s", all[0].name, f)
			}
		})
	}
}

// without returns what stands in a and not in b.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// with puts the patterns of the program behind arguments.
func with(args ...string) []string { return append(args, program.patterns...) }

// tool returns the path of the program, built once for all tests.
func tool(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("pgtxvet")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a command on the program and returns its standard output.
func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = program.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && len(out) > 0 {
		err = nil // findings
	}
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.Bytes())
	}
	return out
}

// golangciConfig makes golangci-lint print all that is found.
const golangciConfig = `
version: "2"
run:
  relative-path-mode: wd
linters:
  default: none
  enable: [pgtxvet]
  settings:
    custom:
      pgtxvet:
        type: module
issues:
  max-issues-per-linter: 0
  max-same-issues: 0
  uniq-by-line: false
`

// golangci runs golangci-lint on the program.
func golangci(t *testing.T) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), ".golangci.yml")
	if err := os.WriteFile(file, []byte(golangciConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	out := run(t, "golangci-lint", with("run", "-c", file, "--output.json.path=stdout", "--show-stats=false",
		"--allow-parallel-runners")...)
	var report struct {
		Issues []struct {
			FromLinter, Text string
			Pos              struct {
				Filename     string
				Line, Column int
			}
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	var found []string
	for _, issue := range report.Issues {
		if issue.FromLinter != "pgtxvet" {
			t.Errorf("a finding of %s: %s", issue.FromLinter, issue.Text)
		}
		p := issue.Pos
		found = append(found, fmt.Sprintf("%s:%d:%d: %s", absolute(t, p.Filename), p.Line, p.Column, issue.Text))
	}
	return distinct(found)
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(program.dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// trees reads findings in the form of go vet -json: trees of package, rule and
// findings, with comments between them.
func trees(t *testing.T, out []byte) []string {
	t.Helper()
	var data []byte
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte("#")) {
			data = append(data, line...)
		}
	}
	var found []string
	for dec := json.NewDecoder(bytes.NewReader(data)); dec.More(); {
		var tree map[string]map[string]json.RawMessage
		if err := dec.Decode(&tree); err != nil {
			t.Fatal(err)
		}
		for pkg, rules := range tree {
			for rule, raw := range rules {
				var list []struct{ Posn, Message string }
				if err := json.Unmarshal(raw, &list); err != nil {
					t.Fatalf("%s: %s: %s", pkg, rule, raw) // an error in place of findings
				}
				for _, f := range list {
					found = append(found, f.Posn+": "+rule+": "+f.Message)
				}
			}
		}
	}
	return distinct(found)
}

// distinct sorts findings and says each once: a package and its test variant have
// files in common, and two main packages can link the same call.
func distinct(found []string) []string {
	slices.Sort(found)
	return slices.Compact(found)
}
