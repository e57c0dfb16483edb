package session_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pgtxvet/pgtxvet/internal/load"
	"github.com/pgtxvet/pgtxvet/internal/session"
)

// shop is a program of several packages: the lock in stock is taken on the pool
// where sale calls it, and the main package shows which mailer a sale calls.
const shop = `
-- go.mod --
module example.com/shop

go 1.24
-- stock/stock.go --
package stock

import (
	"context"
	"database/sql"
)

// A Querier is a pool or a transaction.
type Querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func Take(ctx context.Context, q Querier, id int) error {
	var n int
	if err := q.QueryRowContext(ctx, "SELECT n FROM stock WHERE id = $1 FOR UPDATE", id).Scan(&n); err != nil {
		return err
	}
	_, err := q.ExecContext(ctx, "UPDATE stock SET n = $2 WHERE id = $1", id, n-1)
	return err
}
-- sale/sale.go --
package sale

import (
	"context"
	"database/sql"

	"example.com/shop/stock"
)

type Mailer interface{ Mail(to string) error }

type Sales struct {
	db   *sql.DB
	mail Mailer
}

func New(db *sql.DB, m Mailer) *Sales { return &Sales{db, m} }

func (s *Sales) Quick(ctx context.Context, id int) error { return stock.Take(ctx, s.db, id) }

func (s *Sales) Sell(ctx context.Context, id int) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := stock.Take(ctx, tx, id); err != nil {
		return err
	}
	if err := s.mail.Mail("x"); err != nil {
		return err
	}
	return tx.Commit()
}
-- smtp/smtp.go --
package smtp

import "net/smtp"

type Mailer struct{ Addr string }

func (m Mailer) Mail(to string) error { return smtp.SendMail(m.Addr, nil, "shop", []string{to}, nil) }
-- main.go --
package main

import (
	"context"
	"database/sql"
	"os"

	"example.com/shop/sale"
	"example.com/shop/smtp"
)

func main() {
	db, err := sql.Open("postgres", os.Getenv("DSN"))
	if err != nil {
		os.Exit(1)
	}
	s := sale.New(db, smtp.Mailer{Addr: "localhost:25"})
	if err := s.Sell(context.Background(), 1); err != nil {
		os.Exit(1)
	}
}
-- reports/reports.go --
package reports

import "strconv"

func Title(n int) string { return "report " + strconv.Itoa(n) }
`

// unpack writes an archive to a directory.
func unpack(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	return dir
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A step changes files, and says which packages have to be analysed for it: at
// most so many.
type step struct {
	name     string
	file     string
	old, now string // replaced in the file; without old, now is the file
	analysed int
	broken   bool // a package does not type-check: the program finds less
	reread   bool
	relist   bool
}

var steps = []step{
	{name: "nothing"},
	{name: "a comment", file: "reports/reports.go", old: "func", now: "// Title is a title.\nfunc", analysed: 1},
	{name: "lines move in a package that all read", file: "stock/stock.go", old: "// A Querier", now: "\n\n\n// A Querier", analysed: 5},
	{name: "the lock goes", file: "stock/stock.go", old: " FOR UPDATE", now: "", analysed: 5},
	{name: "the lock comes back", file: "stock/stock.go", old: "id = $1\", id).Scan", now: "id = $1 FOR UPDATE\", id).Scan", analysed: 5},
	{name: "a function is added", file: "stock/stock.go", old: "func Take", now: "func Other() int { return 1 }\n\nfunc Take", analysed: 5},
	{name: "another function is added behind", file: "stock/stock.go", old: "id, n-1)\n\treturn err\n}\n", now: "id, n-1)\n\treturn err\n}\n\nfunc Last() {}\n", analysed: 3},
	{name: "and one that nobody sees", file: "stock/stock.go", old: "func Last", now: "func last() int { return 1 }\n\nfunc Last", analysed: 3},
	{name: "and used", file: "sale/sale.go", old: "stock.Take(ctx, s.db, id) }", now: "stock.Take(ctx, s.db, id+stock.Other()) }", analysed: 3},
	{name: "a silencing comment in a package that main finds something in", file: "sale/sale.go",
		old: `s.mail.Mail("x"); err`, now: `s.mail.Mail("x"); /*pgtxvet*/ err`, analysed: 3},
	{name: "a directive", file: "sale/sale.go", old: "\tif err := s.mail", now: "\t//pgtxvet:ignore externalcall the mail must be out before the commit\n\tif err := s.mail", analysed: 3},
	{name: "the directive is commented out in place", file: "sale/sale.go", old: "\t//pgtxvet:ignore externalcall", now: "\t// pgtxvet:ignore externalcall", analysed: 3},
	{name: "the directive is back in place", file: "sale/sale.go", old: "\t// pgtxvet:ignore externalcall", now: "\t//pgtxvet:ignore externalcall", analysed: 3},
	{name: "the directive goes", file: "sale/sale.go", old: "\t//pgtxvet:ignore externalcall the mail must be out before the commit\n", now: "", analysed: 3},
	{name: "a signature changes, callers do not follow", file: "stock/stock.go", old: "q Querier, id int", now: "q Querier, why string, id int", analysed: 5, broken: true},
	{name: "the callers follow", file: "sale/sale.go", old: "stock.Take(ctx, s.db, id+stock.Other())", now: `stock.Take(ctx, s.db, "", id)`, analysed: 5, broken: true},
	{name: "all of them", file: "sale/sale.go", old: "stock.Take(ctx, tx, id)", now: `stock.Take(ctx, tx, "", id)`, analysed: 5},
	{name: "code that does not parse", file: "sale/sale.go", old: "func New", now: "func Ne w", analysed: 1, broken: true},
	{name: "it parses", file: "sale/sale.go", old: "func Ne w", now: "func New", analysed: 4},
	{name: "the mailer only writes a file", file: "smtp/smtp.go", now: `package smtp

import "os"

type Mailer struct{ Addr string }

func (m Mailer) Mail(to string) error { return os.WriteFile(m.Addr, []byte(to), 0o600) }
`, analysed: 5},
	{name: "a new file in a package", file: "stock/more.go", now: "package stock\n\nfunc More() {}\n", analysed: 5},
	{name: "a new package", file: "audit/audit.go", now: `package audit

import (
	"context"
	"database/sql"
)

func Note(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "SET lock_timeout = '1s'")
	return err
}
`, analysed: 3, relist: true},
	{name: "a configuration", file: ".pgtxvet.yaml", now: "disable: [lockoutsidetx]\n", analysed: 7, reread: true},
	{name: "another configuration", file: ".pgtxvet.yaml", now: "disable: [sessionset]\n", analysed: 7, reread: true},
	{name: "a script that says nothing new", file: "README.sql.txt", now: "no script", reread: true},
	{name: "a schema", file: "migrations/1_init.up.sql", now: "CREATE TABLE stock (id int PRIMARY KEY, n int NOT NULL);\n", analysed: 7, reread: true},
	{name: "a retry", file: "main.go", old: "func main", now: "const conflict = \"40001\"\n\nfunc main", analysed: 7},
}

// TestEachSave holds a session to what the program finds after each of many
// changes.
func TestEachSave(t *testing.T) {
	dir := unpack(t, shop)
	cfg := load.Config{Dir: dir}
	s := newSession(t, cfg)
	rep := runCheck(t, s, nil)
	if len(rep.Findings) == 0 {
		t.Fatal("nothing is found")
	}
	for _, st := range steps {
		t.Run(st.name, func(t *testing.T) {
			st.apply(t, dir)
			if st.reread {
				s.Reread()
			}
			if st.relist {
				s.Relist()
			}
			rep = runCheck(t, s, nil)
			got := lines(rep)
			if rep.Analysed > st.analysed {
				t.Errorf("%d packages were analysed, want at most %d", rep.Analysed, st.analysed)
			}
			if st.broken {
				if len(rep.Failures) == 0 {
					t.Error("no package fails")
				}
				return
			}
			if len(rep.Failures) > 0 {
				t.Errorf("fails: %s", rep.Failures[0].Message())
			}
			compare(t, got, program(t, cfg))
		})
	}
}

func (st step) apply(t *testing.T, dir string) {
	t.Helper()
	if st.file == "" {
		return
	}
	name := filepath.Join(dir, st.file)
	text := st.now
	if st.old != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if text = strings.Replace(string(data), st.old, st.now, 1); text == string(data) {
			t.Fatalf("%s has no %q", st.file, st.old)
		}
	}
	write(t, name, text)
}

// TestBrokenKeeps holds that findings stay while a package does not type-check.
func TestBrokenKeeps(t *testing.T) {
	dir := unpack(t, shop)
	s := newSession(t, load.Config{Dir: dir})
	want := lines(runCheck(t, s, nil))
	name := filepath.Join(dir, "sale/sale.go")
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	smtp := filepath.Join(dir, "smtp/smtp.go")
	other, err := os.ReadFile(smtp)
	if err != nil {
		t.Fatal(err)
	}
	for i, broken := range []string{"\nfunc (", "\nvar x int = \"\"\n"} {
		// The lines move, and the program above is analysed again for another change.
		text := strings.Replace(string(src), "import", "\n\n\nimport", 1) + broken
		rep := runCheck(t, s, map[string][]byte{name: []byte(text), smtp: append(slices.Clone(other), strings.Repeat("\nvar V int\n", i)...)})
		if len(rep.Failures) != 1 {
			t.Errorf("%d packages fail, want 1", len(rep.Failures))
		}
		compare(t, lines(rep), want)
		for _, f := range rep.Findings {
			if f.File == name && f.Texts[name] != string(src) {
				t.Errorf("%s at line %d is not said to be one of the text before", f.Rule, f.Start.Line)
			}
		}
	}
	rep := runCheck(t, s, nil)
	if len(rep.Failures) > 0 {
		t.Errorf("fails: %s", rep.Failures[0].Message())
	}
	compare(t, lines(rep), want)
}

// TestCancel holds that a check that was cancelled is made up for by the next.
func TestCancel(t *testing.T) {
	dir := unpack(t, shop)
	cfg := load.Config{Dir: dir}
	s := newSession(t, cfg)
	for stop := 1; stop < 6; stop++ {
		ctx, cancel := context.WithCancel(context.Background())
		name := filepath.Join(dir, "stock/stock.go")
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, name, "// Package stock keeps it.\n"+string(src))
		_, err = s.Check(ctx, nil, session.Hooks{Progress: func(done, _ int) {
			if done >= stop {
				cancel()
			}
		}})
		cancel()
		if err == nil && stop < 5 {
			t.Errorf("the check was not cancelled after %d packages", stop)
		}
	}
	compare(t, lines(runCheck(t, s, nil)), program(t, cfg))
}

// TestMemory holds that saves leave nothing behind.
func TestMemory(t *testing.T) {
	dir := unpack(t, shop)
	s := newSession(t, load.Config{Dir: dir})
	save := func(from, to int) uint64 {
		for i := from; i < to; i++ {
			for _, file := range []string{"stock/stock.go", "sale/sale.go"} {
				name := filepath.Join(dir, file)
				src, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				text := string(src)
				switch i % 4 {
				case 0:
					text = strings.Replace(text, "\nimport", strings.Repeat("\n", i%7)+"import", 1)
				case 1:
					text += fmt.Sprintf("\nfunc Saved%d() {}\n", i)
				case 2:
					text += "\nfunc ("
				}
				runCheck(t, s, map[string][]byte{name: []byte(text)})
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := save(0, 40)
	after := save(40, 200)
	t.Logf("heap %d KB, then %d KB", before>>10, after>>10)
	if after > before+before/20 {
		t.Errorf("the heap has grown from %d to %d KB with 320 saves", before>>10, after>>10)
	}
	runtime.KeepAlive(s)
}

// BenchmarkSave measures a save in a package that others read. To measure a save in a
// module of hundreds of packages, run internal/cmd/saves on it.
func BenchmarkSave(b *testing.B) {
	dir := unpack(b, shop)
	s := newSession(b, load.Config{Dir: dir})
	runCheck(b, s, nil)
	name := filepath.Join(dir, "stock/stock.go")
	src, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	var rep *session.Report
	for i := 0; b.Loop(); i++ {
		rep = runCheck(b, s, map[string][]byte{name: append(slices.Clone(src), strings.Repeat("\n", i%2)+"// end\n"...)})
	}
	b.ReportMetric(float64(rep.Analysed), "packages/op")
}

// TestPartial holds that what was saved is reported before what depends on it.
func TestPartial(t *testing.T) {
	dir := unpack(t, shop)
	cfg := load.Config{Dir: dir}
	s := newSession(t, cfg)
	runCheck(t, s, nil)
	name := filepath.Join(dir, "sale/sale.go")
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, strings.Replace(string(src), "import", "\n\nimport", 1))
	var parts []*session.Report
	rep, err := s.Check(context.Background(), nil, session.Hooks{Partial: func(r *session.Report) { parts = append(parts, r) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) != 1 {
		t.Fatalf("%d reports came before the last, want 1", len(parts))
	}
	where := func(r *session.Report, rule string) (line int, old bool) {
		for _, f := range r.Findings {
			if f.Rule == rule && f.File == name {
				return f.Start.Line, f.Texts[name] == string(src)
			}
		}
		t.Fatalf("there is no %s in %s", rule, lines(r))
		return 0, false
	}
	for _, c := range []struct {
		rule string
		old  bool // the finding of a package above is still the old one
	}{{"lockoutsidetx", false}, {"externalcall", true}} {
		was, old := where(parts[0], c.rule)
		is, _ := where(rep, c.rule)
		if old != c.old || (was == is) == c.old {
			t.Errorf("%s is at line %d first, of the old text: %v, and at line %d at last", c.rule, was, old, is)
		}
	}
	compare(t, lines(rep), program(t, cfg))
}
