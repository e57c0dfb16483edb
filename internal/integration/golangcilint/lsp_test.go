package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/sourcegraph/jsonrpc2"
)

// languageServer asks the language server as an editor does that opens the module,
// and returns what it says of the program's folders.
func languageServer(t *testing.T) []string {
	t.Helper()
	e := &editor{published: map[string][]published{}, ended: make(chan struct{})}
	conn := startServer(t, e)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	dir := absolute(t, ".")
	call := func(method string, params any) {
		if err := conn.Call(ctx, method, params, nil); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	notify := func(method string, params any) {
		if err := conn.Notify(ctx, method, params); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	call("initialize", map[string]any{
		"capabilities":     map[string]any{"window": map[string]any{"workDoneProgress": true}},
		"workspaceFolders": []map[string]string{{"uri": uri(dir), "name": "program"}},
	})
	notify("initialized", struct{}{})
	file := absolute(t, program.linked)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	notify("textDocument/didOpen", map[string]any{
		"textDocument": map[string]any{"uri": uri(file), "languageId": "go", "version": 1, "text": string(text)},
	})
	select {
	case <-e.ended:
	case <-ctx.Done():
		t.Fatal("the server has not analysed the module after five minutes")
	}
	call("shutdown", nil)
	return e.findings(t)
}

// startServer starts the server and a connection to it.
func startServer(t *testing.T, e *editor) *jsonrpc2.Conn {
	t.Helper()
	cmd := exec.Command(tool(t), "lsp", "-tests")
	cmd.Dir = program.dir
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stream := jsonrpc2.NewBufferedStream(struct {
		io.Reader
		io.WriteCloser
	}{out, in}, jsonrpc2.VSCodeObjectCodec{})
	conn := jsonrpc2.NewConn(context.Background(), stream, jsonrpc2.HandlerWithError(e.handle))
	t.Cleanup(func() {
		_ = conn.Notify(context.Background(), "exit", nil) // it may be gone
		_ = conn.Close()
		_ = cmd.Wait()
	})
	return conn
}

// An editor takes what the server sends.
type editor struct {
	mu        sync.Mutex
	published map[string][]published // by URI
	once      sync.Once
	ended     chan struct{} // closed when a first analysis has ended
}

type published struct {
	Range struct {
		Start struct{ Line, Character int }
	}
	Code, Message string
}

func (e *editor) handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	if req.Params == nil {
		return nil, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch req.Method {
	case "textDocument/publishDiagnostics":
		var p struct {
			URI         string
			Diagnostics []published
		}
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			return nil, err
		}
		e.published[p.URI] = p.Diagnostics
	case "$/progress":
		var p struct{ Value struct{ Kind string } }
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			return nil, err
		}
		if p.Value.Kind == "end" {
			e.once.Do(func() { close(e.ended) })
		}
	}
	return nil, nil
}

// findings are those in the program's folders, in the form of the other drivers.
func (e *editor) findings(t *testing.T) (found []string) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for id, list := range e.published {
		u, err := url.Parse(id)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.FromSlash(u.Path)
		if len(list) == 0 || !inProgram(t, file) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for _, d := range list {
			at := d.Range.Start
			before := string(utf16.Decode(utf16.Encode([]rune(lines[at.Line]))[:at.Character]))
			found = append(found, fmt.Sprintf("%s:%d:%d: %s: %s", file, at.Line+1, len(before)+1, d.Code, d.Message))
		}
	}
	return distinct(found)
}

// inProgram reports whether one of the program's patterns matches a file.
func inProgram(t *testing.T, file string) bool {
	t.Helper()
	for _, pattern := range program.patterns {
		folder := absolute(t, strings.TrimSuffix(pattern, "/..."))
		if strings.HasPrefix(file, folder+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

func uri(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}
