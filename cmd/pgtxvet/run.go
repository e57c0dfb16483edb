package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/ruledoc"
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

// commonFlags are those of the program that the language server has, too.
const commonFlags = `	-rules a,b      run these rules only ("all" for all of them)
	-disable a,b    do not run these rules
	-config file    the configuration of all packages, instead of the .pgtxvet.yaml
	                nearest to each
	-tests          check test files as well
	-tags list      build tags, comma-separated
`

const usage = `pgtxvet finds misuse of PostgreSQL transactions in Go programs.

Usage:
	pgtxvet [flags] [packages]   check packages, ./... if none are given
	pgtxvet list                 list the rules
	pgtxvet explain RULE         say what a rule finds, why, and what to write instead
	pgtxvet init                 write a .pgtxvet.yaml after a look at the module
	pgtxvet lsp                  serve an editor as a language server
	pgtxvet completion SHELL     print what completes commands in bash, zsh or fish
	pgtxvet version              print the version

As a tool for go vet:
	go vet -vettool=$(which pgtxvet) ./...

Flags:
` + commonFlags + `	-C dir          run in dir
	-f format       text, json (the form of go vet -json), sarif, github (workflow
	                commands of GitHub Actions), gitlab (its code quality report)
	                or checkstyle
	-json           the same as -f json
	-fix            apply the suggested fixes and report what is left
	-diff           print what -fix would change, and nothing else
	-baseline file  report only findings that are not in the file
	-write-baseline write the findings to the file of -baseline
	-since rev      report only findings on lines changed since the git revision
	-color when     auto, always or never
	-cpuprofile f   write a CPU profile
	-memprofile f   write a memory profile
	-V              print the version

Exit status: 0 nothing found, 1 something found, 2 could not run. With -diff, 1
says that there is something to change. A package that cannot be analysed is
named on standard error and the others are checked; the status is 2 only if there
are no others. Where a .pgtxvet.yaml is wrong, its packages are checked without
it, and the status is 2 if nothing is found.
`

// A command is the first argument of the program.
type command struct {
	name string
	run  func(p *program, args []string) int
}

// commands are those there are.
func commands() []command {
	return []command{
		{"help", (*program).help},
		{"version", (*program).printVersion},
		{"list", (*program).list},
		{"explain", (*program).explain},
		{"init", (*program).init},
		{"lsp", (*program).lsp},
		{"completion", (*program).completion},
	}
}

// command finds a command by its name. Where there is none of that name, and no
// package either, it is the name of one by mistake.
func (p *program) command(args []string) (command, error) {
	if len(args) == 0 || !isWord(args[0]) {
		return command{}, nil
	}
	var names []string
	for _, c := range commands() {
		if c.name == args[0] {
			return c, nil
		}
		names = append(names, c.name)
	}
	if _, err := os.Stat(args[0]); err == nil {
		return command{}, nil
	}
	if near := nearest(args[0], names); near != "" {
		return command{}, fmt.Errorf("no command %q; did you mean %s?", args[0], near)
	}
	return command{}, nil
}

// isWord reports whether an argument can be a command: packages of a module are
// written with a dot or a slash.
func isWord(arg string) bool {
	return !strings.HasPrefix(arg, "-") && !strings.ContainsAny(arg, "./\\")
}

// run does what the arguments say and returns the exit status.
func (p *program) run(args []string) int {
	if isVetTool(args) {
		return p.vetTool(args)
	}
	switch cmd, err := p.command(args); {
	case err != nil:
		return p.fail(fmt.Errorf("%w pgtxvet help lists the commands", err))
	case cmd.run != nil:
		return cmd.run(p, args[1:])
	}
	f, patterns, err := p.parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return p.help(nil)
	case err != nil:
		return p.fail(fmt.Errorf("%w; pgtxvet -h lists the flags", err))
	case f.version:
		return p.printVersion(nil)
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

// help prints the usage.
func (p *program) help([]string) int {
	fmt.Fprint(p.stdout, usage)
	return exitClean
}

// list prints the rules, one a line.
func (p *program) list([]string) int {
	width := 0
	for _, name := range p.suite.names() {
		width = max(width, len(name))
	}
	for _, a := range p.suite.all() {
		state := "on "
		if p.suite.isOff(a) {
			state = "off"
		}
		fmt.Fprintf(p.stdout, "%-*s  %s  %s\n", width, a.Name, state, ruledoc.Title(a))
	}
	return exitClean
}

// warn prints a line to standard error.
func (p *program) warn(text string) { fmt.Fprintf(p.stderr, "pgtxvet: %s\n", text) }

// fail prints why the program could not run, each of several reasons on a line.
func (p *program) fail(err error) int {
	for _, err := range config.Mistakes(err) {
		p.warn(err.Error())
	}
	return exitFailed
}
