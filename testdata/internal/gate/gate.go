// Package gate runs unmodified Go functions against PostgreSQL statement by
// statement, in the order that a test asks for.
//
// It is PostgreSQL's isolation tester with Go code in place of SQL scripts. A
// [Session] is a goroutine that runs a function on database handles made by
// the harness. A tracer in the driver, or the connection below a driver that
// has none, stops it before each statement until the test steps it. After a step the harness knows where every session stands: at
// its next statement, at its end, or waiting for a lock that another session
// holds (as pg_blocking_pids reports it). Nothing is synchronised by sleeping.
// What happened is kept as a [Timeline].
package gate

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/internal/pgtest"
)

// patience is how long a session may take to its next statement, lock wait or
// end before the test fails.
const patience = 20 * time.Second

// starvation is how long a session stands still on an exhausted pool before it
// counts as waiting for a connection. Nobody reports that wait, and a busy
// machine can keep a session from its next statement for a while.
const starvation = 600 * time.Millisecond

// H is one run of a schedule on a database of its own. Its methods belong to
// the test's goroutine.
type H struct {
	t       testing.TB
	config  *pgx.ConnConfig
	control *pgxpool.Pool
	drop    func()
	settled time.Duration // a lock wait that lasts this long is not about to end as a deadlock

	wake chan struct{} // a session moved

	mu       sync.Mutex // guards what follows, and the sessions
	closed   bool
	sessions []*Session
	dbs      []*DB
	backends map[uint32]*backend // by process id
	numbers  int                 // backends so far
	ran      map[string]bool
	timeline Timeline
}

// backend is a PostgreSQL session that statements went through.
type backend struct {
	number int // in order of first use
	last   *Session
	conn   link
}

// link is a connection as far as the harness asks it.
type link interface {
	PID() uint32
	CleanupDone() chan struct{} // closed when the connection is
}

// New makes a harness on a fresh database with the given schema.
func New(t testing.TB, schema string) *H {
	t.Helper()
	cfg, drop := pgtest.Get(t).Database(t, schema)
	poolCfg, err := pgxpool.ParseConfig("")
	if err != nil {
		t.Fatalf("gate: %v", err)
	}
	poolCfg.ConnConfig = cfg
	control, err := pgxpool.NewWithConfig(context.Background(), poolCfg)
	if err != nil {
		t.Fatalf("gate: %v", err)
	}
	h := &H{
		t: t, config: cfg, control: control, drop: drop,
		wake:     make(chan struct{}, 1),
		backends: map[uint32]*backend{},
		ran:      map[string]bool{},
	}
	t.Cleanup(h.Close)
	timeout, err := strconv.Atoi(h.Value(`SELECT setting FROM pg_settings WHERE name = 'deadlock_timeout'`))
	if err != nil {
		t.Fatalf("gate: deadlock_timeout: %v", err)
	}
	h.settled = time.Duration(timeout)*time.Millisecond + 40*time.Millisecond
	return h
}

// Close ends all sessions and drops the database. The test's cleanup calls it
// too.
func (h *H) Close() {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return
	}
	h.closed = true
	for _, s := range h.sessions {
		s.cancel()
		for _, op := range s.parked {
			close(op.release)
		}
		s.parked = nil
	}
	h.mu.Unlock()
	if !h.join(500 * time.Millisecond) { // the context did not end all of them
		h.drop()
	}
	for _, db := range h.dbs {
		db.close()
	}
	h.control.Close()
	h.drop()
	if !h.join(patience) {
		h.t.Errorf("gate: a session does not end, not even with its database gone\n%s\n%s", h.timeline.Transcript(), stacks())
	}
}

// join waits for the sessions to end and reports whether all did.
func (h *H) join(limit time.Duration) bool {
	timer := time.After(limit)
	for _, s := range h.sessions {
		if !s.started || s.starved() {
			continue
		}
		select {
		case <-s.done:
		case <-timer:
			return false
		}
	}
	return true
}

// T returns the test.
func (h *H) T() testing.TB { return h.t }

// DSN returns a connection string of the database for code that connects by
// itself; its statements are not stopped.
func (h *H) DSN() string {
	c := h.config
	quote := func(s string) string { return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'" }
	dsn := fmt.Sprintf("host=%s port=%d user=%s dbname=%s sslmode=disable", quote(c.Host), c.Port, quote(c.User), quote(c.Database))
	if c.Password != "" {
		dsn += " password=" + quote(c.Password)
	}
	return dsn
}

// Exec runs a statement on a connection of the harness's own, unseen by the
// timeline.
func (h *H) Exec(sql string, args ...any) {
	h.t.Helper()
	if _, err := h.control.Exec(context.Background(), sql, args...); err != nil {
		h.t.Fatalf("gate: %s: %v", sql, err)
	}
}

// Value returns the first column of the query's first row as text, "" for NULL
// and for no row, unseen by the timeline.
func (h *H) Value(sql string, args ...any) string {
	h.t.Helper()
	if rows := h.Rows(sql, args...); len(rows) > 0 {
		return strings.SplitN(rows[0], "|", 2)[0]
	}
	return ""
}

// Rows returns the query's rows, their columns as text joined by "|".
func (h *H) Rows(sql string, args ...any) []string {
	h.t.Helper()
	rows, err := h.control.Query(context.Background(), sql, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
	if err != nil {
		h.t.Fatalf("gate: %s: %v", sql, err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var cols []string
		for _, raw := range rows.RawValues() {
			cols = append(cols, string(raw))
		}
		out = append(out, strings.Join(cols, "|"))
	}
	if err := rows.Err(); err != nil {
		h.t.Fatalf("gate: %s: %v", sql, err)
	}
	return out
}

// Look is Value, and what it saw becomes part of the timeline.
func (h *H) Look(sql string, args ...any) string {
	h.t.Helper()
	v := h.Value(sql, args...)
	h.mu.Lock()
	h.timeline.add(event{kind: looked, text: statement(sql, args), result: v})
	h.mu.Unlock()
	return v
}

// Note puts a remark into the timeline.
func (h *H) Note(format string, args ...any) {
	h.mu.Lock()
	h.timeline.add(event{kind: noted, text: fmt.Sprintf(format, args...)})
	h.mu.Unlock()
}

// Timeline returns what has happened so far.
func (h *H) Timeline() *Timeline { return &h.timeline }

// Ran reports whether a statement was sent from within the function, named as
// in "example.org/pkg.(*T).Method" (closures count for the function they are
// in).
func (h *H) Ran(function string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ran[function]
}

// noteStack records which functions the running statement comes from.
func (h *H) noteStack() {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, module) {
			h.ran[outermost(f.Function)] = true
		}
		if !more {
			return
		}
	}
}

// module is the path of the module that the proofs belong to.
var module = strings.TrimSuffix(reflect.TypeFor[H]().PkgPath(), "internal/gate")

// outermost strips closures and type arguments: "p.(*T).M.func1.2" → "p.(*T).M".
func outermost(name string) string {
	dir, rest := name[:strings.LastIndex(name, "/")+1], name[strings.LastIndex(name, "/")+1:]
	rest = strings.ReplaceAll(rest, "[...]", "")
	parts := strings.Split(rest, ".")
	keep := 2 // pkg.Func
	if len(parts) > 2 && strings.HasPrefix(parts[1], "(") {
		keep = 3 // pkg.(*T).Method
	} else if len(parts) > 2 && !isClosure(parts[2]) {
		keep = 3 // pkg.T.Method
	}
	name = dir + strings.Join(parts[:min(keep, len(parts))], ".")
	return strings.TrimSuffix(name, "-fm")
}

func isClosure(part string) bool {
	if strings.HasPrefix(part, "func") || strings.HasPrefix(part, "gowrap") || strings.HasPrefix(part, "deferwrap") {
		return true
	}
	_, err := strconv.Atoi(part)
	return err == nil
}

func (h *H) poke() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}
