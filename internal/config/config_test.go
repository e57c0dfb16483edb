package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

const everything = `
runners:
  - (*example.com/app/store.Store).InTx
  - func: example.com/app/db.WithTx
    fn: 1
    retries: ["40001", 40P01]
retry:
  - func: (example.com/app/db.Retrier).Do
    fn: 0
getters: [example.com/app/db.Conn]
pools: ["*example.com/app/db.Cluster"]
sessions: [example.com/app/db.Session]
transactions: [example.com/app/db.Work]
externals:
  - func: (example.com/app/pay.Client).Charge
    what: a payment request
internals: [(*example.com/app/cache.Cache).Get]
databases: [legacy, "*Service.analytics", example.com/app/audit.DB]
schema: [db/migrations, "db/*.sql"]
disable: [all]
enable: [externalcall]
pooler: transaction
`

// parse reads a file without looking for its schema.
func parse(file string, data []byte) (*Config, error) {
	p := newParser(file, data)
	p.document(data)
	return p.done()
}

func TestParse(t *testing.T) {
	c, err := parse("f.yaml", []byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []dbapi.Func{
		{Name: "(*example.com/app/store.Store).InTx", Role: dbapi.RunTx},
		{Name: "example.com/app/db.WithTx", Role: dbapi.RunTx, Fn: dbapi.A(1), Again: dbapi.OnError, Retries: []string{"40001", "40P01"}},
		{Name: "(example.com/app/db.Retrier).Do", Role: dbapi.Retry, Fn: dbapi.A(1), Again: dbapi.OnError, Retries: []string{"40001"}},
		{Name: "example.com/app/db.Conn", Role: dbapi.Getter},
		{Name: "(example.com/app/pay.Client).Charge", Role: dbapi.External, What: "a payment request"},
		{Name: "(*example.com/app/cache.Cache).Get", Role: dbapi.Inside},
	} {
		if got := c.Func(want.Name); got == nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%s is %+v, want %+v", want.Name, got, want)
		}
	}
	if c.Func("example.com/app/db.Other") != nil {
		t.Error("a function that is not declared has a row")
	}
	for name, want := range map[string]dbapi.Handle{
		"*example.com/app/db.Cluster":      dbapi.Pool,
		"example.com/app/db.Cluster":       dbapi.Pool,
		"*example.com/app/db.Session[int]": dbapi.Session,
		"example.com/app/db.Work":          dbapi.Tx,
		"example.com/app/db.Other":         dbapi.NoHandle,
	} {
		if got := c.Handle(name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for _, d := range []struct {
		owner, name string
		want        bool
	}{
		{"", "legacy", true},
		{"example.com/app.Any", "legacy", true},
		{"example.com/app.Service", "analytics", true},
		{"example.com/app.OtherService", "analytics", false},
		{"", "analytics", false},
		{"example.com/app/audit", "db", true},
		{"example.com/app/orders", "db", false},
	} {
		if got := c.OtherDatabase(d.owner, d.name); got != d.want {
			t.Errorf("%s.%s is another database: %v", d.owner, d.name, got)
		}
	}
	if !c.Disabled("poolintx") || c.Disabled("externalcall") {
		t.Error("disable: [all] does not leave on what enable names")
	}
	if c.Pooler != "transaction" || c.Hash() == "" {
		t.Error("pooler or hash is missing")
	}
	if err := c.CheckRules([]string{"poolintx"}); err == nil || !strings.HasPrefix(err.Error(), `f.yaml:21: no rule "externalcall"; the rules are poolintx`) {
		t.Errorf("unknown rule: %v", err)
	}
}

// The defaults declare nothing, also as nil.
func TestDefaults(t *testing.T) {
	for _, c := range []*Config{nil, {}} {
		if c.Func("f") != nil || c.Handle("p.T") != dbapi.NoHandle || c.OtherDatabase("", "db") || c.Disabled("poolintx") || c.Hash() != "" || c.CheckRules(nil) != nil {
			t.Error("the defaults declare something")
		}
	}
	for _, text := range []string{"", "# nothing\n", "runners:\n", "{}"} {
		if _, err := parse("f.yaml", []byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"runner: []", `f.yaml:1: unknown key "runner"; the keys are runners, retry, getters,`},
		{"\nrunners: p.F", "f.yaml:2: runners wants a list"},
		{"runners:\n- Do", `f.yaml:2: runners: "Do" is no function; want (*pkg/path.T).Method or pkg/path.Func`},
		{"runners: [a.b/p.Store.InTx]", `f.yaml:1: runners: "a.b/p.Store.InTx" is no function; a method is written (*a.b/p.Store).InTx`},
		{"runners:\n- fun: p.F", `f.yaml:2: unknown key "fun"; the keys are func, fn, retries`},
		{"runners:\n- fn: 1", "f.yaml:2: an element of runners wants a name under the key func"},
		{"runners:\n- func: p.F\n  fn: one", `f.yaml:3: fn: "one" is no parameter`},
		{"runners:\n- func: p.F\n  retries: [serialization]", `f.yaml:3: retries: "serialization" is no SQLSTATE`},
		{"runners: [p.F]\nexternals: [p.F]", "f.yaml:2: externals: p.F is listed under runners already"},
		{"runners: [p.F]\nrunners: [p.G]", `f.yaml:2: key "runners" stands twice`},
		{"externals:\n- func: p.F\n  what: []", "f.yaml:3: what wants words"},
		{"getters:\n- func: p.F\n  fn: 1", `f.yaml:3: unknown key "fn"; the keys are func`},
		{"pools: [DB]", `f.yaml:1: pools: "DB" is no type; want *pkg/path.T`},
		{"pools:\n- *a.b/p.DB", `f.yaml:2: not YAML: `},
		{"databases: [a b]", `f.yaml:1: databases: "a b" is no name`},
		{"schema: db/migrations", "f.yaml:1: schema wants a list"},
		{"schema: ['db/[']", `f.yaml:1: schema: "db/[" is no path; want paths of SQL files or of directories`},
		{"schema: [a.sql, a.sql]", "f.yaml:1: schema: a.sql is listed under schema already"},
		{"enable: [all]", "f.yaml:1: enable wants names of rules"},
		{"pooler: statement", `f.yaml:1: pooler: no mode "statement"; want transaction or session`},
		{"- runners", "f.yaml:1: the file wants keys with values; the keys are runners"},
		{"a: [", "f.yaml:1: not YAML: "},
		{"pooler: session\n---\npooler: session", "f.yaml: want one YAML document"},
	} {
		c, err := parse("f.yaml", []byte(test.text))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.text, err, test.want)
		}
		if c == nil || c.Func("p.F") != nil || c.Hash() == "" {
			t.Errorf("%q: the Config is not the defaults with a hash", test.text)
		}
	}
	if _, err := parse("f.yaml", []byte("pools:\n- *a.b/p.DB")); !strings.Contains(err.Error(), "must be quoted") {
		t.Errorf("a name without quotes: %v", err)
	}
	c, err := parse("f.yaml", []byte("a: 1\nb: 2\ndisable: [nosuch]"))
	if len(Mistakes(err)) != 2 {
		t.Errorf("two mistakes: %v", err)
	}
	if err := c.CheckRules([]string{"poolintx"}); err == nil || c.Disabled("nosuch") {
		t.Errorf("the rules of a file with mistakes: %v", err)
	}
}

func TestLoad(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(FileName, "pooler: session")
	write("repo/.git", "gitdir: elsewhere")
	write("repo/a/x/x.go", "")
	write("work/go.work", "")
	write("work/"+FileName, "pooler: transaction")
	write("work/a/x/x.go", "")
	write("work/b/"+FileName, "pooler: session")
	write("work/b/x/x.go", "")
	write("plain/x.go", "")
	write("broken/"+FileName, "pooler: none")
	for dir, want := range map[string]string{
		"repo/a/x": "", // not beyond .git
		"work":     "transaction",
		"work/a/x": "transaction",
		"work/b/x": "session",
		"plain":    "session",
	} {
		c, err := Load(filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil || c.Pooler != want {
			t.Errorf("%s: pooler %q, %v; want %q", dir, c.Pooler, err, want)
		}
	}
	if c, err := Load(filepath.Join(root, "broken")); !IsError(err) || c == nil {
		t.Errorf("broken: %v, %v", c, err)
	}
	if c, err := Read(filepath.Join(root, "nosuch")); !IsError(err) || c == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("no file: %v, %v", c, err)
	}
}

// TestSchema holds that paths are relative to the file, and must exist.
func TestSchema(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"db/2.sql": "", "db/1.sql": "", "app/migrations/x.sql": "",
		"app/" + FileName:    "schema: [migrations, ../db/*.sql]",
		"broken/" + FileName: "pooler: session\nschema:\n- nosuch\n- ../db",
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Load(filepath.Join(root, "app"))
	want := []string{filepath.Join(root, "app/migrations"), filepath.Join(root, "db/1.sql"), filepath.Join(root, "db/2.sql")}
	if err != nil || !slices.Equal(c.Schema(), want) {
		t.Errorf("%v, %v; want %v", c.Schema(), err, want)
	}
	c, err = Load(filepath.Join(root, "broken"))
	if !IsError(err) || len(Mistakes(err)) != 1 || !strings.Contains(err.Error(), `:3: schema: there is nothing at "nosuch"; want paths of SQL files`) {
		t.Errorf("broken: %v", err)
	}
	if c.Schema() != nil || c.Pooler != "" || c.Hash() == "" {
		t.Error("broken: the Config is not the defaults with a hash")
	}
	if (*Config)(nil).Schema() != nil {
		t.Error("the defaults declare a schema")
	}
}

// The hash changes with each file that can apply in the project, and with no
// other.
func TestHash(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return Hash(filepath.Join(root, "a"))
	}
	before := put("go.work", "")
	if put("a/x.go", "") != before || before != "" {
		t.Error("there is a hash without a file")
	}
	for _, name := range []string{FileName, "a/" + FileName, "b/c/" + FileName} {
		for _, text := range []string{"pooler: session", "pooler: transaction"} {
			after := put(name, text)
			if after == before {
				t.Errorf("%s does not change the hash", name)
			}
			before = after
		}
	}
	if put("a/testdata/"+FileName, "pooler: session") != before {
		t.Error("a file in testdata changes the hash")
	}
}

// TestDocumentation holds that the examples of the page are right, and that the
// first one has every key but enable.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := strings.Split(string(page), "```yaml\n")[1:]
	for i := range examples {
		examples[i], _, _ = strings.Cut(examples[i], "```")
		if _, err := parse("example", []byte(examples[i])); err != nil {
			t.Errorf("%v in\n%s", err, examples[i])
		}
	}
	for _, k := range keys() {
		if k.name != "enable" && !strings.Contains("\n"+examples[0], "\n"+k.name+":") {
			t.Errorf("the first example has no %s", k.name)
		}
		if !strings.Contains(string(page), "`"+k.name+"`") {
			t.Errorf("the table has no %s", k.name)
		}
	}
}

// TestSettings holds that a value of another tool's file says the same as a file,
// and that mistakes in it are found by their keys.
func TestSettings(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "db"), 0o755); err != nil {
		t.Fatal(err)
	}
	c, err := Settings("tool.settings", root, map[string]any{
		"runners": []any{"p.Do", map[string]any{"func": "p.WithTx", "fn": 1, "retries": []any{"40001"}}},
		"schema":  []any{"db"},
		"rules":   []any{"poolintx", "externalcall"},
		"disable": []any{"lostupdate"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := dbapi.Func{Name: "p.WithTx", Role: dbapi.RunTx, Fn: dbapi.A(1), Again: dbapi.OnError, Retries: []string{"40001"}}
	if got := c.Func("p.WithTx"); got == nil || !reflect.DeepEqual(*got, want) {
		t.Errorf("p.WithTx is %+v, want %+v", got, want)
	}
	if !c.Declares() || !slices.Equal(c.Schema(), []string{filepath.Join(root, "db")}) {
		t.Errorf("the schema is %v", c.Schema())
	}
	for _, d := range []struct {
		rule            string
		byDefault, want bool
	}{{"poolintx", true, true}, {"externalcall", false, true}, {"sessionset", true, false}, {"lostupdate", true, false}} {
		if got := c.Runs(d.rule, d.byDefault); got != d.want {
			t.Errorf("%s runs: %v", d.rule, got)
		}
	}
	if err := c.CheckRules([]string{"poolintx", "lostupdate"}); err == nil || !strings.HasPrefix(err.Error(), `tool.settings.rules[1]: no rule "externalcall"`) {
		t.Errorf("unknown rule: %v", err)
	}
	if err := c.UseForAll(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = Use("") }() // as it was
	if used, err := Read(Analyzer.Flags.Lookup(fileFlag).Value.String()); err != nil || used != c {
		t.Errorf("the configuration of all packages is %v, %v", used, err)
	}
	for _, d := range []any{nil, map[string]any{}, map[string]any{"disable": []any{"poolintx"}}} {
		if c, err := Settings("tool.settings", root, d); err != nil || c.Declares() {
			t.Errorf("%v declares something, or %v", d, err)
		}
	}
	for _, d := range []struct {
		value any
		want  string
	}{
		{map[string]any{"runner": []any{}}, `tool.settings: unknown key "runner"; the keys are rules, runners, `},
		{map[string]any{"retry": []any{"p.Do", map[string]any{"fun": "p.F"}}}, `tool.settings.retry[1]: unknown key "fun"; the keys are func, fn`},
		{map[string]any{"pools": "db"}, "tool.settings.pools: pools wants a list"},
		{map[string]any{"schema": []any{"db", "nosuch"}}, `tool.settings.schema[1]: schema: there is nothing at "nosuch"`},
		{[]any{"poolintx"}, "tool.settings: tool.settings wants keys with values"},
	} {
		if _, err := Settings("tool.settings", root, d.value); !IsError(err) || !strings.HasPrefix(err.Error(), d.want) {
			t.Errorf("%v: %v, want %s", d.value, err, d.want)
		}
	}
}
