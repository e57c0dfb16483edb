package pgsql

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// one parses a text that holds one statement.
func one(t *testing.T, text string, style Style) *Statement {
	t.Helper()
	list := Parse(source(text, style))
	if len(list) != 1 {
		t.Fatalf("%q: %d statements, want 1", text, len(list))
	}
	return list[0]
}

func TestKinds(t *testing.T) {
	for _, tc := range []struct {
		text string
		want Kind
	}{
		{"select 1", Select}, {"(select 1)", Select}, {"values (1)", Select}, {"table t", Select},
		{"with x as (select 1) delete from t", Delete}, {"set a = 1", Set}, {"reset a", Reset},
		{"set transaction read only", SetTransaction}, {"set session characteristics as transaction read only", SetTransaction},
		{"set constraints all immediate", SetConstraints}, {"discard temp", Discard}, {"begin", Begin},
		{"start transaction", Begin}, {"end", Commit}, {"prepare transaction 'a'", Commit}, {"abort", Rollback},
		{"rollback to a", RollbackTo}, {"release a", ReleaseSavepoint}, {"lock t", LockTable}, {"move 1 in c", Fetch},
		{"create temp table t (a int)", CreateTable}, {"create table t as select 1", CreateTable},
		{"create temp view v as select 1", DDL}, {"alter table t add a int", DDL}, {"alter system reset all", Other},
		{"do $$begin end$$", Do}, {"call p()", Call}, {"show all", Show}, {"vacuum", Other}, {"explain select 1", Explain},
	} {
		for _, text := range []string{tc.text, tc.text + " ) ) "} { // by the grammar, and by the tokens
			if st := one(t, text, StyleAuto); st.Kind != tc.want {
				t.Errorf("%q: %v, want %v", text, st.Kind, tc.want)
			}
		}
	}
}

// TestPositions holds the positions to the text they point at.
func TestPositions(t *testing.T) {
	for _, s := range corpus(t) {
		for _, st := range Parse(s.src) {
			if err := checkPositions(s.src, st); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
		}
	}
}

// checkPositions reports the first position that is out of range or points at
// the wrong text.
func checkPositions(src Source, st *Statement) error {
	if st.Pos < 0 || st.End < st.Pos || st.End > len(src.Text) || src.Text[st.Pos:st.End] != st.Text {
		return fmt.Errorf("statement %d..%d %q", st.Pos, st.End, st.Text)
	}
	for _, l := range st.Locks {
		if l.Pos == -1 && l.End == -1 {
			continue
		}
		if l.Pos < st.Pos || l.End > st.End || l.Pos > l.End || !strings.EqualFold(src.Text[l.Pos:l.Pos+3], "for") {
			return fmt.Errorf("%v at %d..%d of %q", l.Strength, l.Pos, l.End, src.Text)
		}
	}
	for _, a := range st.Advisory {
		if a.Pos == -1 && a.End == -1 {
			continue
		}
		if a.Pos < st.Pos || a.End > st.End || !strings.EqualFold(strings.Trim(src.Text[a.Pos:a.End], `"`), a.Func) {
			return fmt.Errorf("%s at %d..%d of %q", a.Func, a.Pos, a.End, src.Text)
		}
	}
	return nil
}

func TestLockText(t *testing.T) {
	const text = "SELECT 1 FROM {} WHERE a = '{}ž' /* for update */ FOR NO KEY UPDATE OF t NOWAIT; SELECT 2"
	src := source(text, StyleAuto)
	l := Parse(src)[0].Locks[0]
	if got, want := src.Text[l.Pos:l.End], "FOR NO KEY UPDATE OF t NOWAIT"; got != want {
		t.Errorf("lock at %q, want %q", got, want)
	}
}

func TestTrailing(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT 1 FROM t{}":                            true,
		"SELECT 1 FROM t WHERE a = $1 {}":              true,
		"SELECT 1 FROM t WHERE {}":                     true,
		"SELECT 1 FROM t WHERE a = 1 AND {}":           true,
		"SELECT 1 FROM t WHERE a = 1 FOR UPDATE {}":    true,
		"SELECT 1 FROM t FOR {}":                       true,
		"SELECT 1 FROM t WHERE a IN (SELECT 1 {})":     true,
		"SELECT 1 FROM {} WHERE a = 1":                 false,
		"SELECT {} FROM t WHERE a = 1":                 false,
		"SELECT 1 FROM t WHERE a = {}":                 false,
		"SELECT 1 FROM t LIMIT {}":                     false,
		"SELECT 1 FROM t WHERE a IN ({})":              false,
		"SELECT 1 FROM t WHERE a = f(b {})":            false,
		"SELECT 1 FROM t WHERE a = 1{literal}":         false,
		"SELECT 1 FROM t_{} WHERE a = 1":               false,
		"SELECT 1 FROM t WHERE {} ORDER BY a LIMIT 1":  false,
		"UPDATE t SET a = 1 WHERE b = '{}' AND c = $1": false,
	} {
		if st := one(t, text, StyleAuto); st.Trailing != want || !st.Holes {
			t.Errorf("%q: trailing %v, holes %v, want %v", text, st.Trailing, st.Holes, want)
		}
	}
}

// TestLimits holds the work on texts that are large or deep.
func TestLimits(t *testing.T) {
	rows := strings.Repeat("('xxxxxxxxxxxxxxxxxxxxxxxxx', 1), ", 2000)
	for name, tc := range map[string]struct {
		text    string
		n       int
		partial bool
	}{
		"long":       {"INSERT INTO t VALUES " + rows + "(1, 2)", 1, true},
		"operators":  {"SELECT " + strings.Repeat("1+", 12000) + "1 FROM t FOR UPDATE", 1, true},
		"brackets":   {"SELECT " + strings.Repeat("(", 10000) + "1", 1, true},
		"not":        {"SELECT " + strings.Repeat("NOT ", 7000) + "true", 1, true},
		"union":      {"SELECT 1" + strings.Repeat(" UNION SELECT 1", 2000), 1, true},
		"joins":      {"SELECT 1 FROM a" + strings.Repeat(" JOIN b ON c", 2000), 1, true},
		"long_or":    {"SELECT 1 FROM t WHERE a = 1" + strings.Repeat(" OR a = 1", 2000), 1, false},
		"script":     {strings.Repeat("UPDATE t SET a = 1 WHERE b = 2;\n", 3000), 3000, false},
		"semicolons": {strings.Repeat(";", 1<<20), 0, false},
		"quotes":     {strings.Repeat("'", 1<<20+1), 1, true},
		"comments":   {strings.Repeat("/*", 1<<19), 0, false},
		"dollars":    {strings.Repeat("$a", 1<<17), 1, true},
		"holes":      {strings.Repeat("{}", 5000), 1, true},
		"many_holes": {"SELECT 1 FROM t WHERE " + strings.Repeat("a {} b ", 400), 1, true},
		"colons":     {strings.Repeat("(:a", 30000), 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			list := Parse(source(tc.text, StyleAuto))
			if d := time.Since(begin); d > 3*time.Second {
				t.Errorf("took %v", d)
			}
			if len(list) != tc.n || tc.n > 0 && list[0].Partial != tc.partial {
				t.Errorf("%d statements, want %d partial %v", len(list), tc.n, tc.partial)
			}
		})
	}
}

// TestConcurrent parses the corpus from several goroutines.
func TestConcurrent(t *testing.T) {
	samples := corpus(t)
	done := make(chan int)
	for range max(runtime.NumCPU(), 4) {
		go func() {
			n := 0
			for _, s := range samples {
				n += len(Parse(s.src))
			}
			done <- n
		}()
	}
	var counts []int
	for range max(runtime.NumCPU(), 4) {
		counts = append(counts, <-done)
	}
	if len(slices.Compact(counts)) != 1 {
		t.Errorf("different results: %v", counts)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range corpus(f) {
		off := 0
		if len(s.src.Holes) > 0 {
			off = s.src.Holes[0].Off
		}
		f.Add(s.src.Text, off, len(s.src.Text), uint8(s.src.Style))
	}
	f.Fuzz(func(t *testing.T, text string, hole1, hole2 int, style uint8) {
		src := Source{Text: text, Style: Style(style % 5)}
		for i, off := range []int{hole1, hole2} {
			if off >= 0 && off <= len(text) {
				src.Holes = append(src.Holes, Hole{Off: off, Kind: HoleKind((int(style)/5 + i) % 4)})
			}
		}
		begin := time.Now()
		for _, st := range Parse(src) {
			if err := checkPositions(src, st); err != nil {
				t.Fatal(err)
			}
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Fatalf("took %v", d)
		}
	})
}

var benchmarks = map[string]string{
	"Lock":   "SELECT id, balance FROM accounts WHERE id = $1 FOR UPDATE",
	"Update": "UPDATE accounts SET balance = balance - $1, updated_at = now() WHERE id = $2 AND version = $3",
	"Insert": "INSERT INTO counters (k, n) VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET n = counters.n + excluded.n RETURNING n",
	"Join":   "WITH c AS (SELECT id FROM jobs WHERE status = $1 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) UPDATE jobs j SET status = 'x' FROM c WHERE j.id = c.id RETURNING j.*",
	"Holes":  "SELECT {} FROM {} WHERE a = $1 {} ORDER BY {} LIMIT {}",
	"Set":    "SET LOCAL lock_timeout = '5s'",
	"Broken": "SELECT a b c FROM t WHERE FOR UPDATE",
}

func BenchmarkParse(b *testing.B) {
	for name, text := range benchmarks {
		src := source(text, StyleAuto)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(src)
			}
		})
	}
}

func BenchmarkParseCorpus(b *testing.B) {
	samples := corpus(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range samples {
			Parse(s.src)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(samples)), "µs/text")
}
