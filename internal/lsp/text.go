package lsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/pgtxvet/pgtxvet/internal/session"
)

// An encoding says what columns count.
type encoding string

const (
	utf8Columns  encoding = "utf-8"
	utf16Columns encoding = "utf-16"
)

// column is the column of a byte in a line.
func (e encoding) column(line string, at int) uint32 {
	at = min(max(at, 0), len(line))
	if e == utf8Columns {
		return uint32(at) //nolint:gosec // a line is no longer than a message
	}
	n := uint32(0)
	for _, r := range line[:at] {
		n++
		if r >= 0x10000 {
			n++
		}
	}
	return n
}

// byteAt is the byte of a column in a line, which may be past its end.
func (e encoding) byteAt(line string, column uint32) int {
	if e == utf8Columns {
		return min(int(column), len(line))
	}
	n := uint32(0)
	for i, r := range line {
		if n >= column {
			return i
		}
		n++
		if r >= 0x10000 {
			n++
		}
	}
	return len(line)
}

// splitLines gives the lines of a text without their ends, as the protocol
// counts them.
func splitLines(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n")
}

// offset is the byte of a position in a text; what lies outside is cut to it.
func (e encoding) offset(text string, p position) int {
	start := 0
	for range p.Line {
		n := strings.IndexAny(text[start:], "\r\n")
		if n < 0 {
			return len(text)
		}
		start += n + 1
		if strings.HasPrefix(text[start-1:], "\r\n") {
			start++
		}
	}
	line := text[start:]
	if n := strings.IndexAny(line, "\r\n"); n >= 0 {
		line = line[:n]
	}
	return start + e.byteAt(line, p.Character)
}

// apply makes a change in a text.
func (e encoding) apply(text string, c contentChange) string {
	if c.Range == nil {
		return c.Text
	}
	start := e.offset(text, c.Range.Start)
	end := max(start, e.offset(text, c.Range.End))
	return text[:start] + c.Text + text[end:]
}

// A mapping carries places of one text over to another. A place whose lines
// have changed is gone.
type mapping struct {
	enc   encoding
	lines []string // of the new text
	to    []int    // new lines by old ones, -1 for those that are gone; nil if the texts are the same
}

// newMapping compares two texts.
func newMapping(enc encoding, old, now string) *mapping {
	m := &mapping{enc: enc, lines: splitLines(now)}
	if old != now {
		m.to = matchLines(splitLines(old), m.lines)
	}
	return m
}

// span gives the range in the new text.
func (m *mapping) span(r session.Range) (s span, ok bool) {
	first, last := r.Start.Line-1, r.End.Line-1
	at := first
	if m.to != nil {
		if first < 0 || last >= len(m.to) {
			return s, false
		}
		at = m.to[first]
		for i := first; i <= last; i++ {
			if m.to[i] < 0 || m.to[i] != at+i-first {
				return s, false
			}
		}
	}
	end := at + last - first
	if at < 0 || end >= len(m.lines) {
		return s, false
	}
	return span{m.position(at, r.Start.Col), m.position(end, r.End.Col)}, true
}

func (m *mapping) position(line, col int) position {
	return position{uint32(line), m.enc.column(m.lines[line], col-1)} //nolint:gosec // lines of a text in memory
}

// matchLines says where each line of an old text is in a new one, -1 if it is
// not. Lines at the beginning and the end match in order; between them, lines that
// both texts have once, and what stands around those.
func matchLines(old, now []string) []int {
	to := make([]int, len(old))
	for i := range to {
		to[i] = -1
	}
	match(old, now, 0, 0, to)
	return to
}

// match fills in to for a part of the texts, which begins at line i of the old
// and line j of the new one.
func match(old, now []string, i, j int, to []int) {
	for len(old) > 0 && len(now) > 0 && old[0] == now[0] {
		to[i] = j
		old, now, i, j = old[1:], now[1:], i+1, j+1
	}
	for len(old) > 0 && len(now) > 0 && old[len(old)-1] == now[len(now)-1] {
		to[i+len(old)-1] = j + len(now) - 1
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	if len(old) == 0 || len(now) == 0 {
		return
	}
	last := 0 // lines of old that are dealt with
	lastNow := 0
	found := false
	for _, p := range anchors(old, now) {
		match(old[last:p.old], now[lastNow:p.now], i+last, j+lastNow, to)
		to[i+p.old] = j + p.now
		last, lastNow, found = p.old+1, p.now+1, true
	}
	if found {
		match(old[last:], now[lastNow:], i+last, j+lastNow, to)
	}
}

type anchor struct{ old, now int }

// anchors are the lines that both texts have once, as many as stand in the same
// order in both.
func anchors(old, now []string) []anchor {
	type count struct{ old, now, at int }
	seen := make(map[string]*count, len(now))
	for j, line := range now {
		if seen[line] == nil {
			seen[line] = &count{at: j}
		}
		seen[line].now++
	}
	for _, line := range old {
		if c := seen[line]; c != nil {
			c.old++
		}
	}
	var list []anchor
	for i, line := range old {
		if c := seen[line]; c != nil && c.old == 1 && c.now == 1 {
			list = append(list, anchor{i, c.at})
		}
	}
	return increasing(list)
}

// increasing gives a longest part of the list that stands in the same order in
// both texts; the list is in that of the old one.
func increasing(list []anchor) []anchor {
	var ends []int                   // of the best part of each length, the last one
	before := make([]int, len(list)) // the one before in that part, -1 for none
	for i, a := range list {
		n := sort.Search(len(ends), func(k int) bool { return list[ends[k]].now >= a.now })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var out []anchor
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		out = append(out, list[i])
	}
	slices.Reverse(out)
	return out
}

// toPath gives the path of a file URI, "" for others.
func toPath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" || strings.ContainsRune(u.Path, 0) {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" && len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:]
	}
	if path = filepath.Clean(filepath.FromSlash(path)); !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// toURI gives the URI of a file.
func toURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// valid makes a text valid UTF-8, as everything that is sent must be.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
