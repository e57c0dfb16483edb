package config

import (
	"fmt"
	"path/filepath"
	"strconv"
	"sync"

	"gopkg.in/yaml.v3"
)

// Settings reads what stands in the configuration file of another tool: a value
// with the keys of [FileName], and with the key rules, which names the rules to
// run ([Config.Runs]). Paths in it are relative to dir.
//
// The value has no lines, so an [Error] says with place and keys where it is:
// place.runners[1].fn.
func Settings(place, dir string, value any) (*Config, error) {
	var root yaml.Node
	if err := root.Encode(value); err != nil {
		return &Config{}, &Error{File: place, Msg: fmt.Sprintf("cannot be read: %v", err)}
	}
	text, err := yaml.Marshal(&root)
	if err != nil {
		return &Config{}, &Error{File: place, Msg: fmt.Sprintf("cannot be read: %v", err)}
	}
	p := newParser(filepath.Join(dir, place), text)
	p.where = map[*yaml.Node]string{}
	p.locate(&root, place)
	only := key{"rules", rules(func(c *Config) *[]ruleName { return &c.only })}
	p.root(&root, place, append([]key{only}, keys()...))
	p.findSchema()
	return p.done()
}

// locate writes down where a node, and what is in it, stands.
func (p *parser) locate(n *yaml.Node, at string) {
	n.Line = 0
	p.where[n] = at
	for i, e := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			p.locate(e, at+"["+strconv.Itoa(i)+"]")
		case i%2 == 0: // a key
			e.Line, p.where[e] = 0, at
		default:
			p.locate(e, at+"."+n.Content[i-1].Value)
		}
	}
}

// Runs reports whether settings let a rule run: one of those that rules names, or
// without that key one that runs by default, and none that disable names.
func (c *Config) Runs(rule string, byDefault bool) bool {
	if len(c.only) > 0 {
		byDefault = names(c.only, rule) || names(c.only, allRules)
	}
	return byDefault && !c.Disabled(rule)
}

// Declares reports whether a configuration says more than which rules run.
func (c *Config) Declares() bool {
	return len(c.funcs)+len(c.handles)+len(c.databases)+len(c.schema) > 0 || c.Pooler != ""
}

// UseForAll makes a configuration that is in no file the one of all packages, as
// [Use] makes a file.
func (c *Config) UseForAll() error {
	contents.Store(c.File, sync.OnceValues(func() (*Config, error) { return c, nil }))
	return Use(c.File)
}
