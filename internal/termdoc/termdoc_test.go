package termdoc

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pgtxvet/pgtxvet/analyzers"
	"github.com/pgtxvet/pgtxvet/docs"
)

const page = "<!-- not shown -->\n\n# seats\n\n**Two `words`**\n\nText with [a link](x.md) and `code`\nthat goes on.\n\n    indented\n\n" +
	"```go\nfunc F() {\n\treturn\n}\n```\n\n" + "```mermaid\nsequenceDiagram\n    participant S1 as one\n    participant S2 as two #lt;3#gt;\n" +
	"    participant PG as PostgreSQL\n    S1->>PG: SELECT a<br/>FROM b\n    PG-->>S1: SELECT 1\n    Note over S2: waits for one\n" +
	"    Note over S1,PG: later\n    Note over PG: SELECT 2<br/>→ 3\n```\n"

const listed = "Two:\n\n  - the first, which is\n    longer than a line is wide;\n  - the second.\n\n    indented\n"

const shownList = `Two:

  - the first, which is
    longer than a line is
    wide;

  - the second.

    indented
`

const shown = `seats

Two ` + "`words`" + `

Text with a link and ` + "`code`" + ` that goes on.

    indented

    func F() {
        return
    }

    one                               │ two <3>
    ──────────────────────────────────┼─────────────────────────────────
    SELECT a FROM b                   │
    → SELECT 1                        │
                                      │ (waits for one)
    = later
    = SELECT 2 → 3
`

func render(t *testing.T, text string, s Style) string {
	t.Helper()
	var b strings.Builder
	if err := Render(&b, text, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRender(t *testing.T) {
	if got := render(t, page, Style{Width: 76}); got != shown {
		t.Errorf("got:\n%s\nwant:\n%s", got, shown)
	}
	if got := render(t, page, Style{Width: 76, Color: true}); !strings.Contains(got, "\x1b[1mseats\x1b[0m\n") {
		t.Errorf("the heading is not bold: %q", got)
	}
	if got := render(t, listed, Style{Width: 26}); got != shownList {
		t.Errorf("got:\n%s\nwant:\n%s", got, shownList)
	}
	narrow := render(t, page, Style{Width: 40})
	if !strings.Contains(narrow, "    one      │ SELECT a FROM b\n") || strings.Contains(narrow, "┼") {
		t.Errorf("sessions one below another:\n%s", narrow)
	}
}

// bare is a text without blanks and the lines of tables, so that it is the same
// however it was wrapped: what happens in a session stands in no other column.
func bare(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '│' || r == '=' }), "")
}

// TestPages holds that nothing of the diagrams in the pages is lost, at widths
// that draw them in either form.
func TestPages(t *testing.T) {
	diagrams := 0
	for _, a := range analyzers.All() {
		page, ok := docs.Rule(a.Name)
		if !ok {
			t.Errorf("%s has no page", a.Name)
		}
		diagrams += strings.Count(page, "```mermaid")
		for _, width := range []int{56, 80, 200} {
			got := render(t, page, Style{Width: width})
			for line := range strings.Lines(got) {
				if strings.Contains(line, "│") && utf8.RuneCountInString(line) > width+1 {
					t.Errorf("%s: wider than %d: %q", a.Name, width, line)
				}
			}
			for _, mark := range []string{"mermaid", "participant", "->>", "<br/>", "#lt;", "#gt;"} {
				if strings.Contains(got, mark) {
					t.Errorf("%s: %q is left", a.Name, mark)
				}
			}
			flat := bare(got)
			for line := range strings.Lines(page) {
				if e, ok := parse(strings.TrimSpace(line)); ok && !strings.Contains(flat, bare(e.text)) {
					t.Errorf("%s: %q is lost at width %d", a.Name, e.text, width)
				}
			}
		}
	}
	if diagrams < 100 {
		t.Errorf("%d diagrams", diagrams)
	}
}
