package lsp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"testing"
)

// raw is a client that writes bytes.
type raw struct {
	t   testing.TB
	out *io.PipeWriter
	in  *bufio.Reader
	end chan bool
}

func connectRaw(t testing.TB) *raw {
	toServer, out := io.Pipe()
	toClient, fromServer := io.Pipe()
	r := &raw{t: t, out: out, in: bufio.NewReader(toClient), end: make(chan bool, 1)}
	go func() {
		r.end <- newServer().Run(context.Background(), toServer, fromServer)
		_ = fromServer.Close()
	}()
	t.Cleanup(func() { _ = out.Close() })
	return r
}

func (r *raw) write(text string) {
	r.t.Helper()
	if _, err := io.WriteString(r.out, text); err != nil {
		r.t.Fatal(err)
	}
}

func framed(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// A response is what the server answers.
type response struct {
	ID     json.RawMessage
	Method string
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// read reads the next message of the server.
func (r *raw) read() (response, error) {
	var resp response
	header, err := textproto.NewReader(r.in).ReadMIMEHeader()
	if err != nil {
		return resp, err
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return resp, err
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r.in, body); err != nil {
		return resp, err
	}
	return resp, json.Unmarshal(body, &resp)
}

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"general":{"positionEncodings":["utf-8"]}}}}`
	shutdown   = `{"jsonrpc":"2.0","id":"last","method":"shutdown"}`
)

// TestGarbage sends what is no message, or none that makes sense: each is answered
// with an error, and the next message is read.
func TestGarbage(t *testing.T) {
	request := func(method, params string) string {
		return framed(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`, method, params))
	}
	for _, c := range []struct {
		name, bytes string
		code        int
	}{
		{"no JSON", framed(`{"jsonrpc":"2.0","id":7,`), -32700},
		{"no object", framed(`[1, 2]`), -32600},
		{"null", framed(`null`), -32600},
		{"a number", framed(`42`), -32600},
		{"an empty object", framed(`{}`), -32600},
		{"no body", framed(``), -32700},
		{"no method", framed(`{"jsonrpc":"2.0","id":7,"params":{}}`), -32600},
		{"a method that is no string", framed(`{"jsonrpc":"2.0","id":7,"method":3}`), -32600},
		{"an ID that is an object", framed(`{"jsonrpc":"2.0","id":{},"method":"shutdown"}`), -32600},
		{"an ID that is negative", framed(`{"jsonrpc":"2.0","id":-5,"method":"textDocument/hover"}`), -32600},
		{"an ID that is a fraction", framed(`{"jsonrpc":"2.0","id":1.5,"method":"textDocument/hover"}`), -32600},
		{"no UTF-8", framed("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\xfe\"}"), -32601},
		{"no length", "X: y\r\n\r\n", -32700},
		{"a length that is none", "Content-Length: much\r\n\r\n", -32700},
		{"a negative length", "Content-Length: -1\r\n\r\n", -32700},
		{"a line that is no header", "what is this\r\n\r\n", -32700},
		{"a long header", strings.Repeat("x", 20_000) + "\r\n\r\n", -32700},
		{"a long message", framed(strings.Repeat("x", 64<<20+1)), -32600},
		{"an unknown method", request("textDocument/rename", `{}`), -32601},
		{"an unknown method of a kind to be ignored", request("$/what", `{}`), -32601},
		{"initialize again", request("initialize", `{}`), -32600},
		{"no parameters", framed(`{"jsonrpc":"2.0","id":7,"method":"textDocument/hover"}`), -32602},
		{"wrong parameters", request("textDocument/hover", `{"position":"here"}`), -32602},
		{"parameters that are no object", request("textDocument/codeAction", `[1]`), -32602},
		{"a position that is negative", request("textDocument/hover", `{"position":{"line":-1,"character":0}}`), -32602},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := connectRaw(t)
			r.write(framed(initialize))
			if resp, err := r.read(); err != nil || resp.Error != nil || !strings.Contains(string(resp.Result), `"positionEncoding":"utf-8"`) {
				t.Fatalf("initialize: %s %v %v", resp.Result, resp.Error, err)
			}
			go r.write(c.bytes)
			resp, err := r.read()
			if err != nil {
				t.Fatal(err)
			}
			if resp.Error == nil || resp.Error.Code != c.code {
				t.Errorf("got %s %s %+v, want the error %d", resp.ID, resp.Result, resp.Error, c.code)
			}
			r.write(framed(shutdown))
			if resp, err := r.read(); err != nil || resp.Error != nil || string(resp.ID) != `"last"` {
				t.Errorf("afterwards shutdown gives %s %s %v %v", resp.ID, resp.Result, resp.Error, err)
			}
		})
	}
}

// TestOrder sends messages when they are not expected.
func TestOrder(t *testing.T) {
	r := connectRaw(t)
	expect := func(message string, code int) {
		t.Helper()
		r.write(framed(message))
		resp, err := r.read()
		if err != nil {
			t.Fatal(err)
		}
		if code == 0 && resp.Error != nil || code != 0 && (resp.Error == nil || resp.Error.Code != code) {
			t.Errorf("%s: got %+v, want %d", message, resp.Error, code)
		}
	}
	expect(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}`, -32002)
	expect(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, -32002)
	expect(initialize, 0)
	expect(shutdown, 0)
	expect(`{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{}}`, -32600)
	r.write(framed(`{"jsonrpc":"2.0","method":"exit"}`))
	if !<-r.end {
		t.Error("the server says that the conversation was not in order")
	}
}

// TestGone ends the conversation without a shutdown.
func TestGone(t *testing.T) {
	r := connectRaw(t)
	r.write(framed(initialize))
	if _, err := r.read(); err != nil {
		t.Fatal(err)
	}
	_ = r.out.Close()
	if <-r.end {
		t.Error("the client was gone, and the server says that all was in order")
	}
}

// FuzzMessage sends a message of any kind. The server must answer the next one.
func FuzzMessage(f *testing.F) {
	for _, body := range []string{
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nowhere/a.go","version":1,"text":"package a"}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///doc.txt","version":2},"contentChanges":[{"range":{"start":{"line":3,"character":9},"end":{"line":0,"character":4294967295}},"text":"x"}]}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":{"uri":"untitled:1"}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///doc.txt"}}}`,
		`{"jsonrpc":"2.0","id":"x","method":"textDocument/hover","params":{"textDocument":{"uri":"file:///doc.txt"},"position":{"line":1,"character":1}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:%%2f"},"range":{"start":{"line":1}},"context":{"only":["quickfix"]}}}`,
		`{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[{"uri":"file:///a/go.mod","type":9}]}}`,
		`{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":[{"uri":"http://x"}],"removed":[{"uri":"file:///"}]}}}`,
		`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"pgtxvet":{"tests":"yes"}}}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":[]}}`,
		`{"jsonrpc":"2.0","method":"window/workDoneProgress/cancel","params":{"token":1}}`,
		`{"jsonrpc":"2.0","id":99,"result":{}}`,
		`{"id":null,"method":"initialized"}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var m struct{ Method string }
		if json.Unmarshal(body, &m) == nil && (m.Method == "exit" || m.Method == "shutdown") {
			t.Skip("the conversation would end")
		}
		r := connectRaw(t)
		go func() {
			defer func() { _ = r.out.Close() }()
			for _, text := range []string{
				framed(initialize),
				framed(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///doc.txt","version":1,"text":"a\n\u00e9\ud83d\ude00b\r\nc"}}}`),
				framed(string(body)),
				framed(shutdown),
			} {
				if _, err := io.WriteString(r.out, text); err != nil {
					return
				}
			}
		}()
		for {
			resp, err := r.read()
			if err != nil {
				t.Fatalf("the last request is not answered: %v", err)
			}
			if string(resp.ID) == `"last"` && resp.Method == "" && resp.Error == nil {
				return
			}
		}
	})
}

// FuzzStream sends any bytes. The server must come to their end.
func FuzzStream(f *testing.F) {
	f.Add([]byte(framed(initialize) + "\r\n\r\nContent-Length: 99999999999999999999\r\n\r\n{}" + framed(shutdown)))
	f.Add([]byte("Content-Length: 5\nContent-Length: 2\n\n{}" + framed("{")))
	f.Add([]byte("\n\n\nContent-Length:2\r\n\r\n[]Content-Length: 9223372036854775807\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Contains(data, []byte("exit")) {
			t.Skip("the conversation would end")
		}
		var out bytes.Buffer
		if newServer().Run(context.Background(), io.NopCloser(bytes.NewReader(data)), &out) {
			t.Error("the server says that there was an exit")
		}
	})
}
