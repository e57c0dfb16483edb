package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/load"
	"github.com/pgtxvet/pgtxvet/internal/session"
)

// A program is a module, or the modules of a go.work file, that is kept checked.
// The fields are guarded by the server's lock, except session, which belongs to
// the goroutine that checks.
type program struct {
	s       *Server
	root    root
	session *session.Session
	kick    chan struct{} // holds one
	stopped context.Context
	stop    context.CancelFunc
	cancel  context.CancelFunc // ends the check that is running

	// What has changed since the last check began.
	files    map[string]bool // Go files
	settings bool            // anything else

	report    *session.Report
	published map[string]bool // files that have findings
	failures  map[string]bool // that were logged
}

// settle is waited for before a check: editors save several files at once.
const settle = 30 * time.Millisecond

// A root is where a program is.
type root struct {
	dir      string
	patterns string // with line ends, so that roots can be compared
	work     bool   // dir has a go.work file
}

// rootOf finds the program that a file, or a directory, belongs to.
func rootOf(dir string) (r root, ok bool) {
	module := above(dir, "go.mod")
	work := above(dir, "go.work")
	if work != "" {
		if dirs := uses(work); module == "" && work == dir || slices.Contains(dirs, module) {
			var patterns []string
			for _, d := range dirs {
				patterns = append(patterns, filepath.Join(d, "..."))
			}
			return root{work, strings.Join(patterns, "\n"), true}, len(dirs) > 0
		}
	}
	if module == "" {
		return root{}, false
	}
	return root{dir: module, patterns: "./..."}, true
}

// above finds the nearest directory that holds a file, upwards from dir.
func above(dir, file string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// uses gives the directories of the modules of a go.work file.
func uses(dir string) []string {
	name := filepath.Join(dir, "go.work")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	work, err := modfile.ParseWork(name, data, nil)
	if err != nil {
		return nil // the go command says what is wrong with it
	}
	var dirs []string
	for _, use := range work.Use {
		d := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(d) {
			d = filepath.Join(dir, d)
		}
		dirs = append(dirs, filepath.Clean(d))
	}
	return dirs
}

// programOf finds the program of a file and starts it if need be. It is nil for
// a file that is not of the workspace.
func (s *Server) programOf(path string) *program {
	if filepath.Ext(path) != ".go" || !s.inWorkspace(path) {
		return nil
	}
	r, ok := rootOf(filepath.Dir(path))
	if !ok {
		if s.docs[path] != nil {
			s.show(messageWarning, fmt.Sprintf("pgtxvet: %s is in no Go module; it is not checked", path))
		}
		return nil
	}
	return s.start(r)
}

// inWorkspace reports whether a path is below a folder of the workspace, or, where
// there are no folders, is no file of a dependency.
func (s *Server) inWorkspace(path string) bool {
	if strings.Contains(filepath.ToSlash(path), "/pkg/mod/") {
		return false
	}
	return len(s.folders) == 0 || slices.ContainsFunc(s.folders, func(f string) bool { return within(f, path) })
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// startFolder starts the program that a folder of the workspace is. Modules
// below it wait until one of their files is opened.
func (s *Server) startFolder(dir string) {
	if r, ok := rootOf(dir); ok {
		s.start(r).changed("")
	}
}

// start gives the program at a root.
func (s *Server) start(r root) *program {
	if p := s.programs[r.dir]; p != nil {
		if p.root == r {
			return p
		}
		s.stop(r.dir)
	}
	p := &program{s: s, root: r, kick: make(chan struct{}, 1), files: map[string]bool{}, cancel: func() {}, failures: map[string]bool{}}
	p.stopped, p.stop = context.WithCancel(s.ctx)
	s.programs[r.dir] = p
	s.async(p.run)
	p.changed("")
	return p
}

// stop ends a program and takes its findings away.
func (s *Server) stop(dir string) {
	p := s.programs[dir]
	delete(s.programs, dir)
	p.stop()
	for file := range p.published {
		s.publish(file)
	}
}

// regroup starts and stops programs after a change of modules or folders.
func (s *Server) regroup() {
	want := map[string]root{}
	for path := range s.docs {
		if s.inWorkspace(path) && filepath.Ext(path) == ".go" {
			if r, ok := rootOf(filepath.Dir(path)); ok {
				want[r.dir] = r
			}
		}
	}
	for _, f := range s.folders {
		if r, ok := rootOf(f); ok {
			want[r.dir] = r
		}
	}
	for dir, p := range s.programs {
		if r, ok := want[dir]; !ok || r != p.root {
			s.stop(dir)
		}
	}
	for _, r := range want {
		s.start(r)
	}
}

// restart begins anew, with other settings.
func (s *Server) restart() {
	for dir := range s.programs {
		s.stop(dir)
	}
	s.regroup()
}

// changed asks for a check because of a file. A check that is running is of no
// use any more.
func (p *program) changed(path string) {
	if filepath.Ext(path) == ".go" {
		p.files[path] = true
	} else {
		p.settings = true
	}
	p.cancel()
	select {
	case p.kick <- struct{}{}:
	default:
	}
}

// run checks the program whenever something has changed.
func (p *program) run() {
	for {
		select {
		case <-p.stopped.Done():
			return
		case <-p.kick:
		}
		select {
		case <-p.stopped.Done():
			return
		case <-time.After(settle):
		}
		select {
		case <-p.kick: // also within that time
		default:
		}
		p.check()
	}
}

// check runs one check and publishes what it finds.
func (p *program) check() {
	s := p.s
	s.mu.Lock()
	ctx, cancel := context.WithCancel(p.stopped)
	p.cancel = cancel
	overlay := p.overlay()
	files, settings := p.files, p.settings || !s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration
	p.files, p.settings = map[string]bool{}, false
	opened := p.openDirs()
	s.mu.Unlock()
	defer cancel()

	progress := s.newProgress(ctx, filepath.Base(p.root.dir))
	report, err := p.checkSession(ctx, overlay, files, settings, opened, session.Hooks{Progress: progress.report, Partial: p.showPart(ctx)})
	progress.end(report, err)

	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		for file := range files {
			p.files[file] = true
		}
		p.settings = p.settings || settings
		if !errors.Is(err, context.Canceled) && p.stopped.Err() == nil {
			s.show(messageError, fmt.Sprintf("pgtxvet cannot check %s: %v", p.root.dir, err))
		}
		return
	}
	if p.stopped.Err() == nil {
		p.show(report)
	}
}

// showPart gives what shows the findings in what was saved before the check is
// over.
func (p *program) showPart(ctx context.Context) func(*session.Report) {
	return func(report *session.Report) {
		p.s.mu.Lock()
		defer p.s.mu.Unlock()
		if ctx.Err() == nil {
			p.show(report)
		}
	}
}

// overlay gives the saved texts of open files that differ from those on disk.
func (p *program) overlay() map[string][]byte {
	texts := map[string][]byte{}
	for path, d := range p.s.docs {
		if filepath.Ext(path) != ".go" || !p.s.inWorkspace(path) {
			continue
		}
		if disk, err := os.ReadFile(path); err != nil || !bytes.Equal(disk, []byte(d.saved)) {
			texts[path] = []byte(d.saved)
		}
	}
	return texts
}

// openDirs gives the directories of the open files of the program.
func (p *program) openDirs() map[string]string {
	dirs := map[string]string{}
	for path := range p.s.docs {
		if filepath.Ext(path) != ".go" || !p.s.inWorkspace(path) {
			continue
		}
		if r, ok := rootOf(filepath.Dir(path)); ok && r == p.root {
			dirs[path] = filepath.Dir(path)
		}
	}
	return dirs
}

// checkSession runs the check itself. A panic is an error, and the next check
// begins anew.
func (p *program) checkSession(ctx context.Context, overlay map[string][]byte, files map[string]bool, settings bool, opened map[string]string, hooks session.Hooks) (report *session.Report, err error) {
	defer func() {
		if v := recover(); v != nil {
			p.session = nil
			report, err = nil, fmt.Errorf("internal error: %v\n%s", v, debug.Stack())
		}
	}()
	if p.session == nil {
		if p.session, err = p.newSession(); err != nil {
			return nil, err
		}
	}
	if settings {
		p.session.Reread()
	}
	for file := range files {
		if !p.session.Knows(file) {
			p.session.Relist()
		}
	}
	report, err = p.session.Check(ctx, overlay, hooks)
	if err != nil {
		return nil, err
	}
	// The pattern ./... leaves out directories such as testdata.
	more := false
	for file, dir := range opened {
		if !p.session.Knows(file) && leftOut(p.root.dir, dir) {
			more = p.session.Include(dir) || more
		}
	}
	if more {
		return p.session.Check(ctx, overlay, hooks)
	}
	return report, nil
}

// leftOut reports whether the go command leaves a directory out of "...".
func leftOut(root, dir string) bool {
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), func(name string) bool {
		return name == "testdata" || strings.HasPrefix(name, "_") || len(name) > 1 && name[0] == '.' && name != ".."
	})
}

func (p *program) newSession() (*session.Session, error) {
	p.s.mu.Lock()
	settings := p.s.settings
	p.s.mu.Unlock()
	rules, err := p.s.Rules(settings.Rules, settings.Disable)
	if err != nil {
		return nil, err
	}
	env := os.Environ()
	if !p.root.work {
		env = append(env, "GOWORK=off") // a go.work file above does not use this module
	}
	return session.New(session.Options{
		Load: load.Config{
			Dir: p.root.dir, Patterns: strings.Split(p.root.patterns, "\n"), Tests: settings.Tests, Tags: settings.Tags, Env: env,
		},
		Rules: rules, Known: p.s.Known,
	})
}

// show publishes a report.
func (p *program) show(report *session.Report) {
	before := p.published
	p.report = report
	p.published = map[string]bool{}
	for i := range report.Findings {
		p.published[report.Findings[i].File] = true
	}
	for _, m := range report.Mistakes {
		p.published[m.File] = true
	}
	for file := range before {
		if !p.published[file] {
			p.s.publish(file)
		}
	}
	for file := range p.published {
		p.s.publish(file)
	}
	failed := map[string]bool{}
	for _, f := range report.Failures {
		text := f.Message()
		if pos := f.Pos(); pos != "" {
			text = pos + ": " + text
		}
		failed[text] = true
		if !p.failures[text] {
			p.s.log(messageWarning, "pgtxvet does not analyse a package: "+text)
		}
	}
	p.failures = failed
	for _, err := range report.Errors {
		p.s.show(messageError, "pgtxvet: "+err.Error())
	}
}

// mistakesIn gives the mistakes in a configuration file.
func (p *program) mistakesIn(path string) []*config.Error {
	if p.report == nil {
		return nil
	}
	var list []*config.Error
	for _, m := range p.report.Mistakes {
		if m.File == path {
			list = append(list, m)
		}
	}
	return list
}
