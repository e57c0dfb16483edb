package report

import (
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// sarifRoot stands for the root of the repository in the names of files.
	sarifRoot = "%SRCROOT%"
	home      = "https://github.com/pgtxvet/pgtxvet"
)

// The types are the part of SARIF that is written. The libraries that have types
// for it leave out fingerprints, drop an empty list of results, which means that
// nothing was looked at, or bring a validator and an HTTP client along, which the
// vet tool would start in each of its processes.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool                `json:"tool"`
		Invocations []sarifInvocation        `json:"invocations"`
		Bases       map[string]sarifArtifact `json:"originalUriBaseIds"`
		ColumnKind  string                   `json:"columnKind"`
		Results     []sarifResult            `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name            string      `json:"name"`
		SemanticVersion string      `json:"semanticVersion,omitempty"`
		Version         string      `json:"version,omitempty"`
		InformationURI  string      `json:"informationUri"`
		Rules           []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string          `json:"id"`
		ShortDescription sarifText       `json:"shortDescription"`
		FullDescription  sarifText       `json:"fullDescription"`
		Help             sarifText       `json:"help"`
		HelpURI          string          `json:"helpUri,omitempty"`
		Configuration    sarifConfig     `json:"defaultConfiguration"`
		Properties       sarifProperties `json:"properties"`
	}
	sarifConfig struct {
		Enabled bool   `json:"enabled"`
		Level   string `json:"level"`
	}
	sarifProperties struct {
		Tags      []string `json:"tags"`
		Precision string   `json:"precision"`
		Severity  string   `json:"problem.severity"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

// sarif writes the report as SARIF 2.1.0, with what GitHub's code scanning asks
// for: https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning.
func sarif(w io.Writer, r *Report) error {
	s := sarifWriter{r, sources{}}
	log := sarifLog{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{{
		Tool:        sarifTool{s.driver()},
		Invocations: []sarifInvocation{s.invocation()},
		Bases:       map[string]sarifArtifact{sarifRoot: {URI: fileURI(r.Root) + "/"}},
		ColumnKind:  "utf16CodeUnits",
		Results:     s.results(),
	}}}
	data, err := json.MarshalIndent(log, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding findings: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s\n", data)
	return err
}

// A sarifWriter makes SARIF of a report.
type sarifWriter struct {
	*Report
	src sources
}

func (s sarifWriter) driver() sarifDriver {
	d := sarifDriver{Name: "pgtxvet", Version: s.Version, InformationURI: home, Rules: []sarifRule{}}
	if v, ok := strings.CutPrefix(s.Version, "v"); ok {
		d.SemanticVersion = v
	}
	for _, r := range s.Rules {
		d.Rules = append(d.Rules, sarifRule{
			ID:               r.Name,
			ShortDescription: sarifText{Text: r.Title},
			FullDescription:  sarifText{Text: r.Description},
			Help:             sarifText{r.Text, r.Markdown},
			HelpURI:          r.URL,
			Configuration:    sarifConfig{r.Default, r.Level},
			Properties:       sarifProperties{Tags: []string{"concurrency", "database", "postgresql", "transactions"}, Precision: "high", Severity: problem[r.Level]},
		})
	}
	return d
}

// problem is what code scanning calls levels.
var problem = map[string]string{"error": "error", "warning": "warning", "note": "recommendation"}

// invocation says what could not be analysed.
func (s sarifWriter) invocation() sarifInvocation {
	inv := sarifInvocation{Successful: true}
	for _, text := range s.Failures {
		inv.Notifications = append(inv.Notifications, sarifNotification{"warning", sarifText{Text: text}})
	}
	return inv
}

func (s sarifWriter) results() []sarifResult {
	index := map[string]int{}
	for i, r := range s.Rules {
		index[r.Name] = i
	}
	results := []sarifResult{}
	for _, f := range s.Findings {
		i, ok := index[f.Rule]
		if !ok {
			i = -1
		}
		res := sarifResult{
			RuleID: f.Rule, RuleIndex: i, Level: s.level(f), Message: sarifText{Text: f.Message},
			Locations: []sarifLocation{{Physical: s.physical(f.Pos, f.End)}},
			// Code scanning looks at this one only.
			Fingerprints: map[string]string{"primaryLocationLineHash": f.Fingerprint},
		}
		for i, rel := range f.Related {
			res.Related = append(res.Related, sarifLocation{ID: i + 1, Physical: s.physical(rel.Pos, rel.End), Message: &sarifText{Text: rel.Message}})
		}
		for _, fix := range f.Fixes {
			res.Fixes = append(res.Fixes, s.fix(fix))
		}
		results = append(results, res)
	}
	return results
}

// fix gathers the edits of each file, which come in order.
func (s sarifWriter) fix(fix Fix) sarifFix {
	sf := sarifFix{Description: sarifText{Text: fix.Message}}
	file := ""
	for _, e := range fix.Edits {
		if len(sf.Changes) == 0 || e.Pos.Filename != file {
			file = e.Pos.Filename
			sf.Changes = append(sf.Changes, sarifChange{Artifact: s.artifact(file)})
		}
		c := &sf.Changes[len(sf.Changes)-1]
		c.Replacements = append(c.Replacements, sarifReplacement{s.region(e.Pos, e.End), sarifText{Text: e.New}})
	}
	return sf
}

func (s sarifWriter) physical(pos, end token.Position) sarifPhysical {
	return sarifPhysical{s.artifact(pos.Filename), s.region(pos, end)}
}

func (s sarifWriter) artifact(file string) sarifArtifact {
	rel, ok := slashed(file, s.Root)
	if !ok {
		return sarifArtifact{URI: fileURI(file)}
	}
	return sarifArtifact{URI: (&url.URL{Path: rel}).String(), Base: sarifRoot}
}

// region is a place. One that is empty has an end all the same: without one it
// would reach to the end of the line.
func (s sarifWriter) region(pos, end token.Position) sarifRegion {
	r := sarifRegion{StartLine: max(pos.Line, 1)}
	if pos.Column < 1 {
		return r
	}
	r.StartColumn, r.EndLine, r.EndColumn = s.src.column(pos), end.Line, s.src.column(end)
	if end.Filename != pos.Filename || end.Line < pos.Line {
		r.EndLine, r.EndColumn = r.StartLine, r.StartColumn
	}
	return r
}

// fileURI is the URI of a file or directory on this machine.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
