// Package load turns a Go module on disk into type-checked packages.
//
// Nothing is compiled and no export data is read: the go command lists the
// packages, and all of them are type-checked from source in one universe of
// types. The user's own packages are loaded in full, with syntax and
// types.Info; dependencies are checked without function bodies, and only
// their types are kept. That is faster and smaller than go/packages for a
// run over a whole module, and independent of the state of the build cache.
package load

import (
	"context"
	"fmt"
	"go/token"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A Config says what to load.
type Config struct {
	Dir      string   // where patterns are resolved; the current directory if empty
	Env      []string // environment of the go command; the process's own if nil
	Patterns []string // of the go command; "./..." if empty
	Tests    bool     // with test files, as go vet has them
	Tags     string   // build tags, comma-separated

	// Overlay is the text of files that is to be taken instead of what is on
	// disk, by absolute names. cgo does not see it.
	Overlay map[string][]byte

	// Mark reports something of a file of the user that packages ask which do
	// not import it. It is asked by a [Universe] only.
	Mark func(src []byte) bool

	// Bodies reports whether a package that is not the user's is to be
	// loaded in full as well. It is asked before anything is parsed: names,
	// files, Module and Imports of the package are set, types and syntax
	// are not. Nil means none.
	Bodies func(*packages.Package) bool

	// Progress is told, if it is not nil, how many packages are type-checked of
	// those that there are. It is called by several goroutines, one at a time.
	Progress func(done, total int)
}

// A Program is the result of a load.
type Program struct {
	Fset *token.FileSet

	// Roots are the packages that the patterns matched, in the go command's
	// order, dependencies first. With tests, "p [p.test]" stands for p, and
	// an external test package is a root of its own. Packages in Failures
	// are among them; their IllTyped is set.
	Roots []*packages.Package

	// Failures are the roots, and the user's packages below them, that
	// cannot be analysed.
	Failures []Failure
}

// A Failure is a package of the user that cannot be analysed.
type Failure struct {
	Package *packages.Package
	// Cause is the package whose errors keep Package from being analysed
	// when Package has none of its own making; otherwise it is nil.
	Cause *packages.Package
}

// Pos is the position of the first error as the go command writes it,
// "file:line:col" with an absolute file name, or "" if it has none.
func (f Failure) Pos() string {
	if f.Cause != nil || len(f.Package.Errors) == 0 || f.Package.Errors[0].Pos == "-" {
		return ""
	}
	return f.Package.Errors[0].Pos
}

// Message says why the package is not analysed: its first error, or the name
// of the package that is the cause.
func (f Failure) Message() string {
	switch {
	case f.Cause != nil && !User(f.Cause) && len(f.Cause.Errors) > 0:
		return fmt.Sprintf("%s: not analysed because package %s does not type-check: %v",
			f.Package.ID, f.Cause.ID, f.Cause.Errors[0])
	case f.Cause != nil:
		return fmt.Sprintf("%s: not analysed because package %s does not type-check", f.Package.ID, f.Cause.ID)
	case len(f.Package.Errors) == 0:
		return f.Package.ID + ": does not type-check"
	}
	msg := f.Package.Errors[0].Msg
	if f.Pos() == "" && !strings.Contains(msg, f.Package.ID) {
		msg = f.Package.ID + ": " + msg
	}
	return msg
}

// User reports whether p is the user's own code: not the standard library,
// not from the module cache and not vendored. A module replaced by a local
// directory is the user's, whatever version it carries.
func User(p *packages.Package) bool {
	if strings.Contains(filepath.ToSlash(p.Dir), "/vendor/") {
		return false
	}
	m := p.Module
	if m == nil {
		// Files given on the command line, GOPATH, or the standard library.
		return p.PkgPath == "command-line-arguments" || p.Dir != "" && strings.Contains(firstElement(p.PkgPath), ".")
	}
	return m.Main || m.Replace != nil && m.Replace.Version == ""
}

// firstElement is the path up to its first slash. The standard library's
// has no dot.
func firstElement(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

// Load lists, parses and type-checks the packages that the configuration
// asks for and all they depend on.
//
// A package with errors is not an error of Load; it is among the Failures.
// An error means that there is nothing to analyse: no go command, no module,
// no package matched, or a Go that is too new.
func Load(ctx context.Context, cfg Config) (*Program, error) {
	if len(cfg.Patterns) == 0 {
		cfg.Patterns = []string{"./..."}
	}
	goCmd, err := newGoCommand(cfg.Dir, cfg.Env)
	if err != nil {
		return nil, err
	}
	env, err := goCmd.environment(ctx)
	if err != nil {
		return nil, err
	}
	if err := env.check(goCmd.dir, cfg.Patterns); err != nil {
		return nil, err
	}
	pkgs, err := goCmd.listAll(ctx, &cfg)
	if err != nil {
		return nil, err
	}
	l := &loader{cfg: &cfg, env: env, goCmd: goCmd}
	if l.graph(pkgs); len(l.roots) == 0 {
		return nil, fmt.Errorf("no packages matched %s", strings.Join(cfg.Patterns, " "))
	}
	if err := l.translateCgo(ctx, func(n *node) bool { return n.full }); err != nil {
		return nil, err
	}
	if err := l.check(ctx); err != nil {
		return nil, err
	}
	if l.cgoTypesMissing() {
		// A dependency's API is made of C types, which only cgo knows.
		l.graph(pkgs)
		if err := l.translateCgo(ctx, func(n *node) bool { return !n.list.Standard }); err != nil {
			return nil, err
		}
		if err := l.check(ctx); err != nil {
			return nil, err
		}
	}
	return l.program(), nil
}

// A loader holds one load.
type loader struct {
	cfg   *Config
	env   *goEnv
	goCmd *goCommand
	fset  *token.FileSet
	// outlines is set when no package is loaded in full; fset is given then.
	outlines bool

	nodes map[string]*node // by ID
	order []*node          // what the roots need, dependencies first
	roots []*node
}

// A node is one package while it is loaded.
type node struct {
	list *listed
	pkg  *packages.Package
	root bool
	full bool // with function bodies, comments and types.Info
	// cgo is set when the files are those that cgo made, so that C types
	// are known.
	cgo bool

	ordered   bool // it is in the order
	imports   []*node
	importers []*node
	broken    bool  // the package itself has errors
	cause     *node // the package whose errors make this one unfit
	work      work
	kept      kept
}

// graph builds the nodes for the packages that the roots need.
func (l *loader) graph(pkgs []*listed) {
	if !l.outlines {
		l.fset = token.NewFileSet()
	}
	l.nodes = make(map[string]*node, len(pkgs))
	l.order, l.roots = nil, nil
	for _, p := range pkgs {
		l.nodes[p.ImportPath] = l.newNode(p)
	}
	// A package is analysed once: where its in-package tests are built
	// with it, that is the one.
	tested := make(map[string]bool)
	for _, p := range pkgs {
		if p.ForTest != "" && p.pkgPath() == p.ForTest {
			tested[p.ForTest] = true
		}
	}
	for _, p := range pkgs {
		if p.DepOnly || p.isTestMain() || p.ForTest == "" && tested[p.ImportPath] {
			continue
		}
		if len(p.GoFiles)+len(p.CgoFiles) == 0 && (p.Error == nil || p.Name != "" && !p.named()) {
			continue // only tests, or only files for other platforms
		}
		n := l.nodes[p.ImportPath]
		n.root = true
		l.roots = append(l.roots, n)
	}
	for _, n := range l.roots {
		l.visit(n, make(map[*node]bool))
	}
	for _, n := range l.order {
		n.full = !l.outlines && (n.root || User(n.pkg) && !n.list.Standard ||
			!n.list.Standard && l.cfg.Bodies != nil && l.cfg.Bodies(n.pkg))
	}
}

// visit connects a node to what it imports, and adds both to the order. open
// holds the nodes that are being visited: an import of one of those is a
// cycle, an error of the package, and left out.
func (l *loader) visit(n *node, open map[*node]bool) {
	if n.ordered {
		return
	}
	open[n] = true
	for path, dep := range l.imports(n) {
		if open[dep] {
			if !slices.Contains(n.list.Imports, dep.list.ImportPath) {
				continue // one of cgoImports
			}
			n.broken = true
			if n.list.Error == nil {
				n.pkg.Errors = append(n.pkg.Errors, packages.Error{
					Msg: "import cycle not allowed: it imports " + dep.pkg.PkgPath, Kind: packages.ListError})
			}
			continue
		}
		l.visit(dep, open)
		n.pkg.Imports[path] = dep.pkg
		n.imports = append(n.imports, dep)
		dep.importers = append(dep.importers, n)
	}
	delete(open, n)
	n.ordered = true
	l.order = append(l.order, n)
}

// newNode makes the package for what go list says about it.
func (l *loader) newNode(p *listed) *node {
	n := &node{list: p, pkg: &packages.Package{
		ID:           p.ImportPath,
		Name:         p.Name,
		PkgPath:      p.pkgPath(),
		Dir:          p.Dir,
		GoFiles:      absolute(p.Dir, p.GoFiles, p.CgoFiles),
		OtherFiles:   absolute(p.Dir, p.CFiles, p.HFiles, p.SFiles),
		IgnoredFiles: absolute(p.Dir, p.IgnoredGoFiles, p.IgnoredOtherFiles),
		EmbedFiles:   absolute(p.Dir, p.EmbedFiles),
		Imports:      make(map[string]*packages.Package, len(p.Imports)),
		Module:       p.Module,
		ForTest:      p.ForTest,
		Fset:         l.fset,
		TypesSizes:   l.env.sizes(),
	}}
	n.pkg.CompiledGoFiles = n.pkg.GoFiles
	if e := p.Error; e != nil {
		n.broken = true
		n.pkg.Errors = append(n.pkg.Errors, packages.Error{
			Pos: absolutePos(l.goCmd.dir, e.Pos), Msg: e.text(), Kind: packages.ListError})
	}
	return n
}

// cgoImports are what files that cgo makes can import, which go list does not
// say.
var cgoImports = []string{"unsafe", "runtime/cgo", "syscall"}

// imports gives the packages that a package imports, by the path in its
// source.
func (l *loader) imports(n *node) iter.Seq2[string, *node] {
	source := make(map[string]string, len(n.list.ImportMap)) // resolved to path in the source
	for path, id := range n.list.ImportMap {
		source[id] = path
	}
	ids := n.list.Imports
	if len(n.list.CgoFiles) > 0 {
		for _, id := range cgoImports {
			if !slices.Contains(ids, id) {
				ids = append(slices.Clip(ids), id)
			}
		}
	}
	return func(yield func(string, *node) bool) {
		for _, id := range ids {
			dep := l.nodes[id]
			if dep == nil {
				continue // "C"
			}
			path := id
			if p, ok := source[id]; ok {
				path = p
			}
			if !yield(path, dep) {
				return
			}
		}
	}
}

// program collects what the caller is to see.
func (l *loader) program() *Program {
	prog := &Program{Fset: l.fset}
	for _, n := range l.order {
		if n.root {
			prog.Roots = append(prog.Roots, n.pkg)
		}
		if !n.full || !n.pkg.IllTyped || !n.root && !User(n.pkg) {
			continue
		}
		f := Failure{Package: n.pkg}
		if n.cause != nil {
			f.Cause = n.cause.pkg
		}
		if !slices.ContainsFunc(prog.Failures, f.same) {
			prog.Failures = append(prog.Failures, f)
		}
	}
	return prog
}

// same reports whether g says what f says: a package and its test variant
// fail alike.
func (f Failure) same(g Failure) bool {
	if f.Package.PkgPath != g.Package.PkgPath || (f.Cause == nil) != (g.Cause == nil) {
		return false
	}
	if f.Cause != nil {
		return f.Cause.PkgPath == g.Cause.PkgPath
	}
	return f.Pos() == g.Pos() && f.Message() == g.Message()
}

// absolute joins file names to their directory.
func absolute(dir string, lists ...[]string) []string {
	var files []string
	for _, list := range lists {
		for _, name := range list {
			if !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			files = append(files, name)
		}
	}
	return files
}

// absolutePos makes the file of a position of the go command absolute.
func absolutePos(dir, pos string) string {
	if pos == "" || filepath.IsAbs(pos) {
		return pos
	}
	return filepath.Join(dir, pos)
}
