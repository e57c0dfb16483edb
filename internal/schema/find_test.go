package schema

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// describe writes a schema as text.
func describe(s *Schema) string {
	var b strings.Builder
	for _, name := range s.Tables() {
		t, a := s.Table(name)
		columns, all := t.Columns()
		fmt.Fprintf(&b, "%s %v\n  columns %v:", name, a, all)
		for _, c := range columns {
			fmt.Fprintf(&b, " %s %s", c.Name, c.Type)
			if c.NotNull {
				b.WriteString(" NOT NULL")
			}
			if c.Default {
				b.WriteString(" DEFAULT")
			}
			b.WriteByte(',')
		}
		list, all := t.Constraints()
		fmt.Fprintf(&b, "\n  constraints %v:\n", all)
		for _, k := range list {
			b.WriteString("    " + line(k) + "\n")
		}
	}
	var funcs []string
	for _, l := range s.sets {
		for n := range l.funcs {
			f, _ := s.Function(n.name)
			funcs = append(funcs, fmt.Sprintf("%s %v %s reads %v writes %v\n", f.Name, f.Volatility, f.Language, f.ReadsTables, f.WritesTables))
		}
	}
	slices.Sort(funcs)
	b.WriteString(strings.Join(funcs, ""))
	for _, why := range s.Incomplete() {
		b.WriteString("perhaps more: " + why + "\n")
	}
	for _, p := range s.Problems() {
		fmt.Fprintf(&b, "%s:%d: %s: %s\n", filepath.Base(p.File), p.Line, p.Msg, p.Text)
	}
	return b.String()
}

// line writes a constraint as text.
func line(k *pgsql.Constraint) string {
	var over []string
	for _, e := range k.Elements {
		over = append(over, strings.TrimSpace(e.Column+e.Expr+" "+e.Operator))
	}
	s := fmt.Sprintf("%v %s %s (%s)", k.Kind, k.Name, k.Method, strings.Join(over, ", "))
	if k.Index {
		s = "index " + s
	}
	if k.Kind == pgsql.ForeignKey {
		s += fmt.Sprintf(" to %s.%s %v", k.Referenced.Schema, k.Referenced.Name, k.ReferencedColumns)
	}
	if k.Where != "" {
		s += fmt.Sprintf(" where %s %v", k.Where, k.WhereColumns)
	}
	if k.NullsNotDistinct {
		s += " nulls not distinct"
	}
	if k.Deferrable {
		s += " deferrable"
	}
	return s
}

// compare holds a text to a golden file.
func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

// TestTools reads a folder in the form of each tool. The golden files are the
// same for both grammars.
func TestTools(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		if !e.IsDir() || e.Name() == "fuzz" {
			continue
		}
		n++
		dir := filepath.Join("testdata", e.Name())
		t.Run(e.Name(), func(t *testing.T) { compare(t, dir+".txt", describe(Find(dir, nil))) })
	}
	if n < 10 {
		t.Errorf("%d folders", n)
	}
}

// Of several sets that of the package's own service is used; elsewhere what
// the sets do not agree on is unknown.
func TestChoice(t *testing.T) {
	for _, tc := range []struct {
		dir, table string
		there      Answer
		unique     Answer
	}{
		{"orders/store", "items", Yes, Yes},
		{"orders/store", "orders", Yes, No},
		{"orders/store", "invoices", No, Unknown},
		{"orders/example", "items", Yes, No},
		{"billing", "items", Yes, No},
		{"billing", "orders", No, Unknown},
		{"shared", "items", Yes, Unknown},
		{"shared", "orders", Yes, No},
		{"shared", "payments", No, Unknown},
		{"legacy", "items", Unknown, Unknown},
	} {
		s := Find(filepath.Join("testdata/services", tc.dir), nil)
		table, there := s.Table(tc.table)
		if there != tc.there {
			t.Errorf("%s: table %s: %v, want %v", tc.dir, tc.table, there, tc.there)
		}
		if a := table.UniqueOver("code"); a != tc.unique {
			t.Errorf("%s: %s is unique over code: %v, want %v", tc.dir, tc.table, a, tc.unique)
		}
	}
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The search ends with the repository, and a configuration names the scripts
// instead.
func TestDeclared(t *testing.T) {
	root := t.TempDir()
	put(t, root, "schema.sql", "CREATE TABLE outside (id int);")
	put(t, root, "repo/.git", "gitdir: elsewhere")
	put(t, root, "repo/a/x.go", "")
	put(t, root, "repo/other/ddl/first.sql", "CREATE TABLE t (id int);")
	put(t, root, "repo/other/steps/2_b.sql", "ALTER TABLE t ADD UNIQUE (id);")
	put(t, root, "repo/other/steps/1_a.sql", "ALTER TABLE t DROP COLUMN id; ALTER TABLE t ADD id int;")
	put(t, root, "repo/a/.pgtxvet.yaml", "schema: [../other/ddl/*.sql, ../other/steps]")
	put(t, root, "repo/b/.pgtxvet.yaml", "schema:\n- nosuch/*.sql")
	dir := filepath.Join(root, "repo/a")
	if s := Find(filepath.Join(root, "repo"), nil); s.Known() && slices.Contains(s.Tables(), "outside") {
		t.Error("a script outside of the repository is read")
	}
	c, err := config.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := Find(dir, c)
	table, _ := s.Table("t")
	if table.UniqueOver("id") != Yes || len(s.Problems()) != 0 {
		t.Errorf("declared scripts: %s", describe(s))
	}
	_, err = config.Load(filepath.Join(root, "repo/b"))
	if err == nil || !strings.Contains(err.Error(), `.pgtxvet.yaml:2: schema: there is nothing at "nosuch/*.sql"; want paths`) {
		t.Errorf("a path that does not exist: %v", err)
	}
}

// The hash changes with the scripts that are read, and with no others. It does
// not depend on where the project lies.
func TestHash(t *testing.T) {
	steps := []struct {
		name, text string
		changes    bool
	}{
		{"a/x.go", "", false},
		{"q/find.sql", "SELECT 1", false},
		{"migrations/1_a.sql", "CREATE TABLE a (id int)", true},
		{"migrations/1_a.sql", "CREATE TABLE b (id int)", true},
		{"migrations/2_b.go", "package migrations", true},
		{"sqlc.yaml", "sql: [{engine: sqlite, schema: x.sql}, {schema: y.sql}]", false},
		{"y.sql", "CREATE TABLE y (id int)", true},
		{"z/ddl.txt", "CREATE TABLE z ()", false},
		{"z/.pgtxvet.yaml", "schema: [ddl.txt]", true},
		{"z/ddl.txt", "CREATE TABLE zz ()", true},
	}
	hash := func(n int) string {
		root := t.TempDir()
		put(t, root, "go.work", "")
		for _, s := range steps[:n] {
			put(t, root, s.name, s.text)
		}
		return Hash(filepath.Join(root, "a"))
	}
	if h := hash(2); h != "" {
		t.Errorf("a hash without scripts: %s", h)
	}
	for n := range steps {
		if before, after := hash(n), hash(n+1); (before != after) != steps[n].changes {
			t.Errorf("%s: changes the hash: %v", steps[n].name, before != after)
		}
	}
}
