package schema

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// A set is the scripts that make one schema, in the order in which they are
// applied.
type set struct {
	// dir is where the set belongs: packages below its parents use it.
	dir   string
	files []string
	// partial is set when something that is not read belongs to the set, such
	// as migrations written in Go.
	partial bool
	load    func() *loaded
}

func newSet(dir string, files []string, partial bool) *set {
	s := &set{dir: dir, files: files, partial: partial}
	s.load = sync.OnceValue(s.read)
	return s
}

// A loaded set is what its scripts have made.
type loaded struct {
	*model
	statements int
	changes    int // statements that change the schema
	problems   []Problem
	// foreign is set when the scripts are of another database system.
	foreign bool
	// empty is set when they change no table.
	empty bool
}

// A Problem is a statement that is not understood, or a script that cannot be
// read.
type Problem struct {
	File string
	Line int // 0 if the script could not be read
	Msg  string
	Text string // of the statement, cut
}

var errTooLong = errors.New("it is too long")

// Bounds of a set: the bytes of its scripts, and its statements that change the
// schema.
const (
	maxTotal   = 32 << 20
	maxChanges = 50_000
)

// read applies the scripts.
func (s *set) read() *loaded {
	l := &loaded{model: newModel(), empty: true}
	if s.partial {
		l.miss("some migrations are not written in SQL")
	}
	total := 0
	for _, f := range s.files {
		text, err := readFile(f)
		if total += len(text); err == nil && total > maxTotal {
			err = errTooLong
		}
		if err != nil {
			l.problems = append(l.problems, Problem{File: f, Msg: "cannot be read: " + err.Error()})
			l.miss("%s cannot be read", filepath.Base(f))
			continue
		}
		l.script(f, text)
	}
	for _, t := range l.order {
		if t.placeholder && !t.doubtful {
			l.miss("%s is created elsewhere", t.name.name)
		}
	}
	return l
}

// script applies one script.
func (l *loaded) script(file, text string) {
	text, _ = upPart(text)
	text = expand(withoutClient(text), filepath.Dir(file), 0)
	l.path = nil
	for _, d := range pgsql.Definitions(text) {
		l.statements++
		l.empty = l.empty && len(d.Changes) == 0
		if len(d.Changes)+len(d.Touches) > 0 {
			l.changes++
		}
		if l.changes > maxChanges {
			l.miss("there are more than %d changes", maxChanges)
			return
		}
		if d.Problem != "" {
			stmt := text[d.Pos:d.End]
			l.foreign = l.foreign || foreign().MatchString(stmt)
			l.problems = append(l.problems, Problem{File: file, Msg: d.Problem,
				Line: 1 + strings.Count(text[:d.Pos], "\n"), Text: cut(stmt)})
		}
		l.apply(d)
	}
}

// foreign matches what other database systems understand, and PostgreSQL
// rejects.
var foreign = lazy("(?i)`|\\bAUTO_?INCREMENT\\b|\\bENGINE\\s*=|\\bPRAGMA\\b|\\bWITHOUT\\s+ROWID\\b|\\bNVARCHAR\\b|\\bLowCardinality\\b|\\bDATETIME\\(|\\bSTRING\\(|\\bUNSIGNED\\b")

// cut shortens a statement to its beginning.
func cut(text string) string {
	const most = 120
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = clip(text, most) + "…"
	}
	return text
}
