// Package check runs analyzers over packages that are loaded in one process.
//
// It does what golang.org/x/tools/go/analysis/checker does, with four
// differences that a whole module asks for. Packages that no analyzer is
// interested in are left out, so that 1,500 dependencies cost nothing. What
// is not needed any more is given up early, results of analyzers and syntax
// alike. A panic of one analyzer on one package is a reported failure, and
// the rest goes on. And facts are visible as they are under go vet, where a
// package sees the package facts of its direct imports only; see facts.go.
package check

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// Options change how Run goes about it. The zero value is the default.
type Options struct {
	// Interesting reports whether analyzers with facts are to look at a
	// package that is not a root. Nil means the packages that were loaded
	// in full, with syntax. It is not asked about others: without syntax
	// there is nothing to analyse.
	Interesting func(*packages.Package) bool

	// KeepSyntax keeps Syntax and TypesInfo of the packages. Run sets both
	// to nil when a package is done, so that memory can be used again.
	KeepSyntax bool

	// Whole runs the analyzers last over a package that imports the roots which
	// no main package among them needs, as if it were their main package. It
	// has no function main, and what is found in it stands in other packages.
	Whole bool

	// Progress is told, if it is not nil, how many packages are done of those
	// that there are to look at. It is called by several goroutines, one at a
	// time.
	Progress func(done, total int)
}

// A Result is what one analyzer found in one of the roots, or why it could not
// do its work on a package.
type Result struct {
	Package     *packages.Package
	Analyzer    *analysis.Analyzer
	Diagnostics []analysis.Diagnostic

	// Err says why the analyzer could not do its work: it returned an
	// error, or it panicked (a *PanicError). What requires the analyzer is
	// then silent on that package. The analyzer may be a helper that an
	// asked one requires, and the package one below the roots.
	Err error
}

// A PanicError is a panic of an analyzer.
type PanicError struct {
	Analyzer string
	Package  string
	Value    any
	Stack    []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("internal error: %s panicked on package %s: %v", e.Analyzer, e.Package, e.Value)
}

// Run runs the analyzers over the roots, and those with facts over the
// interesting packages below them first, in dependency order and in parallel.
// It leaves out packages that do not type-check (IllTyped), except for
// analyzers with RunDespiteErrors.
//
// Results come with dependencies first, those without findings and errors
// left out. The error is that of the context or of analyzers that
// analysis.Validate refuses; nothing is returned with it.
func Run(ctx context.Context, analyzers []*analysis.Analyzer, roots []*packages.Package, opts Options) ([]Result, error) {
	if err := analysis.Validate(analyzers); err != nil {
		return nil, err
	}
	r := &runner{
		opts:  opts,
		units: make(map[*packages.Package]*unit),
		types: make(map[*types.Package]*unit),
		plans: plan{all: schedule(analyzers, false), facts: schedule(analyzers, true)},
	}
	for _, p := range roots {
		r.visit(p).root = true
	}
	if opts.Whole && len(roots) > 0 {
		if p := Whole(roots[0].Fset, roots); p != nil {
			r.visit(p).root = true
		}
	}
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	return r.results(analyzers), nil
}

// Package runs the analyzers over one package, as Run does over a root, for a
// driver that keeps facts by itself; facts gives each analyzer its view. With
// factsOnly only analyzers with facts run, as in a package below the roots.
func Package(p *packages.Package, analyzers []*analysis.Analyzer, factsOnly bool, facts func(*analysis.Analyzer) Facts) ([]Result, error) {
	return PackageReading(p, analyzers, factsOnly, facts, nil)
}

// PackageReading does what Package does, and lets the analyzers read any file
// through read: for a driver that wants to know which.
func PackageReading(p *packages.Package, analyzers []*analysis.Analyzer, factsOnly bool, facts func(*analysis.Analyzer) Facts, read func(string) ([]byte, error)) ([]Result, error) {
	if err := analysis.Validate(analyzers); err != nil {
		return nil, err
	}
	u := &unit{pkg: p, root: !factsOnly, read: read}
	order := schedule(analyzers, factsOnly)
	u.run(order, facts)
	return u.results(nil, order, analyzers, map[error]bool{nil: true, errSkipped: true}), nil
}

// results collects the findings in the roots and the errors everywhere.
func (r *runner) results(analyzers []*analysis.Analyzer) []Result {
	var results []Result
	seen := map[error]bool{nil: true, errSkipped: true}
	for _, u := range r.order {
		results = u.results(results, r.plans.all, analyzers, seen)
	}
	return results
}

// results appends what the asked analyzers found in the package, if it is a
// root, and all errors that are not seen yet.
func (u *unit) results(results []Result, order, asked []*analysis.Analyzer, seen map[error]bool) []Result {
	for _, a := range order {
		act := u.actions[a]
		if act == nil {
			continue
		}
		if !seen[act.err] {
			seen[act.err] = true
			results = append(results, Result{Package: u.pkg, Analyzer: a, Err: act.err})
		}
		if u.root && len(act.diagnostics) > 0 && slices.Contains(asked, a) {
			results = append(results, Result{Package: u.pkg, Analyzer: a, Diagnostics: act.diagnostics})
		}
	}
	return results
}

// A plan is the analyzers to run on a package, required ones first.
type plan struct {
	all   []*analysis.Analyzer // on a root
	facts []*analysis.Analyzer // on a package below the roots
}

// schedule puts analyzers behind what they require, on request those only
// that have facts and what these require.
func schedule(analyzers []*analysis.Analyzer, factsOnly bool) []*analysis.Analyzer {
	var order []*analysis.Analyzer
	seen := make(map[*analysis.Analyzer]bool)
	var add, find func(a *analysis.Analyzer)
	add = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, req := range a.Requires {
			add(req)
		}
		order = append(order, a)
	}
	found := make(map[*analysis.Analyzer]bool)
	find = func(a *analysis.Analyzer) {
		if found[a] {
			return
		}
		found[a] = true
		for _, req := range a.Requires {
			find(req)
		}
		if !factsOnly || len(a.FactTypes) > 0 {
			add(a)
		}
	}
	for _, a := range analyzers {
		find(a)
	}
	return order
}

// A runner holds one Run.
type runner struct {
	opts  Options
	plans plan
	units map[*packages.Package]*unit
	types map[*types.Package]*unit
	order []*unit // dependencies first

	done, total int // packages, for Progress
}

// A unit is one package and all analyzers on it.
type unit struct {
	pkg     *packages.Package
	root    bool
	skipped bool                              // not interesting
	read    func(name string) ([]byte, error) // of any file; nil for those of the package

	waits     int // units below that are not done; guarded by the queue
	importers []*unit
	direct    map[*types.Package]bool // imported packages
	actions   map[*analysis.Analyzer]*action
}

// An action is one analyzer on one package.
type action struct {
	result      any
	err         error
	diagnostics []analysis.Diagnostic
	facts       facts
}

// visit makes the units for p and all packages below it. A package that is
// not interesting has a unit, for the order, in which nothing is run.
func (r *runner) visit(p *packages.Package) *unit {
	if u := r.units[p]; u != nil {
		return u
	}
	u := &unit{pkg: p, direct: make(map[*types.Package]bool, len(p.Imports))}
	r.units[p] = u
	if p.Types != nil {
		r.types[p.Types] = u
	}
	u.skipped = p.Syntax == nil || r.opts.Interesting != nil && !r.opts.Interesting(p)
	for _, dep := range p.Imports {
		d := r.visit(dep)
		d.importers = append(d.importers, u)
		u.waits++
		if dep.Types != nil {
			u.direct[dep.Types] = true
		}
	}
	r.order = append(r.order, u)
	return u
}

// run executes all units on all cores.
func (r *runner) run(ctx context.Context) error {
	var (
		mu      sync.Mutex
		changed = sync.NewCond(&mu)
		ready   []*unit
		left    = len(r.order)
	)
	for _, u := range r.order {
		if u.waits == 0 {
			ready = append(ready, u)
		}
	}
	next := func() *unit {
		mu.Lock()
		defer mu.Unlock()
		for left > 0 && ctx.Err() == nil {
			if len(ready) > 0 {
				u := ready[0]
				ready = ready[1:]
				return u
			}
			changed.Wait()
		}
		return nil
	}
	done := func(u *unit) {
		mu.Lock()
		defer mu.Unlock()
		left--
		r.progress(u)
		for _, importer := range u.importers {
			if importer.waits--; importer.waits == 0 {
				ready = append(ready, importer)
			}
		}
		changed.Broadcast()
	}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for u := next(); u != nil; u = next() {
				r.analyze(u)
				done(u)
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}

// progress tells that one more package is done.
func (r *runner) progress(u *unit) {
	if r.opts.Progress == nil || u.skipped && !u.root {
		return
	}
	if r.total == 0 {
		for _, u := range r.order {
			if !u.skipped || u.root {
				r.total++
			}
		}
	}
	r.done++
	r.opts.Progress(r.done, r.total)
}

// analyze runs the analyzers on one package, one after another.
func (r *runner) analyze(u *unit) {
	if u.skipped && !u.root {
		return
	}
	todo := r.plans.facts
	if u.root {
		todo = r.plans.all
	}
	u.run(todo, func(a *analysis.Analyzer) Facts { return &factView{r, u, a, &u.actions[a].facts} })
	if !r.opts.KeepSyntax {
		u.pkg.Syntax, u.pkg.TypesInfo = nil, nil
	}
}

// run executes the analyzers, required ones first, and keeps what they found.
func (u *unit) run(order []*analysis.Analyzer, facts func(*analysis.Analyzer) Facts) {
	u.actions = make(map[*analysis.Analyzer]*action, len(order))
	for _, a := range order {
		act := &action{}
		u.actions[a] = act
		u.execute(a, act, facts(a))
	}
	for _, act := range u.actions {
		act.result = nil
	}
}

// execute runs one analyzer on one package.
func (u *unit) execute(a *analysis.Analyzer, act *action, view Facts) {
	p := u.pkg
	if p.IllTyped && !a.RunDespiteErrors || p.Types == nil || p.TypesInfo == nil {
		act.err = errSkipped
		return
	}
	inputs := make(map[*analysis.Analyzer]any, len(a.Requires))
	for _, req := range a.Requires {
		if err := u.actions[req].err; err != nil {
			act.err = err
			return
		}
		inputs[req] = u.actions[req].result
	}
	pass := &analysis.Pass{
		Analyzer:     a,
		Fset:         p.Fset,
		Files:        p.Syntax,
		OtherFiles:   p.OtherFiles,
		IgnoredFiles: p.IgnoredFiles,
		Pkg:          p.Types,
		TypesInfo:    p.TypesInfo,
		TypesSizes:   p.TypesSizes,
		TypeErrors:   p.TypeErrors,
		Module:       module(p.Module),
		ResultOf:     inputs,
		Report: func(d analysis.Diagnostic) {
			act.diagnostics = append(act.diagnostics, d)
		},
		ImportObjectFact:  view.ImportObjectFact,
		ExportObjectFact:  view.ExportObjectFact,
		AllObjectFacts:    view.AllObjectFacts,
		ImportPackageFact: view.ImportPackageFact,
		ExportPackageFact: view.ExportPackageFact,
		AllPackageFacts:   view.AllPackageFacts,
	}
	pass.ReadFile = func(name string) ([]byte, error) {
		if u.read != nil {
			return u.read(name)
		}
		if !readable(pass, name) {
			return nil, fmt.Errorf("Pass.ReadFile: %s is not a file of the package", name)
		}
		return os.ReadFile(name)
	}
	act.result, act.err = call(pass)
	if act.err == nil {
		act.err = resolveURLs(a, act.diagnostics)
	}
	if act.err != nil {
		act.diagnostics = nil
	}
	if !u.root {
		act.diagnostics = nil
	}
}

// errSkipped is the error of an analyzer on a package that is not fit to be
// analysed. It is known from the load and not reported again.
var errSkipped = errors.New("the package does not type-check")

// call runs the analyzer of the pass. A panic is an error.
func call(pass *analysis.Pass) (result any, err error) {
	defer func() {
		if v := recover(); v != nil {
			result, err = nil, &PanicError{pass.Analyzer.Name, pass.Pkg.Path(), v, debug.Stack()}
		}
	}()
	result, err = pass.Analyzer.Run(pass)
	if err != nil {
		return nil, fmt.Errorf("%s on package %s: %w", pass.Analyzer.Name, pass.Pkg.Path(), err)
	}
	if got, want := reflect.TypeOf(result), pass.Analyzer.ResultType; got != want {
		return nil, fmt.Errorf("internal error: %s on package %s returned a %v, not the %v it declares",
			pass.Analyzer.Name, pass.Pkg.Path(), got, want)
	}
	return result, nil
}

// readable reports whether Pass.ReadFile may read the file.
func readable(pass *analysis.Pass, name string) bool {
	if slices.Contains(pass.OtherFiles, name) || slices.Contains(pass.IgnoredFiles, name) {
		return true
	}
	for _, f := range pass.Files {
		if pass.Fset.File(f.FileStart).Name() == name {
			return true
		}
	}
	return false
}

// module converts what go/packages knows about a module. The result is not
// nil, as analyzers expect.
func module(m *packages.Module) *analysis.Module {
	if m == nil {
		return new(analysis.Module)
	}
	mod := &analysis.Module{
		Path: m.Path, Version: m.Version, Time: m.Time, Main: m.Main, Indirect: m.Indirect,
		Dir: m.Dir, GoMod: m.GoMod, GoVersion: m.GoVersion,
	}
	if m.Replace != nil {
		mod.Replace = module(m.Replace)
	}
	if m.Error != nil {
		mod.Error = &analysis.ModuleError{Err: m.Error.Err}
	}
	return mod
}
