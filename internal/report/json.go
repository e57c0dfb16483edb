package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"io"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/check"
)

// JSON writes results in the form of go vet -json: package path → analyzer →
// diagnostics or error. To what go vet writes it adds the url of a rule.
func JSON(w io.Writer, fset *token.FileSet, results []check.Result) error {
	tree := make(map[string]map[string]any)
	for _, r := range results {
		byRule := tree[r.Package.PkgPath]
		if byRule == nil {
			byRule = make(map[string]any)
			tree[r.Package.PkgPath] = byRule
		}
		if r.Err != nil {
			byRule[r.Analyzer.Name] = jsonError{r.Err.Error()}
			continue
		}
		byRule[r.Analyzer.Name] = jsonDiagnostics(fset, r.Diagnostics)
	}
	data, err := json.MarshalIndent(tree, "", "\t")
	if err != nil {
		return fmt.Errorf("encoding findings: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s\n", data)
	return err
}

type jsonError struct {
	Err string `json:"error"`
}

type jsonDiagnostic struct {
	Category       string        `json:"category,omitempty"`
	Posn           string        `json:"posn"`
	End            string        `json:"end"`
	Message        string        `json:"message"`
	SuggestedFixes []jsonFix     `json:"suggested_fixes,omitempty"`
	Related        []jsonRelated `json:"related,omitempty"`
	URL            string        `json:"url,omitempty"`
}

type jsonFix struct {
	Message string     `json:"message"`
	Edits   []jsonEdit `json:"edits"`
}

// A jsonEdit replaces the bytes from Start up to End of the file.
type jsonEdit struct {
	Filename string `json:"filename"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	New      string `json:"new"`
}

type jsonRelated struct {
	Posn    string `json:"posn"`
	End     string `json:"end"`
	Message string `json:"message"`
}

func jsonDiagnostics(fset *token.FileSet, diagnostics []analysis.Diagnostic) []jsonDiagnostic {
	posn := func(pos token.Pos) string { return fset.Position(pos).String() }
	list := make([]jsonDiagnostic, 0, len(diagnostics))
	for _, d := range diagnostics {
		jd := jsonDiagnostic{
			Category: d.Category,
			Posn:     posn(d.Pos),
			End:      posn(cmp.Or(d.End, d.Pos)),
			Message:  d.Message,
			URL:      d.URL,
		}
		for _, fix := range d.SuggestedFixes {
			jf := jsonFix{Message: fix.Message}
			for _, edit := range fix.TextEdits {
				start, end := fset.Position(edit.Pos), fset.Position(cmp.Or(edit.End, edit.Pos))
				jf.Edits = append(jf.Edits, jsonEdit{start.Filename, start.Offset, end.Offset, string(edit.NewText)})
			}
			jd.SuggestedFixes = append(jd.SuggestedFixes, jf)
		}
		for _, r := range d.Related {
			jd.Related = append(jd.Related, jsonRelated{posn(r.Pos), posn(cmp.Or(r.End, r.Pos)), r.Message})
		}
		list = append(list, jd)
	}
	return list
}
