// Package vettool is a tool for go vet and go fix: it analyses one package in
// one process, as the go command asks in a file unit.cfg.
//
// The protocol is that of golang.org/x/tools/go/analysis/unitchecker: the same
// questions, flags, output and exit statuses. What differs is where types come
// from. unitchecker type-checks every dependency from source, the standard
// library included, and hands types on in its own files. This tool reads the
// export data that the compiler has left behind anyway, looks only at the
// user's own packages (see internal/usercode), and answers for all others with
// an empty file of facts.
package vettool

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/usercode"
)

// Exit statuses, as the go command knows them.
const (
	exitOK     = 0
	exitFailed = 1 // findings, or the package could not be analysed
	exitUsage  = 2
)

// A Tool is the program under go vet.
type Tool struct {
	ByDefault []*analysis.Analyzer
	OnRequest []*analysis.Analyzer // run only when asked for by name
	Stdout    io.Writer
	Stderr    io.Writer
}

// Run does what the arguments say, which are those that go vet gives its tool,
// and returns the exit status. It does not answer -V=full.
func (t *Tool) Run(args []string) int {
	opts, err := t.parse(args)
	switch {
	case err != nil:
		t.warn(err)
		return exitUsage
	case opts.flags:
		return t.printFlags()
	case len(opts.args) != 1 || !strings.HasSuffix(opts.args[0], ".cfg"):
		t.warn(errors.New("go vet calls this; the arguments are not those of go vet"))
		return exitUsage
	}
	cfg, err := readConfig(opts.args[0])
	if err != nil {
		t.warn(err)
		return exitFailed
	}
	stdout, err := t.redirect(cfg)
	if err != nil {
		t.warn(err)
		return exitFailed
	}
	run := &run{opts: opts, cfg: cfg, stdout: stdout, stderr: t.Stderr}
	code, err := run.unit()
	if closer, ok := stdout.(io.Closer); ok && cfg.Stdout != "" {
		err = errors.Join(err, closer.Close())
	}
	if err != nil {
		t.fail(err)
		return exitFailed
	}
	return code
}

// redirect gives what to write to as standard output: the go command wants it
// in a file, which it keeps in its cache.
func (t *Tool) redirect(cfg *unitConfig) (io.Writer, error) {
	if cfg.Stdout == "" {
		return t.Stdout, nil
	}
	return os.Create(cfg.Stdout)
}

// fail says why a package could not be analysed. An error in its source comes
// without a prefix, so that the go command can shorten the name of the file.
func (t *Tool) fail(err error) {
	if e, ok := errors.AsType[types.Error](err); ok {
		fmt.Fprintln(t.Stderr, e)
	} else if e, ok := errors.AsType[scanner.ErrorList](err); ok {
		fmt.Fprintln(t.Stderr, e)
	} else {
		t.warn(err)
	}
}

// warn prints a line to standard error.
func (t *Tool) warn(err error) { fmt.Fprintf(t.Stderr, "pgtxvet: %v\n", err) }

// A run is the analysis of one package.
type run struct {
	opts           *options
	cfg            *unitConfig
	stdout, stderr io.Writer
}

// unit analyses the package and writes what was found and the facts.
func (r *run) unit() (int, error) {
	if !r.isUsers() {
		if err := writeFacts(r.cfg.VetxOutput, nil); err != nil || r.cfg.VetxOnly {
			return exitOK, err
		}
		return r.report(nil)
	}
	p, err := load(r.cfg)
	if err != nil {
		if _, ok := errors.AsType[types.Error](err); ok && r.cfg.SucceedOnTypecheckFailure {
			return exitOK, writeFacts(r.cfg.VetxOutput, nil)
		}
		return exitFailed, err
	}
	facts, err := readFacts(r.cfg, p)
	if err != nil {
		return exitFailed, err
	}
	results, err := check.Package(p.Package, r.opts.rules, r.cfg.VetxOnly, facts.view)
	if err != nil {
		return exitFailed, err
	}
	records, err := facts.encode()
	if err != nil {
		return exitFailed, err
	}
	if err := writeFacts(r.cfg.VetxOutput, records); err != nil {
		return exitFailed, err
	}
	if r.cfg.VetxOnly {
		r.errors(results) // go vet keeps silent about such a package, but its findings elsewhere may be missing
		return exitOK, nil
	}
	return r.report(results)
}

// isUsers reports whether the package is the user's own. cgo puts its files
// elsewhere, so the directory tells; an external test belongs to its package.
func (r *run) isUsers() bool {
	dir := r.cfg.Dir
	if dir == "" {
		dir = filepath.Dir(r.cfg.GoFiles[0])
	}
	return usercode.Is(strings.TrimSuffix(r.cfg.ImportPath, "_test"), filepath.Join(dir, "x.go"))
}
