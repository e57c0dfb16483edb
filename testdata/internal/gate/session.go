package gate

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Session runs one function, stopped before each of its statements.
type Session struct {
	h      *H
	index  int
	name   string
	db     *DB
	fn     func(context.Context, *DB) error
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when fn has returned

	started bool // of the test's goroutine

	// Guarded by H.mu.
	goroutine  int
	parked     []*op // at the gate, oldest first
	flying     []*op // let go and not done
	arrivals   int   // statements that ever came to the gate
	atRelease  int   // arrivals when the last one was let go
	waiting    bool
	lockWait   bool // for a lock, not for a connection
	waitsFor   string
	holders    []*Session
	blockedAt  time.Time
	finished   bool
	finishSeen bool // its end is in the timeline
	err        error
}

// Option changes a session.
type Option func(*Session)

// On makes the session use handles that others use too.
func On(db *DB) Option { return func(s *Session) { s.db = db } }

// MaxConns limits the session's own pools; the default is 4.
func MaxConns(n int) Option { return func(s *Session) { s.db = s.h.newDB(s, n) } }

// Session prepares fn to run as a session with handles of its own, unless
// [On] gives it shared ones. It starts at the first step.
func (h *H) Session(name string, fn func(ctx context.Context, db *DB) error, options ...Option) *Session {
	s := &Session{h: h, name: name, fn: fn, done: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(context.WithValue(context.Background(), sessionKey{}, s))
	for _, o := range options {
		o(s)
	}
	if s.db == nil {
		s.db = h.newDB(s, 4)
	}
	h.mu.Lock()
	s.index = len(h.sessions)
	h.sessions = append(h.sessions, s)
	h.timeline.sessions = append(h.timeline.sessions, name)
	h.mu.Unlock()
	return s
}

// Step is what came of one statement.
type Step struct {
	SQL      string // the statement, with its arguments
	Waiting  bool   // it waits for a lock, or its session for a connection
	WaitsFor string // who holds it
	Tag      string // the command tag, such as "UPDATE 1"
	Err      error
	Done     bool // the function has returned
}

// Step lets the session's next statement run and comes back when it, and every
// session that it freed, is at its next statement, at its end, or waiting.
func (s *Session) Step() Step {
	s.h.t.Helper()
	s.start()
	s.h.mu.Lock()
	if s.finished {
		defer s.h.mu.Unlock()
		return Step{Done: true}
	}
	if len(s.parked) == 0 {
		s.h.mu.Unlock()
		s.h.fatalf("%s cannot step: it waits for %s", s.name, s.waitsFor)
	}
	op := s.letGo()
	s.h.mu.Unlock()
	s.h.settle()
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	return Step{
		SQL: op.text, Waiting: s.waiting, WaitsFor: s.waitsFor, Tag: op.tag, Err: op.err,
		Done: s.finished,
	}
}

// letGo opens the gate for the oldest parked statement. H.mu is held.
func (s *Session) letGo() *op {
	op := s.parked[0]
	s.parked = s.parked[1:]
	s.flying = append(s.flying, op)
	s.atRelease = s.arrivals
	s.waiting, s.waitsFor, s.holders, s.blockedAt = false, "", nil, time.Time{}
	if op.conn == nil { // a point, not a statement
		op.released = true
		s.h.timeline.add(event{kind: passed, session: s.index, text: op.text})
		close(op.release)
		return op
	}
	b := s.h.backends[op.pid]
	if b == nil {
		s.h.numbers++
		b = &backend{number: s.h.numbers, conn: op.conn}
		s.h.backends[op.pid] = b
	}
	b.last, op.backend, op.released = s, b, true
	s.h.timeline.add(event{kind: ran, session: s.index, op: op})
	close(op.release)
	return op
}

// StepUntil steps until the next statement is one that contains text, and
// returns that statement without running it.
func (s *Session) StepUntil(text string) string {
	s.h.t.Helper()
	for {
		next := s.Next()
		switch {
		case next == "":
			s.h.fatalf("%s never comes to a statement with %q", s.name, text)
		case strings.Contains(fold(next), fold(text)):
			return next
		}
		s.Step()
	}
}

// StepPast steps until a statement that contains text has been sent.
func (s *Session) StepPast(text string) Step {
	s.h.t.Helper()
	s.StepUntil(text)
	return s.Step()
}

// Next returns the statement that the session stands before, "" when it has
// ended or waits.
func (s *Session) Next() string {
	s.h.t.Helper()
	s.start()
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	if len(s.parked) == 0 {
		return ""
	}
	return s.parked[0].text
}

// Run steps until the function has returned or waits, and reports whether it
// waits.
func (s *Session) Run() (waiting bool) {
	s.h.t.Helper()
	for s.Next() != "" {
		s.Step()
	}
	return s.Waiting()
}

// Finish runs the function to its end and returns its error. It fails the test
// if the function waits for somebody.
func (s *Session) Finish() error {
	s.h.t.Helper()
	if s.Run() {
		s.h.fatalf("%s does not end: it waits for %s", s.name, s.waitsFor)
	}
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	return s.err
}

// Waiting reports whether the session waits for a lock or a connection.
func (s *Session) Waiting() bool {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	return s.waiting
}

// starved reports whether the session waits for a connection. If it does so
// without a context that ends, nothing can end it.
func (s *Session) starved() bool {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	return !s.finished && s.waiting && !s.lockWait
}

// Done reports whether the function has returned.
func (s *Session) Done() bool {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	return s.finished
}

// Cancel cancels the function's context, as a client that hangs up does.
func (s *Session) Cancel() {
	s.h.t.Helper()
	s.h.mu.Lock()
	s.h.timeline.add(event{kind: noted, session: s.index, text: s.name + "'s context is cancelled"})
	s.h.mu.Unlock()
	s.cancel()
	s.h.settle()
}

func (s *Session) start() {
	s.h.t.Helper()
	if s.started {
		return
	}
	s.started = true
	go s.run()
	s.h.settle()
}

func (s *Session) run() {
	returned := false
	var err error
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		} else if !returned {
			err = fmt.Errorf("the goroutine ended")
		}
		s.h.mu.Lock()
		s.finished, s.err = true, err
		s.waiting = false
		s.h.poke()
		s.h.mu.Unlock()
		close(s.done)
	}()
	self, _ := goroutine()
	s.h.mu.Lock()
	s.goroutine = self
	s.h.mu.Unlock()
	err = s.fn(s.ctx, s.db)
	returned = true
}

// settle waits until no session moves: each is at a statement, at its end, or
// waiting for something that no session still moving could give it.
func (h *H) settle() {
	h.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		moving := h.moving()
		if len(moving) == 0 && !h.anyClosed() && !h.anyFreed() {
			h.record()
			return
		}
		for _, s := range moving {
			h.probe(s)
		}
		select {
		case <-h.wake:
		case <-time.After(3 * time.Millisecond): // lock waits have to be asked for
		}
		if time.Now().After(deadline) {
			for _, s := range moving {
				h.fatalf("%s is neither at a statement nor at its end nor waiting for a lock\n%s", s.name, stacks())
			}
			h.fatalf("the server does not end a session whose connection is closed, or one waits and does not")
		}
	}
}

// moving returns the sessions that are not known to stand still.
func (h *H) moving() []*Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []*Session
	for _, s := range h.sessions {
		s.flying = slices.DeleteFunc(s.flying, func(op *op) bool { return op.done })
		atGate := len(s.parked) > 0 && (len(s.flying) == 0 || s.arrivals > s.atRelease)
		if s.started && !s.finished && !s.waiting && !atGate {
			out = append(out, s)
		}
	}
	return out
}

// anyFreed asks again for those that wait, and reports whether one no longer
// does.
func (h *H) anyFreed() bool {
	freed := false
	for _, s := range h.sessions {
		if s.Waiting() && !h.probe(s) {
			freed = true
		}
	}
	return freed
}

// anyClosed reports whether the server has still to end a session whose
// connection is closed, and with it the locks that it holds.
func (h *H) anyClosed() bool {
	h.mu.Lock()
	var closed []int32
	for pid, b := range h.backends {
		select {
		case <-b.conn.CleanupDone():
			closed = append(closed, int32(pid))
		default:
		}
	}
	h.mu.Unlock()
	if len(closed) == 0 {
		return false
	}
	var alive []int32
	const sql = `SELECT coalesce(array_agg(pid), '{}') FROM pg_stat_activity WHERE pid = ANY ($1)`
	if err := h.control.QueryRow(context.Background(), sql, closed).Scan(&alive); err != nil {
		h.fatalf("pg_stat_activity: %v", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, pid := range closed {
		if !slices.Contains(alive, pid) {
			delete(h.backends, uint32(pid)) // the number may come again
		}
	}
	return len(alive) > 0
}

const probeSQL = `
SELECT coalesce(bool_or(a.state = 'active'), false),
       coalesce(array_agg(b.pid) FILTER (WHERE b.pid IS NOT NULL), '{}')
FROM pg_stat_activity a
LEFT JOIN LATERAL unnest(pg_blocking_pids(a.pid) || pg_safe_snapshot_blocking_pids(a.pid)) b (pid) ON true
WHERE a.pid = ANY ($1)`

// probe asks whether a session waits, and sets its state.
func (h *H) probe(s *Session) bool {
	h.mu.Lock()
	var pids []int32
	for _, op := range s.flying {
		if !op.done {
			pids = append(pids, int32(op.pid))
		}
	}
	arrivals := s.arrivals
	h.mu.Unlock()

	var active bool
	var blockers []int32
	if len(pids) > 0 {
		if err := h.control.QueryRow(context.Background(), probeSQL, pids).Scan(&active, &blockers); err != nil {
			h.fatalf("pg_blocking_pids: %v", err)
		}
	}
	noConnection := len(blockers) == 0 && !active && s.db.exhausted()

	h.mu.Lock()
	defer h.mu.Unlock()
	if s.finished || s.arrivals != arrivals || len(blockers) == 0 && !noConnection {
		s.waiting, s.waitsFor, s.holders, s.blockedAt = false, "", nil, time.Time{}
		return false
	}
	if s.blockedAt.IsZero() {
		s.blockedAt = time.Now()
	}
	s.lockWait = !noConnection
	if noConnection {
		s.waitsFor, s.holders = "a connection of the pool", nil
	} else {
		s.waitsFor, s.holders = h.holders(blockers)
	}
	// In a circle one of them is about to get 40P01.
	limit := h.settled
	if noConnection {
		limit = starvation
	}
	s.waiting = time.Since(s.blockedAt) >= limit && !s.inCircle(s, map[*Session]bool{})
	return s.waiting
}

// holders names those who hold what a session waits for. H.mu is held.
func (h *H) holders(pids []int32) (string, []*Session) {
	var names []string
	var sessions []*Session
	for _, pid := range pids {
		b := h.backends[uint32(pid)]
		if b == nil {
			names = append(names, "another session")
			continue
		}
		sessions = append(sessions, b.last)
		name := b.last.name
		if b.last.finished {
			name = "the connection that " + name + " gave back"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", "), sessions
}

func (s *Session) inCircle(goal *Session, seen map[*Session]bool) bool {
	for _, holder := range s.holders {
		if holder == s { // through another connection: PostgreSQL sees no circle
			continue
		}
		if holder == goal {
			return !goal.finished
		}
		if !seen[holder] {
			seen[holder] = true
			if holder.inCircle(goal, seen) {
				return true
			}
		}
	}
	return false
}

// record puts what the last step brought into the timeline, in an order that
// does not depend on which answer came first.
func (h *H) record() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		if !s.waiting {
			continue
		}
		if s.lockWait {
			if op := s.flying[len(s.flying)-1]; op.waitsFor == "" {
				op.waitsFor = s.waitsFor
			}
		} else if !h.timeline.endsWithWait(s.index, s.waitsFor) {
			h.timeline.add(event{kind: waits, session: s.index, text: s.waitsFor})
		}
	}
	for _, s := range h.sessions {
		for _, e := range h.timeline.events {
			if e.kind == ran && e.op.session == s && e.op.waitsFor != "" && e.op.done && !e.op.resumed {
				e.op.resumed = true
				h.timeline.add(event{kind: resumed, session: s.index, op: e.op})
			}
		}
	}
	for _, s := range h.sessions {
		if s.finished && !s.finishSeen {
			s.finishSeen = true
			h.timeline.add(event{kind: returned, session: s.index, err: s.err})
		}
	}
}

func (h *H) fatalf(format string, args ...any) {
	h.t.Helper()
	h.t.Fatalf("gate: "+format+"\n%s", append(args, h.timeline.Transcript())...)
}

func stacks() string {
	buf := make([]byte, 256<<10)
	return string(buf[:runtime.Stack(buf, true)])
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Point stops the session that runs with ctx as if it stood before a
// statement. A function that a test hands to the code under test calls it to
// give the schedule a place between two statements.
func Point(ctx context.Context, label string) {
	s, ok := ctx.Value(sessionKey{}).(*Session)
	if !ok {
		panic("gate: Point(" + label + ") without the context of a session")
	}
	h := s.h
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return
	}
	op := s.park(nil, label)
	h.mu.Unlock()
	<-op.release
	h.mu.Lock()
	op.done = true
	h.mu.Unlock()
}

// park puts a statement before the gate. H.mu is held.
func (s *Session) park(conn link, text string) *op {
	op := &op{session: s, text: text, conn: conn, release: make(chan struct{})}
	if conn != nil {
		op.pid = conn.PID()
	}
	s.parked = append(s.parked, op)
	s.arrivals++
	s.waiting = false
	s.h.poke()
	return op
}

// Race is the schedule in which a lock has to prove itself: a runs until the
// statement that contains text has been answered, then b runs as far as it
// can, then a ends, then b.
func (h *H) Race(a, b *Session, text string) (errA, errB error) {
	h.t.Helper()
	a.StepPast(text)
	b.Run()
	return a.Finish(), b.Finish()
}
