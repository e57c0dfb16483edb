package schema

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// holeName stands in a script where a template puts something that is not
// known.
const holeName = "pgtxvet_hole"

// isHole reports whether a template makes the name of a table.
func isHole(t pgsql.TableRef) bool {
	return strings.Contains(t.Name, holeName) || strings.Contains(t.Schema, holeName)
}

// lazy compiles a pattern when it is first used.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// A marker is a line that begins a part of a script.
type marker struct {
	prefix string // in lower case and with single spaces
	up     bool
	// opens is set when what stands before the first such line is not run.
	opens bool
}

// markers are the lines of the tools, after -- and blanks.
//
//   - goose: https://pressly.github.io/goose/documentation/annotations
//   - sql-migrate: its README, "Writing migrations"
//   - dbmate: its README, "Creating Migrations"
//   - tern: its README, "Migrations": two lines of its own, with four dashes
var markers = []marker{
	{"+goose up", true, true}, {"+goose down", false, false},
	{"+migrate up", true, true}, {"+migrate down", false, false},
	{"migrate:up", true, true}, {"migrate:down", false, false},
	{"-- create above / drop below", false, false},
}

// markerOf returns the marker that a line is.
func markerOf(line string) (marker, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "--")
	if !ok {
		return marker{}, false
	}
	rest = strings.ToLower(strings.Join(strings.Fields(rest), " "))
	for _, m := range markers {
		if after, ok := strings.CutPrefix(rest, m.prefix); ok && (after == "" || !isWord(after[0])) {
			return m, true
		}
	}
	return marker{}, false
}

// upPart returns what a script does when it is applied: the parts that undo it
// are blank. Lines stay where they are. marked is set when a tool's marker was
// found.
func upPart(text string) (up string, marked bool) {
	if !strings.Contains(text, "--") {
		return text, false
	}
	lines := strings.SplitAfter(text, "\n")
	run, opened := true, false
	kept := make([]bool, len(lines))
	for i, line := range lines {
		if m, ok := markerOf(line); ok {
			marked = true
			run = m.up
			if m.opens && !opened {
				clear(kept[:i])
				opened = true
			}
		}
		kept[i] = run
	}
	if !marked {
		return text, false
	}
	var b strings.Builder
	for i, line := range lines {
		if kept[i] {
			b.WriteString(line)
		} else {
			b.WriteString(strings.Repeat("\n", strings.Count(line, "\n")))
		}
	}
	return b.String(), true
}

var (
	include  = lazy(`\{\{-?\s*template\s+"([^"]+)"[^}]*\}\}`)
	control  = lazy(`\{\{-?\s*(?:if|else|end|range|with|define|block|template|/\*)\b?[^}]*\}\}`)
	action   = lazy(`\{\{[^}]*\}\}|\$\{[A-Za-z_][^}]*\}|%\[\d+\][sqvd]`)
	option   = lazy(`(?i)(\bindex\s+)%s\s`) // CONCURRENTLY, or nothing
	prefixed = lazy(`"?(?:\{\{[^}]*\}\}|\$\{[A-Za-z_][^}]*\}|%(?:\[\d+\])?[sq])"?\.`)
)

// maxIncludes bounds the templates that one script includes, one in another.
const maxIncludes = 3

// expand fills in the templates of a script: what tern's {{ template }} names
// is included; an unknown schema in front of a name is left out; what else is
// not known becomes a name that nothing has.
func expand(text, dir string, depth int) string {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "${") && !strings.Contains(text, "%") {
		return text
	}
	text = include().ReplaceAllStringFunc(text, func(s string) string {
		data, err := readFile(filepath.Join(dir, filepath.FromSlash(include().FindStringSubmatch(s)[1])))
		if err != nil || depth >= maxIncludes {
			return "CREATE TABLE " + holeName + " ();" // whatever it makes
		}
		return expand(data, dir, depth+1)
	})
	text = control().ReplaceAllString(text, "")
	text = option().ReplaceAllString(text, "${1}  ")
	text = prefixed().ReplaceAllString(text, "")
	return action().ReplaceAllString(text, holeName)
}

// withoutClient blanks what is meant for the client psql: its own commands, and
// the rows after COPY … FROM stdin.
func withoutClient(text string) string {
	if !strings.Contains(text, "\n\\") && !strings.HasPrefix(text, "\\") {
		return text
	}
	var b strings.Builder
	rows := false
	for line := range strings.SplitAfterSeq(text, "\n") {
		switch {
		case rows:
			rows = !strings.HasPrefix(line, `\.`)
			b.WriteString("\n")
		case strings.HasPrefix(line, `\`):
			b.WriteString("\n")
		default:
			rows = copiesRows(line)
			b.WriteString(line)
		}
	}
	return b.String()
}

// copiesRows reports whether rows of a COPY follow a line, as pg_dump writes it.
func copiesRows(line string) bool {
	line = strings.ToLower(strings.TrimSpace(line))
	return strings.HasPrefix(line, "copy ") && strings.HasSuffix(line, "from stdin;")
}

// maxFile bounds the length of a script; longer ones hold data.
const maxFile = 8 << 20

// readFile returns the text of a script.
func readFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.Size() > maxFile {
		return "", errTooLong
	}
	data, err := os.ReadFile(path)
	return string(data), err
}
