package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/baseline"
	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/fix"
	"github.com/pgtxvet/pgtxvet/internal/load"
	"github.com/pgtxvet/pgtxvet/internal/report"
	"github.com/pgtxvet/pgtxvet/internal/ruledoc"
	"github.com/pgtxvet/pgtxvet/internal/since"
)

// A checker is one check of packages.
type checker struct {
	*program
	flags    *flags
	rules    []*analysis.Analyzer
	patterns []string
	cwd      string
	root     string // where packages are looked for
	progress *progress

	known   []baseline.Entry
	changes *since.Changes // nil: all that is found counts
	said    map[string]bool
}

// An outcome is what a check has found.
type outcome struct {
	findings   []report.Finding // those that count
	failed     []check.Result
	failures   []string
	configured bool // no configuration is wrong
	analysed   bool // a package is fit to be analysed
	scope      baseline.Scope
	all        []report.Finding
	known      int // findings in the baseline
	unchanged  int // findings on lines that did not change
	stale      []baseline.Entry
}

// check loads the packages, runs the rules and prints what they found.
func (p *program) check(f *flags, rules []*analysis.Analyzer, patterns []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	cwd, err := os.Getwd()
	if err != nil {
		return p.fail(err)
	}
	root, err := filepath.Abs(f.dir)
	if err != nil {
		return p.fail(err)
	}
	c := &checker{program: p, flags: f, rules: rules, patterns: patterns, cwd: cwd, root: root, progress: newProgress(p.stderr), said: map[string]bool{}}
	if err := c.prepare(ctx); err != nil {
		return p.fail(err)
	}
	out, err := c.find(ctx)
	if err != nil {
		return p.fail(err)
	}
	switch {
	case f.writeBaseline:
		return c.writeBaseline(out)
	case f.diff:
		return c.diff(out)
	case f.fix:
		if out, err = c.fix(ctx, out); err != nil {
			return p.fail(err)
		}
	}
	return c.report(out)
}

// prepare reads what findings are compared with.
func (c *checker) prepare(ctx context.Context) (err error) {
	if c.flags.baseline != "" {
		c.known, err = baseline.Read(c.flags.baseline)
		switch {
		case errors.Is(err, os.ErrNotExist) && c.flags.writeBaseline:
			c.known = nil
		case errors.Is(err, os.ErrNotExist):
			return fmt.Errorf("there is no baseline %s; -write-baseline writes it", c.flags.baseline)
		case err != nil:
			return err
		}
	}
	if c.flags.since != "" {
		c.changes, err = since.Find(ctx, c.flags.dir, c.flags.since)
		if err != nil {
			return fmt.Errorf("-since: %w", err)
		}
	}
	return nil
}

// find loads the packages and runs the rules.
func (c *checker) find(ctx context.Context) (*outcome, error) {
	defer c.progress.clear()
	f := c.flags
	c.progress.wait("listing packages")
	prog, err := load.Load(ctx, load.Config{Dir: f.dir, Patterns: c.patterns, Tests: f.tests, Tags: f.tags, Progress: c.progress.step("loading")})
	if err != nil {
		return nil, err
	}
	out := &outcome{analysed: anyAnalysed(prog)}
	for _, failure := range prog.Failures {
		text := failure.Message()
		if pos := failure.Pos(); pos != "" {
			text = report.Relative(pos, c.cwd) + ": " + text
		}
		c.failure(out, text)
	}
	out.configured = f.config != "" || c.checkConfigs(prog.Roots, c.cwd)
	out.scope = scope(prog, c.rules, f.tests)
	results, err := check.Run(ctx, c.rules, prog.Roots, check.Options{Whole: true, Progress: c.progress.step("checking")})
	if err != nil {
		return nil, err
	}
	results = report.Distinct(prog.Fset, results)
	out.failed = report.Failed(results)
	for _, r := range out.failed {
		if !config.IsError(r.Err) { // those are known
			c.failure(out, r.Err.Error())
		}
	}
	for _, err := range fix.ValidateAll(prog.Fset, results) {
		c.failure(out, err.Error())
	}
	out.all = report.Findings(prog.Fset, results)
	report.Fingerprint(out.all)
	c.choose(out)
	return out, nil
}

// choose leaves the findings that count.
func (c *checker) choose(out *outcome) {
	out.findings, out.stale = baseline.Apply(c.known, out.all)
	out.known = len(out.all) - len(out.findings)
	if c.changes == nil {
		return
	}
	fresh := out.findings
	out.findings = nil
	for _, f := range fresh {
		if c.changes.Touch(f) {
			out.findings = append(out.findings, f)
		} else {
			out.unchanged++
		}
	}
}

// failure notes what could not be analysed and says it once.
func (c *checker) failure(out *outcome, text string) {
	out.failures = append(out.failures, text)
	if !c.said[text] {
		c.said[text] = true
		c.progress.clear()
		c.warn(text)
	}
}

// scope is what a run over the packages looks at.
func scope(prog *load.Program, rules []*analysis.Analyzer, tests bool) baseline.Scope {
	s := baseline.Scope{Packages: map[string]bool{}, Rules: map[string]bool{}, Tests: tests}
	for _, root := range prog.Roots {
		if !root.IllTyped {
			s.Packages[strings.TrimSuffix(root.PkgPath, "_test")] = true
		}
	}
	for _, a := range rules {
		s.Rules[a.Name] = true
	}
	return s
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

// writeBaseline writes all findings to the baseline, and keeps entries that this
// run did not look for.
func (c *checker) writeBaseline(out *outcome) int {
	var entries []baseline.Entry
	for _, e := range c.known {
		if !out.scope.Covers(e) {
			entries = append(entries, e)
		}
	}
	for _, f := range out.all {
		if e := baseline.Of(f); out.scope.Covers(e) {
			entries = append(entries, e)
		}
	}
	if err := baseline.Write(c.flags.baseline, entries); err != nil {
		return c.fail(err)
	}
	c.warn(fmt.Sprintf("%s written with %s", c.flags.baseline, report.Count(len(entries), "finding")))
	return c.status(out, false)
}

// fixes gathers the fixes of the findings that count.
func (c *checker) fixes(out *outcome) (*fix.Set, error) {
	set := fix.New()
	for _, f := range out.findings {
		if err := set.Add(f.Result); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// waiting says how many fixes are left for the next run.
func (c *checker) waiting(set *fix.Set) {
	if set.Skipped > 0 {
		c.warn(fmt.Sprintf("%s left out because they overlap others; run pgtxvet -fix again to apply them", report.Count(set.Skipped, "fix")))
	}
}

// diff prints what the fixes would change, in the form that "git apply" and
// "patch -p1" read in the directory where the program was started.
func (c *checker) diff(out *outcome) int {
	set, err := c.fixes(out)
	if err != nil {
		return c.fail(err)
	}
	files := set.Files()
	for _, f := range files {
		name := filepath.ToSlash(report.Relative(f.Name, c.cwd))
		if _, err := c.stdout.Write(f.Diff("a/"+name, "b/"+name)); err != nil {
			return c.fail(err)
		}
	}
	c.waiting(set)
	return c.status(out, len(files) > 0)
}

// fix applies the fixes and checks the packages again: what is left is reported
// where it stands now.
func (c *checker) fix(ctx context.Context, out *outcome) (*outcome, error) {
	set, err := c.fixes(out)
	if err != nil {
		return nil, err
	}
	files := set.Files()
	if err := fix.Write(files); err != nil {
		return nil, err
	}
	c.waiting(set)
	if len(files) == 0 {
		return out, nil
	}
	c.warn(fmt.Sprintf("%s applied in %s", report.Count(set.Applied, "fix"), report.Count(len(files), "file")))
	if c.changes != nil { // the fixes are changes, too
		if c.changes, err = since.Find(ctx, c.flags.dir, c.flags.since); err != nil {
			return nil, fmt.Errorf("-since: %w", err)
		}
	}
	return c.find(ctx)
}

// report prints the findings.
func (c *checker) report(out *outcome) int {
	r := &report.Report{
		Version: version(), Rules: c.suite.describe(), Findings: out.findings, Failed: out.failed, Failures: out.failures,
		Dir: c.cwd, Root: repository(c.root),
		Style: report.Style{Color: colored(c.stdout, c.flags.color), Spaced: isTerminal(c.stdout)},
	}
	if err := report.Write(c.stdout, c.flags.format, r); err != nil {
		return c.fail(err)
	}
	c.staleEntries(out)
	c.summary(out)
	return c.status(out, len(out.findings) > 0)
}

// status is the exit status of a run.
func (c *checker) status(out *outcome, found bool) int {
	switch {
	case found:
		return exitFindings
	case !out.configured, !out.analysed:
		return exitFailed
	}
	return exitClean
}

// maxStale is how many entries without a finding are named.
const maxStale = 5

// staleEntries names the entries of the baseline that this run looked for and did
// not find.
func (c *checker) staleEntries(out *outcome) {
	n := 0
	for _, e := range out.stale {
		if !out.scope.Covers(e) {
			continue
		}
		if n++; n <= maxStale {
			c.warn(fmt.Sprintf("%s:%d: %s in %s is not found any more; remove the line", c.flags.baseline, e.Line, e.Rule, e.File))
		}
	}
	if n > maxStale {
		c.warn(fmt.Sprintf("%s: %d more are not found any more; -write-baseline takes them out", c.flags.baseline, n-maxStale))
	}
}

// summary is the last line of a run with text, on standard error so that
// standard output is findings only. A run that is clean says nothing, except to a
// person.
func (c *checker) summary(out *outcome) {
	var parts []string
	if len(out.findings) > 0 {
		parts = append(parts, report.Summary(out.findings))
	} else if out.known+out.unchanged > 0 || isTerminal(c.stderr) && out.analysed {
		parts = append(parts, "nothing found")
	}
	if out.known > 0 {
		parts = append(parts, fmt.Sprintf("%d known from %s", out.known, c.flags.baseline))
	}
	if out.unchanged > 0 {
		parts = append(parts, fmt.Sprintf("%d on lines not changed since %s", out.unchanged, c.flags.since))
	}
	if len(parts) > 0 && c.flags.format == "text" {
		fmt.Fprintf(c.stderr, "%s\n", strings.Join(parts, "; "))
	}
}

// describe is what reports say about the rules.
func (s suite) describe() []report.Rule {
	var rules []report.Rule
	for _, a := range s.all() {
		rules = append(rules, report.Rule{
			Name: a.Name, Title: ruledoc.Title(a), Description: ruledoc.Description(a), Text: ruledoc.Text(a), Markdown: ruledoc.Markdown(a),
			URL: a.URL, Level: ruledoc.Level(a), Default: !s.isOff(a),
		})
	}
	return rules
}

// repository is the root of the repository around a directory, or the directory
// itself if it is in none.
func repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
