package gate

import (
	"context"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// op is one statement on its way through the gate.
type op struct {
	session *Session
	text    string
	backend *backend
	conn    link // nil at a point, which is no statement
	pid     uint32
	release chan struct{} // closed when the statement may go

	// Guarded by H.mu.
	released bool
	done     bool
	tag      string
	err      error
	waitsFor string // what it was found waiting for, "" if it never was
	resumed  bool   // its end after a wait is in the timeline
}

// tracer stops each statement of a DB at the gate.
type tracer struct{ db *DB }

type (
	sessionKey struct{}
	opKey      struct{}
	pingKey    struct{}
)

var (
	_ pgx.QueryTracer    = (*tracer)(nil)
	_ pgx.BatchTracer    = (*tracer)(nil)
	_ pgx.CopyFromTracer = (*tracer)(nil)
	_ pgx.ConnectTracer  = (*tracer)(nil)
)

// TraceConnectStart implements [pgx.ConnectTracer].
func (tr *tracer) TraceConnectStart(ctx context.Context, _ pgx.TraceConnectStartData) context.Context {
	tr.db.opening.Add(1)
	return ctx
}

// TraceConnectEnd implements [pgx.ConnectTracer].
func (tr *tracer) TraceConnectEnd(context.Context, pgx.TraceConnectEndData) { tr.db.opening.Add(-1) }

// TraceQueryStart implements [pgx.QueryTracer].
func (tr *tracer) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if data.SQL == ";" { // pgx's ping before a connection that was idle is used
		tr.db.opening.Add(1)
		return context.WithValue(ctx, pingKey{}, true)
	}
	return tr.pass(ctx, conn, statement(data.SQL, data.Args))
}

// TraceQueryEnd implements [pgx.QueryTracer].
func (tr *tracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	tr.end(ctx, data.CommandTag, data.Err)
}

// TraceBatchStart implements [pgx.BatchTracer]. A batch is one step: its
// statements travel together.
func (tr *tracer) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	var texts []string
	for _, q := range data.Batch.QueuedQueries {
		texts = append(texts, statement(q.SQL, q.Arguments))
	}
	return tr.pass(ctx, conn, "batch: "+strings.Join(texts, "; "))
}

// TraceBatchQuery implements [pgx.BatchTracer].
func (tr *tracer) TraceBatchQuery(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	if op, ok := ctx.Value(opKey{}).(*op); ok {
		op.session.h.mu.Lock()
		op.tag = strings.TrimPrefix(op.tag+", "+data.CommandTag.String(), ", ")
		op.session.h.mu.Unlock()
	}
}

// TraceBatchEnd implements [pgx.BatchTracer].
func (tr *tracer) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	tr.end(ctx, pgconn.CommandTag{}, data.Err)
}

// TraceCopyFromStart implements [pgx.CopyFromTracer].
func (tr *tracer) TraceCopyFromStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceCopyFromStartData) context.Context {
	return tr.pass(ctx, conn, "COPY "+data.TableName.Sanitize()+" ("+strings.Join(data.ColumnNames, ", ")+") FROM STDIN")
}

// TraceCopyFromEnd implements [pgx.CopyFromTracer].
func (tr *tracer) TraceCopyFromEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceCopyFromEndData) {
	tr.end(ctx, data.CommandTag, data.Err)
}

// pass waits at the gate until the schedule lets the statement go.
func (tr *tracer) pass(ctx context.Context, conn *pgx.Conn, text string) context.Context {
	h := tr.db.h
	op := h.arrive(tr.db, ctx, conn.PgConn(), text)
	if op == nil {
		return ctx
	}
	<-op.release
	return context.WithValue(ctx, opKey{}, op)
}

func (tr *tracer) end(ctx context.Context, tag pgconn.CommandTag, err error) {
	if ctx.Value(pingKey{}) != nil {
		tr.db.opening.Add(-1)
		return
	}
	op, ok := ctx.Value(opKey{}).(*op)
	if !ok {
		return
	}
	h := tr.db.h
	h.mu.Lock()
	op.err = err
	if s := tag.String(); s != "" {
		op.tag = s
	}
	h.mu.Unlock()
	h.over(op)
}

// over ends a statement that the server has answered.
func (h *H) over(op *op) {
	h.mu.Lock()
	defer h.mu.Unlock()
	op.done = true
	op.session.waiting = false
	h.poke()
}

// arrive parks a statement at the gate, or returns nil when the gate is open
// for good.
func (h *H) arrive(db *DB, ctx context.Context, conn link, text string) *op {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil
	}
	s := h.whose(db, ctx)
	if s == nil {
		h.t.Errorf("gate: no session to which this statement belongs: %s", text)
		return nil
	}
	h.noteStack()
	if db.show != nil {
		text = db.show(text)
	}
	return s.park(conn, text)
}

// whose finds the session that a statement belongs to. The context tells, and
// where the code under test has dropped it, the goroutine or the one that
// started it.
func (h *H) whose(db *DB, ctx context.Context) *Session {
	if db.owner != nil {
		return db.owner
	}
	if s, ok := ctx.Value(sessionKey{}).(*Session); ok {
		return s
	}
	self, parent := goroutine()
	for _, id := range []int{self, parent} {
		for _, s := range h.sessions {
			if id != 0 && s.goroutine == id {
				return s
			}
		}
	}
	return nil
}

var createdBy = regexp.MustCompile(`\ncreated by .* in goroutine (\d+)\n`)

// goroutine returns the numbers of the running goroutine and of the one that
// started it, 0 where unknown.
func goroutine() (self, parent int) {
	buf := make([]byte, 64<<10)
	stack := string(buf[:runtime.Stack(buf, false)])
	if fields := strings.Fields(stack); len(fields) > 1 {
		self, _ = strconv.Atoi(fields[1])
	}
	if m := createdBy.FindStringSubmatch(stack); m != nil {
		parent, _ = strconv.Atoi(m[1])
	}
	return self, parent
}
