// Package config reads .pgtxvet.yaml, in which a project says what the suite
// cannot see by itself: which of its functions run others in a transaction,
// which leave the process, which types are handles, and which rules are off.
//
// The file that applies to a package is the nearest one upwards from the
// package's directory. Every driver asks [Analyzer], so that all of them
// apply the same file. docs/configuration.md describes the keys.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// FileName is the name of the configuration file.
const FileName = ".pgtxvet.yaml"

// A Config is what one file says. The zero value, and nil, are the defaults.
type Config struct {
	// File is the path of the file, "" for the defaults.
	File string
	// Pooler is the mode of a connection pooler between the program and
	// PostgreSQL: "transaction", "session", or "" if there is none.
	Pooler string

	hash      string
	funcs     map[string]*dbapi.Func
	handles   map[string]dbapi.Handle
	databases []database
	schema    []schemaPath
	scripts   []string
	disable   []ruleName
	enable    []ruleName
	named     []ruleName // all that are named, also where the rest is wrong
	only      []ruleName // settings alone have it
}

// An Error is a mistake in a configuration file.
type Error struct {
	File string
	Line int // 0 if the file could not be read
	Msg  string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// IsError reports whether an error is, or has in it, an [Error].
func IsError(err error) bool {
	_, ok := errors.AsType[*Error](err)
	return ok
}

// Mistakes are the errors that an error of [Load] joins.
func Mistakes(err error) []error {
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		return list.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// A ruleName is an entry of disable or enable.
type ruleName struct {
	name string
	line int
	at   string // where it stands, if it is in no file
}

// A database is the name of a pool that belongs to another database: of a
// field or a package variable where owner is the name of its type or package,
// of any variable where it is empty.
type database struct{ owner, name string }

// Func returns the row of a declared function, or nil. The name is that of
// [dbapi.Lookup]. Argument numbers are set only where the file gives them: the
// others follow from the function's signature.
func (c *Config) Func(fullName string) *dbapi.Func {
	if c == nil || c.funcs == nil {
		return nil
	}
	return c.funcs[dbapi.Plain(fullName)]
}

// Handle returns what a declared type is, [dbapi.NoHandle] for others. The
// name is that of [dbapi.TypeHandle]. A type and a pointer to it are one.
func (c *Config) Handle(typeName string) dbapi.Handle {
	if c == nil || c.handles == nil {
		return dbapi.NoHandle
	}
	return c.handles[strings.TrimPrefix(dbapi.Plain(typeName), "*")]
}

// OtherDatabase reports whether a pool is declared to belong to another
// database. It goes by its name and that of what holds it: the type of which it
// is a field, or the package of which it is a variable, with its full path; ""
// if neither.
func (c *Config) OtherDatabase(owner, name string) bool {
	return c != nil && slices.ContainsFunc(c.databases, func(d database) bool {
		return strings.EqualFold(d.name, name) && (d.owner == "" || tail(owner, d.owner))
	})
}

// tail reports whether a full name ends with a shorter one.
func tail(full, short string) bool {
	rest, ok := strings.CutSuffix(full, short)
	return ok && (rest == "" || rest[len(rest)-1] == '/' || rest[len(rest)-1] == '.')
}

// Disabled reports whether a rule is switched off. To name a rule in enable
// excepts it from "disable: [all]".
func (c *Config) Disabled(rule string) bool {
	if c == nil || names(c.enable, rule) {
		return false
	}
	return names(c.disable, rule) || names(c.disable, allRules)
}

// allRules stands for all rules in disable.
const allRules = "all"

func names(list []ruleName, rule string) bool {
	return slices.ContainsFunc(list, func(r ruleName) bool { return r.name == rule })
}

// CheckRules returns an error for the rules in disable, enable and rules that do
// not exist.
func (c *Config) CheckRules(known []string) error {
	if c == nil {
		return nil
	}
	var p parser
	for _, r := range c.named {
		if r.name != allRules && !slices.Contains(known, r.name) {
			p.failAt(cmp.Or(r.at, c.File), r.line, "no rule %q; the rules are %s", r.name, strings.Join(known, ", "))
		}
	}
	return p.err()
}

// Hash names the content of the file; it is "" for the defaults. What was found
// under another hash may not hold any more.
func (c *Config) Hash() string {
	if c == nil {
		return ""
	}
	return c.hash
}

// dirOf is the directory of a file; "" if that is not a file on disk.
func dirOf(file string) string {
	if !filepath.IsAbs(file) {
		return ""
	}
	return filepath.Dir(file)
}
