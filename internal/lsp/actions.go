package lsp

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/ruledoc"
	"github.com/pgtxvet/pgtxvet/internal/session"
)

// hover shows the page of the rule that has a finding at a place.
func (s *Server) hover(p *hoverParams) (any, error) {
	for _, f := range s.at(p.TextDocument.URI, span{p.Position, p.Position}) {
		if a := s.rule(f.Code); a != nil {
			text := "# " + a.Name + "\n\n" + ruledoc.Markdown(a)
			if f.finding.URL != "" {
				text += "\n[The rule's page](" + f.finding.URL + ")\n"
			}
			return hover{markupContent{"markdown", text}, f.Range}, nil
		}
	}
	return nil, nil
}

// at gives the findings that a range touches.
func (s *Server) at(uri string, r span) []shown {
	path := toPath(uri)
	if path == "" {
		return nil
	}
	return slices.DeleteFunc(s.newView().shown(path), func(f shown) bool {
		return f.finding == nil || f.Range.End.before(r.Start) || r.End.before(f.Range.Start)
	})
}

func (p position) before(q position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}

// codeAction gives the fixes of the findings that a range touches, and for each
// finding a directive that silences it.
func (s *Server) codeAction(p *codeActionParams) (any, error) {
	actions := []codeAction{}
	if !wanted(p.Context.Only) {
		return actions, nil
	}
	v := s.newView()
	for _, f := range s.at(p.TextDocument.URI, p.Range) {
		for _, fix := range f.finding.Fixes {
			if edit, ok := v.fix(f.finding, fix); ok {
				actions = append(actions, codeAction{
					Title: fix.Message, Kind: quickFix, Diagnostics: []diagnostic{f.diagnostic}, Edit: edit,
					IsPreferred: len(f.finding.Fixes) == 1,
				})
			}
		}
	}
	for _, f := range s.at(p.TextDocument.URI, p.Range) {
		if edit, ok := v.ignore(f); ok {
			actions = append(actions, codeAction{
				Title: "Silence " + f.Code + " here (write down why)", Kind: quickFix, Diagnostics: []diagnostic{f.diagnostic}, Edit: edit,
			})
		}
	}
	return actions, nil
}

// wanted reports whether a client that wants only some kinds of actions wants
// quick fixes.
func wanted(only []string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(kind string) bool { return kind == "" || kind == quickFix })
}

// fix gives the edit for a suggested fix, if what it replaces is still there.
func (v *view) fix(f *session.Finding, fix session.Fix) (workspaceEdit, bool) {
	edits := map[string][]textEdit{}
	for _, e := range fix.Edits {
		at, ok := v.span(f, e.Range)
		if !ok {
			return workspaceEdit{}, false
		}
		edits[e.File] = append(edits[e.File], textEdit{at, e.New})
	}
	return v.s.edit(edits), len(edits) > 0
}

// reasonToWrite stands where the user is to say why a finding is none.
const reasonToWrite = "TODO: say why this is right"

// ignore gives the edit that puts a directive above the line of a finding. There is
// none if that line begins within a string.
func (v *view) ignore(f shown) (workspaceEdit, bool) {
	if f.Code == "directive" {
		return workspaceEdit{}, false // about the directives themselves
	}
	path := f.finding.File
	text := v.text(path)
	line := f.Range.Start.Line
	start := utf8Columns.offset(text, position{Line: line})
	if inToken(text, start) {
		return workspaceEdit{}, false
	}
	code := text[start:]
	indent := code[:len(code)-len(strings.TrimLeft(code, " \t"))]
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	at := position{Line: line}
	return v.s.edit(map[string][]textEdit{path: {{
		Range:   span{at, at},
		NewText: indent + "//pgtxvet:ignore " + f.Code + " " + reasonToWrite + end,
	}}}), true
}

// inToken reports whether an offset lies inside of a string or a comment.
func inToken(text string, offset int) bool {
	src := []byte(text)
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var sc scanner.Scanner
	sc.Init(file, src, nil, scanner.ScanComments)
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			return false
		}
		from := file.Offset(pos)
		if from >= offset {
			return false
		}
		if (tok == token.STRING || tok == token.COMMENT) && from+len(lit) > offset {
			return true
		}
	}
}

// edit makes an edit of files by their paths, in the form that the client knows.
func (s *Server) edit(edits map[string][]textEdit) workspaceEdit {
	var e workspaceEdit
	for path, list := range edits {
		if !s.client.Workspace.WorkspaceEdit.DocumentChanges {
			if e.Changes == nil {
				e.Changes = map[string][]textEdit{}
			}
			e.Changes[s.uri(path)] = list
			continue
		}
		doc := versionedTextDocument{URI: s.uri(path)}
		if d := s.docs[path]; d != nil {
			doc.Version = &d.version
		}
		e.DocumentChanges = append(e.DocumentChanges, textDocumentEdit{doc, list})
	}
	slices.SortFunc(e.DocumentChanges, func(a, b textDocumentEdit) int {
		return strings.Compare(a.TextDocument.URI, b.TextDocument.URI)
	})
	return e
}
