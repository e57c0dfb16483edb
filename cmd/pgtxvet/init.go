package main

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/template"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/load"
	"github.com/pgtxvet/pgtxvet/internal/report"
	"github.com/pgtxvet/pgtxvet/internal/schema"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// A module is what init has seen of the packages below a directory.
type module struct {
	Dir        string
	Packages   int
	Libraries  []string
	Migrations []string
	Runners    []string // seen to run their argument in a transaction
	Getters    []string // seen to return the transaction of a context, or a pool
	Asked      []string // may be runners
	Example    string   // a package that the module could have

	mu sync.Mutex
}

// init writes a configuration file with comments, after a look at the packages
// below the directory. It overwrites nothing.
func (p *program) init(args []string) int {
	f, patterns, err := p.parse(args)
	if err != nil || len(patterns) > 0 {
		return p.fail(errors.Join(err, errors.New("init takes the flags -C and -tags, and no packages")))
	}
	name := filepath.Join(f.dir, config.FileName)
	if _, err := os.Lstat(name); err == nil {
		return p.fail(fmt.Errorf("%s is there already", name))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	m, err := p.survey(ctx, f)
	if err != nil {
		return p.fail(err)
	}
	if err := m.write(name); err != nil {
		return p.fail(err)
	}
	fmt.Fprintf(p.stdout, "%s written after a look at %s\n", name, report.Count(m.Packages, "package"))
	return exitClean
}

// survey looks at the packages.
func (p *program) survey(ctx context.Context, f *flags) (*module, error) {
	progress := newProgress(p.stderr)
	defer progress.clear()
	prog, err := load.Load(ctx, load.Config{Dir: f.dir, Tags: f.tags, Progress: progress.step("loading")})
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(f.dir)
	if err != nil {
		return nil, err
	}
	m := &module{Dir: dir, Packages: len(prog.Roots), Example: examplePackage(prog.Roots[0])}
	m.Libraries = libraries(prog.Roots)
	look := &analysis.Analyzer{
		Name: "survey", Doc: "survey: look for what the configuration can speak of",
		Requires: []*analysis.Analyzer{txflow.Analyzer}, Run: m.look,
	}
	results, err := check.Run(ctx, []*analysis.Analyzer{look}, prog.Roots, check.Options{Progress: progress.step("looking")})
	if err != nil {
		return nil, err
	}
	for _, r := range report.Failed(results) {
		progress.clear()
		p.warn(r.Err.Error())
	}
	m.Migrations = migrations(dir)
	for _, list := range []*[]string{&m.Runners, &m.Getters, &m.Asked} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	m.Asked = slices.DeleteFunc(m.Asked, m.implemented)
	return m, nil
}

// examplePackage is the package of examples.
func examplePackage(p *packages.Package) string {
	if p.Module == nil {
		return p.PkgPath
	}
	return p.Module.Path + "/store"
}

// look takes in what the engine has found in one package.
func (m *module) look(pass *analysis.Pass) (any, error) {
	flow := pass.ResultOf[txflow.Analyzer].(*txflow.Result)
	var s txflow.Survey
	flow.Ask(func() { s = flow.Survey() })
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Runners = append(m.Runners, names(s.Runners)...)
	m.Getters = append(m.Getters, names(s.Getters)...)
	m.Asked = append(m.Asked, names(s.Asked)...)
	return nil, nil
}

func names(funcs []*types.Func) []string {
	var list []string
	for _, fn := range funcs {
		list = append(list, dbapi.Plain(fn.Origin().FullName()))
	}
	return list
}

// implemented reports whether a method of an interface goes by the name of a
// method that is seen to be a runner: it need not be declared then.
func (m *module) implemented(method string) bool {
	return slices.ContainsFunc(m.Runners, func(runner string) bool {
		return strings.HasPrefix(runner, "(") && methodName(runner) == methodName(method)
	})
}

func methodName(full string) string { return full[strings.LastIndexByte(full, '.')+1:] }

// libraries are the names of the database libraries that packages import.
func libraries(pkgs []*packages.Package) []string {
	imported := map[string]bool{}
	for _, p := range pkgs {
		for path := range p.Imports {
			imported[path] = true
		}
	}
	found := map[string]bool{}
	for _, lib := range dbapi.Libraries() {
		for _, path := range lib.Packages {
			prefix, tree := strings.CutSuffix(path, "/...")
			for imp := range imported {
				if imp == prefix || tree && strings.HasPrefix(imp, prefix+"/") {
					found[lib.Name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// migrations are the directories below one that hold the schema of a database.
func migrations(dir string) []string {
	var dirs []string
	for _, s := range schema.Sources(dir) {
		if len(s.Files) == 0 || !s.Schema.Known() {
			continue
		}
		rel, err := filepath.Rel(dir, filepath.Dir(s.Files[0]))
		if err == nil && filepath.IsLocal(rel) {
			dirs = append(dirs, filepath.ToSlash(rel))
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// write writes the file. It must not be there.
func (m *module) write(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	err = initTemplate().Execute(f, m)
	return errors.Join(err, f.Close())
}

var initTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New(config.FileName).Parse(`# Configuration of pgtxvet for the packages in this directory and below, written
# by pgtxvet init. All of it is comments: take away the # where it is true.
# https://github.com/pgtxvet/pgtxvet/blob/main/docs/configuration.md
#
# Database libraries here: {{if .Libraries}}{{range $i, $l := .Libraries}}{{if $i}}, {{end}}{{$l}}{{end}}{{else}}none that pgtxvet knows{{end}}.
{{if .Runners}}#
# These are seen to run a function in a transaction, and need no entry:
{{range .Runners}}#   {{.}}
{{end}}{{end}}{{if .Getters}}#
# These are seen to return the transaction of a context, or else a pool:
{{range .Getters}}#   {{.}}
{{end}}{{end}}
# Functions that run a function in a transaction, where that cannot be seen: their
# body is in no package here, or an implementation is chosen at run time.
{{if .Asked}}# These are given functions and may be such:
{{end}}#runners:
{{range .Asked}}#  - {{.}}
{{else}}#  - ({{.Example}}.UnitOfWork).Do
{{end}}
# Functions that run a function again after a serialization failure.
#retry:
#  - {{.Example}}.Retry

# Functions that return the transaction of a context, or else a pool.
#getters:
#  - {{.Example}}.Conn

# Types that are pools, sessions or transactions, though nothing says so.
#pools:
#  - "*{{.Example}}.Cluster"
#sessions:
#  - "*{{.Example}}.Session"
#transactions:
#  - {{.Example}}.Work

# Functions that leave the process: externalcall reports them while a transaction
# is open. And functions that do not, though it looks so.
#externals:
#  - func: ({{.Example}}.Payments).Charge
#    what: a payment request
#internals:
#  - (*{{.Example}}.Cache).Get

# Names of pools that belong to another database.
#databases:
#  - analytics

# The SQL that makes the schema of the database. {{if .Migrations}}These are found without it:{{else}}None was found.{{end}}
#schema:
{{range .Migrations}}#  - {{.}}
{{else}}#  - db/migrations
{{end}}
# Rules that are off for these packages.
#disable:
#  - externalcall
`))
})
