package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/pgtxvet/pgtxvet/internal/lsp"
)

const lspUsage = `pgtxvet lsp is a language server on standard input and output, for editors.

Usage:
	pgtxvet lsp [flags]

Flags, which the settings of the editor override:
` + commonFlags

// lsp serves an editor until it says exit.
func (p *program) lsp(args []string) int {
	var settings lsp.Settings
	fs := flag.NewFlagSet("pgtxvet lsp", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&settings.Rules, "rules", "", "")
	fs.StringVar(&settings.Disable, "disable", "", "")
	fs.StringVar(&settings.Tags, "tags", "", "")
	fs.BoolVar(&settings.Tests, "tests", false, "")
	config := fs.String("config", "", "")
	fs.Bool("stdio", true, "") // some editors add it
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(p.stdout, lspUsage)
		return exitClean
	}
	if err == nil && fs.NArg() > 0 {
		err = fmt.Errorf("lsp takes no packages, and got %q", fs.Arg(0))
	}
	if err == nil {
		_, err = p.suite.choose(settings.Rules, settings.Disable)
	}
	if err == nil && *config != "" {
		err = p.useConfig(*config)
	}
	if err != nil {
		return p.fail(err)
	}
	server := &lsp.Server{
		Rules:    p.suite.choose,
		Known:    p.suite.names(),
		Settings: settings,
		Version:  version(),
	}
	if !server.Run(context.Background(), os.Stdin, p.stdout) {
		return exitFailed
	}
	return exitClean
}
