package sqltext

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"
)

// std is packages with much string work, to run the resolver on every string
// value of. No SQL is in them; what counts is that it ends, and how fast.
var std = []string{"text/template", "go/types", "net/http", "go/doc", "encoding/json", "mime/multipart"}

func TestEveryString(t *testing.T) {
	for _, path := range std {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			p := stdProgram(t, path)
			values := stringValues(p.resolver)
			first := map[ssa.Value]Set{}
			var slow time.Duration
			known, texts := 0, 0
			for _, v := range values {
				start := time.Now()
				s := p.resolver.Resolve(v)
				slow = max(slow, time.Since(start))
				first[v] = s
				checkSet(t, v, s)
				if s != nil {
					known++
					texts += len(s)
				}
			}
			t.Logf("%d values, %d known, %d texts, slowest %v, %d over the limit", len(values), known, texts, slow, p.resolver.overruns)

			again := New(p.pkg, p.fset, p.files, p.info, nil)
			for _, v := range slices.Backward(values) {
				if got := again.Resolve(v); !sameSet(got, first[v]) && p.resolver.overruns == 0 {
					t.Errorf("%s: %s in %s: %q, in another order %q", p.fset.Position(v.Pos()), v, v.Parent(), first[v], got)
				}
			}
		})
	}
}

// checkSet looks for what no answer may have.
func checkSet(t *testing.T, v ssa.Value, s Set) {
	t.Helper()
	if len(s) > MaxTexts {
		t.Errorf("%s: %d texts", v, len(s))
	}
	for i, text := range s {
		if text.size() > maxBytes || text.has(recursive) {
			t.Errorf("%s: text %d is no answer: %.100q", v, i, text)
		}
		joined, holes := text.Join()
		for _, h := range holes {
			if h.Off < 0 || h.Off > len(joined) {
				t.Errorf("%s: hole at %d", v, h.Off)
			}
		}
	}
}

func sameSet(a, b Set) bool {
	return slices.EqualFunc(a, b, func(x, y Text) bool { return x.key() == y.key() })
}

func BenchmarkEveryString(b *testing.B) {
	p := stdProgram(b, "net/http")
	values := stringValues(p.resolver)
	b.ReportAllocs()
	for b.Loop() {
		r := New(p.pkg, p.fset, p.files, p.info, nil)
		for _, v := range values {
			r.Resolve(v)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(values)), "ns/value")
}

func BenchmarkQueries(b *testing.B) {
	p := load(b, "testdata/funcs.txtar")
	queries := p.queries()
	b.ReportAllocs()
	for b.Loop() {
		r := New(p.pkg, p.fset, p.files, p.info, nil)
		for _, q := range queries {
			r.Resolve(q.arg)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(queries)), "ns/query")
}

func stdProgram(t testing.TB, path string) *program {
	t.Helper()
	bp, err := build.Default.Import(path, "", 0)
	if err != nil {
		t.Skip(err)
	}
	p := &program{fset: token.NewFileSet()}
	for _, name := range bp.GoFiles {
		f, err := parser.ParseFile(p.fset, filepath.Join(bp.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, f)
	}
	sourceLock.Lock()
	defer sourceLock.Unlock()
	p.build(t, stdImporter{bp.Dir})
	return p
}

type stdImporter struct{ dir string }

func (i stdImporter) Import(path string) (*types.Package, error) {
	return source().(types.ImporterFrom).ImportFrom(path, i.dir, 0)
}

// stringValues are the values of string and []byte types, operands included.
func stringValues(r *Resolver) []ssa.Value {
	var out []ssa.Value
	seen := map[ssa.Value]bool{}
	add := func(v ssa.Value) {
		if v == nil || seen[v] || v.Type() == nil {
			return
		}
		if !isString(v.Type()) && !isByteSlice(v.Type()) && !types.IsInterface(v.Type()) {
			return
		}
		seen[v] = true
		out = append(out, v)
	}
	for _, fn := range functionsOf(r) {
		for _, b := range fn.Blocks {
			for _, inst := range b.Instrs {
				for _, op := range inst.Operands(nil) {
					add(*op)
				}
				if v, ok := inst.(ssa.Value); ok {
					add(v)
				}
			}
		}
	}
	return out
}

func TestPos(t *testing.T) {
	const src = "package p\n\nfunc query(string) {}\n\nconst c = \"cols\"\n\n" +
		"func f(p string) {\n\tquery(\"SELECT \" + c + ` FROM t` + p + \" x\\ty\")\n\tquery(\"BEGIN\")\n\tquery(\"BEGIN\")\n" +
		"\tq := \"  trim me \"\n\tquery(q[2:])\n}\n"
	p := &program{fset: token.NewFileSet()}
	f, err := parser.ParseFile(p.fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p.files = []*ast.File{f}
	p.build(t, stdImporter{"."})
	for n, q := range p.queries() {
		s := p.resolver.Resolve(q.arg)
		if len(s) != 1 {
			t.Fatal(n, s)
		}
		text, _ := s[0].Join()
		exact := 0
		for i := range len(text) {
			pos := s[0].Pos(i)
			if !pos.IsValid() {
				continue
			}
			exact++
			if off := p.fset.Position(pos).Offset; src[off] != text[i] {
				t.Errorf("query %d: byte %d is %q, source has %q", n, i, text[i], src[off])
			}
		}
		missing := 0
		if n == 0 {
			missing = 1 // the tabulator
		}
		if exact != len(text)-missing {
			t.Errorf("query %d: %d of %d bytes of %q have a position", n, exact, len(text), text)
		}
	}
}
