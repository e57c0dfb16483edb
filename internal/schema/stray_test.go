package schema

import (
	"path/filepath"
	"testing"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// Tables that Go code and loose scripts create have the keys that some text gives them; what
// makes the keys unsure makes the answer unknown.
func TestStray(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "go.mod", "module m\n")
	put(t, dir, "steps/up.go", "package steps\n"+
		"var steps = []string{\n"+
		"`CREATE TABLE IF NOT EXISTS blocks (number bigint PRIMARY KEY, hash text)`,\n"+
		"`BEGIN; CREATE TABLE people (id serial PRIMARY KEY, login text); COMMIT`,\n"+
		"`CREATE TABLE twice (a int)`,\n"+
		"`CREATE INDEX ON elsewhere (a)`,\n"+
		"`CREATE UNIQUE INDEX ON late (a)`,\n"+
		"`ALTER TABLE people DROP CONSTRAINT people_pkey`,\n"+
		"\"CREATE UNIQUE INDEX people_login \" +\n\"ON people (login)\",\n"+
		"}\n")
	put(t, dir, "lite/lite.go", "package lite\nconst twice = `CREATE TABLE IF NOT EXISTS twice (a int UNIQUE)`\n")
	put(t, dir, "steps/up_test.go", "package steps\nconst made = `CREATE TABLE by_test (a int)`\n")
	put(t, dir, "build/upto-1-members.sql", "CREATE TABLE members (place text PRIMARY KEY, url STRING NOT NULL);\n")
	put(t, dir, "build/downfrom-1-members.sql", "DROP TABLE IF EXISTS members;\n")
	put(t, dir, "build/mysql/other.sql", "CREATE TABLE other (a int PRIMARY KEY);\n")
	put(t, dir, "docs/shown.sql", "CREATE TABLE shown (a int PRIMARY KEY);\n")
	for _, c := range []struct {
		table string
		want  Answer
		keys  int // with the answer yes
		sure  Answer
	}{
		{"blocks", Yes, 1, Yes},
		{"people", Yes, 2, Yes},
		{"twice", Yes, 0, Unknown},
		{"elsewhere", No, 0, Unknown},
		{"late", Unknown, 0, Unknown},
		{"by_test", No, 0, Unknown},
		{"members", Yes, 1, Yes},
		{"other", No, 0, Unknown},
		{"shown", No, 0, Unknown},
	} {
		table, answer := Stray(filepath.Join(dir, "steps"), c.table)
		if answer != c.want {
			t.Errorf("%s: %v; want %v", c.table, answer, c.want)
			continue
		}
		var keys []*pgsql.Constraint
		sure := Unknown
		if answer == Yes {
			keys, sure = table.Keys()
		}
		if len(keys) != c.keys || sure != c.sure {
			t.Errorf("%s: %d keys, %v; want %d, %v", c.table, len(keys), sure, c.keys, c.sure)
		}
	}
}
