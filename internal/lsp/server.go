// Package lsp is the suite as a language server, which an editor runs beside
// gopls: it shows findings while one works on the code.
//
// A module, or the modules of a go.work file, is checked as a whole when a file of
// it is opened, and again after each save. What is analysed is the text of the last
// save, or of the opening of a file: unfinished code seldom type-checks. Until the
// next save, findings move with the lines that they stand on, and are gone from
// lines that have changed.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
	"golang.org/x/tools/go/analysis"
)

// A Server is one connection with a client.
type Server struct {
	// Rules gives the rules to run for lists of names with commas, as the flags
	// -rules and -disable take them.
	Rules func(only, disable string) ([]*analysis.Analyzer, error)
	// Known are the names of all rules.
	Known   []string
	Version string
	// Settings are in force until the client sends others.
	Settings Settings

	conn *jsonrpc2.Conn
	ctx  context.Context

	mu       sync.Mutex
	phase    phase
	client   clientCapabilities
	enc      encoding
	settings Settings
	folders  []string
	docs     map[string]*document // by path
	programs map[string]*program  // by directory
	sent     map[string]string    // what was last published, by URI
	warned   map[string]bool      // what was shown once
	tokens   int
	running  sync.WaitGroup
}

// Settings are what a client can set, in initializationOptions or in the section
// pgtxvet of its configuration.
type Settings struct {
	Rules   string `json:"rules"`   // run these only, with commas
	Disable string `json:"disable"` // do not run these
	Tests   bool   `json:"tests"`   // check test files as well
	Tags    string `json:"tags"`    // build tags, with commas
}

// A phase of the connection.
type phase int

const (
	created phase = iota
	initialized
	down // after shutdown
	exited
)

// A document is a file that is open.
type document struct {
	uri     string
	path    string
	version int
	text    string
	saved   string // as it was opened or last saved: what is analysed
}

// Run serves the client until it says exit or is gone. The result is false if it
// went without a shutdown.
func (s *Server) Run(ctx context.Context, in io.ReadCloser, out io.Writer) (orderly bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx = ctx
	s.enc, s.settings = utf16Columns, s.Settings
	s.docs, s.programs = map[string]*document{}, map[string]*program{}
	s.sent, s.warned = map[string]string{}, map[string]bool{}
	stream := newStream(in, out)
	s.mu.Lock()
	s.conn = jsonrpc2.NewConn(ctx, stream, handler{s}, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	s.mu.Unlock()
	<-s.conn.DisconnectNotify()
	s.mu.Lock()
	orderly = s.phase == exited
	for dir := range s.programs {
		s.stop(dir)
	}
	s.mu.Unlock()
	cancel()
	s.running.Wait()
	stream.flush()
	return orderly
}

// A handler answers the messages of the client, one after another. None of them
// waits for a check, or for an answer of the client.
type handler struct{ s *Server }

// Handle implements [jsonrpc2.Handler].
func (h handler) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	result, err := h.s.handle(req)
	if req.Notif {
		if err != nil {
			h.s.log(messageWarning, fmt.Sprintf("%s: %v", req.Method, err))
		}
		return
	}
	if err != nil {
		rpc, ok := errors.AsType[*jsonrpc2.Error](err)
		if !ok {
			rpc = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
		}
		_ = conn.ReplyWithError(ctx, req.ID, rpc) // the client may be gone
		return
	}
	_ = conn.Reply(ctx, req.ID, result)
}

// A method answers one kind of message. The server is locked.
type method func(s *Server, params json.RawMessage) (any, error)

// methods are those that the server knows.
var methods = map[string]method{
	"initialize":                          with((*Server).initialize),
	"initialized":                         (*Server).initialized,
	"shutdown":                            (*Server).shutdown,
	"exit":                                (*Server).exit,
	"textDocument/didOpen":                with((*Server).didOpen),
	"textDocument/didChange":              with((*Server).didChange),
	"textDocument/didSave":                with((*Server).didSave),
	"textDocument/didClose":               with((*Server).didClose),
	"textDocument/hover":                  with((*Server).hover),
	"textDocument/codeAction":             with((*Server).codeAction),
	"workspace/didChangeWatchedFiles":     with((*Server).didChangeWatchedFiles),
	"workspace/didChangeWorkspaceFolders": with((*Server).didChangeFolders),
	"workspace/didChangeConfiguration":    with((*Server).didChangeConfiguration),
	"window/workDoneProgress/cancel":      (*Server).cancelChecks,
}

// with reads the parameters of a method.
func with[P any](f func(*Server, *P) (any, error)) method {
	return func(s *Server, params json.RawMessage) (any, error) {
		p := new(P)
		if len(params) == 0 {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "there are no parameters"}
		}
		if err := json.Unmarshal(params, p); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
		return f(s, p)
	}
}

// handle answers one message. A panic is an error.
func (s *Server) handle(req *jsonrpc2.Request) (result any, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if v := recover(); v != nil {
			result, err = nil, fmt.Errorf("internal error: %s panicked: %v\n%s", req.Method, v, debug.Stack())
		}
	}()
	m := methods[req.Method]
	switch {
	case m == nil && strings.HasPrefix(req.Method, "$/") && req.Notif:
		return nil, nil // such as $/cancelRequest: what it cancels is answered
	case req.Method == "exit":
	case s.phase == created && req.Method != "initialize":
		return nil, &jsonrpc2.Error{Code: codeNotInitialized, Message: "the server is not initialized"}
	case s.phase == down, s.phase == initialized && req.Method == "initialize":
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: req.Method + " is not expected now"}
	case m == nil:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "there is no method " + req.Method}
	}
	var params json.RawMessage
	if req.Params != nil {
		params = *req.Params
	}
	return m(s, params)
}

func (s *Server) initialize(p *initializeParams) (any, error) {
	s.client = p.Capabilities
	if slices.Contains(p.Capabilities.General.PositionEncodings, string(utf8Columns)) {
		s.enc = utf8Columns
	}
	if err := s.configure(p.InitializationOptions); err != nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	for _, f := range p.WorkspaceFolders {
		s.addFolder(toPath(f.URI))
	}
	switch {
	case p.WorkspaceFolders != nil:
	case p.RootURI != nil:
		s.addFolder(toPath(*p.RootURI))
	case p.RootPath != nil && filepath.IsAbs(*p.RootPath):
		s.addFolder(filepath.Clean(*p.RootPath))
	}
	s.phase = initialized
	return &initializeResult{
		Capabilities: serverCapabilities{
			PositionEncoding:   string(s.enc),
			TextDocumentSync:   textDocumentSyncOptions{OpenClose: true, Change: syncIncremental},
			HoverProvider:      true,
			CodeActionProvider: codeActionOptions{CodeActionKinds: []string{quickFix}},
			Workspace:          workspaceCapabilities{workspaceFoldersCapabilities{Supported: true, ChangeNotifications: true}},
		},
		ServerInfo: serverInfo{Name: "pgtxvet", Version: s.Version},
	}, nil
}

// watched are the files whose changes matter beside those that are open.
var watched = []string{"**/*.go", "**/*.sql", "**/.pgtxvet.yaml", "**/go.mod", "**/go.work", "**/sqlc.{yaml,yml,json}"}

func (s *Server) initialized(json.RawMessage) (any, error) {
	if s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		var w watchOptions
		for _, pattern := range watched {
			w.Watchers = append(w.Watchers, watcher{pattern})
		}
		s.async(func() {
			_ = s.conn.Call(s.ctx, "client/registerCapability", registrationParams{[]registration{
				{ID: "watch", Method: "workspace/didChangeWatchedFiles", RegisterOptions: w},
			}}, nil) // a client that refuses does not tell what changes, and each save is asked instead
		})
	}
	for _, f := range s.folders {
		s.startFolder(f)
	}
	return nil, nil
}

func (s *Server) shutdown(json.RawMessage) (any, error) {
	s.phase = down
	for _, p := range s.programs {
		p.cancel()
	}
	return nil, nil
}

func (s *Server) exit(json.RawMessage) (any, error) {
	if s.phase == down {
		s.phase = exited
	}
	s.async(func() { _ = s.conn.Close() }) // it may be closed
	return nil, nil
}

// configure takes settings over. Sections and keys of others are ignored.
func (s *Server) configure(raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var sections struct {
		Pgtxvet json.RawMessage `json:"pgtxvet"`
	}
	if err := json.Unmarshal(raw, &sections); err == nil && sections.Pgtxvet != nil {
		raw = sections.Pgtxvet
	}
	settings := s.Settings
	if err := json.Unmarshal(raw, &settings); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if _, err := s.Rules(settings.Rules, settings.Disable); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	s.settings = settings
	return nil
}

func (s *Server) didChangeConfiguration(p *didChangeConfigurationParams) (any, error) {
	before := s.settings
	if err := s.configure(p.Settings); err != nil {
		s.show(messageError, "pgtxvet: "+err.Error())
		return nil, err
	}
	if s.settings != before {
		s.restart()
	}
	return nil, nil
}

func (s *Server) didOpen(p *didOpenParams) (any, error) {
	d := &document{uri: p.TextDocument.URI, path: toPath(p.TextDocument.URI), version: p.TextDocument.Version}
	if d.path == "" {
		return nil, nil // of no program
	}
	d.text = p.TextDocument.Text
	d.saved = d.text
	s.docs[d.path] = d
	if prog := s.programOf(d.path); prog != nil {
		prog.changed(d.path)
	}
	s.publish(d.path)
	return nil, nil
}

func (s *Server) didChange(p *didChangeParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, err
	}
	for _, c := range p.ContentChanges {
		d.text = s.enc.apply(d.text, c)
	}
	if p.TextDocument.Version != nil {
		d.version = *p.TextDocument.Version
	}
	s.publish(d.path)
	return nil, nil
}

func (s *Server) didSave(p *didSaveParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, err
	}
	if p.Text != nil {
		d.text = *p.Text
	}
	d.saved = d.text
	s.changed(d.path)
	return nil, nil
}

func (s *Server) didClose(p *didCloseParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, err
	}
	delete(s.docs, d.path)
	if disk, err := os.ReadFile(d.path); err != nil || string(disk) != d.saved {
		s.changed(d.path) // what was analysed is gone
	}
	s.publish(d.path)
	return nil, nil
}

// document finds an open document. One that is of no program is not kept, and no
// error.
func (s *Server) document(uri string) (*document, error) {
	path := toPath(uri)
	if path == "" {
		return nil, nil
	}
	d := s.docs[path]
	if d == nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: uri + " is not open"}
	}
	return d, nil
}

func (s *Server) didChangeWatchedFiles(p *didChangeWatchedFilesParams) (any, error) {
	for _, c := range p.Changes {
		if path := toPath(c.URI); path != "" {
			s.changed(path)
		}
	}
	return nil, nil
}

// changed tells the programs that a file on disk, or a saved text, has changed.
func (s *Server) changed(path string) {
	switch filepath.Base(path) {
	case "go.mod", "go.work":
		s.regroup()
	}
	if filepath.Ext(path) == ".go" {
		if prog := s.programOf(path); prog != nil {
			prog.changed(path)
		}
		return
	}
	for _, prog := range s.programs {
		prog.changed(path)
	}
}

func (s *Server) didChangeFolders(p *didChangeFoldersParams) (any, error) {
	for _, f := range p.Event.Removed {
		path := toPath(f.URI)
		s.folders = slices.DeleteFunc(s.folders, func(folder string) bool { return folder == path })
	}
	for _, f := range p.Event.Added {
		if path := toPath(f.URI); path != "" && s.addFolder(path) {
			s.startFolder(path)
		}
	}
	s.regroup()
	return nil, nil
}

// addFolder adds a folder of the workspace, and reports whether it is a new one.
func (s *Server) addFolder(path string) bool {
	if path == "" || slices.Contains(s.folders, path) {
		return false
	}
	s.folders = append(s.folders, path)
	return true
}

func (s *Server) cancelChecks(json.RawMessage) (any, error) {
	for _, p := range s.programs {
		p.cancel()
	}
	return nil, nil
}

// async runs what must not keep the next message waiting.
func (s *Server) async(f func()) { s.running.Go(f) }

// log writes to the client's log.
func (s *Server) log(kind int, message string) {
	s.notify("window/logMessage", messageParams{kind, valid(message)})
}

// show shows a message to the user, once.
func (s *Server) show(kind int, message string) {
	if s.warned[message] {
		return
	}
	s.warned[message] = true
	s.notify("window/showMessage", messageParams{kind, valid(message)})
}

// notify sends a notification. The client may be gone.
func (s *Server) notify(method string, params any) { _ = s.conn.Notify(s.ctx, method, params) }
