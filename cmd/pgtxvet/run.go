package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/load"
	"github.com/pgtxvet/pgtxvet/internal/report"
)

// Exit statuses.
const (
	exitClean    = 0
	exitFindings = 1
	exitFailed   = 2
)

// A program is one run of the command.
type program struct {
	suite          suite
	stdout, stderr io.Writer
}

// flags are the values of the command line.
type flags struct {
	json       bool
	tests      bool
	tags       string
	dir        string
	rules      string
	disable    string
	config     string
	cpuProfile string
	memProfile string
	version    bool
}

const usage = `pgtxvet finds misuse of PostgreSQL transactions in Go programs.

Usage:
	pgtxvet [flags] [packages]   check packages, ./... if none are given
	pgtxvet list                 list the rules
	pgtxvet explain RULE         say what a rule finds, why, and what to write instead
	pgtxvet version              print the version

As a tool for go vet:
	go vet -vettool=$(which pgtxvet) ./...

Flags:
	-rules a,b      run these rules only ("all" for all of them)
	-disable a,b    do not run these rules
	-config file    the configuration of all packages, instead of the .pgtxvet.yaml
	                nearest to each
	-tests          check test files as well
	-tags list      build tags, comma-separated
	-C dir          run in dir
	-json           print findings as JSON, in the form of go vet -json
	-cpuprofile f   write a CPU profile
	-memprofile f   write a memory profile
	-V              print the version

Exit status: 0 nothing found, 1 something found, 2 could not run. A package
that cannot be analysed is named on standard error and the others are checked;
the status is 2 only if there are no others. Where a .pgtxvet.yaml is wrong, its
packages are checked without it, and the status is 2 if nothing is found.
`

// run does what the arguments say and returns the exit status.
func (p *program) run(args []string) int {
	if isVetTool(args) {
		return p.vetTool(args)
	}
	if len(args) > 0 {
		switch args[0] {
		case "help":
			fmt.Fprint(p.stdout, usage)
			return exitClean
		case "version":
			return p.version()
		case "list":
			return p.list()
		case "explain":
			return p.explain(args[1:])
		}
	}
	f, patterns, err := p.parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(p.stdout, usage)
		return exitClean
	case err != nil:
		return p.fail(fmt.Errorf("%w; pgtxvet -h lists the flags", err))
	case f.version:
		return p.version()
	}
	rules, err := p.suite.choose(f.rules, f.disable)
	if err != nil {
		return p.fail(err)
	}
	if f.config != "" {
		if err := p.useConfig(f.config); err != nil {
			return p.fail(err)
		}
	}
	delayGC()
	stop, err := profile(f)
	if err != nil {
		return p.fail(err)
	}
	code := p.check(f, rules, patterns)
	if err := stop(); err != nil {
		return p.fail(err)
	}
	return code
}

// parse reads flags and package patterns. Flags of a rule are there as
// -RULE.flag, as under go vet.
func (p *program) parse(args []string) (*flags, []string, error) {
	f := new(flags)
	fs := flag.NewFlagSet("pgtxvet", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&f.json, "json", false, "")
	fs.BoolVar(&f.tests, "tests", false, "")
	fs.StringVar(&f.tags, "tags", "", "")
	fs.StringVar(&f.dir, "C", "", "")
	fs.StringVar(&f.rules, "rules", "", "")
	fs.StringVar(&f.disable, "disable", "", "")
	fs.StringVar(&f.config, "config", "", "")
	fs.StringVar(&f.cpuProfile, "cpuprofile", "", "")
	fs.StringVar(&f.memProfile, "memprofile", "", "")
	fs.BoolVar(&f.version, "V", false, "")
	for _, a := range p.suite.all() {
		a.Flags.VisitAll(func(rule *flag.Flag) {
			fs.Var(rule.Value, a.Name+"."+rule.Name, rule.Usage)
		})
	}
	err := fs.Parse(args)
	return f, fs.Args(), err
}

// check loads the packages, runs the rules and prints what they found.
func (p *program) check(f *flags, rules []*analysis.Analyzer, patterns []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	prog, err := load.Load(ctx, load.Config{Dir: f.dir, Patterns: patterns, Tests: f.tests, Tags: f.tags})
	if err != nil {
		return p.fail(err)
	}
	cwd, err := os.Getwd()
	if err != nil {
		return p.fail(err)
	}
	for _, failure := range prog.Failures {
		if pos := failure.Pos(); pos != "" {
			p.warn(report.Relative(pos, cwd) + ": " + failure.Message())
		} else {
			p.warn(failure.Message())
		}
	}
	configured := f.config != "" || p.checkConfigs(prog.Roots, cwd)
	results, err := check.Run(ctx, rules, prog.Roots, check.Options{Whole: true})
	if err != nil {
		return p.fail(err)
	}
	results = report.Distinct(prog.Fset, results)
	for _, r := range results {
		if r.Err != nil && !config.IsError(r.Err) { // those are known
			p.warn(r.Err.Error())
		}
	}
	findings := report.Findings(prog.Fset, results)
	if f.json {
		err = report.JSON(p.stdout, prog.Fset, results)
	} else {
		err = report.Text(p.stdout, findings, cwd)
	}
	switch {
	case err != nil:
		return p.fail(err)
	case len(findings) > 0:
		return exitFindings
	case !configured, !anyAnalysed(prog):
		return exitFailed
	}
	return exitClean
}

// anyAnalysed reports whether a root is fit to be analysed.
func anyAnalysed(prog *load.Program) bool {
	for _, root := range prog.Roots {
		if !root.IllTyped {
			return true
		}
	}
	return false
}

// list prints the rules, one a line.
func (p *program) list() int {
	width := 0
	for _, name := range p.suite.names() {
		width = max(width, len(name))
	}
	off := make(map[*analysis.Analyzer]bool)
	for _, a := range p.suite.onRequest {
		off[a] = true
	}
	for _, a := range p.suite.all() {
		state := "on "
		if off[a] {
			state = "off"
		}
		title, _, _ := strings.Cut(a.Doc, "\n")
		fmt.Fprintf(p.stdout, "%-*s  %s  %s\n", width, a.Name, state, strings.TrimPrefix(title, a.Name+": "))
	}
	return exitClean
}

// explain prints the page of a rule.
func (p *program) explain(args []string) int {
	if len(args) != 1 {
		return p.fail(errors.New("explain wants the name of one rule; pgtxvet list lists them"))
	}
	a, err := p.suite.lookup(args[0])
	if err != nil {
		return p.fail(err)
	}
	fmt.Fprintf(p.stdout, "%s\n", strings.TrimSpace(a.Doc))
	for _, off := range p.suite.onRequest {
		if off == a {
			fmt.Fprintf(p.stdout, "\nThe rule is off unless it is asked for: -rules %s\n", a.Name)
		}
	}
	if a.URL != "" {
		fmt.Fprintf(p.stdout, "\n%s\n", a.URL)
	}
	return exitClean
}

// version prints the version of the module and of Go.
func (p *program) version() int {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	fmt.Fprintf(p.stdout, "pgtxvet %s %s\n", version, runtime.Version())
	return exitClean
}

// warn prints a line to standard error.
func (p *program) warn(text string) { fmt.Fprintf(p.stderr, "pgtxvet: %s\n", text) }

// fail prints why the program could not run.
func (p *program) fail(err error) int {
	p.warn(err.Error())
	return exitFailed
}
