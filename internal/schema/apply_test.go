package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// made returns the schema that scripts make.
func made(scripts ...string) *Schema {
	s := &Schema{}
	l := &loaded{model: newModel()}
	for _, text := range scripts {
		l.script("script.sql", text)
	}
	for _, t := range l.order {
		if t.placeholder && !t.doubtful {
			l.miss("%s is created elsewhere", t.name.name)
		}
	}
	s.sets = append(s.sets, l)
	return s
}

const accounts = "CREATE TABLE accounts (id int PRIMARY KEY, email text NOT NULL, org int, CONSTRAINT once UNIQUE (org, email));"

func TestUnique(t *testing.T) {
	for name, tc := range map[string]struct {
		script  string
		columns string
		want    Answer
	}{
		"primary":          {"", "id", Yes},
		"more":             {"", "id email", Yes},
		"both":             {"", "email org", Yes},
		"half":             {"", "email", No},
		"none":             {"", "", No},
		"dropped":          {"ALTER TABLE accounts DROP CONSTRAINT once;", "email org", No},
		"dropped_pkey":     {"ALTER TABLE accounts DROP CONSTRAINT accounts_pkey;", "id", No},
		"dropped_column":   {"ALTER TABLE accounts DROP COLUMN org;", "email org", No},
		"dropped_unnamed":  {"ALTER TABLE accounts ADD UNIQUE (email); ALTER TABLE accounts DROP CONSTRAINT accounts_email_key;", "email", No},
		"dropped_other":    {"ALTER TABLE accounts DROP CONSTRAINT mystery;", "id", Unknown},
		"dropped_check":    {"ALTER TABLE accounts DROP CONSTRAINT accounts_org_check;", "id", Yes},
		"dropped_if":       {"ALTER TABLE accounts DROP CONSTRAINT IF EXISTS mystery;", "email", No},
		"renamed":          {"ALTER TABLE accounts RENAME email TO mail;", "mail org", Yes},
		"renamed_and_gone": {"ALTER TABLE accounts RENAME CONSTRAINT once TO x; ALTER TABLE accounts DROP CONSTRAINT x;", "email org", No},
		"index":            {"CREATE UNIQUE INDEX i ON accounts (email);", "email", Yes},
		"index_dropped":    {"CREATE UNIQUE INDEX i ON accounts (email); DROP INDEX i;", "email", No},
		"index_renamed":    {"CREATE UNIQUE INDEX i ON accounts (email); ALTER INDEX i RENAME TO j; DROP INDEX j;", "email", No},
		"index_by_table":   {"CREATE UNIQUE INDEX i ON accounts (email); ALTER TABLE i RENAME TO j; DROP INDEX j;", "email", No},
		"index_unnamed":    {"CREATE UNIQUE INDEX ON accounts (lower(email)); DROP INDEX accounts_lower_idx;", "email", No},
		"index_again":      {"CREATE UNIQUE INDEX i ON accounts (email); CREATE UNIQUE INDEX IF NOT EXISTS i ON accounts (org);", "org", No},
		"index_unknown":    {"DROP INDEX mystery;", "email", Unknown},
		"index_plain":      {"CREATE INDEX i ON accounts (email);", "email", No},
		"partial":          {"CREATE UNIQUE INDEX i ON accounts (email) WHERE org IS NULL;", "email", Unknown},
		"expression":       {"CREATE UNIQUE INDEX i ON accounts (lower(email));", "email", Yes},
		"using":            {"CREATE UNIQUE INDEX i ON accounts (email); ALTER TABLE accounts ADD CONSTRAINT u UNIQUE USING INDEX i; ALTER TABLE accounts DROP CONSTRAINT u;", "email", No},
		"exclusion":        {"ALTER TABLE accounts ADD EXCLUDE USING gist (org WITH =, email WITH &&);", "org email", Yes},
		"exclusion_other":  {"ALTER TABLE accounts DROP CONSTRAINT once, ADD EXCLUDE USING gist (email WITH <>);", "email", Unknown},
		"renamed_table":    {"ALTER TABLE accounts RENAME TO old; CREATE TABLE accounts (LIKE old INCLUDING ALL);", "id", Yes},
		"like":             {"ALTER TABLE accounts RENAME TO old; CREATE TABLE accounts (LIKE old);", "id", No},
		"inherits":         {"ALTER TABLE accounts RENAME TO old; CREATE TABLE accounts () INHERITS (old);", "id", No},
		"as":               {"ALTER TABLE accounts RENAME TO old; CREATE TABLE accounts AS SELECT * FROM old;", "id", No},
		"partition":        {"ALTER TABLE accounts RENAME TO old; CREATE TABLE accounts PARTITION OF old DEFAULT; ALTER TABLE old ADD UNIQUE (email);", "email", Yes},
		"attached":         {"CREATE TABLE p (id int, email text, org int, UNIQUE (email)); ALTER TABLE p ATTACH PARTITION accounts DEFAULT;", "email", Yes},
		"rejected":         {"ALTER TABLE accounts ADD UNIQUE NEVER (email);", "email", Unknown},
		"rejected_drop":    {"ALTER TABLE accounts DROP KEY id;", "id", Unknown},
		"rejected_other":   {"ALTER TABLE other ADD UNIQUE NEVER (email);", "email", No},
		"do":               {"DO $$ BEGIN IF f() THEN ALTER TABLE accounts ADD UNIQUE (email); END IF; END $$;", "email", Unknown},
		"do_keeps":         {"DO $$ BEGIN IF f() THEN ALTER TABLE accounts ADD UNIQUE (email); END IF; END $$;", "id", Yes},
		"do_drops":         {"DO $$ BEGIN IF f() THEN ALTER TABLE accounts DROP CONSTRAINT once; END IF; END $$;", "email org", Unknown},
		"do_drops_one":     {"DO $$ BEGIN IF f() THEN ALTER TABLE accounts DROP CONSTRAINT once; END IF; END $$;", "id", Yes},
		"do_drops_some":    {"DO $$ BEGIN EXECUTE format('ALTER TABLE accounts DROP CONSTRAINT %I', c); END $$;", "id", Unknown},
		"do_then_adds":     {"DO $$ BEGIN EXECUTE format('ALTER TABLE accounts DROP CONSTRAINT %I', c); END $$; ALTER TABLE accounts ADD UNIQUE (email);", "email", Yes},
		"included":         {"CREATE UNIQUE INDEX i ON accounts (email) INCLUDE (org); ALTER TABLE accounts DROP org;", "email", No},
		"do_certain":       {"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_constraint) THEN ALTER TABLE accounts ADD UNIQUE (email); END IF; END $$;", "email", Yes},
		"do_built":         {"DO $$ BEGIN EXECUTE format('CREATE UNIQUE INDEX ON %I (x)', t); END $$;", "email", Unknown},
		"do_built_table":   {"DO $$ BEGIN EXECUTE format('CREATE TABLE %I (x int)', t); END $$;", "email", No},
		"function":         {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER TABLE accounts ADD UNIQUE (email); END $$;", "email", No},
		"function_called":  {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER TABLE accounts ADD UNIQUE (email); END $$; SELECT f();", "email", Unknown},
		"twice":            {"CREATE TABLE accounts (id int);", "id", Unknown},
		"if_not_exists":    {"CREATE TABLE IF NOT EXISTS accounts (id int);", "id", Yes},
		"drop_type":        {"CREATE TYPE e AS ENUM ('a'); ALTER TABLE accounts ADD e e UNIQUE; DROP TYPE e CASCADE;", "e", No},
		"keep_type":        {"ALTER TABLE accounts ADD e e UNIQUE; ALTER TABLE accounts ALTER e TYPE f; DROP TYPE e CASCADE; ALTER TYPE f RENAME TO e;", "e", Yes},
		"temp":             {"CREATE TEMP TABLE x (id int); ALTER TABLE x ADD UNIQUE (id); DROP TABLE x;", "email", No},
		"schema":           {"ALTER TABLE accounts SET SCHEMA app; ALTER TABLE app.accounts ADD UNIQUE (email);", "email", Yes},
		"qualified":        {"ALTER TABLE public.accounts ADD UNIQUE (email);", "email", Yes},
		"path":             {"SET search_path TO app; ALTER TABLE accounts ADD UNIQUE (email);", "email", Yes},
		"template":         {"CREATE UNIQUE INDEX i ON {{ .Schema }}.accounts (email);", "email", Yes},
		"template_table":   {"CREATE UNIQUE INDEX i ON {{ .Table }} (email);", "email", Unknown},
	} {
		table, a := made(accounts + tc.script).Table("accounts")
		if a != Yes {
			t.Errorf("%s: there is a table: %v", name, a)
		}
		if got := table.UniqueOver(strings.Fields(tc.columns)...); got != tc.want {
			t.Errorf("%s: %s unique over %q: %v, want %v", name, tc.script, tc.columns, got, tc.want)
		}
	}
}

func TestTable(t *testing.T) {
	for script, want := range map[string]Answer{
		"CREATE TABLE t (a int);":                                                     Yes,
		"CREATE TABLE s.t (a int);":                                                   Yes,
		"CREATE TABLE u (a int);":                                                     No,
		"CREATE TABLE t (a int); DROP TABLE t;":                                       No,
		"CREATE TABLE t (a int); ALTER TABLE t RENAME TO u;":                          No,
		"CREATE SCHEMA s CREATE TABLE t (a int); DROP SCHEMA s CASCADE;":              No,
		"CREATE VIEW t AS SELECT 1;":                                                  Unknown,
		"CREATE TABLE u (a int REFERENCES t);":                                        Unknown,
		"CREATE TABLE u (a int REFERENCES t); CREATE TABLE t (a int PRIMARY KEY);":    Yes,
		"ALTER TABLE u ADD a int;":                                                    Unknown,
		"CREATE TABLE u (a bogus bogus);":                                             No,
		"CREATE TABLE t (a bogus bogus);":                                             Unknown,
		"DO $$ BEGIN IF f() THEN CREATE TABLE t (a int); END IF; END $$;":             Unknown,
		"DO $$ BEGIN CREATE TABLE IF NOT EXISTS t (a int); END $$;":                   Yes,
		"DO $$ BEGIN EXECUTE format('CREATE TABLE %I (a int)', x); END $$;":           Unknown,
		"CREATE TABLE {{.prefix}}t (a int);":                                          Unknown,
		"CREATE TEMP TABLE t (a int);":                                                No,
		"-- +goose Up\nCREATE TABLE t (a int);\n-- +goose Down\nDROP TABLE t;":        Yes,
		"-- migrate:down\nDROP TABLE t;\n-- migrate:up\nCREATE TABLE t (a int);":      Yes,
		"CREATE TABLE t (a int);\n---- create above / drop below ----\nDROP TABLE t;": Yes,
	} {
		if _, got := made(script).Table("t"); got != want {
			t.Errorf("%s: %v, want %v", script, got, want)
		}
	}
	for _, s := range []*Schema{nil, {}} {
		if _, a := s.Table("t"); a != Unknown {
			t.Errorf("a schema without scripts: %v", a)
		}
	}
	s := made("CREATE TABLE t (a int); CREATE TABLE app.u (a int);")
	for name, want := range map[string]Answer{"public.t": Yes, "app.t": Unknown, "app.u": Yes, "u": Yes, "public.u": No} {
		if _, a := s.Table(name); a != want {
			t.Errorf("%s: %v, want %v", name, a, want)
		}
	}
}

func TestReferences(t *testing.T) {
	s := made(accounts + `
		CREATE TABLE entries (id int PRIMARY KEY, account int REFERENCES accounts, org int, email text,
			FOREIGN KEY (org, email) REFERENCES accounts (org, email));
		CREATE TABLE alone (id int);
		ALTER TABLE accounts RENAME COLUMN id TO number;
		ALTER TABLE accounts RENAME TO ledger;`)
	ledger, _ := s.Table("ledger")
	refs, all := ledger.ReferencedBy()
	if all != Yes || len(refs) != 2 || refs[0].Table != "entries" || !slices.Equal(refs[0].ToColumns, []string{"number"}) ||
		!slices.Equal(refs[1].ToColumns, []string{"org", "email"}) {
		t.Errorf("references to ledger: %+v %v", refs, all)
	}
	if cols, all := ledger.KeyColumns(); all != Yes || !same(cols, []string{"number", "org", "email"}) {
		t.Errorf("key columns: %v %v", cols, all)
	}
	if cols, a := ledger.PrimaryKey(); a != Yes || !slices.Equal(cols, []string{"number"}) {
		t.Errorf("primary key: %v %v", cols, a)
	}
	entries, _ := s.Table("entries")
	alone, _ := s.Table("alone")
	for _, tc := range []struct {
		table *Table
		want  Answer
	}{{ledger, Yes}, {entries, No}, {alone, No}, {nil, Unknown}} {
		if a := tc.table.HasChildren(); a != tc.want {
			t.Errorf("%+v has children: %v", tc.table, a)
		}
	}
	if _, a := alone.PrimaryKey(); a != No {
		t.Errorf("alone has a primary key: %v", a)
	}
	if refs, all := entries.References(); len(refs) != 2 || all != Yes || refs[0].To != "ledger" {
		t.Errorf("references of entries: %+v %v", refs, all)
	}
	// a table of which not all is known may reference any
	unsure := made(accounts + "CREATE TABLE entries (account int bogus bogus);")
	table, _ := unsure.Table("accounts")
	if a := table.HasChildren(); a != Unknown {
		t.Errorf("beside a table that is not known: %v", a)
	}
	gone := made(accounts + "CREATE TABLE e (a int REFERENCES accounts); ALTER TABLE e DROP CONSTRAINT e_a_fkey;")
	table, _ = gone.Table("accounts")
	if a := table.HasChildren(); a != No {
		t.Errorf("after the foreign key was dropped: %v", a)
	}
	gone = made(accounts + "CREATE TABLE e (a int REFERENCES accounts); DROP TABLE e;")
	table, _ = gone.Table("accounts")
	if a := table.HasChildren(); a != No {
		t.Errorf("after the child was dropped: %v", a)
	}
}

func TestIndexed(t *testing.T) {
	s := made("CREATE TABLE t (a int, b int, c int, d int, e text, PRIMARY KEY (a, b)); CREATE INDEX ON t (c) WHERE d > 0; CREATE INDEX ON t USING gin (e);")
	table, _ := s.Table("t")
	for col, want := range map[string]Answer{"a": Yes, "b": No, "c": Unknown, "d": No, "e": Unknown} {
		if got := table.Indexed(col); got != want {
			t.Errorf("%s: %v, want %v", col, got, want)
		}
	}
	if col, a := table.Column("a"); a != Yes || !col.NotNull || col.Type != "int4" {
		t.Errorf("column a: %+v %v", col, a)
	}
	if _, a := table.Column("z"); a != No {
		t.Errorf("column z: %v", a)
	}
}

func TestFunctions(t *testing.T) {
	s := made(`
		CREATE FUNCTION reads() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM t';
		CREATE FUNCTION through() RETURNS bigint LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN reads(); END $$;
		CREATE FUNCTION pure(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + abs($1)';
		CREATE FUNCTION writes() RETURNS void LANGUAGE plpgsql AS $$ BEGIN UPDATE t SET a = 1; END $$;
		CREATE FUNCTION built() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE q; END $$;
		CREATE FUNCTION native() RETURNS int LANGUAGE c AS 'x';
		CREATE FUNCTION over(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
		CREATE FUNCTION over(text) RETURNS int LANGUAGE sql STABLE AS 'SELECT 1 FROM t';
		CREATE FUNCTION gone() RETURNS int LANGUAGE sql AS 'SELECT 1'; DROP FUNCTION gone;
		CREATE FUNCTION late() RETURNS int LANGUAGE sql AS 'SELECT 1'; ALTER FUNCTION late() STABLE;
		CREATE FUNCTION loops() RETURNS int LANGUAGE sql AS 'SELECT loops()';`)
	for name, want := range map[string]Function{
		"reads":    {Volatility: pgsql.Volatile, Language: "sql", ReadsTables: Yes, WritesTables: No},
		"through":  {Volatility: pgsql.Stable, Language: "plpgsql", ReadsTables: Yes, WritesTables: No},
		"app.pure": {Volatility: pgsql.Immutable, Language: "sql", ReadsTables: No, WritesTables: No},
		"writes":   {Volatility: pgsql.Volatile, Language: "plpgsql", ReadsTables: No, WritesTables: Yes},
		"built":    {Volatility: pgsql.Volatile, Language: "plpgsql"},
		"native":   {Volatility: pgsql.Volatile, Language: "c"},
		"over":     {Language: "sql", WritesTables: No},
		"late":     {Volatility: pgsql.Stable, Language: "sql", ReadsTables: No, WritesTables: No},
		"loops":    {Volatility: pgsql.Volatile, Language: "sql"},
	} {
		got, a := s.Function(name)
		want.Name = split(name).Name
		if a != Yes || got != want {
			t.Errorf("%s: %+v %v, want %+v", name, got, a, want)
		}
	}
	if _, a := s.Function("gone"); a != No {
		t.Errorf("a dropped function: %v", a)
	}
	if _, a := made("CREATE EXTENSION x; CREATE TABLE t (a int);").Function("f"); a != Unknown {
		t.Errorf("with an extension: %v", a)
	}
}

// Names are chosen as PostgreSQL chooses them, or DROP CONSTRAINT would not be
// understood.
func TestNames(t *testing.T) {
	long := strings.Repeat("x", 40)
	for _, tc := range []struct{ a, b, label, want string }{
		{"t", "", "pkey", "t_pkey"},
		{"t", "a_b", "key", "t_a_b_key"},
		{long, long, "fkey", strings.Repeat("x", 29) + "_" + strings.Repeat("x", 28) + "_fkey"},
		{long, "y", "idx", long + "_y_idx"},
		{strings.Repeat("ž", 40), "", "pkey", strings.Repeat("ž", 29) + "_pkey"},
	} {
		if got := objectName(tc.a, tc.b, tc.label); got != tc.want {
			t.Errorf("%s %s %s: %s (%d bytes), want %s", tc.a, tc.b, tc.label, got, len(got), tc.want)
		}
	}
	table, _ := made("CREATE TABLE t (a int UNIQUE, UNIQUE (a), CHECK (a > 0), CHECK (a > 1 OR b > 0), b int REFERENCES t (a));").Table("t")
	list, _ := table.Constraints()
	var names []string
	for _, k := range list {
		names = append(names, k.Name)
	}
	if want := []string{"t_a_key", "t_a_key1", "t_a_check", "t_check", "t_b_fkey"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}

func TestProblems(t *testing.T) {
	s := made("-- one\nCREATE TABLE t (a int);\nCREATE TABLE\n  u (b int AUTO_INCREMENT);")
	p := s.Problems()
	if len(p) != 1 || p[0].Line != 3 || p[0].Msg != "the grammar rejects it" || p[0].Text != "CREATE TABLE u (b int AUTO_INCREMENT)" {
		t.Errorf("%+v", p)
	}
	if !s.sets[0].foreign {
		t.Error("a script of another system is not noticed")
	}
}

func TestVersions(t *testing.T) {
	names := []string{"R__z.sql", "10_a.sql", "V1.10__b.sql", "V1.2__c.sql", "2_d.sql", "002_a.sql", "V1__e.sql", "20240101T1_f.sql"}
	slices.SortFunc(names, byVersion)
	want := []string{"V1__e.sql", "V1.2__c.sql", "V1.10__b.sql", "002_a.sql", "2_d.sql", "10_a.sql", "20240101T1_f.sql", "R__z.sql"}
	if !slices.Equal(names, want) {
		t.Errorf("%v", names)
	}
}

// TestLimits holds the work on scripts that no project has.
func TestLimits(t *testing.T) {
	var diamond strings.Builder
	diamond.WriteString("CREATE TABLE t0 (a int);")
	for i := range 60 {
		fmt.Fprintf(&diamond, "CREATE TABLE x%[1]d () INHERITS (t%[1]d); CREATE TABLE y%[1]d () INHERITS (t%[1]d); CREATE TABLE t%[2]d () INHERITS (x%[1]d, y%[1]d);", i, i+1)
	}
	diamond.WriteString("ALTER TABLE t0 ADD b int; ALTER TABLE t0 RENAME b TO c; ALTER TABLE t0 DROP c;")
	for name, text := range map[string]string{
		"diamond": diamond.String(),
		"changes": strings.Repeat("DROP INDEX i;", 60_000),
	} {
		begin := time.Now()
		s := made(text)
		if d := time.Since(begin); d > 30*time.Second {
			t.Errorf("%s took %v", name, d)
		}
		if name == "changes" && len(s.Incomplete()) == 0 {
			t.Errorf("%s: the schema is complete", name)
		}
	}
}

func FuzzScript(f *testing.F) {
	for _, s := range []string{accounts, "-- +goose Up\nDO $$ BEGIN EXECUTE 'DROP TABLE t'; END $$", "{{ template \"x\" . }} {{.a}}.b",
		"CREATE TABLE a PARTITION OF a DEFAULT; ALTER TABLE a ADD b int; ALTER TABLE a INHERIT a; DROP TABLE a;",
		"CREATE TABLE a () INHERITS (b); CREATE TABLE b () INHERITS (a); ALTER TABLE a ADD c int, DROP c; ALTER TABLE b RENAME c TO d;",
		"COPY t FROM stdin;\n1\t2\n\\.\nCREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT f()'; SELECT f();",
		"ALTER TABLE a SET SCHEMA b; ALTER SCHEMA b RENAME TO c; DROP SCHEMA c CASCADE; CREATE UNIQUE INDEX ON a (b, (c), d(e)) WHERE f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		begin := time.Now()
		s := made(text, text)
		for _, name := range s.Tables() {
			table, _ := s.Table(name)
			table.UniqueOver("a")
			table.Columns()
			table.References()
			table.ReferencedBy()
			table.Indexed("a")
		}
		for n := range s.sets[0].funcs {
			s.Function(n.name)
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Fatalf("took %v", d)
		}
	})
}

// BenchmarkRead reads the scripts of all tools.
func BenchmarkRead(b *testing.B) {
	var statements int
	for b.Loop() {
		statements = 0
		for _, set := range scan("testdata").sets {
			statements += set.load().statements
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*statements), "µs/statement")
}

// BenchmarkTables reads a long script of usual statements.
func BenchmarkTables(b *testing.B) {
	text := strings.Repeat("CREATE TABLE IF NOT EXISTS t (id bigint PRIMARY KEY, email text NOT NULL UNIQUE, org bigint REFERENCES orgs);\n"+
		"CREATE INDEX IF NOT EXISTS t_org ON t (org) WHERE org > 0;\nALTER TABLE t ADD COLUMN IF NOT EXISTS at timestamptz;\n", 300)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		made(text)
	}
}
