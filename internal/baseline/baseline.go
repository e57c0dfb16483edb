// Package baseline keeps the findings of a project that are known already, in a
// file, so that only new ones are reported.
//
// The file is text, one finding a line, in a fixed order, so that it can be read
// in a review and two branches can both take lines out. A finding is told by its
// fingerprint; what stands before it in the line is for people.
package baseline

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pgtxvet/pgtxvet/internal/report"
)

const header = `# Findings of pgtxvet that are known and not reported. Remove lines as you fix
# them, or let pgtxvet -baseline FILE -write-baseline write the file anew.
`

// An Entry is one line of the file.
type Entry struct {
	Line        int // in the file, 0 for one that is not from a file
	Rule        string
	File        string // with the path of its module in front
	Func        string // "" outside of functions
	Fingerprint string
}

// An Error is a mistake in the file.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// fingerprints are written by [report.Fingerprint].
var fingerprints = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{24}:[1-9][0-9]*$`) })

// Read reads a file.
func Read(name string) ([]Entry, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the baseline: %w", err)
	}
	return parse(name, data)
}

func parse(name string, data []byte) ([]Entry, error) {
	const form = "want four fields with a tab between them: rule, file, function, fingerprint"
	var entries []Entry
	lines := map[string]int{}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		switch {
		case strings.HasPrefix(line, "<<<<<<<"), strings.HasPrefix(line, "======="), strings.HasPrefix(line, ">>>>>>>"):
			return nil, &Error{name, n, "this is the mark of a merge conflict; write the file anew with -write-baseline"}
		case len(fields) != 4:
			return nil, &Error{name, n, form}
		case !fingerprints().MatchString(fields[3]):
			return nil, &Error{name, n, fmt.Sprintf("%q is no fingerprint; %s", fields[3], form)}
		case lines[fields[3]] > 0:
			return nil, &Error{name, n, fmt.Sprintf("the finding stands in line %d already", lines[fields[3]])}
		}
		lines[fields[3]] = n
		entries = append(entries, Entry{n, fields[0], fields[1], strings.TrimPrefix(fields[2], "-"), fields[3]})
	}
	return entries, nil
}

// Of makes an entry of a finding.
func Of(f report.Finding) Entry {
	return Entry{Rule: f.Rule, File: f.File, Func: f.Func, Fingerprint: f.Fingerprint}
}

// Write writes a file.
func Write(name string, entries []Entry) error {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Func, b.Func), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	var out bytes.Buffer
	out.WriteString(header)
	for _, e := range entries {
		fmt.Fprintf(&out, "%s\t%s\t%s\t%s\n", e.Rule, e.File, cmp.Or(e.Func, "-"), e.Fingerprint)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing the baseline: %w", err)
	}
	return nil
}

// Apply takes the findings that have an entry off the list, and gives the entries
// that have no finding.
func Apply(entries []Entry, findings []report.Finding) (fresh []report.Finding, stale []Entry) {
	found := map[string]bool{}
	for _, f := range findings {
		found[f.Fingerprint] = true
	}
	known := map[string]bool{}
	for _, e := range entries {
		known[e.Fingerprint] = true
		if !found[e.Fingerprint] {
			stale = append(stale, e)
		}
	}
	for _, f := range findings {
		if !known[f.Fingerprint] {
			fresh = append(fresh, f)
		}
	}
	return fresh, stale
}

// A Scope is what one run looks at.
type Scope struct {
	Packages map[string]bool // by path
	Rules    map[string]bool // by name
	Tests    bool
}

// Covers reports whether the run would have found the entry.
func (s Scope) Covers(e Entry) bool {
	return s.Rules[e.Rule] && s.Packages[path.Dir(e.File)] && (s.Tests || !strings.HasSuffix(e.File, "_test.go"))
}
