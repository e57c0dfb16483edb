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

// libraries are the names of the database libraries that packages import, without
// the tools that migrate.
func libraries(pkgs []*packages.Package) []string {
	imported := map[string]bool{}
	for _, p := range pkgs {
		for path := range p.Imports {
			imported[path] = !dbapi.Migrates(path)
		}
	}
	found := map[string]bool{}
	for _, lib := range dbapi.Libraries() {
		for _, path := range lib.Packages {
			prefix, tree := strings.CutSuffix(path, "/...")
			for imp, counts := range imported {
				if !counts {
					continue
				}
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
	_, err = f.WriteString(m.text())
	return errors.Join(err, f.Close())
}

// text is the file. {package} stands for a package of the module.
func (m *module) text() string {
	found := "none that pgtxvet knows"
	if len(m.Libraries) > 0 {
		found = strings.Join(m.Libraries, ", ")
	}
	asked, migrations := "", "None was found."
	if len(m.Asked) > 0 {
		asked = "# These are given functions and may be such:\n"
	}
	if len(m.Migrations) > 0 {
		migrations = "These are found without it:"
	}
	return strings.NewReplacer(
		"{libraries}", found,
		"{runners}", seen("to run a function in a transaction, and need no entry", m.Runners),
		"{getters}", seen("to return the transaction of a context, or else a pool", m.Getters),
		"{asked}", asked+"#runners:\n"+elements(m.Asked, "("+m.Example+".UnitOfWork).Do"),
		"{migrations}", migrations+"\n#schema:\n"+elements(m.Migrations, "db/migrations"),
		"{package}", m.Example,
	).Replace(initFile)
}

// seen is a comment on functions that need no entry.
func seen(what string, funcs []string) string {
	if len(funcs) == 0 {
		return ""
	}
	return "#\n# These are seen " + what + ":\n#   " + strings.Join(funcs, "\n#   ") + "\n"
}

// elements are those of a list that is a comment, or an example of one.
func elements(list []string, example string) string {
	if len(list) == 0 {
		list = []string{example}
	}
	return "#  - " + strings.Join(list, "\n#  - ")
}

const initFile = `# Configuration of pgtxvet for the packages in this directory and below, written
# by pgtxvet init. All of it is comments: take away the # where it is true.
# https://github.com/pgtxvet/pgtxvet/blob/main/docs/configuration.md
#
# Database libraries here: {libraries}.
{runners}{getters}
# Functions that run a function in a transaction, where that cannot be seen: their
# body is in no package here, or an implementation is chosen at run time.
{asked}

# Functions that run a function again after a serialization failure.
#retry:
#  - {package}.Retry

# Functions that return the transaction of a context, or else a pool.
#getters:
#  - {package}.Conn

# Types that are pools, sessions or transactions, though nothing says so.
#pools:
#  - "*{package}.Cluster"
#sessions:
#  - "*{package}.Session"
#transactions:
#  - {package}.Work

# Functions that leave the process: externalcall reports them while a transaction
# is open. And functions that do not, though it looks so.
#externals:
#  - func: ({package}.Payments).Charge
#    what: a payment request
#internals:
#  - (*{package}.Cache).Get

# Names of pools that belong to another database.
#databases:
#  - analytics

# The SQL that makes the schema of the database. {migrations}

# Rules that are off for these packages.
#disable:
#  - externalcall
`
