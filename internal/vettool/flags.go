package vettool

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"
)

// options are the values of the command line.
type options struct {
	rules   []*analysis.Analyzer
	args    []string
	flags   bool
	json    bool
	fix     bool
	diff    bool
	context int // lines around a finding, negative for not even its own
}

// parse reads the flags of go vet: -RULE for each rule, -RULE.flag for the
// flags of a rule, and those that all vet tools have.
func (t *Tool) parse(args []string) (*options, error) {
	opts := new(options)
	fs := t.flagSet(opts)
	fs.SetOutput(io.Discard)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	opts.args = fs.Args()
	opts.rules = t.choose(fs)
	return opts, nil
}

func (t *Tool) flagSet(opts *options) *flag.FlagSet {
	fs := flag.NewFlagSet("pgtxvet", flag.ContinueOnError)
	for _, a := range t.all() {
		fs.Var(new(enabled), a.Name, fmt.Sprintf("enable %q analysis", a.Name))
		a.Flags.VisitAll(func(f *flag.Flag) { fs.Var(f.Value, a.Name+"."+f.Name, f.Usage) })
	}
	fs.BoolVar(&opts.flags, "flags", false, "print analyzer flags in JSON")
	fs.Bool("V", false, "print version and exit")
	fs.BoolVar(&opts.json, "json", false, "emit JSON output")
	fs.IntVar(&opts.context, "c", -1, "display offending line with this many lines of context")
	fs.BoolVar(&opts.fix, "fix", false, "apply all suggested fixes")
	fs.BoolVar(&opts.diff, "diff", false, "with -fix, don't update the files, but print a unified diff")
	// Scripts may give what vet had long ago.
	for _, name := range []string{"source", "v", "all"} {
		fs.Bool(name, false, "no effect (deprecated)")
	}
	fs.String("tags", "", "no effect (deprecated)")
	return fs
}

// choose gives the rules to run. If any is switched on, those that are; else
// the default ones that are not switched off.
func (t *Tool) choose(fs *flag.FlagSet) []*analysis.Analyzer {
	state := func(a *analysis.Analyzer) enabled { return *fs.Lookup(a.Name).Value.(*enabled) }
	var on []*analysis.Analyzer
	for _, a := range t.all() {
		if state(a) == yes {
			on = append(on, a)
		}
	}
	if on != nil {
		return on
	}
	return slices.DeleteFunc(slices.Clone(t.ByDefault), func(a *analysis.Analyzer) bool { return state(a) == no })
}

func (t *Tool) all() []*analysis.Analyzer { return slices.Concat(t.ByDefault, t.OnRequest) }

// enabled is a boolean that knows whether it was set.
type enabled int

const (
	unset enabled = iota
	yes
	no
)

// IsBoolFlag makes -RULE stand for -RULE=true.
func (*enabled) IsBoolFlag() bool { return true }

func (e *enabled) String() string { return strconv.FormatBool(*e != no) }

// Set sets the value; the error says which values there are.
func (e *enabled) Set(value string) error {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return fmt.Errorf("%w; the values are true and false", err)
	}
	*e = no
	if on {
		*e = yes
	}
	return nil
}

// printFlags answers -flags, by which the go command knows what to let through.
// It handles -fix by itself.
func (t *Tool) printFlags() int {
	type jsonFlag struct {
		Name  string
		Bool  bool
		Usage string
	}
	var flags []jsonFlag
	t.flagSet(new(options)).VisitAll(func(f *flag.Flag) {
		if f.Name != "fix" {
			b, ok := f.Value.(interface{ IsBoolFlag() bool })
			flags = append(flags, jsonFlag{f.Name, ok && b.IsBoolFlag(), f.Usage})
		}
	})
	data, err := json.MarshalIndent(flags, "", "\t")
	if err == nil {
		_, err = fmt.Fprintf(t.Stdout, "%s\n", data)
	}
	if err != nil {
		t.warn(err)
		return exitFailed
	}
	return exitOK
}
