package lsp_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"

	"github.com/pgtxvet/pgtxvet/analyzers"
	"github.com/pgtxvet/pgtxvet/internal/lsp"
)

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

// A client is an editor, as far as the server can see.
type client struct {
	t    *testing.T
	conn *jsonrpc2.Conn
	end  chan bool // what Run returned

	mu       sync.Mutex
	changed  *sync.Cond
	diags    map[string]published
	messages []message
	progress []string
	requests []string
}

type published struct {
	Version     *int
	Diagnostics []diagnostic
}

type message struct {
	method string
	Type   int
	Text   string `json:"message"`
}

type pos struct{ Line, Character int }

type rng struct{ Start, End pos }

type diagnostic struct {
	Range              rng
	Severity           int
	Code, Source       string
	Message            string
	CodeDescription    struct{ Href string }
	RelatedInformation []struct {
		Location struct {
			URI   string
			Range rng
		}
		Message string
	}
}

type textEdit struct {
	Range   rng
	NewText string
}

type codeAction struct {
	Title, Kind string
	IsPreferred bool
	Diagnostics []diagnostic
	Edit        struct {
		Changes         map[string][]textEdit
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []textEdit
		}
	}
}

func newServer() *lsp.Server {
	var known []string
	for _, a := range analyzers.All() {
		known = append(known, a.Name)
	}
	return &lsp.Server{
		Rules: func(only, disable string) ([]*analysis.Analyzer, error) {
			rules := slices.Clone(analyzers.All())
			return slices.DeleteFunc(rules, func(a *analysis.Analyzer) bool {
				return only != "" && only != "all" && !slices.Contains(strings.Split(only, ","), a.Name) ||
					slices.Contains(strings.Split(disable, ","), a.Name)
			}), nil
		},
		Known: known,
	}
}

type pipe struct {
	io.Reader
	io.WriteCloser
}

// connect starts a server and a client that is not initialized.
func connect(t *testing.T, server *lsp.Server) *client {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	c := &client{t: t, end: make(chan bool, 1), diags: map[string]published{}}
	c.changed = sync.NewCond(&c.mu)
	go func() {
		c.end <- server.Run(context.Background(), toServer, fromServer)
		_ = fromServer.Close()
	}()
	c.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipe{toClient, fromClient}, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(c.handle))
	t.Cleanup(func() { _ = c.conn.Close() })
	return c
}

// handle takes what the server sends.
func (c *client) handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.changed.Broadcast()
	var params json.RawMessage
	if req.Params != nil {
		params = *req.Params
	}
	read := func(v any) {
		if err := json.Unmarshal(params, v); err != nil {
			c.t.Errorf("%s: %v", req.Method, err)
		}
	}
	switch req.Method {
	case "textDocument/publishDiagnostics":
		var p struct {
			URI string
			published
		}
		read(&p)
		c.diags[p.URI] = p.published
	case "window/showMessage", "window/logMessage":
		m := message{method: req.Method}
		read(&m)
		c.messages = append(c.messages, m)
	case "$/progress":
		var p struct{ Value struct{ Kind string } }
		read(&p)
		c.progress = append(c.progress, p.Value.Kind)
	default:
		c.requests = append(c.requests, req.Method+" "+string(params))
	}
	return nil, nil
}

// waitFor waits until the client has received something.
func (c *client) waitFor(what string, ok func() bool) {
	c.t.Helper()
	timer := time.AfterFunc(patience, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.changed.Broadcast()
	})
	defer timer.Stop()
	end := time.Now().Add(patience)
	c.mu.Lock()
	defer c.mu.Unlock()
	for !ok() {
		if time.Now().After(end) {
			c.t.Fatalf("no %s in %v; there is\n%v\n%v", what, patience, c.diags, c.messages)
		}
		c.changed.Wait()
	}
}

// capabilities are those of an editor that can everything.
const capabilities = `{
	"workspace": {"workspaceEdit": {"documentChanges": true}, "didChangeWatchedFiles": {"dynamicRegistration": true}},
	"textDocument": {"publishDiagnostics": {"relatedInformation": true, "versionSupport": true, "codeDescriptionSupport": true}},
	"window": {"workDoneProgress": true}
}`

// initialize begins the conversation.
func (c *client) initialize(options string, folders ...string) (result map[string]any) {
	c.t.Helper()
	list := []map[string]string{}
	for _, f := range folders {
		list = append(list, map[string]string{"uri": uri(f), "name": filepath.Base(f)})
	}
	params := map[string]any{"processId": nil, "rootUri": nil, "capabilities": json.RawMessage(capabilities), "workspaceFolders": list}
	if options != "" {
		params["initializationOptions"] = json.RawMessage(options)
	}
	c.call("initialize", params, &result)
	c.notify("initialized", struct{}{})
	return result
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := c.conn.Call(ctx, method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) open(file, text string) {
	c.notify("textDocument/didOpen", map[string]any{
		"textDocument": map[string]any{"uri": uri(file), "languageId": "go", "version": 1, "text": text},
	})
}

func (c *client) change(file string, version int, changes ...any) {
	c.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uri(file), "version": version}, "contentChanges": changes,
	})
}

func (c *client) save(file string) {
	c.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": uri(file)}})
}

// codes waits until a file has findings of these rules, in their order.
func (c *client) codes(file string, want ...string) []diagnostic {
	c.t.Helper()
	var got published
	c.waitFor(strings.Join(want, ", ")+" in "+filepath.Base(file), func() bool {
		got = c.diags[uri(file)]
		var codes []string
		for _, d := range got.Diagnostics {
			codes = append(codes, d.Code)
		}
		return slices.Equal(codes, want)
	})
	return got.Diagnostics
}

func (c *client) actions(file string, at rng) []codeAction {
	c.t.Helper()
	var actions []codeAction
	c.call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": uri(file)}, "range": wire(at), "context": map[string]any{"diagnostics": []any{}},
	}, &actions)
	return actions
}

func wire(r rng) map[string]any {
	p := func(p pos) map[string]int { return map[string]int{"line": p.Line, "character": p.Character} }
	return map[string]any{"start": p(r.Start), "end": p(r.End)}
}

// close ends the conversation, and reports whether the server thinks it was in order.
func (c *client) close() bool {
	c.t.Helper()
	c.call("shutdown", nil, nil)
	c.notify("exit", nil)
	select {
	case ok := <-c.end:
		return ok
	case <-time.After(patience):
		c.t.Fatal("the server does not end")
	}
	return false
}

func uri(file string) string { return "file://" + filepath.ToSlash(file) }

// apply makes edits in an ASCII text.
func apply(text string, edits []textEdit) string {
	at := func(p pos) int {
		n := 0
		for range p.Line {
			n += strings.IndexByte(text[n:], '\n') + 1
		}
		return n + p.Character
	}
	for _, e := range edits {
		text = text[:at(e.Range.Start)] + e.NewText + text[at(e.Range.End):]
	}
	return text
}

// unpack writes an archive to a directory without symbolic links in its name.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
