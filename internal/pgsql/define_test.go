package pgsql

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

var opNames = []string{
	"", "create table", "create temp", "create view", "drop table", "drop view", "rename table", "move table", "add column",
	"drop column", "rename column", "alter column", "alter type", "add constraint", "drop constraint", "rename constraint", "drop index",
	"rename index", "attach partition", "detach partition", "inherit", "no inherit", "drop type", "rename type", "create function",
	"alter function", "drop function", "rename function", "create extension", "drop schema", "rename schema", "search path",
}

// TestDefinitions holds what scripts do to a schema to golden files, which are
// the same for both grammars.
func TestDefinitions(t *testing.T) {
	enums[reflect.TypeFor[ChangeOp]()] = opNames
	paths, err := filepath.Glob("testdata/definitions/*.sql")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, p := range paths {
		var b strings.Builder
		for _, s := range scripts(t, p) {
			name, text, _ := strings.Cut(s, "\n")
			b.WriteString("=== " + name + "\n")
			for _, d := range Definitions(text) {
				line, err := json.Marshal(dump(reflect.ValueOf(d)))
				if err != nil {
					t.Fatal(err)
				}
				b.WriteString(string(line) + "\n")
			}
		}
		compare(t, strings.TrimSuffix(p, ".sql")+".json", b.String())
	}
}

// scripts reads a file of scripts after lines "=== name".
func scripts(t testing.TB, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split("\n"+string(data), "\n=== ")[1:]
}

// TestDefinitionPositions holds the positions to the script.
func TestDefinitionPositions(t *testing.T) {
	const script = "-- ž\nCREATE TABLE a (b int) ; \n DROP TABLE ž;;SELECT 1"
	var got []string
	for _, d := range Definitions(script) {
		got = append(got, script[d.Pos:d.End])
	}
	if want := []string{"CREATE TABLE a (b int)", "DROP TABLE ž", "SELECT 1"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

// TestDefinitionLimits holds the work on scripts that are large or deep, and
// that a long body is no reason not to understand the statement.
func TestDefinitionLimits(t *testing.T) {
	body := strings.Repeat("PERFORM f(1);\n", 10_000)
	for name, tc := range map[string]struct {
		text    string
		problem bool
	}{
		"long_body":  {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN " + body + " END $$", false},
		"huge_body":  {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN " + strings.Repeat(body, 10) + " END $$", false},
		"huge_do":    {"DO $$ BEGIN " + strings.Repeat(body, 10) + " END $$", true},
		"brackets":   {"CREATE TABLE t (a int CHECK " + strings.Repeat("(", 5000) + "1", true},
		"columns":    {"CREATE TABLE t (" + strings.Repeat("a int, ", 10_000) + "b int)", true},
		"nested_do":  {"DO $$ BEGIN " + strings.Repeat("EXECUTE '", 3000) + " $$", false},
		"rows":       {"INSERT INTO t VALUES " + strings.Repeat("(1), ", 100_000) + "(1)", false},
		"semicolons": {strings.Repeat(";", 1<<20), false},
		"creates":    {strings.Repeat("CREATE TABLE t (a int);", 5000), false},
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			problem := false
			for _, d := range Definitions(tc.text) {
				problem = problem || d.Problem != ""
			}
			if d := time.Since(begin); d > 5*time.Second {
				t.Errorf("took %v", d)
			}
			if problem != tc.problem {
				t.Errorf("has a problem: %v", problem)
			}
		})
	}
}

func FuzzDefinitions(f *testing.F) {
	paths, _ := filepath.Glob("testdata/definitions/*.sql")
	for _, p := range paths {
		for _, s := range scripts(f, p) {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, script string) {
		begin := time.Now()
		for _, d := range Definitions(script) {
			if d.Pos < 0 || d.End < d.Pos || d.End > len(script) {
				t.Fatalf("%d..%d of %d", d.Pos, d.End, len(script))
			}
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Fatalf("took %v", d)
		}
	})
}
