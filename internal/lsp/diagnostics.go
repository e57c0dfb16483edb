package lsp

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/ruledoc"
	"github.com/pgtxvet/pgtxvet/internal/session"
)

// source names the server in what it publishes.
const source = "pgtxvet"

// configCode is the code of mistakes in a configuration file.
const configCode = "config"

// A shown finding is one as it stands in the present text of a file.
type shown struct {
	finding *session.Finding // nil for a mistake in a configuration file
	diagnostic
}

// A view is what is known of a few files at one moment: their present texts, and
// the mappings to them.
type view struct {
	s     *Server
	texts map[string]string
	maps  map[mapKey]*mapping
}

type mapKey struct{ file, old string }

func (s *Server) newView() *view {
	return &view{s: s, texts: map[string]string{}, maps: map[mapKey]*mapping{}}
}

// text is the present text of a file: that in the editor, or that on disk.
func (v *view) text(path string) string {
	if d := v.s.docs[path]; d != nil {
		return d.text
	}
	text, ok := v.texts[path]
	if !ok {
		data, _ := os.ReadFile(path) // of a file that is gone nothing is shown
		text = string(data)
		v.texts[path] = text
	}
	return text
}

// span gives a range of a finding in the present text.
func (v *view) span(f *session.Finding, r session.Range) (span, bool) {
	key := mapKey{r.File, f.Texts[r.File]}
	m := v.maps[key]
	if m == nil {
		m = newMapping(v.s.enc, key.old, v.text(r.File))
		v.maps[key] = m
	}
	return m.span(r)
}

// uri is the URI of a file as the client writes it.
func (s *Server) uri(path string) string {
	if d := s.docs[path]; d != nil {
		return d.uri
	}
	return toURI(path)
}

// shown gives the findings in a file, in order.
func (v *view) shown(path string) []shown {
	var list []shown
	for _, dir := range slices.Sorted(maps.Keys(v.s.programs)) {
		p := v.s.programs[dir]
		if p.report == nil || !p.published[path] {
			continue
		}
		for i := range p.report.Findings {
			f := &p.report.Findings[i]
			if f.File != path {
				continue
			}
			if d, ok := v.diagnostic(f); ok && !slices.ContainsFunc(list, func(o shown) bool { return o.same(d) }) {
				list = append(list, shown{f, d})
			}
		}
		list = append(list, v.mistakes(p, path)...)
	}
	slices.SortStableFunc(list, func(a, b shown) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	return list
}

// same reports whether two programs say the same of a file that both have.
func (d *diagnostic) same(o diagnostic) bool {
	return d.Range == o.Range && d.Code == o.Code && d.Message == o.Message
}

// diagnostic is a finding in the present text, if its lines are still there.
func (v *view) diagnostic(f *session.Finding) (diagnostic, bool) {
	at, ok := v.span(f, f.Range)
	if !ok {
		return diagnostic{}, false
	}
	d := diagnostic{Range: at, Severity: v.s.severity(f.Rule), Code: f.Rule, Source: source, Message: valid(f.Message)}
	features := v.s.client.TextDocument.PublishDiagnostics
	if f.URL != "" && features.CodeDescriptionSupport {
		d.CodeDescription = &codeDescription{f.URL}
	}
	for _, r := range f.Related {
		at, ok := v.span(f, r.Range)
		if ok && features.RelatedInformation {
			d.RelatedInformation = append(d.RelatedInformation, relatedInfo{location{v.s.uri(r.File), at}, valid(r.Message)})
		}
	}
	return d, true
}

// mistakes are those in a configuration file.
func (v *view) mistakes(p *program, path string) []shown {
	var list []shown
	for _, e := range p.mistakesIn(path) {
		lines := splitLines(v.text(path))
		line := min(max(e.Line-1, 0), len(lines)-1)
		list = append(list, shown{nil, diagnostic{
			Range: span{
				position{uint32(line), 0}, //nolint:gosec // a line of a text in memory
				position{uint32(line), v.s.enc.column(lines[line], len(lines[line]))}, //nolint:gosec // as above
			},
			Severity: severityError, Code: configCode, Source: source, Message: valid(e.Msg),
		}})
	}
	return list
}

// severities maps the levels of rules.
var severities = map[string]int{"error": severityError, "warning": severityWarning, "note": severityInfo}

// severity is that of a rule.
func (s *Server) severity(rule string) int {
	if a := s.rule(rule); a != nil {
		return severities[ruledoc.Level(a)]
	}
	return severityWarning
}

// rule finds a rule by its name, nil if there is none.
func (s *Server) rule(name string) *analysis.Analyzer {
	rules, err := s.Rules("all", "")
	if err != nil {
		return nil
	}
	for _, a := range rules {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// publish sends what there is to say about a file, if it is not what was sent.
func (s *Server) publish(path string) {
	p := publishDiagnosticsParams{URI: s.uri(path), Diagnostics: []diagnostic{}}
	for _, f := range s.newView().shown(path) {
		p.Diagnostics = append(p.Diagnostics, f.diagnostic)
	}
	data, err := json.Marshal(p.Diagnostics)
	if err != nil {
		s.log(messageError, "pgtxvet: "+err.Error())
		return
	}
	key := string(data)
	d := s.docs[path]
	if d != nil {
		// Ranges are right for this version only.
		p.Version = &d.version
		key += strconv.Itoa(d.version)
	}
	last, known := s.sent[path]
	switch {
	case known && last == key:
		return
	case len(p.Diagnostics) == 0 && !known:
		return // nothing was there
	case len(p.Diagnostics) == 0:
		delete(s.sent, path)
	default:
		s.sent[path] = key
	}
	if !s.client.TextDocument.PublishDiagnostics.VersionSupport {
		p.Version = nil
	}
	s.notify("textDocument/publishDiagnostics", p)
}
