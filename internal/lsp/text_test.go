package lsp

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgtxvet/pgtxvet/internal/session"
)

func TestColumns(t *testing.T) {
	const line = "a é𝄞b" // 1, 1, 2, 4 and 1 bytes; 1, 1, 1, 2 and 1 in UTF-16
	for _, c := range []struct {
		enc  encoding
		at   int
		want uint32
	}{
		{utf16Columns, 0, 0}, {utf16Columns, 2, 2}, {utf16Columns, 4, 3}, {utf16Columns, 8, 5}, {utf16Columns, 9, 6}, {utf16Columns, 99, 6}, {utf16Columns, -1, 0},
		{utf8Columns, 4, 4}, {utf8Columns, 99, 9},
	} {
		if got := c.enc.column(line, c.at); got != c.want {
			t.Errorf("%s: byte %d is column %d, want %d", c.enc, c.at, got, c.want)
		}
		if c.at >= 0 && c.at <= len(line) {
			if got := c.enc.byteAt(line, c.want); got != c.at {
				t.Errorf("%s: column %d is byte %d, want %d", c.enc, c.want, got, c.at)
			}
		}
	}
	if got := utf16Columns.byteAt(line, 4_000_000_000); got != len(line) {
		t.Errorf("a column past the end is byte %d", got)
	}
}

func TestApply(t *testing.T) {
	at := func(l1, c1, l2, c2 uint32) *span { return &span{position{l1, c1}, position{l2, c2}} }
	for _, c := range []struct {
		text  string
		where *span
		put   string
		want  string
	}{
		{"a\nb\n", at(1, 0, 1, 1), "x", "a\nx\n"},
		{"a\r\nb\r\n", at(0, 1, 1, 0), "", "ab\r\n"},
		{"a\rb", at(1, 0, 1, 0), "x", "a\rxb"},
		{"𝄞b", at(0, 2, 0, 3), "x", "𝄞x"},
		{"a", at(9, 9, 9, 9), "x", "ax"},
		{"abc", at(0, 2, 0, 1), "x", "abxc"},
		{"abc", at(0, 9, 0, 99), "x", "abcx"},
		{"abc", nil, "x", "x"},
		{"", at(0, 0, 0, 0), "x", "x"},
	} {
		if got := utf16Columns.apply(c.text, contentChange{c.where, c.put}); got != c.want {
			t.Errorf("%q at %v: got %q, want %q", c.text, c.where, got, c.want)
		}
	}
}

func TestMatchLines(t *testing.T) {
	for _, c := range []struct {
		old, now string
		want     []int
	}{
		{"a b c", "a b c", []int{0, 1, 2}},
		{"a b c", "x a b c", []int{1, 2, 3}},
		{"a b c", "a b", []int{0, 1, -1}},
		{"a b c", "a x c", []int{0, -1, 2}},
		{"a b c d e", "x a b y c d z e", []int{1, 2, 4, 5, 7}},
		{"a b c d", "b c d a", []int{-1, 0, 1, 2}},
		{"d a b c", "a b c d", []int{-1, 0, 1, 2}},
		{"} a } b }", "} b } a }", []int{0, 3, 2, -1, 4}},
		{"", "a", []int{-1}},
		{"a", "", []int{-1}},
	} {
		got := matchLines(strings.Split(c.old, " "), strings.Split(c.now, " "))
		// Which of several ways is taken does not matter, as long as it is one.
		if c.old == "} a } b }" {
			kept := 0
			for i, j := range got {
				if j >= 0 && strings.Split(c.old, " ")[i] == strings.Split(c.now, " ")[j] {
					kept++
				}
			}
			if kept < 3 {
				t.Errorf("%q → %q: got %v", c.old, c.now, got)
			}
			continue
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q → %q: got %v, want %v", c.old, c.now, got, c.want)
		}
	}
}

// FuzzMatchLines holds that lines are carried over to equal ones, in order.
func FuzzMatchLines(f *testing.F) {
	f.Add("a\nb\nc", "b\nx\nc")
	f.Fuzz(func(t *testing.T, old, now string) {
		a, b := splitLines(old), splitLines(now)
		last := -1
		for i, j := range matchLines(a, b) {
			if j < 0 {
				continue
			}
			if a[i] != b[j] {
				t.Fatalf("line %d became line %d", i, j)
			}
			if j <= last {
				t.Fatalf("line %d became line %d, before the one above", i, j)
			}
			last = j
		}
	})
}

func TestSpan(t *testing.T) {
	const old = "one\ntwo\nthree\n"
	r := session.Range{Start: session.Point{Line: 2, Col: 1}, End: session.Point{Line: 3, Col: 4}}
	for _, c := range []struct {
		now  string
		want span
		ok   bool
	}{
		{old, span{position{1, 0}, position{2, 3}}, true},
		{"zero\n" + old, span{position{2, 0}, position{3, 3}}, true},
		{"one\ntwo\n\nthree\n", span{}, false},
		{"one\ntwo\nthre\n", span{}, false},
		{"", span{}, false},
	} {
		got, ok := newMapping(utf16Columns, old, c.now).span(r)
		if got != c.want || ok != c.ok {
			t.Errorf("%q: got %v %v, want %v", c.now, got, ok, c.want)
		}
	}
	if _, ok := newMapping(utf8Columns, "", "").span(r); ok {
		t.Error("a range past the end is taken")
	}
}

func TestPaths(t *testing.T) {
	for _, path := range []string{"/a/b.go", "/with space/ü%20.go", "/a#b/?.go"} {
		if got := toPath(toURI(path)); got != path {
			t.Errorf("%q became %q", path, got)
		}
	}
	for _, uri := range []string{"", "untitled:Untitled-1", "file:", "http://x/a.go", "file:///a%00b", "%%", "file://host"} {
		if got := toPath(uri); got != "" {
			t.Errorf("%q is taken for %q", uri, got)
		}
	}
}
