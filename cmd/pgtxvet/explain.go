package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"
	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/docs"
	"github.com/pgtxvet/pgtxvet/internal/report"
	"github.com/pgtxvet/pgtxvet/internal/termdoc"
)

// explain prints the page of a rule: what it reports, and what PostgreSQL did with
// a program that it reports and with the corrections.
func (p *program) explain(args []string) int {
	fs := flag.NewFlagSet("explain", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	all := fs.Bool("all", false, "")
	color := fs.String("color", "auto", "")
	if err := fs.Parse(args); err != nil || fs.NArg() != 1 {
		return p.fail(errors.New("explain wants the name of one rule: pgtxvet explain [-all] RULE; pgtxvet list lists them"))
	}
	a, err := p.suite.lookup(fs.Arg(0))
	if err != nil {
		return p.fail(err)
	}
	page, ok := docs.Rule(a.Name)
	if !ok {
		page = a.Doc
	}
	left := 0
	if !*all {
		page, left = firstProgram(page)
	}
	style := termdoc.Style{Width: width(p.stdout), Color: colored(p.stdout, *color)}
	if err := termdoc.Render(p.stdout, page, style); err != nil {
		return p.fail(err)
	}
	p.footer(a, left)
	return exitClean
}

// footer says what is not on the page.
func (p *program) footer(a *analysis.Analyzer, left int) {
	if p.suite.isOff(a) {
		fmt.Fprintf(p.stdout, "\nThe rule is off unless it is asked for: -rules %s\n", a.Name)
	}
	if left > 0 {
		fmt.Fprintf(p.stdout, "\n%s on PostgreSQL: pgtxvet explain -all %s\n", report.Count(left, "more program"), a.Name)
	}
	if a.URL != "" {
		fmt.Fprintf(p.stdout, "\n%s\n", a.URL)
	}
}

// firstProgram cuts a page behind the first program of its proofs, and counts
// those that are cut off.
func firstProgram(page string) (string, int) {
	const program = "\n### "
	head, rest, ok := strings.Cut(page, program)
	if !ok {
		return page, 0
	}
	first, more, ok := strings.Cut(rest, program)
	if !ok {
		return page, 0
	}
	return head + program + first, 1 + strings.Count(more, program)
}

// width is the width of a terminal. What is no terminal is as wide as it says, or
// as a page in an editor.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return max(n, 40)
		}
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(n, 40)
	}
	return 100
}
