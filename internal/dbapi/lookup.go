package dbapi

import (
	"strings"
	"sync"
)

// Libraries returns the tables of the database libraries.
func Libraries() []*Library { return index().libraries }

// Lookup returns the row of the function with the given
// [go/types.Func.FullName], or nil. Type parameters and arguments are left aside.
func Lookup(fullName string) *Func { return index().funcs[Plain(fullName)] }

// TypeHandle returns what statements on a value of a type run on. The name is
// as [go/types.TypeString] prints it with full package paths; type arguments
// are left aside.
func TypeHandle(typeName string) Handle {
	return index().types[Plain(typeName)]
}

// HandleField reports whether a struct field, named "import/path.Type.Field",
// holds the handle that the struct itself is.
func HandleField(name string) bool { return index().fields[name] }

// PresenceField reports whether a struct field, named as for [HandleField], is
// nil unless the handle that the struct is is a transaction.
func PresenceField(name string) bool { return index().presence[name] }

// Builder returns the name of the library of which a type, named as for
// [TypeHandle], is a statement in the making, or "".
func Builder(typeName string) string {
	if lib := index().builders[Plain(typeName)]; lib != nil {
		return lib.Name
	}
	return ""
}

// InPlace reports whether a type is a builder that calls on it change.
func InPlace(typeName string) bool {
	lib := index().builders[Plain(typeName)]
	return lib != nil && lib.InPlace
}

// Plain removes the lists of type parameters or arguments from a name:
// go/types prints "(gorm.io/gorm.ChainInterface[T any]).Where".
func Plain(name string) string {
	open := strings.IndexByte(name, '[')
	shut := strings.LastIndexByte(name, ']')
	if open <= 0 || shut < open {
		return name
	}
	return name[:open] + name[shut+1:]
}

// LibraryOf returns the table that has the function, or nil.
func LibraryOf(f *Func) *Library {
	if lib := index().owner[f]; lib != nil {
		return lib
	}
	if f.Library != "" {
		return index().named[f.Library]
	}
	return outside().owner[f]
}

// Known reports whether a path is one of the packages of a library, in any
// major version.
func Known(importPath string) bool {
	return index().packages.get(importPath) != ""
}

// Job reports whether a type, as in [Library.Types], is that of a queue's jobs.
func Job(name string) bool { return index().jobs[name] }

// HeldJob reports whether a type is that of jobs that hold a transaction.
func HeldJob(name string) bool { return index().held[name] }

// Migrates reports whether a path is a package of a migration tool: what runs
// under it has a session of its own.
func Migrates(importPath string) bool {
	return index().packages.get(importPath) == migrationTools
}

// An indexed is all tables, by name.
type indexed struct {
	libraries []*Library
	funcs     map[string]*Func
	owner     map[*Func]*Library
	named     map[string]*Library
	types     map[string]Handle
	fields    map[string]bool
	presence  map[string]bool
	builders  map[string]*Library
	jobs      map[string]bool
	held      map[string]bool
	packages  pathMap[string]
}

// index builds the maps when the first question is asked.
var index = sync.OnceValue(func() *indexed { return newIndex(tables) })

func newIndex(tables []func() *Library) *indexed {
	x := &indexed{
		funcs:    map[string]*Func{},
		owner:    map[*Func]*Library{},
		types:    map[string]Handle{},
		fields:   map[string]bool{},
		presence: map[string]bool{},
		builders: map[string]*Library{},
		jobs:     map[string]bool{},
		held:     map[string]bool{},
		named:    map[string]*Library{},
	}
	paths := map[string]string{}
	for _, table := range tables {
		lib := table()
		x.libraries = append(x.libraries, lib)
		x.named[lib.Name] = lib
		for i := range lib.Funcs {
			f := &lib.Funcs[i]
			x.owner[f] = lib
			lib.named(f.Name, func(name string) { x.funcs[name] = f })
		}
		for name, h := range lib.Types {
			lib.named(name, func(name string) { x.types[name] = h })
		}
		for _, name := range lib.Fields {
			lib.named(name, func(name string) { x.fields[name] = true })
		}
		for _, name := range lib.Builders {
			lib.named(name, func(name string) { x.builders[name] = lib })
		}
		for _, name := range lib.Jobs {
			x.jobs[name] = true
		}
		for _, name := range lib.HeldJobs {
			x.held[name] = true
		}
		for _, name := range lib.Presence {
			lib.named(name, func(name string) { x.presence[name] = true })
		}
		for _, p := range lib.Packages {
			lib.named(p, func(p string) { paths[p] = lib.Name })
		}
	}
	x.packages = newPathMap(paths)
	return x
}

// named calls f with a name of the table, and with the same below the library's
// former paths.
func (lib *Library) named(name string, f func(string)) {
	f(name)
	for former, path := range lib.Former {
		if strings.Contains(name, path) {
			f(strings.Replace(name, path, former, 1))
		}
	}
}

// A pathMap maps import paths to values; major versions count as one path.
type pathMap[T any] struct {
	exact    map[string]T
	prefixes map[string]T
}

func newPathMap[T any](paths map[string]T) pathMap[T] {
	m := pathMap[T]{exact: map[string]T{}, prefixes: map[string]T{}}
	for p, v := range paths {
		if prefix, ok := strings.CutSuffix(p, "/..."); ok {
			m.prefixes[unversioned(prefix)] = v
		} else {
			m.exact[unversioned(p)] = v
		}
	}
	return m
}

// get returns the value of the path, or of the longest prefix of it.
func (m pathMap[T]) get(path string) T {
	path = unversioned(path)
	if v, ok := m.exact[path]; ok {
		return v
	}
	for path != "" {
		if v, ok := m.prefixes[path]; ok {
			return v
		}
		i := strings.LastIndexByte(path, '/')
		path = path[:max(i, 0)]
	}
	var none T
	return none
}

// unversioned removes the elements of an import path that name a major
// version: "/v5", and the ".v3" of gopkg.in.
func unversioned(path string) string {
	if !strings.Contains(path, "/v") && !strings.HasPrefix(path, "gopkg.in/") {
		return path
	}
	var out []string
	for elem := range strings.SplitSeq(path, "/") {
		if isMajor(elem) && len(out) > 0 {
			continue
		}
		if i := strings.LastIndexByte(elem, '.'); i > 0 && out != nil && out[0] == "gopkg.in" && isMajor(elem[i+1:]) {
			elem = elem[:i]
		}
		out = append(out, elem)
	}
	return strings.Join(out, "/")
}

func isMajor(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// tables are the libraries, in the order in which documents list them.
var tables = []func() *Library{
	databaseSQL,
	pgxV5,
	pgxV4,
	sqlx,
	trm,
	transactor,
	gorm,
	bun,
	ent,
	sqlBoiler,
	goPg,
	gorpV3,
	xorm,
	pop,
	upper,
	dbr,
	queues,
	squirrel,
	goqu,
	sqlbuilder,
	jet,
	scany,
	goZero,
	pq,
	migrations,
	cockroach,
	pgerrcode,
	contexts,
}
