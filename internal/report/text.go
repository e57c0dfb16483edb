package report

import (
	"bytes"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Text writes findings for people: position, message and rule, the line of
// source with the place underlined, related places, and what a fix would do.
//
//	store/jobs.go:41:9: SELECT ... FOR UPDATE runs outside a transaction (lockoutsidetx)
//		row := s.db.QueryRow(ctx, takeJob)
//		       ^~~~~~~~~~~~~~~~~~~~~~~~~~
//		store/jobs.go:17:2: the statement is here
//		fix: begin a transaction
//
// Paths are relative to dir where that is shorter.
func Text(w io.Writer, findings []Finding, dir string) error {
	out := new(bytes.Buffer)
	src := sources{}
	for _, f := range findings {
		fmt.Fprintf(out, "%s: %s (%s)\n", place(f.Pos, dir), f.Message, f.Rule)
		src.excerpt(out, f)
		for _, r := range f.Related {
			fmt.Fprintf(out, "\t%s: %s\n", place(r.Pos, dir), r.Message)
		}
		for _, fix := range f.Fixes {
			fmt.Fprintf(out, "\tfix: %s\n", fix)
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// place is file:line:col, with the shorter name of the file. A //line comment
// leaves no column.
func place(pos token.Position, dir string) string {
	if pos.Filename != "" {
		pos.Filename = Relative(pos.Filename, dir)
	}
	return pos.String()
}

// Relative is the path relative to dir, or as it is where that is shorter.
func Relative(path, dir string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// sources holds the lines of files by name, nil for those that cannot be
// read.
type sources map[string][]string

// line gives one line of a file, counted from 1.
func (s sources) line(file string, line int) (string, bool) {
	lines, ok := s[file]
	if !ok {
		if data, err := os.ReadFile(file); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		s[file] = lines
	}
	if line < 1 || line > len(lines) {
		return "", false
	}
	return strings.TrimSuffix(lines[line-1], "\r"), true
}

// excerpt writes the line of a finding and underlines its place, up to the
// end of the line. Without the source it writes nothing.
func (s sources) excerpt(out *bytes.Buffer, f Finding) {
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
	fmt.Fprintf(out, "\t%s\n\t%s^%s\n", line[indent:], pad, strings.Repeat("~", tildes))
}
