package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/pgtxvet/pgtxvet/internal/check"
)

// JSON writes findings, and the results that failed, in the form of go vet
// -json: package path → analyzer → diagnostics or error. To what go vet writes
// it adds the url of a rule.
func JSON(w io.Writer, findings []Finding, failed []check.Result) error {
	tree := make(map[string]map[string]any)
	rules := func(pkg string) map[string]any {
		if tree[pkg] == nil {
			tree[pkg] = make(map[string]any)
		}
		return tree[pkg]
	}
	for _, f := range findings {
		byRule := rules(f.Package)
		list, _ := byRule[f.Rule].([]jsonDiagnostic)
		byRule[f.Rule] = append(list, newJSON(f))
	}
	for _, r := range failed {
		rules(r.Package.PkgPath)[r.Analyzer.Name] = jsonError{r.Err.Error()}
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

func newJSON(f Finding) jsonDiagnostic {
	d := jsonDiagnostic{Category: f.Category, Posn: f.Pos.String(), End: f.End.String(), Message: f.Message, URL: f.URL}
	for _, fix := range f.Fixes {
		jf := jsonFix{Message: fix.Message}
		for _, e := range fix.Edits {
			jf.Edits = append(jf.Edits, jsonEdit{e.Pos.Filename, e.Pos.Offset, e.End.Offset, e.New})
		}
		d.SuggestedFixes = append(d.SuggestedFixes, jf)
	}
	for _, r := range f.Related {
		d.Related = append(d.Related, jsonRelated{r.Pos.String(), r.End.String(), r.Message})
	}
	return d
}

// Failed are the results that are errors.
func Failed(results []check.Result) []check.Result {
	var failed []check.Result
	for _, r := range results {
		if r.Err != nil {
			failed = append(failed, r)
		}
	}
	return failed
}
