package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/schema"
)

// isVetTool reports whether the arguments are those that go vet gives its
// tool: -V=full and -flags to ask about it, and a file unit.cfg.
func isVetTool(args []string) bool {
	return slices.Contains(args, "-V=full") || slices.Contains(args, "-flags") ||
		len(args) > 0 && strings.HasSuffix(args[len(args)-1], ".cfg")
}

// vetTool is the program under go vet. It ends the process: that is how
// unitchecker.Main returns.
func (p *program) vetTool(args []string) int {
	if slices.Contains(args, "-V=full") {
		return p.buildID()
	}
	guard(p.suite.all())
	os.Args = append([]string{os.Args[0]}, p.suite.vetArgs(args)...)
	unitchecker.Main(p.suite.all()...)
	panic("unreachable")
}

// buildID answers -V=full, which the go command asks where it was started, with
// an id that is part of the key of vet's cache: what was found before does not
// hold when the program has changed, or the configuration of the project, or its
// SQL scripts.
func (p *program) buildID() int {
	exe, err := os.Executable()
	if err != nil {
		return p.fail(err)
	}
	f, err := os.Open(exe)
	if err != nil {
		return p.fail(err)
	}
	defer func() { _ = f.Close() }() // only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return p.fail(err)
	}
	h.Write([]byte(config.Hash(".") + schema.Hash(".")))
	fmt.Fprintf(p.stdout, "%s version devel buildID=%x\n", exe, h.Sum(nil))
	return exitClean
}

// vetArgs adds to the arguments of a vet tool that rules which run on request
// only are off. The rule "if one is switched on, only those that are run; if
// one is switched off, all others run" is unitchecker's.
func (s suite) vetArgs(args []string) []string {
	var off []string
	for _, a := range s.onRequest {
		if !slices.ContainsFunc(args, func(arg string) bool {
			name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			return name == a.Name
		}) {
			off = append(off, "-"+a.Name+"=false")
		}
	}
	return append(off, args...)
}

// guard makes panics of the analyzers, and of those they require, errors that
// name the package. unitchecker has no such thing, and one bad package would
// end the analysis of it without a word about which.
func guard(analyzers []*analysis.Analyzer) {
	seen := make(map[*analysis.Analyzer]bool)
	var visit func(a *analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		run := a.Run
		a.Run = func(pass *analysis.Pass) (result any, err error) {
			defer func() {
				if v := recover(); v != nil {
					result, err = nil, &check.PanicError{
						Analyzer: a.Name, Package: pass.Pkg.Path(), Value: v, Stack: debug.Stack()}
				}
			}()
			return run(pass)
		}
		for _, req := range a.Requires {
			visit(req)
		}
	}
	for _, a := range analyzers {
		visit(a)
	}
}
