// Package rule is what all rules share: their documentation as data, the
// directive that silences a finding, and the form of a report.
package rule

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/lint"

	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/ruledoc"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// URL is the address of the page of a rule, without its name.
const URL = "https://github.com/pgtxvet/pgtxvet/blob/main/docs/rules/"

// A Pass is one rule's look at one package.
type Pass struct {
	*analysis.Pass
	// Sites are the places where the package runs SQL, each where its handle is
	// known; Effects are all effects of all functions.
	Sites, Effects []*txflow.Site

	flow     *txflow.Result
	ignores  []*Ignore
	reported map[finding]bool
	// elsewhere are the directives in files of packages below, by the name of
	// the file: a finding that comes to light here can stand there.
	elsewhere map[string][]*Ignore
}

// A finding is what is reported once.
type finding struct {
	pos     token.Pos
	message string
}

// New makes the analyzer of a rule. The name is what users type and suppress
// and never changes.
func New(name string, doc *lint.RawDocumentation, run func(*Pass)) *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:     name,
		Doc:      doc.Compile().String(),
		URL:      URL + name + ".md",
		Requires: []*analysis.Analyzer{txflow.Analyzer, config.Analyzer},
	}
	ruledoc.Record(a, doc)
	a.Run = func(pass *analysis.Pass) (any, error) {
		flow := pass.ResultOf[txflow.Analyzer].(*txflow.Result)
		if flow.Empty() || pass.ResultOf[config.Analyzer].(*config.Package).Disabled(name) {
			return nil, nil
		}
		p := &Pass{Pass: pass, Sites: flow.Sites, Effects: flow.Effects, flow: flow, ignores: ignoresOf(pass, name), reported: map[finding]bool{}, elsewhere: map[string][]*Ignore{}}
		flow.Ask(func() { run(p) })
		for _, ig := range p.ignores {
			if !ig.used && ig.Reason != "" && !p.usedAbove(ig) {
				pass.Report(analysis.Diagnostic{Pos: ig.Pos, End: ig.End, Category: name, URL: a.URL,
					Message: fmt.Sprintf("this directive silences nothing: %s reports no finding here; remove it", name)})
			}
		}
		return nil, nil
	}
	return a
}

// Report reports a finding on a range, unless a directive silences it.
func (p *Pass) Report(pos, end token.Pos, message string, opts ...Option) {
	if p.ignored(pos, end) || p.reported[finding{pos, message}] {
		return
	}
	p.reported[finding{pos, message}] = true
	d := analysis.Diagnostic{Pos: pos, End: end, Category: p.Analyzer.Name, URL: p.Analyzer.URL, Message: message}
	for _, opt := range opts {
		opt(&d)
	}
	p.Pass.Report(d)
}

// Links returns what reads decide about writes, see [txflow.Result.Links].
func (p *Pass) Links() []*txflow.Link { return p.flow.Links() }

// An Option adds to a report.
type Option func(*analysis.Diagnostic)

// Related adds a line that has to do with the finding.
func Related(pos token.Pos, message string) Option {
	return func(d *analysis.Diagnostic) {
		if pos.IsValid() {
			d.Related = append(d.Related, analysis.RelatedInformation{Pos: pos, Message: message})
		}
	}
}

// Fix adds a suggested fix; nothing when it has no edits.
func Fix(message string, edits ...analysis.TextEdit) Option {
	return func(d *analysis.Diagnostic) {
		if len(edits) > 0 {
			d.SuggestedFixes = append(d.SuggestedFixes, analysis.SuggestedFix{Message: message, TextEdits: edits})
		}
	}
}

// An Ignore is one rule of a directive "//pgtxvet:ignore RULE reason", in which
// several rules can stand with commas.
type Ignore struct {
	Pos, End token.Pos
	Rule     string
	Reason   string
	// List are all rules of the directive, as they are written; First is set on
	// the first one.
	List  string
	First bool

	file string
	line int
	own  bool // it stands on a line of its own and covers the next
	used bool
}

const (
	family    = "//pgtxvet:"
	directive = family + "ignore"
)

// Ignores returns the directives in a file, in order.
func Ignores(fset *token.FileSet, f *ast.File) []*Ignore {
	var out []*Ignore
	for _, g := range f.Comments {
		for _, c := range g.List {
			rest, ok := argument(c.Text, directive)
			if !ok {
				continue
			}
			list, reason := cutRules(rest)
			p := fset.Position(c.Pos())
			for i, name := range strings.Split(list, ",") {
				out = append(out, &Ignore{Pos: c.Pos(), End: c.End(), Rule: name, Reason: reason, List: list, First: i == 0,
					file: p.Filename, line: p.Line})
			}
		}
	}
	if len(out) > 0 {
		code := codeLines(fset, f)
		for _, ig := range out {
			ig.own = !code[ig.line]
		}
	}
	return out
}

// argument is what follows the name of a directive. What follows another // is a
// comment on the directive.
func argument(comment, name string) (string, bool) {
	rest, ok := strings.CutPrefix(comment, name)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	rest, _, _ = strings.Cut(rest, "//")
	return strings.TrimSpace(rest), true
}

// cutRules cuts "a, b reason" into "a,b" and the reason.
func cutRules(text string) (list, reason string) {
	for {
		name, rest, more := strings.Cut(text, " ")
		list, text = list+name, strings.TrimSpace(rest)
		if !more || !strings.HasSuffix(name, ",") {
			return strings.TrimSuffix(list, ","), text
		}
	}
}

// A Lookalike is a comment that silences nothing, but was meant to.
type Lookalike struct {
	Pos, End token.Pos
	Why      string // what to write instead
}

// Lookalikes returns the comments in a file that look like directives: those with
// a space in front, which make them prose, if they name one of the rules or
// nothing, and directives of another name.
func Lookalikes(f *ast.File, rules []string) []Lookalike {
	var out []Lookalike
	for _, g := range f.Comments {
		for _, c := range g.List {
			if why := lookalike(c.Text, rules); why != "" {
				out = append(out, Lookalike{c.Pos(), c.End(), why})
			}
		}
	}
	return out
}

func lookalike(comment string, rules []string) string {
	const write = "; write " + directive + " RULE reason"
	text, spaced := strings.CutPrefix(comment, "// ")
	if !spaced {
		if _, ok := argument(comment, directive); ok || !strings.HasPrefix(comment, family) {
			return ""
		}
		name, _, _ := strings.Cut(comment, " ")
		return "there is no directive " + name + write
	}
	rest, ok := argument("//"+strings.TrimSpace(text), directive)
	if !ok {
		return ""
	}
	list, _ := cutRules(rest)
	name, _, _ := strings.Cut(list, ",")
	if list != "" && !slices.Contains(rules, name) {
		return ""
	}
	return "with a space after // this is a comment and silences nothing" + write
}

// codeLines returns the lines of f on which code begins or ends.
func codeLines(fset *token.FileSet, f *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		}
		lines[fset.Position(n.Pos()).Line] = true
		lines[fset.Position(n.End()).Line] = true
		return true
	})
	return lines
}

func ignoresOf(pass *analysis.Pass, name string) []*Ignore {
	var out []*Ignore
	for _, f := range pass.Files {
		for _, ig := range Ignores(pass.Fset, f) {
			if ig.Rule == name {
				out = append(out, ig)
			}
		}
	}
	return out
}

// ignored reports whether a directive with a reason stands on a line of the
// range, or alone on the line above it.
func (p *Pass) ignored(pos, end token.Pos) bool {
	from := p.Fset.Position(pos)
	to := from
	if end.IsValid() {
		to = p.Fset.Position(end)
	}
	ignores := p.ignores
	if !p.own(from.Filename) {
		ignores = p.ignoresIn(from.Filename)
	}
	hit := false
	for _, ig := range ignores {
		if ig.Reason != "" && ig.covers(from, to) {
			ig.used = true
			hit = true
		}
	}
	return hit
}

// covers reports whether the directive stands on a line of a range, or alone on
// the line above it.
func (ig *Ignore) covers(from, to token.Position) bool {
	return ig.file == from.Filename && (ig.line >= from.Line && ig.line <= to.Line || ig.own && ig.line == from.Line-1)
}

// own reports whether a file is one of the package.
func (p *Pass) own(file string) bool {
	return slices.ContainsFunc(p.Files, func(f *ast.File) bool { return p.Fset.Position(f.FileStart).Filename == file })
}

// ignoresIn returns the directives for the rule in a file of another package. A
// file that cannot be read or parsed has none.
func (p *Pass) ignoresIn(file string) []*Ignore {
	if got, ok := p.elsewhere[file]; ok {
		return got
	}
	fset := token.NewFileSet()
	var out []*Ignore
	if src, err := txflow.ReadFile(p.Pass, file); err == nil && bytes.Contains(src, []byte(directive)) {
		if f, err := parser.ParseFile(fset, file, src, parser.ParseComments|parser.SkipObjectResolution); err == nil {
			out = slices.DeleteFunc(Ignores(fset, f), func(ig *Ignore) bool { return ig.Rule != p.Analyzer.Name })
		}
	}
	p.elsewhere[file] = out
	return out
}

// usedAbove reports whether a directive stands where a package above this one
// may find something.
func (p *Pass) usedAbove(ig *Ignore) bool {
	return slices.ContainsFunc(p.Effects, func(s *txflow.Site) bool {
		if !s.DecidedAbove() {
			return false
		}
		pos, end := s.Range()
		return ig.covers(p.Fset.Position(pos), p.Fset.Position(end))
	})
}

// Migration reports whether the position is in code that migrates a schema:
// migrations run once, on their own session.
func (p *Pass) Migration(pos token.Pos) bool {
	name := filepath.ToSlash(p.Fset.Position(pos).Filename)
	parts := strings.Split(name, "/")
	if len(parts) > 3 {
		parts = parts[len(parts)-3:]
	}
	parts = append(parts, p.Pkg.Name(), p.Pkg.Path())
	for _, s := range parts {
		s = strings.ToLower(s)
		if strings.Contains(s, "migrat") || s == "schema.go" {
			return true
		}
	}
	return false
}
