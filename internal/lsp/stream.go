package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// Bounds of what is taken from a client.
const (
	maxMessage = 64 << 20
	maxHeader  = 8 << 10
)

// A stream reads and writes messages with the headers of the protocol. Unlike
// the stream of the library it outlives what is no message: that is answered with
// an error, and the next one is read.
type stream struct {
	in  *bufio.Reader
	out io.Writer
	end io.Closer

	// Messages wait in a queue: a client that does not read while it writes must
	// not keep the server from reading.
	mu      sync.Mutex
	changed *sync.Cond
	queue   [][]byte
	closed  bool
	err     error
	written chan struct{} // closed when nothing will be written any more
}

func newStream(in io.ReadCloser, out io.Writer) *stream {
	s := &stream{in: bufio.NewReader(in), out: out, end: in, written: make(chan struct{})}
	s.changed = sync.NewCond(&s.mu)
	go s.write()
	return s
}

// write writes what is in the queue, until the stream is closed.
func (s *stream) write() {
	defer close(s.written)
	for {
		s.mu.Lock()
		for len(s.queue) == 0 && !s.closed {
			s.changed.Wait()
		}
		queue := s.queue
		s.queue = nil
		s.mu.Unlock()
		if len(queue) == 0 {
			return
		}
		for _, data := range queue {
			if _, err := fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n%s", len(data), data); err != nil {
				s.mu.Lock()
				s.err, s.closed, s.queue = err, true, nil
				s.mu.Unlock()
				return
			}
		}
	}
}

// ReadObject reads the next message that is one.
func (s *stream) ReadObject(v any) error {
	for {
		length, err := s.header()
		switch {
		case errors.Is(err, errHeader):
			if err := s.refuse(jsonrpc2.CodeParseError, err.Error()); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		if length > maxMessage {
			if _, err := io.CopyN(io.Discard, s.in, length); err != nil {
				return err
			}
			if err := s.refuse(jsonrpc2.CodeInvalidRequest, fmt.Sprintf("a message of %d bytes is too long", length)); err != nil {
				return err
			}
			continue
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(s.in, body); err != nil {
			return err
		}
		code, err := decode(body, v)
		if err == nil {
			return nil
		}
		if err := s.refuse(code, err.Error()); err != nil {
			return err
		}
	}
}

// decode reads a message, and gives the code of the error if it is none.
func decode(body []byte, v any) (code int64, err error) {
	if !json.Valid(body) {
		return jsonrpc2.CodeParseError, errors.New("the message is no JSON")
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil || object == nil {
		return jsonrpc2.CodeInvalidRequest, errors.New("the message is no JSON object")
	}
	if id := bytes.TrimSpace(object["id"]); len(id) > 0 && id[0] == '-' {
		return jsonrpc2.CodeInvalidRequest, errors.New("the ID is negative") // the library has no form for it
	}
	if err := json.Unmarshal(body, v); err != nil {
		return jsonrpc2.CodeInvalidRequest, fmt.Errorf("the message is no request and no response: %w", err)
	}
	return 0, nil
}

// errHeader is an error of a header after which the next message can be read.
var errHeader = errors.New("bad header")

// header reads the header of a message and gives the length of what follows.
func (s *stream) header() (length int64, err error) {
	length = -1
	bad := ""
	for size := 0; ; {
		line, err := s.line()
		if err != nil {
			return 0, err
		}
		size += len(line)
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		switch {
		case !ok || size > maxHeader:
			bad = "a line is no header field"
		case strings.EqualFold(name, "Content-Length"):
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			if err != nil || n < 0 {
				bad = "Content-Length is no length"
				continue
			}
			length = n
		}
	}
	switch {
	case bad != "":
		return 0, fmt.Errorf("%w: %s", errHeader, bad)
	case length < 0:
		return 0, fmt.Errorf("%w: there is no Content-Length", errHeader)
	}
	return length, nil
}

// line reads a line, of a long one the beginning.
func (s *stream) line() (string, error) {
	line, err := s.in.ReadSlice('\n')
	kept := string(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = s.in.ReadSlice('\n')
	}
	if err != nil {
		return "", err
	}
	return kept + "\n", nil
}

// refuse answers what has no ID that could be read.
func (s *stream) refuse(code int64, message string) error {
	return s.WriteObject(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": &jsonrpc2.Error{Code: code, Message: message},
	})
}

// WriteObject writes a message.
func (s *stream) WriteObject(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	s.queue = append(s.queue, data)
	s.changed.Signal()
	return nil
}

// Close ends reading, and writing when the queue is empty.
func (s *stream) Close() error {
	s.mu.Lock()
	s.closed = true
	s.changed.Signal()
	s.mu.Unlock()
	return s.end.Close()
}

// flush waits until the queue of a closed stream is written, but not for ever.
func (s *stream) flush() {
	select {
	case <-s.written:
	case <-time.After(time.Second):
	}
}
