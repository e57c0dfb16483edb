package session

import (
	"cmp"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/check"
)

// A Finding is a diagnostic that outlives the syntax it was found in.
type Finding struct {
	Rule    string
	Message string
	URL     string
	Range
	Related []Related
	Fixes   []Fix
	// Texts are the files that the finding speaks of, as they were then. What is
	// in them now may differ, where a package has not been analysed since.
	Texts map[string]string
}

// A Range is a piece of a file.
type Range struct {
	File       string
	Start, End Point
}

// A Point is a place in a file: line and column from 1, columns in bytes.
type Point struct{ Line, Col int }

// Related is a further place that a finding speaks of.
type Related struct {
	Range
	Message string
}

// A Fix is a suggested change.
type Fix struct {
	Message string
	Edits   []Edit
}

// An Edit replaces a piece of a file.
type Edit struct {
	Range
	New string
}

// A place is where a rule reports once.
type place struct {
	rule, file string
	line, col  int
}

// compare orders findings by place, rule and message.
func (f Finding) compare(g Finding) int {
	return cmp.Or(
		cmp.Compare(f.File, g.File),
		cmp.Compare(f.Start.Line, g.Start.Line),
		cmp.Compare(f.Start.Col, g.Start.Col),
		cmp.Compare(f.Rule, g.Rule),
		cmp.Compare(f.Message, g.Message),
	)
}

// A converter turns diagnostics into findings.
type converter struct {
	fset  *token.FileSet
	read  func(string) string
	texts map[string]string
}

func (c *converter) findings(results []check.Result) []Finding {
	var all []Finding
	for _, r := range results {
		for _, d := range r.Diagnostics {
			if !d.Pos.IsValid() {
				continue // see run.text
			}
			all = append(all, c.finding(r.Analyzer.Name, d))
		}
	}
	return all
}

func (c *converter) finding(rule string, d analysis.Diagnostic) Finding {
	f := Finding{Rule: rule, Message: d.Message, URL: d.URL, Range: c.rangeOf(d.Pos, d.End), Texts: c.texts}
	for _, r := range d.Related {
		f.Related = append(f.Related, Related{c.rangeOf(r.Pos, r.End), r.Message})
	}
	for _, fix := range d.SuggestedFixes {
		if edits, ok := c.edits(fix.TextEdits); ok {
			f.Fixes = append(f.Fixes, Fix{fix.Message, edits})
		}
	}
	return f
}

// edits converts edits. Those in a file that cgo made are none of the user's.
func (c *converter) edits(list []analysis.TextEdit) (edits []Edit, ok bool) {
	for _, e := range list {
		file := c.fset.File(e.Pos)
		r := c.rangeOf(e.Pos, e.End)
		if file == nil || file.Name() != r.File {
			return nil, false
		}
		edits = append(edits, Edit{r, string(e.NewText)})
	}
	return edits, true
}

func (c *converter) rangeOf(pos, end token.Pos) Range {
	p, q := c.fset.Position(pos), c.fset.Position(cmp.Or(end, pos))
	r := Range{p.Filename, point(p), point(q)}
	if q.Filename != p.Filename || r.End.before(r.Start) {
		r.End = r.Start
	}
	if _, known := c.texts[r.File]; !known {
		c.texts[r.File] = c.read(r.File)
	}
	return r
}

// point is the place of a position. A //line comment leaves no column.
func point(p token.Position) Point { return Point{p.Line, max(p.Column, 1)} }

func (p Point) before(q Point) bool { return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col }
