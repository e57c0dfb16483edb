// Command pgtxvet finds misuse of PostgreSQL transactions in Go programs.
//
//	pgtxvet [flags] [packages]   check packages, ./... if none are given
//	pgtxvet list                 list the rules
//	pgtxvet explain RULE         say what a rule finds, why, and what to write instead
//	pgtxvet lsp                  serve an editor as a language server
//	pgtxvet help                 the flags
//
// It is also a tool for go vet:
//
//	go vet -vettool=$(which pgtxvet) ./...
//
// Exit status is 0 when nothing was found, 1 when something was, and 2 when
// pgtxvet could not run. A package that cannot be analysed is named on
// standard error and does not change the exit status, unless there is no
// other.
package main

import (
	"os"

	"github.com/pgtxvet/pgtxvet/analyzers"
)

func main() {
	p := program{
		suite:  suite{byDefault: analyzers.All(), onRequest: analyzers.Optional()},
		stdout: os.Stdout,
		stderr: os.Stderr,
	}
	os.Exit(p.run(os.Args[1:]))
}
