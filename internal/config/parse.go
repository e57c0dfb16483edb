package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// A parser turns a YAML document into a Config and collects the mistakes in it.
// It walks the nodes by itself: the errors of yaml's own strict decoding name
// Go types and not what was expected.
type parser struct {
	c    *Config
	errs []*Error
	// listed is the key under which a function or a type stands.
	listed map[string]string
	// where says where the nodes stand that are in no file; nil for a file.
	where map[*yaml.Node]string
}

func newParser(file string, data []byte) *parser {
	return &parser{
		c: &Config{
			File:    file,
			hash:    hashOf(data),
			funcs:   map[string]*dbapi.Func{},
			handles: map[string]dbapi.Handle{},
		},
		listed: map[string]string{},
	}
}

// done returns what was read. With an error it is the defaults: half of what was
// meant may mean something else. The error has all mistakes but those in the names
// of rules; see [Config.CheckRules].
func (p *parser) done() (*Config, error) {
	p.c.named = slices.Concat(p.c.disable, p.c.enable, p.c.only)
	if err := p.err(); err != nil {
		return &Config{File: p.c.File, hash: p.c.hash, named: p.c.named}, err
	}
	return p.c, nil
}

// err joins what is wrong, in the order of the lines.
func (p *parser) err() error {
	slices.SortStableFunc(p.errs, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	var errs []error
	for _, e := range p.errs {
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

func (p *parser) failAt(file string, line int, format string, args ...any) {
	p.errs = append(p.errs, &Error{File: file, Line: line, Msg: fmt.Sprintf(format, args...)})
}

func (p *parser) fail(n *yaml.Node, format string, args ...any) {
	if place, ok := p.where[n]; ok {
		p.failAt(place, 0, format, args...)
		return
	}
	p.failAt(p.c.File, n.Line, format, args...)
}

// A key is one key of the file.
type key struct {
	name string
	read func(p *parser, key string, n *yaml.Node)
}

// keys are the keys of the file, in the order of the documentation.
func keys() []key {
	return []key{
		{"runners", functions(dbapi.Func{Role: dbapi.RunTx}, "fn", "retries")},
		{"retry", functions(dbapi.Func{Role: dbapi.Retry, Again: dbapi.OnError, Retries: []string{"40001"}}, "fn")},
		{"getters", functions(dbapi.Func{Role: dbapi.Getter})},
		{"pools", types(dbapi.Pool)},
		{"sessions", types(dbapi.Session)},
		{"transactions", types(dbapi.Tx)},
		{"externals", functions(dbapi.Func{Role: dbapi.External}, "what")},
		{"internals", functions(dbapi.Func{Role: dbapi.Inside})},
		{"databases", (*parser).databases},
		{"schema", (*parser).schema},
		{"disable", rules(func(c *Config) *[]ruleName { return &c.disable })},
		{"enable", rules(func(c *Config) *[]ruleName { return &c.enable })},
		{"pooler", (*parser).pooler},
	}
}

// document reads the whole file.
func (p *parser) document(data []byte) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return // empty
	case err != nil:
		p.syntax(err)
		return
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		p.failAt(p.c.File, 0, "want one YAML document, with no --- in it")
		return
	}
	p.root(doc.Content[0], "the file", keys())
}

// root reads what is the whole of a file, or stands for one.
func (p *parser) root(n *yaml.Node, what string, table []key) {
	if null(n) {
		return
	}
	var expected []string
	for _, k := range table {
		expected = append(expected, k.name)
	}
	p.mapping(n, what, expected, func(name string, n *yaml.Node) {
		i := slices.Index(expected, name)
		table[i].read(p, name, n)
	})
}

// lazy compiles a pattern when it is first asked for: go vet starts a process for
// every dependency, and hardly one of them reads a file.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

var yamlError = lazy(`^yaml: (?:line (\d+): )?(.*)$`)

// syntax reports an error of the YAML itself.
func (p *parser) syntax(err error) {
	line, msg := 1, err.Error()
	if m := yamlError().FindStringSubmatch(msg); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
		msg = m[2]
	}
	if strings.HasPrefix(msg, "unknown anchor") || strings.HasPrefix(msg, "did not find expected alphabetic") {
		msg += `; a name that begins with * must be quoted: "*pkg/path.T"`
	}
	p.failAt(p.c.File, line, "not YAML: %s", msg)
}

// mapping calls read for each pair of a mapping whose keys must be among those
// expected.
func (p *parser) mapping(n *yaml.Node, where string, expected []string, read func(key string, n *yaml.Node)) {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		p.fail(n, "%s wants keys with values; the keys are %s", where, strings.Join(expected, ", "))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		switch name := k.Value; {
		case k.Kind != yaml.ScalarNode || !slices.Contains(expected, name):
			p.fail(k, "unknown key %q; the keys are %s", name, strings.Join(expected, ", "))
		case seen[name]:
			p.fail(k, "key %q stands twice", name)
		default:
			seen[name] = true
			read(name, v)
		}
	}
}

// list calls read for each element of a list. A key without a value is an
// empty list.
func (p *parser) list(key string, n *yaml.Node, read func(n *yaml.Node)) {
	n = resolve(n)
	switch {
	case null(n):
	case n.Kind != yaml.SequenceNode:
		p.fail(n, "%s wants a list", key)
	default:
		for _, e := range n.Content {
			read(resolve(e))
		}
	}
}

// scalar returns a text or a number as it is written.
func (p *parser) scalar(key, want string, n *yaml.Node) (string, bool) {
	n = resolve(n)
	if n.Kind != yaml.ScalarNode || null(n) || strings.TrimSpace(n.Value) == "" {
		p.fail(n, "%s wants %s", key, want)
		return "", false
	}
	return n.Value, true
}

func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// functions reads a list of functions that have what row says. An element is a
// name, or a mapping with the name under "func" and some of the options.
func functions(row dbapi.Func, options ...string) func(*parser, string, *yaml.Node) {
	expected := append([]string{"func"}, options...)
	return func(p *parser, key string, n *yaml.Node) {
		p.list(key, n, func(n *yaml.Node) {
			f := row
			if n.Kind != yaml.MappingNode {
				p.function(key, n, &f)
				return
			}
			values := map[string]*yaml.Node{}
			p.mapping(n, key, expected, func(name string, n *yaml.Node) { values[name] = n })
			if values["func"] == nil {
				p.fail(n, "an element of %s wants a name under the key func: %s", key, functionForm)
				return
			}
			p.function(key, values["func"], &f)
			for _, name := range options {
				if v := values[name]; v != nil {
					option[name](p, v, &f)
				}
			}
		})
	}
}

const (
	functionForm = "(*pkg/path.T).Method or pkg/path.Func"
	typeForm     = "*pkg/path.T or pkg/path.T"
)

var (
	method   = lazy(`^\(\*?[^\s()*]+\.[\pL_][\pL\pN_]*\)\.[\pL_][\pL\pN_]*$`)
	function = lazy(`^[^\s()*]+\.[\pL_][\pL\pN_]*$`)
	// dotted is a method written without parentheses.
	dotted   = lazy(`^\*?([^\s()*]+\.\p{Lu}[\pL\pN_]*)\.([\pL_][\pL\pN_]*)$`)
	typ      = lazy(`^\*?[^\s()*]+\.[\pL_][\pL\pN_]*$`)
	sqlState = lazy(`^[0-9A-Z]{5}$`)
)

// function adds a declared function; its options are read into f later.
func (p *parser) function(key string, n *yaml.Node, f *dbapi.Func) {
	name, ok := p.scalar(key, "functions as "+functionForm, n)
	if !ok {
		return
	}
	if m := dotted().FindStringSubmatch(name); m != nil {
		p.fail(n, "%s: %q is no function; a method is written (*%s).%s", key, name, m[1], m[2])
		return
	}
	if !method().MatchString(name) && !function().MatchString(name) {
		p.fail(n, "%s: %q is no function; want %s", key, name, functionForm)
		return
	}
	if p.twice(key, name, n) {
		return
	}
	f.Name = name
	p.c.funcs[name] = f
}

// twice reports a name that was listed before.
func (p *parser) twice(key, name string, n *yaml.Node) bool {
	if before, ok := p.listed[name]; ok {
		p.fail(n, "%s: %s is listed under %s already", key, name, before)
		return true
	}
	p.listed[name] = key
	return false
}

// option are the options of functions.
var option = map[string]func(*parser, *yaml.Node, *dbapi.Func){
	"fn": func(p *parser, n *yaml.Node, f *dbapi.Func) {
		const want = "the number of the parameter that is a function, the first being 0 and the receiver not counted"
		s, ok := p.scalar("fn", want, n)
		if !ok {
			return
		}
		i, err := strconv.Atoi(s)
		if err != nil || i < 0 {
			p.fail(n, "fn: %q is no parameter; want %s", s, want)
			return
		}
		if strings.HasPrefix(f.Name, "(") {
			i++ // tables count the receiver
		}
		f.Fn = dbapi.A(i)
	},
	"retries": func(p *parser, n *yaml.Node, f *dbapi.Func) {
		f.Again = dbapi.OnError
		p.list("retries", n, func(n *yaml.Node) {
			s, ok := p.scalar("retries", "SQLSTATEs", n)
			if ok && !sqlState().MatchString(s) {
				p.fail(n, `retries: %q is no SQLSTATE; want five digits or capital letters: ["40001"]`, s)
			}
			f.Retries = append(f.Retries, s)
		})
	},
	"what": func(p *parser, n *yaml.Node, f *dbapi.Func) {
		f.What, _ = p.scalar("what", `words that a message can go on with: "a payment request"`, n)
	},
}

// types reads a list of types that are handles of one kind.
func types(h dbapi.Handle) func(*parser, string, *yaml.Node) {
	return func(p *parser, key string, n *yaml.Node) {
		p.list(key, n, func(n *yaml.Node) {
			name, ok := p.scalar(key, "types as "+typeForm, n)
			switch {
			case !ok:
			case !typ().MatchString(name):
				p.fail(n, "%s: %q is no type; want %s", key, name, typeForm)
			default:
				name = strings.TrimPrefix(name, "*")
				if !p.twice(key, name, n) {
					p.c.handles[name] = h
				}
			}
		})
	}
}

// databases reads the names of pools of other databases.
func (p *parser) databases(key string, n *yaml.Node) {
	const want = "names of pools: analytics, Service.analytics, or pkg/path.Service.analytics"
	p.list(key, n, func(n *yaml.Node) {
		name, ok := p.scalar(key, want, n)
		if !ok {
			return
		}
		name = strings.TrimPrefix(name, "*")
		d := database{name: name}
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			d = database{owner: name[:i], name: name[i+1:]}
		}
		if d.name == "" || strings.ContainsAny(name, " ()*") {
			p.fail(n, "%s: %q is no name; want %s", key, name, want)
			return
		}
		p.c.databases = append(p.c.databases, d)
	})
}

// rules reads a list of rules. Whether they exist is not known here; see
// [Config.CheckRules].
func rules(into func(*Config) *[]ruleName) func(*parser, string, *yaml.Node) {
	return func(p *parser, key string, n *yaml.Node) {
		list := into(p.c)
		p.list(key, n, func(n *yaml.Node) {
			name, ok := p.scalar(key, "names of rules", n)
			switch {
			case !ok:
			case key == "enable" && name == allRules:
				p.fail(n, "enable wants names of rules; all of them run by default")
			case !p.twice(key, name, n):
				*list = append(*list, ruleName{name, n.Line, p.where[n]})
			}
		})
	}
}

// poolers are the modes of connection poolers.
var poolers = []string{"transaction", "session"}

func (p *parser) pooler(key string, n *yaml.Node) {
	want := strings.Join(poolers, " or ")
	mode, ok := p.scalar(key, want, n)
	if ok && !slices.Contains(poolers, mode) {
		p.fail(n, "pooler: no mode %q; want %s", mode, want)
	}
	p.c.Pooler = mode
}
