package session_test

import (
	"context"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgtxvet/pgtxvet/analyzers"
	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/load"
	"github.com/pgtxvet/pgtxvet/internal/report"
	"github.com/pgtxvet/pgtxvet/internal/session"
)

// newSession starts a session with all rules.
func newSession(t testing.TB, cfg load.Config) *session.Session {
	t.Helper()
	var known []string
	for _, a := range analyzers.All() {
		known = append(known, a.Name)
	}
	s, err := session.New(session.Options{Load: cfg, Rules: analyzers.All(), Known: known})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func runCheck(t testing.TB, s *session.Session, overlay map[string][]byte) *session.Report {
	t.Helper()
	rep, err := s.Check(context.Background(), overlay, session.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// program lists what the program finds, as lines lists what a session finds.
func program(t testing.TB, cfg load.Config) []string {
	t.Helper()
	prog, err := load.Load(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	results, err := check.Run(context.Background(), analyzers.All(), prog.Roots, check.Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	place := func(pos, end token.Pos) string {
		p, q := prog.Fset.Position(pos), prog.Fset.Position(end)
		if !end.IsValid() {
			q = p
		}
		return fmt.Sprintf("%s:%d:%d-%d:%d", filepath.Base(p.Filename), p.Line, p.Column, q.Line, q.Column)
	}
	var out []string
	for _, r := range report.Distinct(prog.Fset, results) {
		if r.Err != nil {
			t.Errorf("%s: %v", r.Package.ID, r.Err)
		}
		for _, d := range r.Diagnostics {
			var b strings.Builder
			b.WriteString(place(d.Pos, d.End) + " " + r.Analyzer.Name + ": " + d.Message)
			for _, rel := range d.Related {
				b.WriteString("\n\t" + place(rel.Pos, rel.End) + " " + rel.Message)
			}
			for _, fix := range d.SuggestedFixes {
				b.WriteString("\n\tfix: " + fix.Message)
				for _, e := range fix.TextEdits {
					fmt.Fprintf(&b, " %s %q", place(e.Pos, e.End), e.NewText)
				}
			}
			out = append(out, b.String())
		}
	}
	slices.Sort(out)
	return out
}

func lines(rep *session.Report) []string {
	place := func(r session.Range) string {
		return fmt.Sprintf("%s:%d:%d-%d:%d", filepath.Base(r.File), r.Start.Line, r.Start.Col, r.End.Line, r.End.Col)
	}
	var out []string
	for _, f := range rep.Findings {
		var b strings.Builder
		b.WriteString(place(f.Range) + " " + f.Rule + ": " + f.Message)
		for _, rel := range f.Related {
			b.WriteString("\n\t" + place(rel.Range) + " " + rel.Message)
		}
		for _, fix := range f.Fixes {
			b.WriteString("\n\tfix: " + fix.Message)
			for _, e := range fix.Edits {
				fmt.Fprintf(&b, " %s %q", place(e.Range), e.New)
			}
		}
		out = append(out, b.String())
	}
	slices.Sort(out)
	return out
}

// compare fails if a session and the program do not find the same.
func compare(t *testing.T, got, want []string) {
	t.Helper()
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("only the program finds\n%s", line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("only the session finds\n%s", line)
		}
	}
}

func TestSameAsProgram(t *testing.T) {
	for _, dir := range []string{"../../testdata", "../../testdata/shapes"} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			cfg := load.Config{Dir: dir}
			rep := runCheck(t, newSession(t, cfg), nil)
			for _, err := range rep.Errors {
				t.Error(err)
			}
			got := lines(rep)
			compare(t, got, program(t, cfg))
			if len(got) < 50 {
				t.Errorf("only %d findings:\n%s", len(got), strings.Join(got, "\n"))
			}
		})
	}
}
