package gate

import (
	"context"
	"encoding/binary"
	"net"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"
)

// Dial connects to the server for a driver into which no tracer can be put, or
// below the one that is in it: the statements are stopped on their way through
// the connection, as they stand in PostgreSQL's protocol. It has the form that
// drivers ask for; [Open] has an example.
func (db *DB) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	db.opening.Add(1)
	conn, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		db.opening.Add(-1)
		return nil, err
	}
	w := &wire{
		Conn: conn, db: db,
		closed: make(chan struct{}),
		types:  pgtype.NewMap(),
		texts:  map[string]*prepared{}, portals: map[string]string{},
	}
	w.opened = sync.OnceFunc(func() { db.opening.Add(-1) })
	return w, nil
}

// wire is a connection that reads along. A driver writes to it from the
// goroutine of the function under test, so that a statement stops there.
type wire struct {
	net.Conn
	db     *DB
	opened func() // the server has answered for the first time
	closed chan struct{}
	once   sync.Once
	types  *pgtype.Map

	// Of the writer.
	sent    []byte // what is no whole message yet
	greeted bool   // the startup message, which has no type, is through
	held    []byte // messages that wait for the end of their group
	group   []string
	portals map[string]string // portal → statement with its arguments

	mu       sync.Mutex
	pid      uint32
	texts    map[string]*prepared
	received []byte
	ready    bool        // the first ReadyForQuery has come
	groups   []*op       // groups that are not answered, nil where nothing is run
	asked    []*prepared // statements whose description is not answered
}

// prepared is a statement that the server knows.
type prepared struct {
	text string
	oids []uint32 // types of its parameters
}

// PID implements link.
func (w *wire) PID() uint32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pid
}

// CleanupDone implements link.
func (w *wire) CleanupDone() chan struct{} { return w.closed }

// Close implements [net.Conn].
func (w *wire) Close() error {
	w.opened()
	w.once.Do(func() { close(w.closed) })
	return w.Conn.Close()
}

// Write implements [net.Conn]. What belongs to a statement is kept until the
// message that ends its group, and goes with it through the gate.
func (w *wire) Write(p []byte) (int, error) {
	w.sent = append(w.sent, p...)
	ends := false
	for {
		typ, body, whole := w.next(&w.sent, !w.greeted)
		if whole == nil {
			break
		}
		w.held = append(w.held, whole...)
		if !w.greeted {
			w.greeted = true
			continue
		}
		if w.toServer(typ, body) {
			ends = true
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
	}
	if !ends && len(w.group) > 0 {
		return len(p), nil
	}
	if _, err := w.Conn.Write(w.held); err != nil {
		return 0, err
	}
	w.held = w.held[:0]
	return len(p), nil
}

// flush lets a group of messages go.
func (w *wire) flush() error {
	if len(w.group) > 0 {
		text := w.group[0]
		if len(w.group) > 1 {
			text = "batch: " + strings.Join(w.group, "; ")
		}
		w.group = nil
		if op := w.db.h.arrive(w.db, context.Background(), w, text); op != nil {
			<-op.release
			w.mu.Lock()
			w.groups[len(w.groups)-1] = op
			w.mu.Unlock()
		}
	}
	_, err := w.Conn.Write(w.held)
	w.held = w.held[:0]
	return err
}

// next cuts a whole message off the buffer.
func (w *wire) next(buf *[]byte, startup bool) (typ byte, body, whole []byte) {
	header := 5
	if startup {
		header = 4
	}
	if len(*buf) < header {
		return 0, nil, nil
	}
	n := header - 4 + int(binary.BigEndian.Uint32((*buf)[header-4:]))
	if len(*buf) < n {
		return 0, nil, nil
	}
	whole = append([]byte(nil), (*buf)[:n]...)
	*buf = (*buf)[n:]
	return whole[0], whole[header:], whole
}

// toServer notes a message and reports whether it ends a group.
func (w *wire) toServer(typ byte, body []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch typ {
	case 'Q':
		var m pgproto3.Query
		if m.Decode(body) == nil && !isPing(m.String) {
			w.group = append(w.group, statement(m.String, nil))
		}
		w.groups = append(w.groups, nil)
		return true
	case 'P':
		var m pgproto3.Parse
		if m.Decode(body) == nil {
			w.texts[m.Name] = &prepared{text: m.Query, oids: m.ParameterOIDs}
		}
	case 'D':
		var m pgproto3.Describe
		if m.Decode(body) == nil && m.ObjectType == 'S' {
			w.asked = append(w.asked, w.texts[m.Name])
		}
	case 'B':
		var m pgproto3.Bind
		if m.Decode(body) == nil {
			w.portals[m.DestinationPortal] = w.bound(&m)
		}
	case 'E':
		var m pgproto3.Execute
		if m.Decode(body) == nil {
			w.group = append(w.group, w.portals[m.Portal])
		}
	case 'S':
		w.groups = append(w.groups, nil)
		return true
	}
	return false
}

// isPing reports whether a text is a driver's question whether anybody is there.
func isPing(text string) bool {
	return strings.Trim(text, "; \n") == "" || text == "-- ping"
}

// bound is the text of a statement with its arguments.
func (w *wire) bound(m *pgproto3.Bind) string {
	p := w.texts[m.PreparedStatement]
	if p == nil {
		return "a statement that another connection has prepared"
	}
	args := make([]any, len(m.Parameters))
	for i, raw := range m.Parameters {
		args[i] = w.value(raw, format(m.ParameterFormatCodes, i), oid(p.oids, i))
	}
	return statement(p.text, args)
}

// format is the format of a parameter: one code stands for all.
func format(codes []int16, i int) int16 {
	switch {
	case len(codes) == 1:
		return codes[0]
	case i < len(codes):
		return codes[i]
	}
	return pgtype.TextFormatCode
}

func oid(oids []uint32, i int) uint32 {
	if i < len(oids) && oids[i] != 0 {
		return oids[i]
	}
	return pgtype.TextOID
}

// value decodes an argument, as far as it shows in a timeline.
func (w *wire) value(raw []byte, format int16, oid uint32) any {
	if raw == nil {
		return nil
	}
	if t, ok := w.types.TypeForOID(oid); ok {
		if v, err := t.Codec.DecodeValue(w.types, oid, format, raw); err == nil {
			return v
		}
	}
	return string(raw)
}

// Read implements [net.Conn].
func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	w.mu.Lock()
	w.received = append(w.received, p[:n]...)
	var over []*op
	for {
		typ, body, whole := w.next(&w.received, false)
		if whole == nil {
			break
		}
		over = append(over, w.fromServer(typ, body)...)
	}
	w.mu.Unlock()
	for _, op := range over {
		w.db.h.over(op)
	}
	return n, err
}

// fromServer notes an answer, and returns the statement that it ends.
func (w *wire) fromServer(typ byte, body []byte) (over []*op) {
	switch typ {
	case 'K':
		var m pgproto3.BackendKeyData
		if m.Decode(body) == nil {
			w.pid = m.ProcessID
		}
	case 't':
		var m pgproto3.ParameterDescription
		if m.Decode(body) == nil && len(w.asked) > 0 {
			if w.asked[0] != nil {
				w.asked[0].oids = m.ParameterOIDs
			}
			w.asked = w.asked[1:]
		}
	case 'C':
		var m pgproto3.CommandComplete
		if m.Decode(body) == nil {
			w.answer(func(op *op) { op.tag = strings.TrimPrefix(op.tag+", "+string(m.CommandTag), ", ") })
		}
	case 'E':
		var m pgproto3.ErrorResponse
		if m.Decode(body) == nil {
			w.answer(func(op *op) { op.err = pgconn.ErrorResponseToPgError(&m) })
		}
		w.asked = nil // what comes before the end of the group is not answered
	case 'Z':
		if !w.ready {
			w.ready = true
			w.opened()
			return nil
		}
		if len(w.groups) > 0 {
			if op := w.groups[0]; op != nil {
				over = append(over, op)
			}
			w.groups = w.groups[1:]
		}
	}
	return over
}

// answer changes the statement that the server is at.
func (w *wire) answer(change func(*op)) {
	if len(w.groups) == 0 || w.groups[0] == nil {
		return
	}
	h := w.db.h
	h.mu.Lock()
	defer h.mu.Unlock()
	change(w.groups[0])
}
