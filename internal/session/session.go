// Package session analyses a program again and again while its files change, at
// the cost of what has changed.
//
// A [Session] keeps, of each of the user's packages, the outline of its types (see
// [load.Universe]), the fact that it exports, and its findings. Syntax, function
// bodies and what the analyzers made of them are given up when a package is done.
// A package is analysed again when its text has changed, or the types that it
// imports, or what its analysis has read of facts and files of other packages.
// What is found is what a run of the program would find on the same files.
//
// A package that does not type-check, as happens while somebody writes, keeps the
// fact and the findings that it had before, so that the packages above it do not
// change their minds and back.
package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/load"
	"github.com/pgtxvet/pgtxvet/internal/schema"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Options say what a session analyses, and with what.
type Options struct {
	Load  load.Config
	Rules []*analysis.Analyzer
	// Known are the names of all rules, also those that do not run.
	Known []string
}

// A Session is one program that is kept in memory. Its methods must not run
// beside each other.
type Session struct {
	opts     Options
	universe *load.Universe
	states   map[string]*state // by package ID

	// settings names the content of configuration files, SQL scripts and go.mod
	// files; under another generation nothing that was found holds.
	settings   string
	generation uint64
	unread     bool // the settings may have changed
}

// A state is what is known of a package since it was last analysed.
type state struct {
	version, text, imports, generation, marks uint64

	fact     *txflow.Facts   // nil if it exports none
	read     map[string]text // files of other packages that were read
	findings []Finding
	errs     []error
	failure  *load.Failure // of the present text; the rest is of an earlier one then
	root     bool
}

// A text is the content of a file.
type text struct {
	data string
	ok   bool // it could be read
}

// New starts a session. Nothing is read before the first Check.
func New(opts Options) (*Session, error) {
	opts.Load.Mark = txflow.TalksOfRetry
	u, err := load.Open(opts.Load)
	if err != nil {
		return nil, err
	}
	return &Session{opts: opts, universe: u, states: map[string]*state{}, unread: true}, nil
}

// Reread makes the next Check look whether configuration files, SQL scripts or
// go.mod files have changed. Of Go files, Check finds out by itself.
func (s *Session) Reread() { s.unread = true }

// Relist makes the next Check ask the go command for packages, see
// [load.Universe.Relist].
func (s *Session) Relist() { s.universe.Relist() }

// Include takes a directory among what is analysed, and reports whether it was not
// included before.
func (s *Session) Include(dir string) bool { return s.universe.AddPattern(dir) }

// Knows reports whether a file belongs to a package of the program.
func (s *Session) Knows(file string) bool { return s.universe.Knows(file) }

// A Report is what a check has found.
type Report struct {
	// Findings are sorted by file and position. A rule reports a place once.
	Findings []Finding
	// Failures are the packages that do not type-check, Errors what analyzers
	// could not do.
	Failures []load.Failure
	Errors   []error
	// Mistakes are those in configuration files.
	Mistakes []*config.Error
	// Analysed counts the packages that had to be analysed, of Packages.
	Analysed, Packages int
}

// Hooks are told what happens during a check. Each may be nil. They are called from
// several goroutines.
type Hooks struct {
	// Progress is told how many packages are done and how many there are.
	Progress func(done, all int)
	// Partial is given what is known when the packages whose text has changed are
	// done and others are not: findings of those are as they were before.
	Partial func(*Report)
}

// Check brings everything up to date. The overlay is text that replaces what is
// on disk, by absolute names. A check that is cancelled has lost nothing but time:
// the next one goes on where it ended.
func (s *Session) Check(ctx context.Context, overlay map[string][]byte, hooks Hooks) (*Report, error) {
	pkgs, err := s.universe.Refresh(ctx, overlay)
	if err != nil {
		return nil, err
	}
	s.readSettings(pkgs)
	r := newRun(s, pkgs, hooks)
	if err := r.packages(ctx); err != nil {
		return nil, err
	}
	if r.needCgo {
		return s.Check(ctx, overlay, hooks)
	}
	r.whole()
	s.forget(r)
	return r.report(), nil
}

// readSettings starts a new generation if the settings have changed.
func (s *Session) readSettings(pkgs []*load.Package) {
	if !s.unread {
		return
	}
	s.unread = false
	config.Forget()
	schema.Forget()
	txflow.Forget()
	h := sha256.New()
	seen := map[string]bool{}
	for _, p := range pkgs {
		dir := p.Dir
		if p.Module != nil && p.Module.Dir != "" {
			dir = p.Module.Dir
		}
		if !seen[dir] {
			seen[dir] = true
			mod, _ := os.ReadFile(filepath.Join(dir, "go.mod")) // of none, nothing depends
			fmt.Fprintf(h, "%q %s %s %q\n", dir, config.Hash(dir), schema.Hash(dir), mod)
		}
	}
	if settings := string(h.Sum(nil)); settings != s.settings {
		s.settings = settings
		s.generation++
	}
}

// forget drops the packages that are gone.
func (s *Session) forget(r *run) {
	for id := range s.states {
		if r.jobs[id] == nil {
			delete(s.states, id)
		}
	}
}

// A run is one check.
type run struct {
	s     *Session
	hooks Hooks
	jobs  map[string]*job
	order []*job

	mu       sync.Mutex
	texts    map[string]text // of the files that were read
	failing  map[string]bool // files of packages that keep an earlier fact
	done     int
	analysed int
	edited   int // packages whose text has changed and that are not done
	needCgo  bool
}

// A job is one package in a run.
type job struct {
	pkg     *load.Package // nil for the package that stands for the missing mains
	state   *state        // nil if nothing is known yet
	deps    []*job
	above   []*job
	waiting int
	edited  bool // its text has changed
}

func newRun(s *Session, pkgs []*load.Package, hooks Hooks) *run {
	r := &run{s: s, hooks: hooks, jobs: make(map[string]*job, len(pkgs)), texts: map[string]text{}, failing: map[string]bool{}}
	for _, p := range pkgs {
		j := &job{pkg: p, state: s.states[p.ID]}
		if j.edited = j.state == nil || j.state.text != p.TextVersion; j.edited {
			r.edited++
		}
		for _, dep := range p.Imports {
			d := r.jobs[dep.ID]
			j.deps = append(j.deps, d)
			d.above = append(d.above, j)
		}
		j.waiting = len(j.deps)
		r.jobs[p.ID] = j
		r.order = append(r.order, j)
	}
	return r
}

// packages brings all packages up to date, on all cores, those that are imported
// first.
func (r *run) packages(ctx context.Context) error {
	var ready []*job
	changed := sync.NewCond(&r.mu)
	for _, j := range r.order {
		if j.waiting == 0 {
			ready = append(ready, j)
		}
	}
	next := func() *job {
		r.mu.Lock()
		defer r.mu.Unlock()
		for r.done < len(r.order) && ctx.Err() == nil {
			if len(ready) > 0 {
				j := ready[0]
				ready = ready[1:]
				return j
			}
			changed.Wait()
		}
		return nil
	}
	finish := func(j *job) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.done++
		for _, above := range j.above {
			if above.waiting--; above.waiting == 0 {
				ready = append(ready, above)
			}
		}
		if r.hooks.Progress != nil {
			r.hooks.Progress(r.done, len(r.order))
		}
		changed.Broadcast()
		if j.edited {
			r.edited--
			r.partial()
		}
	}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for j := next(); j != nil; j = next() {
				r.update(j)
				finish(j)
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}

// partial hands out what is known, if it is time. The run is locked.
func (r *run) partial() {
	if r.hooks.Partial == nil || r.edited > 0 || r.done == len(r.order) ||
		slices.ContainsFunc(r.order, func(j *job) bool { return j.state == nil }) {
		return
	}
	r.jobs[wholeID] = &job{state: r.s.states[wholeID]}
	if r.jobs[wholeID].state == nil {
		delete(r.jobs, wholeID)
	}
	r.hooks.Partial(r.report())
	delete(r.jobs, wholeID)
}

// update analyses a package if what is known of it does not hold any more.
func (r *run) update(j *job) {
	now := j.pkg.Version
	if r.holds(j, now) {
		return
	}
	full, failure := r.s.universe.Check(j.pkg)
	if failure != nil && r.s.universe.LacksCgo(j.pkg) {
		r.mu.Lock()
		r.needCgo = r.s.universe.UseCgo() || r.needCgo
		r.mu.Unlock()
		return
	}
	st := &state{}
	if failure == nil {
		st = r.analyse(full, j, !j.pkg.Root)
	} else if j.state != nil {
		*st = *j.state
		if st.fact != nil {
			st.fact, _ = st.fact.Below(j.facts())
		}
	}
	st.failure, st.root, st.imports, st.text = failure, j.pkg.Root, j.pkg.ImportsVersion, j.pkg.TextVersion
	r.keep(j, j.pkg.ID, now, st)
}

// keep remembers what is known of a package from now on.
func (r *run) keep(j *job, id string, version uint64, st *state) {
	st.version, st.generation, st.marks = version, r.s.generation, r.s.universe.Marks()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.s.states[id] = st
	j.state = st
	r.analysed++
	r.noteFailing(j)
}

// noteFailing remembers the files of a package that does not type-check. The
// places in its fact are those of earlier texts.
func (r *run) noteFailing(j *job) {
	if j.state.failure != nil && j.state.fact != nil {
		for _, name := range j.pkg.GoFiles {
			r.failing[name] = true
		}
	}
}

// holds reports whether what is known of a package still holds, and gives it the
// facts of the packages below.
func (r *run) holds(j *job, version uint64) bool {
	st := j.state
	if st == nil || st.version != version || st.generation != r.s.generation || j.pkg != nil && st.root != j.pkg.Root {
		return false
	}
	if st.failure != nil {
		if st.imports != j.pkg.ImportsVersion {
			return false // it may type-check now
		}
		if st.fact != nil {
			st.fact, _ = st.fact.Below(j.facts())
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.noteFailing(j)
		return true
	}
	if st.fact == nil {
		return false
	}
	if st.fact.ReadsImporters() && st.marks != r.s.universe.Marks() {
		return false
	}
	for name, was := range st.read {
		if now := r.text(name, st); now != was {
			return false
		}
	}
	fact, same := st.fact.Below(j.facts())
	if same {
		st.fact = fact
	}
	return same
}

// facts gives the facts of the packages that j imports.
func (j *job) facts() []*txflow.Facts {
	var facts []*txflow.Facts
	for _, dep := range j.deps {
		if dep.state != nil && dep.state.fact != nil {
			facts = append(facts, dep.state.fact)
		}
	}
	return facts
}

// text gives the content of a file. Of one that belongs to a package that does not
// type-check it is what the last analysis, of which st is known, has read: places
// in that package's fact are places there. Without that it is empty, and what
// stands there is not reported.
func (r *run) text(name string, st *state) text {
	r.mu.Lock()
	failing := r.failing[name]
	got, ok := r.texts[name]
	r.mu.Unlock()
	switch {
	case failing && st != nil:
		return st.read[name]
	case failing:
		return text{ok: true}
	case ok:
		return got
	}
	if data, err := r.s.universe.ReadFile(name); err == nil {
		got = text{string(data), true}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts[name] = got
	return got
}

// analyse runs the rules over a package.
func (r *run) analyse(p *packages.Package, j *job, factsOnly bool) *state {
	st := &state{read: map[string]text{}}
	view := newFactView(p.Types, j)
	read := func(name string) ([]byte, error) {
		t := r.text(name, j.state)
		st.read[name] = t
		if !t.ok {
			return nil, fmt.Errorf("%s: %w", name, os.ErrNotExist)
		}
		return []byte(t.data), nil
	}
	results, err := check.PackageReading(p, r.s.opts.Rules, factsOnly, func(*analysis.Analyzer) check.Facts { return view }, read)
	if err != nil {
		st.errs = append(st.errs, err)
	}
	for _, res := range results {
		if res.Err != nil && !config.IsError(res.Err) {
			st.errs = append(st.errs, res.Err)
		}
	}
	c := converter{fset: p.Fset, texts: map[string]string{}, read: func(name string) string { return r.text(name, j.state).data }}
	st.findings = c.findings(results)
	st.fact = view.exported
	if j.state != nil && j.state.fact != nil && st.fact != nil {
		st.fact.Settle(j.state.fact)
	}
	return st
}

// wholeID stands for the package of the missing mains among the states.
const wholeID = "..."

// whole analyses what no main package links, as [check.Options] says.
func (r *run) whole() {
	var roots []*packages.Package
	for _, j := range r.order {
		if j.pkg.Root {
			p := *j.pkg.Package
			p.IllTyped = j.state.fact == nil && j.state.failure != nil
			roots = append(roots, &p)
		}
	}
	p := check.Whole(r.s.universe.FileSet(), roots)
	if p == nil {
		return
	}
	j := &job{state: r.s.states[wholeID]}
	h := sha256.New()
	for _, dep := range p.Imports {
		j.deps = append(j.deps, r.jobs[dep.ID])
	}
	slices.SortFunc(j.deps, func(a, b *job) int { return cmp.Compare(a.pkg.ID, b.pkg.ID) })
	for _, dep := range j.deps {
		fmt.Fprintf(h, "%s %d\n", dep.pkg.ID, dep.pkg.APIVersion)
	}
	var version uint64
	for _, b := range h.Sum(nil)[:8] {
		version = version<<8 | uint64(b)
	}
	r.jobs[wholeID] = j
	if r.holds(j, version) {
		return
	}
	r.keep(j, wholeID, version, r.analyse(p, j, false))
}

// report collects what is known of all packages.
func (r *run) report() *Report {
	rep := &Report{Analysed: r.analysed, Packages: len(r.order)}
	order := r.order
	if w := r.jobs[wholeID]; w != nil {
		order = append(slices.Clip(order), w)
	}
	first := map[place]string{} // to the package that reported it
	seen := map[error]bool{}
	for _, j := range order {
		if j.state.failure != nil {
			rep.Failures = append(rep.Failures, *j.state.failure)
		}
		for _, err := range j.state.errs {
			if !seen[err] {
				seen[err] = true
				rep.Errors = append(rep.Errors, err)
			}
		}
		id := wholeID
		if j.pkg != nil {
			id = j.pkg.ID
		}
		for _, f := range j.state.findings {
			at := place{f.Rule, f.File, f.Start.Line, f.Start.Col}
			if by, ok := first[at]; !ok || by == id {
				first[at] = id
				rep.Findings = append(rep.Findings, f)
			}
		}
	}
	slices.SortStableFunc(rep.Findings, Finding.compare)
	rep.Mistakes = r.mistakes()
	return rep
}

// mistakes are those in the configuration files of the packages.
func (r *run) mistakes() []*config.Error {
	var list []*config.Error
	seen := map[string]bool{}
	for _, j := range r.order {
		if !j.pkg.Root || len(j.pkg.GoFiles) == 0 {
			continue
		}
		c, err := config.Load(filepath.Dir(j.pkg.GoFiles[0]))
		for _, err := range append(config.Mistakes(err), config.Mistakes(c.CheckRules(r.s.opts.Known))...) {
			if e, ok := errors.AsType[*config.Error](err); ok && !seen[e.Error()] {
				seen[e.Error()] = true
				list = append(list, e)
			}
		}
	}
	return list
}
