package report

import (
	"encoding/json"
	"fmt"
	"io"
)

// A gitlabFinding is an element of GitLab's code quality report,
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
type gitlabFinding struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
			End   int `json:"end"`
		} `json:"lines"`
	} `json:"location"`
}

// majors are what GitLab calls levels.
var majors = map[string]string{"error": "major", "warning": "minor", "note": "info"}

// gitlab writes the report that GitLab shows in merge requests. Names of files are
// relative to the root of the repository.
func gitlab(w io.Writer, r *Report) error {
	list := []gitlabFinding{}
	for _, f := range r.Findings {
		g := gitlabFinding{Description: f.Message, CheckName: f.Rule, Fingerprint: f.Fingerprint, Severity: majors[r.level(f)]}
		g.Location.Path, _ = slashed(f.Pos.Filename, r.Root)
		g.Location.Lines.Begin, g.Location.Lines.End = f.Pos.Line, max(f.Pos.Line, f.End.Line)
		list = append(list, g)
	}
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding findings: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s\n", data)
	return err
}
