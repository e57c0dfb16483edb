package report

import (
	"go/token"
	"os"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

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

// column is the column of a position in UTF-16 code units, which is what editors
// and code hosts count; Go counts bytes. It is 0 where the position has none.
func (s sources) column(pos token.Position) int {
	line, ok := s.line(pos.Filename, pos.Line)
	if !ok || pos.Column < 1 || pos.Column-1 > len(line) {
		return pos.Column
	}
	n := 1
	for text := line[:pos.Column-1]; text != ""; {
		r, size := utf8.DecodeRuneInString(text)
		n += utf16.RuneLen(r)
		text = text[size:]
	}
	return n
}
