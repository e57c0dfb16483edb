package schema

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pgtxvet/pgtxvet/internal/config"
)

// Find returns the schema that the packages of a directory use. It is the one
// that the configuration declares, or else the sets of scripts that share the
// deepest directory with the package: those of the service that the package
// belongs to, not those of another one. The result is never nil, and knows
// nothing where there are no scripts. Scripts that are not understood are no
// error; see [Schema.Problems].
//
// Answers are kept for the life of the process. A script is read when it is
// first needed.
func Find(dir string, c *config.Config) *Schema {
	if files := c.Schema(); files != nil {
		return declared(c.File, files)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return &Schema{}
	}
	s, _ := byDir.LoadOrStore(dir, sync.OnceValue(func() *Schema {
		return open(projectOf(dir).choose(dir))
	}))
	return s.(func() *Schema)()
}

var (
	byDir    sync.Map // directory to func() *Schema
	byConfig sync.Map // configuration file to func() *Schema
	projects sync.Map // top of a project to func() *project
)

// Forget drops all answers that are kept, for a process that outlives a change of
// the files.
func Forget() {
	byDir.Clear()
	byConfig.Clear()
	projects.Clear()
	strays.Clear()
	mapped.Clear()
}

// declared returns the schema that a configuration declares: its files and
// directories applied one after another.
func declared(file string, paths []string) *Schema {
	s, _ := byConfig.LoadOrStore(file, sync.OnceValue(func() *Schema {
		return open([]*set{declaredSet(file, paths)})
	}))
	return s.(func() *Schema)()
}

func declaredSet(file string, paths []string) *set {
	var files []string
	partial := false
	for _, p := range paths {
		if s := directory(p); s != nil {
			files = append(files, s.files...)
			partial = partial || s.partial
		} else {
			files = append(files, p)
		}
	}
	return newSet(filepath.Dir(file), files, partial)
}

// directory returns the set that a directory is, nil for a file.
func directory(path string) *set {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil
	}
	l := list(path)
	if s := l.set(); s != nil {
		return s
	}
	return newSet(path, l.paths(slices.DeleteFunc(l.scripts, isDown)), false)
}

// open reads sets. Those of other database systems, and those that change no
// table, are left out.
func open(sets []*set) *Schema {
	s := &Schema{}
	for _, x := range sets {
		if l := x.load(); !l.foreign && !l.empty {
			s.sets = append(s.sets, l)
		}
	}
	return s
}

// Problems returns the statements that are not understood, and the scripts that
// cannot be read, in order.
func (s *Schema) Problems() []Problem {
	var out []Problem
	for _, l := range s.sets {
		out = append(out, l.problems...)
	}
	return out
}

// A project is the sets of scripts below one directory.
type project struct {
	root string
	sets []*set
}

// projectOf returns the project that a directory belongs to.
func projectOf(dir string) *project {
	root := rootOf(dir)
	p, _ := projects.LoadOrStore(root, sync.OnceValue(func() *project { return scan(root) }))
	return p.(func() *project)()
}

// rootOf returns the directory with which the project around dir ends: the top
// of the repository, else of the outermost module, else dir itself. Within a
// directory that no search goes into it is the module there.
func rootOf(dir string) string {
	root := config.Top(dir)
	if root == "" {
		root = outermostModule(dir)
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil || !slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), skipped) {
		return root
	}
	for d := dir; len(d) > len(root); d = filepath.Dir(d) {
		if exists(filepath.Join(d, "go.mod")) || skipped(filepath.Base(d)) {
			return d
		}
	}
	return dir
}

func outermostModule(dir string) string {
	root := dir
	for d := dir; ; d = filepath.Dir(d) {
		if exists(filepath.Join(d, "go.mod")) {
			root = d
		}
		if filepath.Dir(d) == d {
			return root
		}
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// skipped reports whether no search goes into directories of a name.
func skipped(name string) bool {
	return len(name) > 1 && (name[0] == '.' && name != "..") || strings.HasPrefix(name, "_") ||
		name == "testdata" || name == "vendor" || name == "node_modules"
}

// aside are the names of directories whose scripts belong to nothing outside
// of them.
var aside = map[string]bool{
	"test": true, "tests": true, "testing": true, "e2e": true, "integration": true, "bench": true, "benchmark": true,
	"example": true, "examples": true, "sample": true, "samples": true, "demo": true,
	"fixture": true, "fixtures": true, "seed": true, "seeds": true, "mock": true, "mocks": true,
	"doc": true, "docs": true, "down": true, "downgrade": true, "rollback": true, "queries": true, "query": true,
}

// choose returns the sets that a package uses.
func (p *project) choose(dir string) []*set {
	for d := dir; ; d = filepath.Dir(d) {
		var found []*set
		for _, s := range p.sets {
			if rel, ok := within(s.dir, d); ok && !slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), isAside) {
				found = append(found, s)
			}
		}
		if len(found) > 0 {
			return found
		}
		if d == p.root || filepath.Dir(d) == d {
			return nil
		}
	}
}

func isAside(name string) bool { return aside[strings.ToLower(name)] }

// within returns the path of a directory from one above it.
func within(dir, above string) (string, bool) {
	if dir == above {
		return ".", true
	}
	rest, ok := strings.CutPrefix(dir, strings.TrimSuffix(above, string(filepath.Separator))+string(filepath.Separator))
	return rest, ok
}

// maxDirs bounds the directories of a project that are looked into.
const maxDirs = 10_000

// scan finds the sets below a directory, the nearest ones first.
func scan(root string) *project {
	p := &project{root: root}
	var sqlc []listing
	steps := map[string][]listing{} // directories that are named by a version
	queue := []string{root}
	for n := 0; n < len(queue) && n < maxDirs; n++ {
		l := list(queue[n])
		for _, d := range l.dirs {
			if !skipped(d) && !otherSystem(d) {
				queue = append(queue, filepath.Join(l.dir, d))
			}
		}
		if len(l.sqlc) > 0 {
			sqlc = append(sqlc, l)
		}
		if parent := filepath.Dir(l.dir); l.dir != root && len(l.scripts) > 0 && isVersion(filepath.Base(l.dir)) {
			steps[parent] = append(steps[parent], l)
			continue
		}
		if s := l.set(); s != nil {
			p.sets = append(p.sets, s)
		}
		p.sets = append(p.sets, l.dumps()...)
	}
	for parent, list := range steps {
		p.sets = append(p.sets, stepSet(parent, list))
	}
	p.addSQLC(sqlc)
	slices.SortStableFunc(p.sets, func(a, b *set) int {
		return cmp.Or(strings.Compare(a.dir, b.dir), slices.Compare(a.files, b.files))
	})
	return p
}

// otherSystem reports whether a directory is named after another database
// system.
func otherSystem(name string) bool {
	for part := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if systems[strings.TrimRight(part, "0123456789")] {
			return true
		}
	}
	return false
}

var systems = map[string]bool{
	"mysql": true, "mariadb": true, "sqlite": true, "libsql": true, "turso": true, "mssql": true, "sqlserver": true,
	"oracle": true, "clickhouse": true, "spanner": true, "cassandra": true, "cql": true, "snowflake": true,
	"bigquery": true, "redshift": true, "vertica": true, "ydb": true, "starrocks": true, "duckdb": true,
	"firebird": true, "rqlite": true, "sqlcipher": true, "tidb": true, "cockroachdb": true, "cockroach": true, "crdb": true,
}

// A Source is one set of scripts that was found.
type Source struct {
	Dir    string   // where it belongs
	Files  []string // in the order in which they are applied
	Schema *Schema  // what it makes; it knows nothing if it is of another system
}

// Sources returns the sets of scripts of the project that a directory belongs
// to. It reads all of them.
func Sources(dir string) []Source {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	var out []Source
	for _, s := range projectOf(dir).sets {
		out = append(out, Source{Dir: s.dir, Files: s.files, Schema: open([]*set{s})})
	}
	return out
}
