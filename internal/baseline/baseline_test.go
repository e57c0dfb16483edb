package baseline

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pgtxvet/pgtxvet/internal/report"
)

const (
	one   = "0123456789abcdef01234567:1"
	two   = "0123456789abcdef01234567:2"
	three = "fedcba987654321001234567:1"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"rule\ta.go\tF\t" + one + "\r\n":                               "",
		"\n# comment\n   \n":                                           "",
		"rule\ta.go\t" + one:                                           "f:1: want four fields",
		"rule a.go F " + one:                                           "f:1: want four fields",
		"# comment\nrule\ta.go\tF\t0123:1":                             `f:2: "0123:1" is no fingerprint`,
		"rule\ta.go\tF\t" + one[:25] + "0":                             "is no fingerprint",
		"r\ta.go\tF\t" + one + "\nr\ta.go\tF\t" + one:                  "f:2: the finding stands in line 1 already",
		"r\ta.go\tF\t" + one + "\n=======\nr\ta.go\tF\t" + two + "\n>": "f:2: this is the mark of a merge conflict",
	} {
		_, err := parse("f", []byte(text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestWrite holds that entries come back as they were written, in an order of
// their own.
func TestWrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "known")
	entries := []Entry{
		{Rule: "b", File: "m/b.go", Fingerprint: three},
		{Rule: "b", File: "m/a.go", Func: "T.F", Fingerprint: two},
		{Rule: "b", File: "m/a.go", Func: "T.F", Fingerprint: one},
	}
	if err := Write(name, entries); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{entries[2], entries[1], entries[0]}
	for i := range want {
		want[i].Line = 3 + i
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if err := Write(name, got); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(name); err != nil || string(again) != string(first) {
		t.Errorf("the same entries make another file: %v\n%s", err, again)
	}
}

func TestApply(t *testing.T) {
	entries := []Entry{{Line: 1, Fingerprint: one}, {Line: 2, Fingerprint: two}}
	fresh, stale := Apply(entries, []report.Finding{{Fingerprint: one}, {Fingerprint: three}})
	if len(fresh) != 1 || fresh[0].Fingerprint != three {
		t.Errorf("new: %v", fresh)
	}
	if len(stale) != 1 || stale[0].Line != 2 {
		t.Errorf("stale: %v", stale)
	}
}

// TestScope holds what a run would have found.
func TestScope(t *testing.T) {
	s := Scope{Packages: map[string]bool{"m/a": true}, Rules: map[string]bool{"r": true}}
	for _, test := range []struct {
		rule, file string
		want       bool
	}{
		{"r", "m/a/x.go", true},
		{"r", "m/a/b/x.go", false},
		{"q", "m/a/x.go", false},
		{"r", "m/a/x_test.go", false},
	} {
		if got := s.Covers(Entry{Rule: test.rule, File: test.file}); got != test.want {
			t.Errorf("%s in %s: %v", test.rule, test.file, got)
		}
	}
	s.Tests = true
	if !s.Covers(Entry{Rule: "r", File: "m/a/x_test.go"}) {
		t.Error("tests are not covered")
	}
}
