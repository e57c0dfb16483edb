package schema

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A listing is what one directory holds.
type listing struct {
	dir     string
	dirs    []string
	scripts []string // names of SQL scripts
	sqlc    []string // configuration files of sqlc
	atlas   bool     // there is an atlas.sum
	goSteps bool     // there are migrations written in Go
}

// list reads a directory; one that cannot be read holds nothing.
func list(dir string) listing {
	l := listing{dir: dir}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return l
	}
	for _, e := range entries {
		switch n := e.Name(); {
		case e.IsDir():
			l.dirs = append(l.dirs, n)
		case n[0] == '.':
		case isScript(n):
			l.scripts = append(l.scripts, n)
		case n == "sqlc.yaml" || n == "sqlc.yml" || n == "sqlc.json":
			l.sqlc = append(l.sqlc, n)
		case n == "atlas.sum":
			l.atlas = true
		case strings.HasSuffix(n, ".go") && n[0] >= '0' && n[0] <= '9' && !strings.HasSuffix(n, "_test.go"):
			l.goSteps = true
		}
	}
	return l
}

func (l listing) paths(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, filepath.Join(l.dir, n))
	}
	return out
}

var (
	// upScript is golang-migrate's form: 3_name.up.sql. Others add the
	// system's name: 3_name.up.postgres.sql.
	upScript = lazy(`^\d+[_-].*\.up\.(?:\w+\.)?(?:sql|pgsql)$`)
	// numbered is a script with a version in front; V and R are Flyway's.
	numbered = lazy(`^(?:[vV])?\d|^R__`)
	// down is a script that undoes another one.
	down = lazy(`(?i)[._-](?:down|undo|rollback)(?:\.\w+)?\.(?:sql|pgsql)$|^U\d+(?:\.\d+)*__`)
	// dump is a schema in one file.
	dump = lazy(`^(?:(?:db|pg|postgres|postgresql)[._-]?)?(?:schema|structure)\.(?:sql|pgsql)$`)
	// version is a directory that holds one step.
	version = lazy(`^[vV]?\d+(?:[._]\d+)*$`)
)

func isScript(name string) bool {
	return strings.HasSuffix(name, ".sql") || strings.HasSuffix(name, ".pgsql")
}

func isDown(name string) bool    { return down().MatchString(name) }
func isDump(name string) bool    { return dump().MatchString(name) }
func isVersion(name string) bool { return version().MatchString(name) }

// set returns the migrations in a directory, nil if there are none: the first
// of the forms below that some of the scripts have.
//
//   - atlas: the scripts that atlas.sum lists
//   - golang-migrate: number, name, ".up.sql"
//   - goose, sql-migrate, dbmate, tern, Flyway, and a project's own: scripts
//     that begin with a number, all of them one sequence
//   - scripts of any name with the markers of one of these tools
func (l listing) set() *set {
	if len(l.scripts) == 0 {
		return nil
	}
	if l.atlas {
		if s := l.atlasSet(); s != nil {
			return s
		}
	}
	for _, form := range []func() *regexp.Regexp{upScript, numbered} {
		if names := l.matching(form()); len(names) > 0 {
			return newSet(l.dir, l.paths(names), l.goSteps)
		}
	}
	if !strings.Contains(strings.ToLower(filepath.Base(l.dir)), "migrat") {
		return nil
	}
	names := slices.DeleteFunc(slices.Clone(l.scripts), func(n string) bool {
		text, err := readFile(filepath.Join(l.dir, n))
		_, marked := upPart(text)
		return err != nil || !marked
	})
	if len(names) == 0 {
		return nil
	}
	return newSet(l.dir, l.paths(names), l.goSteps)
}

// matching returns the scripts of a form in the order of their versions.
func (l listing) matching(form *regexp.Regexp) []string {
	names := slices.DeleteFunc(slices.Clone(l.scripts), func(n string) bool {
		return !form.MatchString(n) || isDown(n) || otherSystem(n)
	})
	slices.SortStableFunc(names, byVersion)
	return names
}

// atlasSet returns the scripts that atlas.sum lists, in that order: a line for
// each, its name and its hash, after one for the whole.
func (l listing) atlasSet() *set {
	data, err := readFile(filepath.Join(l.dir, "atlas.sum"))
	if err != nil {
		return nil
	}
	var names []string
	for line := range strings.SplitSeq(data, "\n") {
		i := strings.LastIndex(line, " h1:")
		if i > 0 && slices.Contains(l.scripts, line[:i]) && !isDown(line[:i]) {
			names = append(names, line[:i])
		}
	}
	if len(names) == 0 {
		return nil
	}
	return newSet(l.dir, l.paths(names), l.goSteps)
}

// dumps returns the schemas in one file that a directory holds.
func (l listing) dumps() []*set {
	var out []*set
	for _, n := range l.scripts {
		if isDump(n) {
			out = append(out, newSet(l.dir, l.paths([]string{n}), false))
		}
	}
	return out
}

// stepSet returns the set whose steps are directories.
func stepSet(parent string, steps []listing) *set {
	slices.SortFunc(steps, func(a, b listing) int { return byVersion(filepath.Base(a.dir), filepath.Base(b.dir)) })
	var files []string
	partial := false
	for _, l := range steps {
		names := slices.DeleteFunc(slices.Clone(l.scripts), isDown)
		slices.SortStableFunc(names, byVersion)
		files = append(files, l.paths(names)...)
		partial = partial || l.goSteps
	}
	return newSet(parent, files, partial)
}

// byVersion compares names by the numbers in front, part by part, and then by
// what follows. Flyway's repeatable scripts come last.
func byVersion(a, b string) int {
	if x, y := strings.HasPrefix(a, "R__"), strings.HasPrefix(b, "R__"); x != y {
		if x {
			return 1
		}
		return -1
	}
	a, b = strings.TrimLeft(a, "vV"), strings.TrimLeft(b, "vV")
	for {
		x, restA := leading(a)
		y, restB := leading(b)
		if c := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); c != 0 {
			return c
		}
		a, b = restA, restB
		switch x, y := separates(a), separates(b); {
		case x && y:
			a, b = a[1:], b[1:]
		case x:
			return 1
		case y:
			return -1
		default:
			return strings.Compare(a, b)
		}
	}
}

// separates reports whether a text goes on with another number of a version.
func separates(s string) bool {
	return len(s) > 1 && (s[0] == '.' || s[0] == '_') && s[1] >= '0' && s[1] <= '9'
}

// leading returns the digits in front without leading zeros, and the rest.
func leading(s string) (digits, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return strings.TrimLeft(s[:i], "0"), s[i:]
}
