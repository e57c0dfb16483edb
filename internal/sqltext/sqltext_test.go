package sqltext

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/txtar"
)

// The archives in testdata hold Go packages: files at the top are the package
// under test, files in a folder a package that it imports by that path.
// A call query(v) is followed by a comment with the texts wanted, as Go strings
// in order, or with none:
//
//	query(q) // want "SELECT 1" "SELECT 2"
//	query(p) // want none
func TestResolve(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			p := load(t, name)
			n := 0
			for _, q := range p.queries() {
				n++
				line := p.fset.Position(q.call.Pos()).Line
				want, ok := p.wants[line]
				if !ok {
					t.Errorf("line %d: query without want", line)
					continue
				}
				var got []string
				for _, text := range p.resolver.Resolve(q.arg) {
					got = append(got, text.String())
				}
				if !slices.Equal(got, want) {
					t.Errorf("line %d:\n got  %q\n want %q", line, got, want)
				}
			}
			if n == 0 || n < len(p.wants) {
				t.Errorf("%d queries for %d comments", n, len(p.wants))
			}
		})
	}
}

type program struct {
	fset     *token.FileSet
	pkg      *ssa.Package
	files    []*ast.File
	info     *types.Info
	resolver *Resolver
	wants    map[int][]string
	data     map[string]string
}

var sourceLock sync.Mutex

var source = sync.OnceValue(func() types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "source", nil)
})

func load(t testing.TB, archive string) *program {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	p := &program{fset: token.NewFileSet(), wants: map[int][]string{}, data: map[string]string{}}
	imp := fakes{p.fset, map[string][]*ast.File{}, map[string]*types.Package{}}
	for _, f := range ar.Files {
		if !strings.HasSuffix(f.Name, ".go") {
			p.data[f.Name] = string(f.Data)
			continue
		}
		file, err := parser.ParseFile(p.fset, f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if dir := filepath.Dir(f.Name); dir != "." {
			imp.files[dir] = append(imp.files[dir], file)
			continue
		}
		p.files = append(p.files, file)
		for _, g := range file.Comments {
			p.want(t, g)
		}
	}
	p.build(t, imp)
	return p
}

func (p *program) build(t testing.TB, imp types.Importer) {
	t.Helper()
	p.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: imp, GoVersion: "go1.26"}
	tpkg, err := conf.Check("example.com/p", p.fset, p.files, p.info)
	if err != nil {
		t.Fatal(err)
	}
	p.pkg = buildSSA(p.fset, tpkg, p.files, p.info)
	p.resolver = New(p.pkg, p.fset, p.files, p.info, func(name string) ([]byte, error) {
		s, ok := p.data[name]
		if !ok {
			return nil, fmt.Errorf("no file %s", name)
		}
		return []byte(s), nil
	})
}

func buildSSA(fset *token.FileSet, tpkg *types.Package, files []*ast.File, info *types.Info) *ssa.Package {
	prog := ssa.NewProgram(fset, 0)
	seen := map[*types.Package]bool{}
	var deps func(pkgs []*types.Package)
	deps = func(pkgs []*types.Package) {
		for _, d := range pkgs {
			if !seen[d] {
				seen[d] = true
				deps(d.Imports())
				prog.CreatePackage(d, nil, nil, true)
			}
		}
	}
	deps(tpkg.Imports())
	pkg := prog.CreatePackage(tpkg, files, info, false)
	pkg.Build()
	return pkg
}

func (p *program) want(t testing.TB, g *ast.CommentGroup) {
	for _, c := range g.List {
		s, ok := strings.CutPrefix(c.Text, "// want ")
		if !ok {
			continue
		}
		line := p.fset.Position(c.Pos()).Line
		p.wants[line] = nil
		for s = strings.TrimSpace(s); s != "none" && s != ""; s = strings.TrimSpace(s) {
			q, err := strconv.QuotedPrefix(s)
			if err != nil {
				t.Fatalf("line %d: %v in %q", line, err, s)
			}
			text, _ := strconv.Unquote(q)
			p.wants[line] = append(p.wants[line], text)
			s = s[len(q):]
		}
	}
}

// fakes imports packages of the archive, and others from the standard library.
type fakes struct {
	fset  *token.FileSet
	files map[string][]*ast.File
	done  map[string]*types.Package
}

func (f fakes) Import(path string) (*types.Package, error) {
	if p := f.done[path]; p != nil {
		return p, nil
	}
	files, ok := f.files[path]
	if !ok {
		return source().Import(path)
	}
	p, err := (&types.Config{Importer: f}).Check(path, f.fset, files, nil)
	f.done[path] = p
	return p, err
}

type queryCall struct {
	call ssa.CallInstruction
	arg  ssa.Value
}

// queries are the calls of query in source order.
func (p *program) queries() []queryCall {
	var out []queryCall
	for _, fn := range functionsOf(p.resolver) {
		for _, b := range fn.Blocks {
			for _, inst := range b.Instrs {
				call, ok := inst.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if callee := call.Common().StaticCallee(); callee != nil && callee.Name() == "query" {
					args := call.Common().Args
					out = append(out, queryCall{call, args[len(args)-1]})
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b queryCall) int { return int(a.call.Pos() - b.call.Pos()) })
	return out
}

func functionsOf(r *Resolver) []*ssa.Function {
	var out []*ssa.Function
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil {
			return
		}
		out = append(out, fn)
		for _, a := range fn.AnonFuncs {
			add(a)
		}
	}
	for _, fn := range r.declared() {
		add(fn)
	}
	return out
}

func TestSubstitute(t *testing.T) {
	p := load(t, "testdata/subst.txtar")
	anything := func(*Hole) Set { return Anything() }
	same := func(*Hole) Set { return nil }
	with := func(texts ...string) func(*Hole) Set {
		return func(*Hole) Set {
			var s Set
			for _, text := range texts {
				s = append(s, literal(text))
			}
			return s
		}
	}
	tests := []struct {
		query  int
		params string
		arg    func(*Hole) Set
		want   []string
	}{
		{0, "[t]", with("a", "b"), []string{"FROM a", "FROM b"}},
		{0, "[t]", anything, []string{"FROM ‹?›"}},
		{0, "[t]", same, []string{"FROM ‹t›"}},
		{1, "[t:ident]", with("a", "A b"), []string{"FROM a", `FROM "A b"`}},
		{1, "[t:ident]", anything, []string{"FROM ‹ident›"}},
		{2, "[n:lit]", with("5"), []string{"LIMIT 5"}},
		{2, "[n:lit]", with("x"), []string{"LIMIT ‹lit›"}},
		{2, "[n:lit]", anything, []string{"LIMIT ‹lit›"}},
		{3, "[t]", anything, nil},
		{3, "[t]", with("SELECT 1"), []string{"SELECT 1"}},
		{4, "[]", with("x"), []string{"SELECT 1"}},
		{5, "[t n:lit]", with("7"), []string{"7 7 7"}},
		{0, "[t]", with("1", "2", "3", "4", "5", "6", "7", "8", "9"), []string{"FROM ‹?›"}},
	}
	for _, tt := range tests {
		s := p.resolver.Resolve(p.queries()[tt.query].arg)
		if got := fmt.Sprint(names(s.Params())); got != tt.params {
			t.Errorf("query %d: parameters %s, want %s", tt.query, got, tt.params)
		}
		var got []string
		for _, text := range s.Substitute(tt.arg) {
			got = append(got, text.String())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("query %d: got %q, want %q", tt.query, got, tt.want)
		}
	}
}

func names(holes []*Hole) []string {
	var out []string
	for _, h := range holes {
		out = append(out, h.String())
	}
	return out
}

func TestResolveField(t *testing.T) {
	p := load(t, "testdata/field.txtar")
	want := []string{`["UPDATE"] [""]`, `["UPDATE"] ["NOWAIT"]`, `["‹l.Strength›"] ["‹l.Options›"]`, `["SHARE"] [""]`}
	for i, q := range p.queries() {
		arg := q.arg.(*ssa.MakeInterface).X
		show := func(field string) []string {
			var out []string
			for _, text := range p.resolver.ResolveField(arg, field) {
				out = append(out, text.String())
			}
			return out
		}
		if got := fmt.Sprintf("%q %q", show("Strength"), show("Options")); got != want[i] {
			t.Errorf("query %d: got %s, want %s", i, got, want[i])
		}
	}
}
