package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/report"
)

// flags are the values of the command line.
type flags struct {
	format        string
	tests         bool
	tags          string
	dir           string
	rules         string
	disable       string
	config        string
	fix           bool
	diff          bool
	baseline      string
	writeBaseline bool
	since         string
	color         string
	cpuProfile    string
	memProfile    string
	version       bool
}

// parse reads flags and package patterns. Flags of a rule are there as
// -RULE.flag, as under go vet.
func (p *program) parse(args []string) (*flags, []string, error) {
	f := new(flags)
	fs := p.flagSet(f)
	fs.SetOutput(io.Discard)
	if err := fs.Parse(args); err != nil {
		return f, nil, err
	}
	return f, fs.Args(), f.check()
}

func (p *program) flagSet(f *flags) *flag.FlagSet {
	fs := flag.NewFlagSet("pgtxvet", flag.ContinueOnError)
	f.format, f.color = "text", "auto"
	fs.Var(format{&f.format}, "f", "the form of the findings")
	fs.BoolFunc("json", "the same as -f json", func(value string) error {
		on, err := strconv.ParseBool(value)
		if on {
			return format{&f.format}.Set("json")
		}
		return err
	})
	fs.BoolVar(&f.tests, "tests", false, "check test files as well")
	fs.StringVar(&f.tags, "tags", "", "build tags, comma-separated")
	fs.StringVar(&f.dir, "C", "", "run in a directory")
	fs.StringVar(&f.rules, "rules", "", "run these rules only")
	fs.StringVar(&f.disable, "disable", "", "do not run these rules")
	fs.StringVar(&f.config, "config", "", "the configuration of all packages")
	fs.BoolVar(&f.fix, "fix", false, "apply the suggested fixes")
	fs.BoolVar(&f.diff, "diff", false, "print what -fix would change")
	fs.StringVar(&f.baseline, "baseline", "", "a file of findings that are known")
	fs.BoolVar(&f.writeBaseline, "write-baseline", false, "write the findings to the file of -baseline")
	fs.StringVar(&f.since, "since", "", "only findings on lines changed since a git revision")
	fs.StringVar(&f.color, "color", "auto", "auto, always or never")
	fs.StringVar(&f.cpuProfile, "cpuprofile", "", "write a CPU profile")
	fs.StringVar(&f.memProfile, "memprofile", "", "write a memory profile")
	fs.BoolVar(&f.version, "V", false, "print the version")
	for _, a := range p.suite.all() {
		a.Flags.VisitAll(func(rule *flag.Flag) {
			fs.Var(rule.Value, a.Name+"."+rule.Name, rule.Usage)
		})
	}
	return fs
}

// check says which flags do not go together.
func (f *flags) check() error {
	switch {
	case !slices.Contains(colors, f.color):
		return fmt.Errorf("-color: no %q; the values are %s", f.color, strings.Join(colors, ", "))
	case f.writeBaseline && f.baseline == "":
		return errors.New("-write-baseline wants the name of the file: -baseline FILE")
	case f.writeBaseline && f.since != "":
		return errors.New("-write-baseline and -since do not go together: the file must hold all findings")
	case f.writeBaseline && (f.fix || f.diff):
		return errors.New("-write-baseline does not go together with -fix and -diff")
	case f.diff && f.format != "text":
		return fmt.Errorf("-diff prints a diff, not %s", f.format)
	}
	return nil
}

// A format is the value of -f and -json, which must agree.
type format struct{ name *string }

func (f format) String() string {
	if f.name == nil {
		return ""
	}
	return *f.name
}

// Set sets the format; the error says which formats there are.
func (f format) Set(name string) error {
	switch {
	case !slices.Contains(report.Formats(), name):
		return fmt.Errorf("the formats are %s", strings.Join(report.Formats(), ", "))
	case *f.name != "text" && *f.name != name:
		return fmt.Errorf("%s and %s do not go together", *f.name, name)
	}
	*f.name = name
	return nil
}
