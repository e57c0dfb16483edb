package gate

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Timeline is what the sessions of a run did, in order. It holds no process
// ids and no times: the same schedule gives the same timeline.
type Timeline struct {
	sessions []string
	events   []event
}

type kind int

const (
	ran      kind = iota // a statement was sent
	resumed              // a statement that waited came to its end
	waits                // a session waits for something other than a lock
	passed               // a session went past a point of the test's
	returned             // a session's function returned
	looked               // the test queried
	noted                // the test remarks
)

type event struct {
	kind    kind
	session int
	op      *op
	text    string
	result  string
	err     error
}

func (t *Timeline) add(e event) { t.events = append(t.events, e) }

func (t *Timeline) endsWithWait(session int, text string) bool {
	for i := len(t.events) - 1; i >= 0; i-- {
		if e := t.events[i]; e.session == session && e.kind <= returned {
			return e.kind == waits && e.text == text
		}
	}
	return false
}

// Transcript renders the timeline as lines of text.
func (t *Timeline) Transcript() string {
	width := 0
	for _, name := range t.sessions {
		width = max(width, len(name))
	}
	var b strings.Builder
	line := func(who, format string, args ...any) {
		fmt.Fprintf(&b, "%-*s  %s\n", width, who, fmt.Sprintf(format, args...))
	}
	for _, e := range t.events {
		switch e.kind {
		case ran:
			if outcome := e.op.first(); outcome != "" {
				line(t.sessions[e.session], "%s%s  → %s", t.connection(e.op), e.op.text, outcome)
			} else {
				line(t.sessions[e.session], "%s%s", t.connection(e.op), e.op.text)
			}
		case resumed:
			line(t.sessions[e.session], "    goes on: %s  → %s", e.op.text, e.op.outcome())
		case waits:
			line(t.sessions[e.session], "    waits for %s", e.text)
		case passed:
			line(t.sessions[e.session], "    %s", e.text)
		case returned:
			line(t.sessions[e.session], "    returns %s", result(e.err))
		case looked:
			line("", "%s  → %s", e.text, e.result)
		case noted:
			line("", "%s", e.text)
		}
	}
	return b.String()
}

// Mermaid renders the timeline as a Mermaid sequence diagram.
func (t *Timeline) Mermaid() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("sequenceDiagram")
	for i, name := range t.sessions {
		line("    participant S%d as %s", i+1, escape(name))
	}
	line("    participant PG as PostgreSQL")
	for _, e := range t.events {
		who := fmt.Sprintf("S%d", e.session+1)
		switch e.kind {
		case ran:
			line("    %s->>PG: %s", who, wrap(t.connection(e.op)+e.op.text))
			if e.op.waitsFor != "" {
				line("    Note over %s: waits for %s", who, escape(e.op.waitsFor))
			} else if e.op.done {
				line("    PG-->>%s: %s", who, wrap(e.op.outcome()))
			}
		case resumed:
			line("    PG-->>%s: goes on: %s", who, wrap(e.op.outcome()))
		case waits:
			line("    Note over %s: waits for %s", who, escape(e.text))
		case passed:
			line("    Note over %s: %s", who, wrap(e.text))
		case returned:
			line("    Note over %s: returns %s", who, wrap(result(e.err)))
		case looked:
			line("    Note over PG: %s<br/>→ %s", wrap(e.text), wrap(e.result))
		case noted:
			line("    Note over S1,PG: %s", wrap(e.text))
		}
	}
	return b.String()
}

// connection says through which connection a statement went, where that is
// not plain: a session that used several, a connection that several used.
func (t *Timeline) connection(o *op) string {
	for _, e := range t.events {
		if e.kind == ran && (e.op.session == o.session) != (e.op.backend == o.backend) {
			return fmt.Sprintf("[connection %d] ", o.backend.number)
		}
	}
	return ""
}

// first is the outcome that belongs beside the statement itself.
func (o *op) first() string {
	if o.waitsFor != "" {
		return "waits for " + o.waitsFor
	}
	if !o.done {
		return ""
	}
	return o.outcome()
}

func (o *op) outcome() string {
	if o.err != nil {
		return failure(o.err)
	}
	if o.tag == "" {
		return "ok"
	}
	return o.tag
}

func failure(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return fmt.Sprintf("ERROR %s: %s", pg.Code, pids.ReplaceAllString(pg.Message, "…"))
	}
	return "error: " + pids.ReplaceAllString(err.Error(), "…")
}

func result(err error) string {
	if err == nil {
		return "nil"
	}
	return "error: " + pids.ReplaceAllString(err.Error(), "…")
}

// pids matches what differs between runs in messages: process ids and the
// names of test databases.
var pids = regexp.MustCompile(`\bpgtxvet_\d+_\d+|(?:process|PID) \d+|/tmp/\S+`)

// gormSavepoint matches the names that gorm draws by lot for savepoints.
var gormSavepoint = regexp.MustCompile(`\bsp[0-9a-f]{8,}\b`)

// drawn matches an identifier that is drawn by lot: a ULID, a UUID.
var drawn = regexp.MustCompile(`^'(?:[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'$`)

// longest is how long a statement may be to be shown whole.
const longest = 600

// statement is the text of a statement on one line, with its arguments.
func statement(sql string, args []any) string {
	text := strings.TrimSuffix(strings.Join(strings.Fields(sql), " "), ";")
	text = gormSavepoint.ReplaceAllString(text, "gorm_savepoint")
	var values []string
	for _, a := range args {
		switch a := a.(type) {
		case pgx.QueryExecMode, pgx.QueryResultFormats, pgx.QueryResultFormatsByOID:
		case nil:
			values = append(values, "NULL")
		case string:
			values = append(values, drawn.ReplaceAllString("'"+a+"'", "an id"))
		case bool, int, int8, int16, int32, int64, uint32, uint64, float32, float64, []int64, []int32, []string, pgx.NamedArgs:
			values = append(values, fmt.Sprint(a))
		case time.Time:
			values = append(values, "a time")
		default:
			values = append(values, fmt.Sprintf("a %T", a))
		}
	}
	if len(text) > longest {
		return text[:longest/6] + " …" // of a library's own: what it does is said at its beginning
	}
	if len(values) == 0 {
		return text
	}
	return text + "  (" + strings.Join(values, ", ") + ")"
}

// escape makes text safe inside a Mermaid line.
func escape(s string) string {
	return strings.NewReplacer("#", "#35;", ";", "#59;", "<", "#lt;", ">", "#gt;", "\n", " ").Replace(s)
}

// wrap escapes text and breaks it into lines that fit a diagram.
func wrap(s string) string {
	const width = 56
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, escape(line))
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, escape(line)), "<br/>")
}
