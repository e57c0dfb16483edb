package load

import (
	"context"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

// A Universe keeps a loaded program in memory, for a process that asks again
// and again while the files change. Of every package, the user's own as well,
// it keeps the types without function bodies: its outline. [Universe.Check]
// loads one of the user's packages in full, on top of the outlines.
//
// An outline is made anew when the declarations of the package have changed, or
// the outline of a package that it imports. A change of function bodies, of
// functions that nobody sees, of comments or layout leaves all outlines as they are.
//
// Refresh must not run beside other methods; Check can run beside itself.
type Universe struct {
	cfg   Config
	goCmd *goCommand
	fset  *token.FileSet

	env     *goEnv
	l       *loader
	listed  []*listed
	control map[string]stamp // go.mod and what else decides on the list
	dirs    map[string]*dir  // directories of the user's packages
	shapes  map[string]*shaped
	files   []*token.File // of the file set
	version uint64
	relist  bool
	marks   uint64
	// cgoDeps is set when dependencies need the types of C.
	cgoDeps bool
}

// kept is what a node takes over from the load before, or leaves to the next.
type kept struct {
	like    likeness // to the load before; it has the types of that if it is alike
	version uint64
	text    uint64 // the version of the text
	api     uint64 // the version of what those that import it find
	imports uint64 // the version of the types that it imports
	user    bool
	shapes  []fileShape
	files   []*token.File
}

func (k *kept) remember(fset *token.FileSet, files []*ast.File) {
	k.files = nil
	for _, f := range files {
		k.files = append(k.files, fset.File(f.FileStart))
	}
}

// A stamp tells whether a file is still the same.
type stamp struct {
	modified time.Time
	size     int64
}

func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}

// A dir is a directory of the user's packages.
type dir struct {
	stamp stamp
	names []string // of its Go files
}

// A shaped is the shape of a file as it was last read.
type shaped struct {
	stamp stamp // zero when the text is that of the overlay
	shape fileShape
}

// Open prepares a Universe. It is empty until the first Refresh. The overlay is
// given to Refresh, and Bodies is not asked.
func Open(cfg Config) (*Universe, error) {
	if len(cfg.Patterns) == 0 {
		cfg.Patterns = []string{"./..."}
	}
	goCmd, err := newGoCommand(cfg.Dir, cfg.Env)
	if err != nil {
		return nil, err
	}
	return &Universe{cfg: cfg, goCmd: goCmd, fset: token.NewFileSet(), relist: true, shapes: map[string]*shaped{}}, nil
}

// A Package is one package of a Universe. It holds until the next Refresh.
type Package struct {
	*packages.Package // the outline; Syntax and TypesInfo are nil

	Root    bool       // matched by the patterns
	Imports []*Package // the user's packages among the imports
	// Version is another one after every change of the package's text, and of
	// the types that it imports, except where these only have more functions: if
	// the package type-checks, it means the same.
	Version uint64
	// TextVersion is another one after every change of the package's text.
	TextVersion uint64
	// ImportsVersion is another one after every change of the types that the
	// package imports.
	ImportsVersion uint64
	// APIVersion is another one after every change of the package's outline, with
	// the same exception.
	APIVersion uint64

	n *node
}

// Relist makes the next Refresh ask the go command for the packages, as it does
// by itself when it sees that files have come or gone, or that imports have
// changed. A directory of which no package is known yet it cannot see.
func (u *Universe) Relist() { u.relist = true }

// Knows reports whether a file belongs to one of the user's packages.
func (u *Universe) Knows(file string) bool {
	return u.shapes[file] != nil
}

// Marks is another number after a change of what [Config.Mark] says of a file, or
// of what files there are and what they import.
func (u *Universe) Marks() uint64 { return u.marks }

// ownFiles is where the files of a package that is loaded in full begin in its file
// set: at the same number whatever the outlines take, since facts have positions in
// them, and equal code is to give equal facts.
const ownFiles = 1 << 40

// FileSet makes a file set that holds the files of the outlines.
func (u *Universe) FileSet() *token.FileSet {
	fset := token.NewFileSet()
	fset.AddExistingFiles(u.files...)
	if base := uint64(ownFiles); base <= math.MaxInt && fset.Base() < int(base) {
		fset.AddFile("", int(base), 0)
	}
	return fset
}

// ReadFile gives the text of a file as of the last Refresh.
func (u *Universe) ReadFile(name string) ([]byte, error) { return u.l.cfg.readFile(name) }

// Dir is the directory in which the patterns are resolved.
func (u *Universe) Dir() string { return u.goCmd.dir }

// AddPattern adds a pattern of packages, for the next Refresh, and reports
// whether it is a new one.
func (u *Universe) AddPattern(pattern string) bool {
	if slices.Contains(u.cfg.Patterns, pattern) {
		return false
	}
	u.cfg.Patterns = append(slices.Clip(u.cfg.Patterns), pattern)
	u.relist = true
	return true
}

// Refresh takes note of what has changed on disk, and of the texts in the
// overlay, which replace those on disk. It gives the user's packages in
// dependency order. With an error, which is as one of [Load], the Universe is
// what it was.
func (u *Universe) Refresh(ctx context.Context, overlay map[string][]byte) ([]*Package, error) {
	cfg := u.cfg
	cfg.Overlay = overlay
	control := u.controlFiles()
	pkgs := u.listed
	if u.relist || !maps.Equal(control, u.control) || u.filesMoved() || u.headsChanged(&cfg) {
		u.relist = true // if this fails
		var err error
		if pkgs, err = u.list(ctx, &cfg); err != nil {
			return nil, err
		}
	}
	l := &loader{cfg: &cfg, env: u.env, goCmd: u.goCmd, fset: u.fset, outlines: true}
	if l.graph(pkgs); len(l.roots) == 0 {
		return nil, fmt.Errorf("no packages matched %s", strings.Join(cfg.Patterns, " "))
	}
	if u.relist {
		want := func(n *node) bool { return isUsers(n) || u.cgoDeps && !n.list.Standard }
		if err := l.translateCgo(ctx, want); err != nil {
			return nil, err
		}
	}
	u.version++
	if u.relist {
		u.marks++
	}
	for _, n := range l.order {
		u.keep(&cfg, n)
	}
	if err := l.check(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	u.forget(l)
	u.l, u.listed, u.relist = l, pkgs, false
	u.control = u.controlFiles()
	u.files = nil
	u.fset.Iterate(func(f *token.File) bool {
		u.files = append(u.files, f)
		return true
	})
	return u.packages(), nil
}

// list asks the go command for the packages.
func (u *Universe) list(ctx context.Context, cfg *Config) ([]*listed, error) {
	env, err := u.goCmd.environment(ctx)
	if err != nil {
		return nil, err
	}
	if err := env.check(u.goCmd.dir, cfg.Patterns); err != nil {
		return nil, err
	}
	u.env = env
	u.noteDirs(u.listed) // before, so that what changes meanwhile is seen
	pkgs, err := u.goCmd.listAll(ctx, cfg)
	if err != nil {
		return nil, err
	}
	u.noteDirs(pkgs)
	return pkgs, nil
}

func isUsers(n *node) bool { return User(n.pkg) && !n.list.Standard }

// controlFiles gives the state of the files outside of packages that decide
// what the go command lists.
func (u *Universe) controlFiles() map[string]stamp {
	files := make(map[string]stamp)
	add := func(name string) { files[name] = stampOf(name) }
	if u.env == nil {
		return files
	}
	for _, file := range []string{u.env.GOMOD, u.env.GOWORK} {
		if file != "" && file != os.DevNull {
			dir := filepath.Dir(file)
			add(file)
			add(strings.TrimSuffix(file, filepath.Ext(file)) + ".sum")
			add(filepath.Join(dir, "vendor", "modules.txt"))
		}
	}
	for _, p := range u.listed {
		if m := p.Module; m != nil && m.Main && m.GoMod != "" {
			add(m.GoMod)
		}
	}
	return files
}

// noteDirs remembers which Go files are in the directories of the user's
// packages.
func (u *Universe) noteDirs(pkgs []*listed) {
	u.dirs = make(map[string]*dir)
	for _, p := range pkgs {
		if !p.Standard && User(&packages.Package{PkgPath: p.pkgPath(), Dir: p.Dir, Module: p.Module}) && u.dirs[p.Dir] == nil {
			u.dirs[p.Dir] = &dir{stampOf(p.Dir), goFiles(p.Dir)}
		}
	}
}

// filesMoved reports whether Go files have come to, or gone from, directories of
// the user's packages.
func (u *Universe) filesMoved() bool {
	for name, d := range u.dirs {
		if now := stampOf(name); now != d.stamp {
			if !slices.Equal(goFiles(name), d.names) {
				return true
			}
			d.stamp = now
		}
	}
	return false
}

func goFiles(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if name := e.Name(); filepath.Ext(name) == ".go" && name[0] != '.' && name[0] != '_' {
			names = append(names, name)
		}
	}
	return names
}

// headsChanged reads the files that have changed, and reports whether go list
// would say something else of one of them.
func (u *Universe) headsChanged(cfg *Config) bool {
	changed := false
	for name, old := range u.shapes {
		was := old.shape
		now := u.shape(cfg, name)
		if !now.broken && now.head != was.head {
			changed = true
		}
	}
	return changed
}

// shape gives the shape of a file as it is now. Of a text that does not parse,
// everything else is that of the text before.
func (u *Universe) shape(cfg *Config, name string) fileShape {
	old := u.shapes[name]
	var st stamp
	if _, over := cfg.Overlay[name]; !over {
		if st = stampOf(name); old != nil && st != (stamp{}) && st == old.stamp {
			return old.shape
		}
	}
	src, err := cfg.readFile(name)
	if err != nil {
		src = nil
	}
	s := shapeOf(src)
	s.mark = cfg.Mark != nil && cfg.Mark(src)
	if old != nil && s.mark != old.shape.mark {
		u.marks++
	}
	if s.broken && old != nil {
		s.head, s.decls, s.used, s.dot = old.shape.head, old.shape.decls, old.shape.used, old.shape.dot
	}
	u.shapes[name] = &shaped{st, s}
	return s
}

// keep decides what a node takes over from the load before. Those that it
// imports come first.
func (u *Universe) keep(cfg *Config, n *node) {
	k := &n.kept
	k.version, k.text, k.api, k.imports, k.user = u.version, u.version, u.version, u.version, isUsers(n)
	if k.user {
		for _, name := range n.pkg.GoFiles {
			k.shapes = append(k.shapes, u.shape(cfg, name))
		}
		for _, name := range n.pkg.EmbedFiles {
			st := stampOf(name)
			k.shapes = append(k.shapes, fileShape{text: sha256.Sum256(fmt.Appendf(nil, "%d %d", st.modified.UnixNano(), st.size))})
		}
	}
	var old *node
	if u.l != nil {
		old = u.l.nodes[n.list.ImportPath]
	}
	if old != nil && old.list == n.list {
		n.cgo, n.pkg.CompiledGoFiles = old.cgo, old.pkg.CompiledGoFiles
		if len(n.list.CgoFiles) > 0 && !n.cgo && old.broken {
			n.broken, n.pkg.Errors = true, old.pkg.Errors[:min(1, len(old.pkg.Errors))]
		}
	}
	if old == nil || !old.ordered || !sameListed(old, n) {
		return
	}
	like := min(compareShapes(old.kept.shapes, k.shapes), importsLike(old, n))
	k.like = like
	if slices.EqualFunc(old.kept.shapes, k.shapes, sameText) {
		k.text = old.kept.text
		if like == alike || like == wider && !dotImports(k.shapes) {
			k.version = old.kept.version
		}
	}
	if like != different {
		k.api = old.kept.api
	}
	if like != alike {
		return
	}
	k.files, k.imports = old.kept.files, old.kept.imports
	n.pkg.Types, n.pkg.Errors, n.pkg.TypeErrors, n.pkg.IllTyped = old.pkg.Types, old.pkg.Errors, old.pkg.TypeErrors, old.pkg.IllTyped
	n.pkg.CompiledGoFiles, n.cgo = old.pkg.CompiledGoFiles, old.cgo
	n.broken = old.broken
	if old.cause != nil {
		n.cause = u.nodeNow(n, old.cause)
	}
}

// nodeNow finds the cause of a failure below n in the graph that n is of.
func (u *Universe) nodeNow(n, cause *node) *node {
	for _, dep := range n.imports {
		if dep.list.ImportPath == cause.list.ImportPath {
			return dep
		}
		if dep.cause != nil && dep.cause.list.ImportPath == cause.list.ImportPath {
			return dep.cause
		}
	}
	return cause
}

func sameText(a, b fileShape) bool { return a.text == b.text }

func dotImports(shapes []fileShape) bool {
	return slices.ContainsFunc(shapes, func(s fileShape) bool { return s.dot })
}

// sameListed reports whether the go command says the same of a package. What
// cgo makes of files is not known, so they are never the same after a list.
func sameListed(old, n *node) bool {
	return old.list == n.list ||
		len(old.list.CgoFiles) == 0 && len(n.list.CgoFiles) == 0 && !vendored(n) && reflect.DeepEqual(old.list, n.list)
}

func vendored(n *node) bool {
	return strings.Contains(filepath.ToSlash(n.pkg.Dir), "/vendor/") && !n.list.Standard
}

// importsLike says how far the imports of a node are those that it had.
func importsLike(old, n *node) likeness {
	if len(old.imports) != len(n.imports) {
		return different
	}
	like := alike
	for i, dep := range n.imports {
		if old.imports[i].list.ImportPath != dep.list.ImportPath {
			return different
		}
		like = min(like, dep.kept.like)
	}
	return like
}

// forget removes from the file set what the new graph does not use, and the
// shapes of files that are gone.
func (u *Universe) forget(l *loader) {
	if u.l != nil {
		for id, old := range u.l.nodes {
			if n := l.nodes[id]; n != nil && n.kept.like == alike {
				continue
			}
			for _, f := range old.kept.files {
				u.fset.RemoveFile(f)
			}
		}
	}
	used := make(map[string]bool, len(u.shapes))
	for _, n := range l.order {
		if n.kept.user {
			for _, name := range n.pkg.GoFiles {
				used[name] = true
			}
		}
	}
	maps.DeleteFunc(u.shapes, func(name string, _ *shaped) bool { return !used[name] })
}

// packages gives the user's packages in dependency order.
func (u *Universe) packages() []*Package {
	var out []*Package
	byNode := make(map[*node]*Package)
	for _, n := range u.l.order {
		if !n.kept.user && !n.root {
			continue
		}
		p := &Package{Package: n.pkg, Root: n.root, Version: n.kept.version, TextVersion: n.kept.text, APIVersion: n.kept.api, ImportsVersion: n.kept.imports, n: n}
		for _, dep := range n.imports {
			if d := byNode[dep]; d != nil {
				p.Imports = append(p.Imports, d)
			}
		}
		byNode[n] = p
		out = append(out, p)
	}
	return out
}

// Check loads a package in full, with the texts of the last Refresh. Its file
// set holds, beside its own files, those of the outlines, and is its own: what
// is added to it goes with the package. The failure is nil if the package is fit
// to be analysed.
func (u *Universe) Check(p *Package) (*packages.Package, *Failure) {
	full := *p.Package
	full.Errors, full.TypeErrors, full.IllTyped = nil, nil, false
	full.Fset = u.FileSet()
	n := &node{list: p.n.list, pkg: &full, root: p.n.root, full: true, cgo: p.n.cgo, imports: p.n.imports}
	for _, e := range p.n.pkg.Errors {
		if e.Kind == packages.ListError {
			n.fail(e)
		}
	}
	l := &loader{cfg: u.l.cfg, env: u.l.env, goCmd: u.goCmd, fset: full.Fset}
	l.parse(n)
	l.typeCheck(n)
	if !full.IllTyped {
		return &full, nil
	}
	f := &Failure{Package: &full}
	if n.cause != nil {
		f.Cause = n.cause.pkg
	}
	return &full, f
}

// LacksCgo reports whether a package that fails depends on one that uses cgo and
// was type-checked without the types of C.
func (u *Universe) LacksCgo(p *Package) bool { return !u.cgoDeps && usesCgo(p.n, map[*node]bool{}) }

// UseCgo makes the next Refresh run cgo for the dependencies that use it. It
// reports whether that was not done before.
func (u *Universe) UseCgo() bool {
	before := u.cgoDeps
	u.cgoDeps, u.relist = true, true
	return !before
}

func usesCgo(n *node, seen map[*node]bool) bool {
	if seen[n] || n.list.Standard {
		return false
	}
	seen[n] = true
	return len(n.list.CgoFiles) > 0 && !n.cgo || slices.ContainsFunc(n.imports, func(dep *node) bool { return usesCgo(dep, seen) })
}
