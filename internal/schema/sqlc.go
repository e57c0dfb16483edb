package schema

import (
	"os"
	"path/filepath"
	"slices"

	"gopkg.in/yaml.v3"
)

// A sqlcFile is what matters of sqlc's configuration, version 1 and 2
// (documentation, "Configuration"). JSON is read as YAML.
type sqlcFile struct {
	SQL      []sqlcEntry `yaml:"sql"`
	Packages []sqlcEntry `yaml:"packages"`
}

type sqlcEntry struct {
	Engine string    `yaml:"engine"`
	Schema sqlcPaths `yaml:"schema"`
}

// sqlcPaths are one path or several: of files, directories and patterns,
// relative to the configuration file.
type sqlcPaths []string

// UnmarshalYAML reads one path or a list.
func (p *sqlcPaths) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*p = sqlcPaths{n.Value}
		return nil
	}
	return n.Decode((*[]string)(p))
}

// addSQLC adds the schemas that sqlc is configured with. What they hold is no
// set of its own any more, and what belongs to another system is none at all.
func (p *project) addSQLC(lists []listing) {
	for _, l := range lists {
		for _, name := range l.sqlc {
			for _, e := range readSQLC(filepath.Join(l.dir, name)) {
				files, partial := e.files(l.dir)
				if len(files) == 0 {
					continue
				}
				p.sets = slices.DeleteFunc(p.sets, func(s *set) bool { return containsAll(files, s.files) })
				if e.Engine == "" || e.Engine == "postgresql" {
					p.sets = append(p.sets, newSet(l.dir, files, partial))
				}
			}
		}
	}
}

// readSQLC returns the entries of a configuration; a wrong one has none.
func readSQLC(file string) []sqlcEntry {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var f sqlcFile
	if yaml.Unmarshal(data, &f) != nil {
		return nil
	}
	return append(f.SQL, f.Packages...)
}

// files returns the scripts of an entry, as sqlc reads them: of a directory
// all that undo nothing.
func (e sqlcEntry) files(dir string) (files []string, partial bool) {
	for _, pattern := range e.Schema {
		paths, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			continue
		}
		for _, path := range paths {
			if s := directory(path); s != nil {
				files = append(files, s.files...)
				partial = partial || s.partial
			} else {
				files = append(files, path)
			}
		}
	}
	return files, partial
}

func containsAll(list, part []string) bool {
	return !slices.ContainsFunc(part, func(s string) bool { return !slices.Contains(list, s) })
}
