package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Style says how text looks. The zero value is plain, without a line between
// files.
type Style struct {
	Color  bool
	Spaced bool // an empty line between files
}

// A paint is the escape sequence that begins a colour, "" for none.
type paint string

const (
	bold   paint = "\x1b[1m"
	dim    paint = "\x1b[2m"
	red    paint = "\x1b[31m"
	yellow paint = "\x1b[33m"
	cyan   paint = "\x1b[36m"
	plain  paint = "\x1b[0m"
)

// paints are the colours of levels.
var paints = map[string]paint{"error": red, "warning": yellow, "note": cyan}

// put paints text, if the style has colours.
func (s Style) put(p paint, text string) string {
	if !s.Color || p == "" {
		return text
	}
	return string(p) + text + string(plain)
}

// text writes findings for people: position, message and rule, the line of
// source with the place underlined, related places, and what a fix would do.
//
//	store/jobs.go:41:9: SELECT ... FOR UPDATE runs outside a transaction (lockoutsidetx)
//		row := s.db.QueryRow(ctx, takeJob)
//		       ^~~~~~~~~~~~~~~~~~~~~~~~~~
//		store/jobs.go:17:2: the statement is here
//		fix: begin a transaction
//
// Paths are relative to the report's Dir where that is shorter.
func text(w io.Writer, r *Report) error {
	out := new(bytes.Buffer)
	src := sources{}
	for i, f := range r.Findings {
		if r.Style.Spaced && i > 0 && f.Pos.Filename != r.Findings[i-1].Pos.Filename {
			fmt.Fprintln(out)
		}
		color := paints[r.level(f)]
		fmt.Fprintf(out, "%s %s %s\n", r.Style.put(bold, place(f.Pos, r.Dir)+":"), f.Message, r.Style.put(color, "("+f.Rule+")"))
		src.excerpt(out, f, func(mark string) string { return r.Style.put(color, mark) })
		for _, rel := range f.Related {
			fmt.Fprintf(out, "\t%s %s\n", r.Style.put(dim, place(rel.Pos, r.Dir)+":"), rel.Message)
		}
		for _, fix := range f.Fixes {
			fmt.Fprintf(out, "\t%s %s\n", r.Style.put(cyan, "fix:"), fix.Message)
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// excerpt writes the line of a finding and underlines its place, up to the
// end of the line. Without the source it writes nothing.
func (s sources) excerpt(out *bytes.Buffer, f Finding, mark func(string) string) {
	line, ok := s.line(f.Pos.Filename, f.Pos.Line)
	start := f.Pos.Column - 1
	if !ok || start < 0 || start > len(line) {
		return
	}
	end := len(strings.TrimRight(line, " \t"))
	if f.End.Line == f.Pos.Line && f.End.Filename == f.Pos.Filename && f.End.Column-1 <= len(line) {
		end = f.End.Column - 1
	}
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	indent = min(indent, start)
	// Tabs in front of the place stay tabs, so that the caret stands under
	// it however wide they are.
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, line[indent:start])
	tildes := 0
	if end > start {
		tildes = utf8.RuneCountInString(line[start:end]) - 1
	}
	fmt.Fprintf(out, "\t%s\n\t%s%s\n", line[indent:], pad, mark("^"+strings.Repeat("~", tildes)))
}

// Summary counts findings in a line: "3 findings in 2 files: lostupdate 2,
// poolintx 1".
func Summary(findings []Finding) string {
	files, rules := map[string]bool{}, map[string]int{}
	for _, f := range findings {
		files[f.Pos.Filename] = true
		rules[f.Rule]++
	}
	var names []string
	for name := range rules {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(rules[b]-rules[a], strings.Compare(a, b)) })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, rules[name])
	}
	return fmt.Sprintf("%s in %s: %s", Count(len(findings), "finding"), Count(len(files), "file"), strings.Join(names, ", "))
}

// Count is a number with a noun.
func Count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "x"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
