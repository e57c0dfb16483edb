package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// commands are what GitHub calls levels.
var commands = map[string]string{"error": "error", "warning": "warning", "note": "notice"}

// What has a meaning in a workflow command is written as in a URL; in the value
// of a property more has.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// github writes the workflow commands that make GitHub Actions annotate lines.
// Names of files are relative to the root of the repository. An annotation with
// columns must be on one line.
func github(w io.Writer, r *Report) error {
	out := new(bytes.Buffer)
	src := sources{}
	for _, f := range r.Findings {
		file, _ := slashed(f.Pos.Filename, r.Root)
		fmt.Fprintf(out, "::%s file=%s,line=%d", commands[r.level(f)], escapeProperty.Replace(file), f.Pos.Line)
		switch {
		case f.End.Line != f.Pos.Line:
			fmt.Fprintf(out, ",endLine=%d", f.End.Line)
		case f.Pos.Column > 0:
			fmt.Fprintf(out, ",col=%d,endColumn=%d", src.column(f.Pos), src.column(f.End))
		}
		fmt.Fprintf(out, ",title=%s::%s\n", escapeProperty.Replace("pgtxvet: "+f.Rule), escapeData.Replace(f.note(r.Root)))
	}
	_, err := w.Write(out.Bytes())
	return err
}

type checkstyleDocument struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr,omitempty"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// severities are what Checkstyle calls levels.
var severities = map[string]string{"error": "error", "warning": "warning", "note": "info"}

// checkstyle writes the XML of Checkstyle 5, which Jenkins and others read.
func checkstyle(w io.Writer, r *Report) error {
	doc := checkstyleDocument{Version: "5.0"}
	src := sources{}
	for _, f := range r.Findings {
		name, _ := slashed(f.Pos.Filename, r.Dir)
		if n := len(doc.Files); n == 0 || doc.Files[n-1].Name != name {
			doc.Files = append(doc.Files, checkstyleFile{Name: name})
		}
		file := &doc.Files[len(doc.Files)-1]
		file.Errors = append(file.Errors, checkstyleError{
			Line: f.Pos.Line, Column: src.column(f.Pos), Severity: severities[r.level(f)],
			Message: f.note(r.Dir), Source: "pgtxvet." + f.Rule,
		})
	}
	data, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding findings: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, data)
	return err
}
