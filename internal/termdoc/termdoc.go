// Package termdoc shows the pages of the rules in a terminal. It reads as much
// Markdown as these pages have: headings, paragraphs, blocks of code and sequence
// diagrams, which it draws as timelines with the sessions side by side.
package termdoc

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Style says how a page is shown.
type Style struct {
	Width int // of the terminal
	Color bool
}

// textWidth is the longest line of text that is easy to read.
const textWidth = 80

// Render writes a page.
func Render(w io.Writer, page string, s Style) error {
	r := &renderer{style: s}
	for line := range strings.Lines(page) {
		r.line(strings.TrimRight(line, "\r\n"))
	}
	r.paragraph()
	_, err := w.Write(append(bytes.TrimSpace(r.out.Bytes()), '\n'))
	return err
}

// A renderer holds one page.
type renderer struct {
	style Style
	out   bytes.Buffer
	text  []string // the lines of a paragraph
	fence string   // the language of the block, "" outside of one
	block []string
}

// line reads one line of Markdown.
func (r *renderer) line(line string) {
	switch {
	case r.fence != "" && line == "```":
		r.endBlock()
	case r.fence != "":
		r.block = append(r.block, line)
	case strings.HasPrefix(line, "```"):
		r.paragraph()
		r.fence = strings.TrimPrefix(line, "```") + " "
	case strings.HasPrefix(line, "#"):
		r.paragraph()
		r.heading(line)
	case line == "" || strings.HasPrefix(line, "<!--"):
		r.paragraph()
	case strings.HasPrefix(line, item):
		r.paragraph()
		r.text = append(r.text, line)
	case strings.HasPrefix(line, "    ") && r.inItem():
		r.text = append(r.text, strings.TrimSpace(line))
	case strings.HasPrefix(line, "    "):
		r.paragraph()
		fmt.Fprintf(&r.out, "%s\n\n", line)
	default:
		r.text = append(r.text, line)
	}
}

// item begins an item of a list, whose other lines are indented as far.
const item = "  - "

// inItem reports whether the text that is read is an item of a list.
func (r *renderer) inItem() bool { return len(r.text) > 0 && strings.HasPrefix(r.text[0], item) }

func (r *renderer) endBlock() {
	switch strings.TrimSpace(r.fence) {
	case "mermaid":
		r.out.WriteString(timeline(r.block, r.style.Width))
	default:
		for _, line := range r.block {
			fmt.Fprintf(&r.out, "    %s\n", strings.ReplaceAll(line, "\t", "    "))
		}
	}
	r.out.WriteByte('\n')
	r.fence, r.block = "", nil
}

func (r *renderer) heading(line string) {
	fmt.Fprintf(&r.out, "%s\n\n", r.strong(inline(strings.TrimLeft(line, "# "), "")))
}

func (r *renderer) strong(text string) string {
	if !r.style.Color {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// paragraph ends a paragraph, if there is one.
func (r *renderer) paragraph() {
	if len(r.text) == 0 {
		return
	}
	text := inline(strings.Join(r.text, " "), "`")
	whole := strings.HasPrefix(r.text[0], "**")
	first, indent := "", ""
	if r.inItem() {
		first, indent = item, strings.Repeat(" ", len(item))
		text = strings.TrimPrefix(text, item)
	}
	for i, line := range wrap(text, min(r.style.Width, textWidth)-len(indent)) {
		if i == 0 {
			r.out.WriteString(first)
		} else {
			r.out.WriteString(indent)
		}
		if whole {
			line = r.strong(line)
		}
		fmt.Fprintln(&r.out, line)
	}
	r.out.WriteByte('\n')
	r.text = nil
}

var link = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[([^\]]*)\]\(([^)]*)\)`) })

// inline takes marks off a text: of a link its text stays, of code the quote that
// is given.
func inline(text, quote string) string {
	text = link().ReplaceAllString(text, "$1")
	text = strings.ReplaceAll(text, "**", "")
	return strings.ReplaceAll(text, "`", quote)
}

// wrap breaks a text into lines of a width. A word that is longer is cut.
func wrap(text string, width int) []string {
	var lines []string
	line, n := "", 0
	for word := range strings.FieldsSeq(text) {
		size := utf8.RuneCountInString(word)
		if n > 0 && n+1+size > width {
			lines, line, n = append(lines, line), "", 0
		}
		for size > width {
			cut := []rune(word)
			lines, word = append(lines, string(cut[:width])), string(cut[width:])
			size -= width
		}
		if n > 0 {
			line, n = line+" ", n+1
		}
		line, n = line+word, n+size
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
