package lsp_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

const shop = `
-- go.mod --
module example.com/shop

go 1.24
-- store/store.go --
package store

import (
	"context"
	"database/sql"
)

type Store struct{ db *sql.DB }

func (s *Store) Take(ctx context.Context, id int) error {
	var n int
	if err := s.db.QueryRowContext(ctx, "SELECT n FROM stock WHERE id = $1 FOR UPDATE", id).Scan(&n); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "UPDATE stock SET n = $2 WHERE id = $1", id, n-1)
	return err
}

func (s *Store) Timeout(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "SET lock_timeout = '1s'"); err != nil {
		return err
	}
	return tx.Commit()
}
-- clean/clean.go --
package clean
`

// TestConversation goes through what somebody does with a file.
func TestConversation(t *testing.T) {
	dir := unpack(t, shop)
	file := filepath.Join(dir, "store", "store.go")
	text := read(t, file)
	c := connect(t, newServer())
	result := c.initialize("", dir)
	if got := result["capabilities"].(map[string]any)["positionEncoding"]; got != "utf-16" {
		t.Errorf("the encoding is %v", got)
	}
	c.open(file, text)
	found := c.codes(file, "lockoutsidetx", "sessionset")

	lock := found[0]
	if want := (rng{pos{11, 11}, pos{11, 88}}); lock.Range != want {
		t.Errorf("the lock is at %v, want %v", lock.Range, want)
	}
	if lock.Source != "pgtxvet" || lock.Severity != 1 || !strings.HasSuffix(lock.CodeDescription.Href, "/docs/rules/lockoutsidetx.md") {
		t.Errorf("got %+v", lock)
	}
	if rel := lock.RelatedInformation; len(rel) != 1 || rel[0].Location.URI != uri(file) || rel[0].Location.Range.Start.Line != 14 {
		t.Errorf("related: %+v", rel)
	}

	t.Run("hover", func(t *testing.T) {
		var hover struct {
			Contents struct{ Kind, Value string }
			Range    rng
		}
		at := map[string]any{"textDocument": map[string]any{"uri": uri(file)}, "position": map[string]int{"line": 11, "character": 20}}
		c.call("textDocument/hover", at, &hover)
		if hover.Range != lock.Range || hover.Contents.Kind != "markdown" || !strings.Contains(hover.Contents.Value, "**Row lock taken outside a transaction**") ||
			!strings.Contains(hover.Contents.Value, "```go\n") {
			t.Errorf("got %+v", hover)
		}
		var nothing any
		at["position"] = map[string]int{"line": 12, "character": 0}
		if c.call("textDocument/hover", at, &nothing); nothing != nil {
			t.Errorf("got %v where nothing is found", nothing)
		}
	})

	t.Run("lines above", func(t *testing.T) {
		c.change(file, 2, map[string]any{"range": wire(rng{pos{2, 0}, pos{2, 0}}), "text": "// one\n// two\n"})
		c.waitFor("version 2", func() bool {
			p := c.diags[uri(file)]
			return p.Version != nil && *p.Version == 2
		})
		moved := c.codes(file, "lockoutsidetx", "sessionset")
		if got := moved[0].Range.Start.Line; got != 13 {
			t.Errorf("the lock is in line %d, want 13", got)
		}
		if got := moved[0].RelatedInformation[0].Location.Range.Start.Line; got != 16 {
			t.Errorf("the write is in line %d, want 16", got)
		}
		c.change(file, 3, map[string]any{"range": wire(rng{pos{13, 30}, pos{13, 30}}), "text": " "})
		c.codes(file, "sessionset")
		c.change(file, 4, map[string]any{"text": text})
		c.codes(file, "lockoutsidetx", "sessionset")
	})

	t.Run("fix", func(t *testing.T) {
		set := c.codes(file, "lockoutsidetx", "sessionset")[1]
		actions := c.actions(file, set.Range)
		if len(actions) != 2 || actions[0].Kind != "quickfix" || !actions[0].IsPreferred || !reflect.DeepEqual(actions[0].Diagnostics, []diagnostic{set}) {
			t.Fatalf("actions: %+v", actions)
		}
		changes := actions[0].Edit.DocumentChanges
		if len(changes) != 1 || changes[0].TextDocument.URI != uri(file) || changes[0].TextDocument.Version == nil || *changes[0].TextDocument.Version != 4 {
			t.Fatalf("edit: %+v", actions[0].Edit)
		}
		text = apply(text, changes[0].Edits)
		if !strings.Contains(text, "SET LOCAL lock_timeout") {
			t.Errorf("the text is now\n%s", text)
		}
		c.change(file, 5, map[string]any{"text": text})
		write(t, file, text)
		c.save(file)
		c.codes(file, "lockoutsidetx")
	})

	t.Run("silence", func(t *testing.T) {
		actions := c.actions(file, lock.Range)
		if len(actions) != 1 {
			t.Fatalf("actions: %+v", actions)
		}
		text = apply(text, actions[0].Edit.DocumentChanges[0].Edits)
		if !strings.Contains(text, "\n\t//pgtxvet:ignore lockoutsidetx TODO: say why this is right\n\tif err := s.db.QueryRow") {
			t.Errorf("the text is now\n%s", text)
		}
		c.change(file, 6, map[string]any{"text": text})
		c.save(file) // not written: the server goes by what the editor says
		c.codes(file)
		c.change(file, 7, map[string]any{"text": read(t, file)})
		c.save(file)
		c.codes(file, "lockoutsidetx")
	})

	t.Run("broken code", func(t *testing.T) {
		c.change(file, 8, map[string]any{"text": "package store\n\n" + strings.TrimPrefix(read(t, file), "package store\n") + "\nfunc ("})
		c.save(file)
		c.waitFor("message", func() bool {
			return slices.ContainsFunc(c.messages, func(m message) bool {
				return m.method == "window/logMessage" && strings.Contains(m.Text, "store.go:32:")
			})
		})
		if got := c.codes(file, "lockoutsidetx")[0].Range.Start.Line; got != 12 {
			t.Errorf("the lock is in line %d, want 12", got)
		}
		c.change(file, 9, map[string]any{"text": read(t, file)})
		c.save(file)
		c.codes(file, "lockoutsidetx")
	})

	t.Run("configuration", func(t *testing.T) {
		yaml := filepath.Join(dir, ".pgtxvet.yaml")
		changed := func(text string) {
			write(t, yaml, text)
			c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": uri(yaml), "type": 2}}})
		}
		changed("# what is off\ndisable: [lockoutsideofatx]\n")
		d := c.codes(yaml, "config")
		if d[0].Range.Start != (pos{1, 0}) || !strings.Contains(d[0].Message, `no rule "lockoutsideofatx"`) {
			t.Errorf("got %+v", d)
		}
		changed("disable: [lockoutsidetx]\n")
		c.codes(file)
		c.codes(yaml)
		changed("")
		c.codes(file, "lockoutsidetx")
	})

	t.Run("settings", func(t *testing.T) {
		c.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"pgtxvet": map[string]any{"disable": "lockoutsidetx"}}})
		c.codes(file)
		c.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"pgtxvet": map[string]any{}}})
		c.codes(file, "lockoutsidetx")
	})

	if !slices.ContainsFunc(c.requests, func(r string) bool {
		return strings.HasPrefix(r, "client/registerCapability ") && strings.Contains(r, "**/*.sql")
	}) {
		t.Errorf("no files are watched: %q", c.requests)
	}
	if !c.close() {
		t.Error("the conversation was in order, and the server says it was not")
	}
}

// TestFolders has modules below a folder, one beside it, and a go.work file.
func TestFolders(t *testing.T) {
	module := strings.ReplaceAll(shop, "-- ", "-- shop/")
	other := strings.ReplaceAll(strings.ReplaceAll(shop, "-- ", "-- other/"), "example.com/shop", "example.com/other")
	// In the workspace, other uses shop's store, and lends it a pool.
	dir := unpack(t, module+other+`
-- work/a/go.mod --
module example.com/a

go 1.24
-- work/a/a.go --
package a

import (
	"context"
	"database/sql"
)

type Q interface{ ExecContext(context.Context, string, ...any) (sql.Result, error) }

func Set(ctx context.Context, q Q) error {
	_, err := q.ExecContext(ctx, "SET lock_timeout = '1s'")
	return err
}
-- work/b/go.mod --
module example.com/b

go 1.24

require example.com/a v0.0.0
-- work/b/b.go --
package b

import (
	"context"
	"database/sql"

	"example.com/a"
)

func Set(ctx context.Context, db *sql.DB) error { return a.Set(ctx, db) }
-- work/go.work --
go 1.24

use (
	./a
	./b
)
-- loose/loose.go --
package loose
`)
	in := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	shopFile, otherFile, workFile := in("shop", "store", "store.go"), in("other", "store", "store.go"), in("work", "b", "b.go")
	c := connect(t, newServer())
	c.initialize("", in("shop"), in("loose"))
	c.codes(shopFile, "lockoutsidetx", "sessionset") // nothing is open
	c.open(otherFile, read(t, otherFile))            // in no folder
	c.open(in("loose", "loose.go"), "package loose\n")
	c.waitFor("message", func() bool {
		return slices.ContainsFunc(c.messages, func(m message) bool { return strings.Contains(m.Text, "is in no Go module") })
	})
	folder := func(dir string) []any { return []any{map[string]any{"uri": uri(dir), "name": "x"}} }
	c.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": folder(in("other")), "removed": folder(in("shop"))}})
	c.codes(otherFile, "lockoutsidetx", "sessionset")
	c.codes(shopFile)
	c.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"added": folder(in("work")), "removed": []any{}}})
	c.codes(workFile, "sessionset")
	// Without go.work, b does not find a.
	write(t, in("work", "go.work"), "go 1.24\n\nuse ./a\n")
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": uri(in("work", "go.work")), "type": 2}}})
	c.codes(workFile)
	if !c.close() {
		t.Error("the server says that it did not end in order")
	}
}

// TestPanic has a rule that panics: the others go on.
func TestPanic(t *testing.T) {
	dir := unpack(t, shop)
	file := filepath.Join(dir, "store", "store.go")
	server := newServer()
	rules := server.Rules
	bad := &analysis.Analyzer{Name: "bad", Doc: "panic", Run: func(*analysis.Pass) (any, error) { panic("on purpose") }}
	server.Rules = func(only, disable string) ([]*analysis.Analyzer, error) {
		list, err := rules(only, disable)
		return append(list, bad), err
	}
	c := connect(t, server)
	c.initialize("", dir)
	c.open(file, read(t, file))
	c.codes(file, "lockoutsidetx", "sessionset")
	c.waitFor("message", func() bool {
		return slices.ContainsFunc(c.messages, func(m message) bool {
			return m.method == "window/showMessage" && strings.Contains(m.Text, "bad panicked on package example.com/shop/store: on purpose")
		})
	})
}

// TestTestdataFolder opens a file that the pattern ./... leaves out.
func TestTestdataFolder(t *testing.T) {
	dir := unpack(t, strings.ReplaceAll(shop, "-- store/", "-- testdata/store/"))
	file := filepath.Join(dir, "testdata", "store", "store.go")
	c := connect(t, newServer())
	c.initialize("", dir)
	c.open(file, read(t, file))
	c.codes(file, "lockoutsidetx", "sessionset")
}

// TestUnsavedFile has a file that is not on disk yet, in a new package.
func TestUnsavedFile(t *testing.T) {
	dir := unpack(t, shop)
	file := filepath.Join(dir, "store", "more.go")
	c := connect(t, newServer())
	c.initialize(`{"rules": "sessionset"}`, dir)
	c.open(file, `package store

func (s *Store) Set() error {
	_, err := s.db.Exec("/* 🐘 */ SET lock_timeout = '1s'")
	return err
}
`)
	c.codes(file, "sessionset")
	c.codes(filepath.Join(dir, "store", "store.go"), "sessionset")
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri(file)}})
	c.codes(file)
}
