package load

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"runtime"
	"sync"

	"golang.org/x/tools/go/packages"
)

// maxErrors bounds the errors that are kept of one package.
const maxErrors = 10

// work is the state of a node in the queue. A worker owns the files of the
// node it works on; the rest is guarded by the queue's lock.
type work struct {
	waits int // imports that are not type-checked yet, plus one until it is parsed
	files []*ast.File
}

// A queue hands out what can be done: packages to type-check whose imports
// are done, and otherwise the next package to parse. Packages are parsed in
// dependency order, so few wait between parsing and type-checking.
type queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	parse   []*node
	ready   []*node
	left    int // packages not type-checked
	total   int

	progress func(done, total int) // or nil
}

// check parses and type-checks all packages, on all cores.
func (l *loader) check(ctx context.Context) error {
	q := &queue{parse: l.order, left: len(l.order), total: len(l.order), progress: l.cfg.Progress}
	q.changed = sync.NewCond(&q.mu)
	for _, n := range l.order {
		n.work.waits = len(n.imports) + 1
	}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for {
				n, parsed := q.next(ctx)
				switch {
				case n == nil:
					return
				case parsed:
					l.typeCheck(n)
					q.checked(n)
				default:
					l.parse(n)
					q.parsed(n)
				}
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}

// next waits for work. It returns nil when there is none any more.
func (q *queue) next(ctx context.Context) (n *node, parsed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch {
		case q.left == 0 || ctx.Err() != nil:
			return nil, false
		case len(q.ready) > 0:
			n = q.ready[0]
			q.ready = q.ready[1:]
			return n, true
		case len(q.parse) > 0:
			n = q.parse[0]
			q.parse = q.parse[1:]
			return n, false
		}
		q.changed.Wait()
	}
}

func (q *queue) parsed(n *node) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.arrived(n)
	q.changed.Broadcast()
}

func (q *queue) checked(n *node) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.left--
	if q.progress != nil {
		q.progress(q.total-q.left, q.total)
	}
	for _, importer := range n.importers {
		q.arrived(importer)
	}
	q.changed.Broadcast()
}

// arrived counts one thing less that n waits for.
func (q *queue) arrived(n *node) {
	if n.work.waits--; n.work.waits == 0 {
		q.ready = append(q.ready, n)
	}
}

// parse reads the files of a package. Comments and function bodies are kept
// only where the package is loaded in full.
func (l *loader) parse(n *node) {
	if n.kept.like == alike {
		return
	}
	for _, name := range n.pkg.CompiledGoFiles {
		src, err := l.cfg.readFile(name)
		if err != nil {
			n.fail(packages.Error{Pos: name, Msg: err.Error(), Kind: packages.ParseError})
			continue
		}
		var file *ast.File
		if n.full {
			file, err = parser.ParseFile(l.fset, name, src, parser.SkipObjectResolution|parser.ParseComments|parser.AllErrors)
		} else {
			file, err = l.parseOutline(name, src)
		}
		if err != nil {
			n.failParse(err)
		}
		if file != nil {
			n.work.files = append(n.work.files, file)
		}
	}
}

// parseOutline parses what the types of a package come from: no comments, no
// function bodies, no elements of variables' initial values. It overwrites src.
func (l *loader) parseOutline(name string, src []byte) (*ast.File, error) {
	blankBodies(src)
	file, err := parser.ParseFile(l.fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		if src, err = l.cfg.readFile(name); err != nil {
			return nil, err
		}
		return parser.ParseFile(l.fset, name, src, parser.SkipObjectResolution)
	}
	emptyLiterals(file)
	return file, nil
}

// typeCheck checks a package whose imports have been checked. It never fails
// as a whole: a package with errors has the types that could be found.
func (l *loader) typeCheck(n *node) {
	p := n.pkg
	if n.kept.like == alike {
		return
	}
	if p.PkgPath == "unsafe" {
		p.Types = types.Unsafe
		return
	}
	files := n.work.files
	n.work.files = nil
	if l.outlines {
		n.kept.remember(l.fset, files)
	}
	conf := &types.Config{
		Importer:         importer{n, l},
		Sizes:            p.TypesSizes,
		IgnoreFuncBodies: !n.full,
		FakeImportC:      !n.cgo && len(n.list.CgoFiles) > 0,
		Error:            n.failType,
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	if n.full {
		p.Syntax = files
		p.TypesInfo = newInfo()
	}
	p.Types = types.NewPackage(p.PkgPath, p.Name)
	func() {
		defer func() {
			if r := recover(); r != nil {
				n.fail(packages.Error{Msg: fmt.Sprintf("internal error: the type checker panicked: %v", r), Kind: packages.TypeError})
			}
		}()
		_ = types.NewChecker(conf, l.fset, p.Types, p.TypesInfo).Files(files) // errors went to conf.Error
	}()
	n.judge()
}

func newInfo() *types.Info {
	return &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
}

// judge decides whether the package is fit to be analysed, and if not which
// package is to blame. Type errors of a package that imports a broken one of
// the user follow from that.
func (n *node) judge() {
	below := n.brokenBelow()
	if below == nil {
		n.pkg.IllTyped = n.broken
		return
	}
	switch {
	case n.broken && (n.pkg.Errors[0].Kind != packages.TypeError || !User(below.pkg)):
		n.pkg.IllTyped = true
	case n.broken, n.full && hasInvalid(n.pkg.TypesInfo):
		n.pkg.IllTyped = true
		n.cause = below
	case !n.full:
		n.cause = below // what is missing may show in its API
	default:
		// It type-checks without what is missing, and so may those above.
	}
}

// brokenBelow gives the package whose errors can be the reason of errors in
// this one, nil if there is none. A package that is not there at all is not:
// the import of it is an error of this one.
func (n *node) brokenBelow() *node {
	for _, dep := range n.imports {
		switch {
		case dep.cause != nil:
			return dep.cause
		case dep.broken && len(dep.pkg.CompiledGoFiles) > 0:
			return dep
		}
	}
	return nil
}

// hasInvalid reports whether an expression or a variable has no type. The type
// checker does not report uses of objects that have none because of an earlier
// error.
func hasInvalid(info *types.Info) bool {
	invalid := types.Typ[types.Invalid]
	for _, tv := range info.Types {
		// A built-in function has no type where its result is constant.
		if tv.Type == invalid && !tv.IsBuiltin() {
			return true
		}
	}
	for _, obj := range info.Uses {
		switch obj.(type) {
		case *types.Var, *types.Const, *types.TypeName, *types.Func:
			if obj.Type() == invalid {
				return true
			}
		}
	}
	return false
}

// An importer resolves the imports of one package.
type importer struct {
	n *node
	l *loader
}

// Import returns the package that path means in the source of the importing
// package.
func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	p := i.n.pkg.Imports[path]
	if p == nil {
		if path == "C" {
			return nil, errors.New("cgo is not available")
		}
		return nil, errors.New("the go command does not list it")
	}
	switch {
	case len(p.CompiledGoFiles) == 0 && len(p.Errors) > 0:
		return nil, errors.New(p.Errors[0].Msg)
	case len(p.CompiledGoFiles) == 0:
		return nil, errors.New("no Go files")
	case p.Types.Name() == "":
		return nil, errors.New("no package clause")
	}
	return p.Types, nil
}

func (n *node) fail(e packages.Error) {
	n.broken = true
	if limit := maxErrors; len(n.pkg.Errors) < limit {
		n.pkg.Errors = append(n.pkg.Errors, e)
	}
}

func (n *node) failParse(err error) {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		n.fail(packages.Error{Msg: err.Error(), Kind: packages.ParseError})
		return
	}
	for _, e := range list {
		n.fail(packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
	}
}

func (n *node) failType(err error) {
	var e types.Error
	if !errors.As(err, &e) {
		n.fail(packages.Error{Msg: err.Error(), Kind: packages.TypeError})
		return
	}
	if e.Soft && !n.full {
		return // of no consequence for the types
	}
	n.pkg.TypeErrors = append(n.pkg.TypeErrors, e)
	n.fail(packages.Error{Pos: position(e.Fset, e.Pos), Msg: e.Msg, Kind: packages.TypeError})
}

func position(fset *token.FileSet, pos token.Pos) string {
	if !pos.IsValid() {
		return "-"
	}
	return fset.Position(pos).String()
}
