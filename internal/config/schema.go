package config

import (
	"cmp"
	"path/filepath"
	"slices"

	"gopkg.in/yaml.v3"
)

// A schemaPath is an entry of schema as it is written.
type schemaPath struct {
	pattern string
	line    int
	at      string // where it stands, if it is in no file
}

// Schema returns the paths of the files and directories that hold the schema
// of the database, in the order in which they are applied; nil if none are
// declared. The paths are those that exist, so patterns are filled in.
func (c *Config) Schema() []string {
	if c == nil {
		return nil
	}
	return c.scripts
}

const schemaForm = "paths of SQL files or of directories with them, from the directory of this file, with / and perhaps *"

// schema reads the paths; whether they exist is asked by findSchema.
func (p *parser) schema(key string, n *yaml.Node) {
	p.list(key, n, func(n *yaml.Node) {
		path, ok := p.scalar(key, schemaForm, n)
		if !ok {
			return
		}
		if _, err := filepath.Match(path, ""); err != nil {
			p.fail(n, "%s: %q is no path; want %s", key, path, schemaForm)
			return
		}
		if !p.twice(key, path, n) {
			p.c.schema = append(p.c.schema, schemaPath{path, n.Line, p.where[n]})
		}
	})
}

// findSchema fills in the paths that schema declares.
func (p *parser) findSchema() {
	c := p.c
	for _, s := range c.schema {
		path := filepath.FromSlash(s.pattern)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(c.File), path)
		}
		paths, err := filepath.Glob(path)
		if err != nil || len(paths) == 0 {
			p.failAt(cmp.Or(s.at, c.File), s.line, "schema: there is nothing at %q; want %s", s.pattern, schemaForm)
			continue
		}
		for _, path := range paths {
			if !slices.Contains(c.scripts, path) {
				c.scripts = append(c.scripts, path)
			}
		}
	}
}
