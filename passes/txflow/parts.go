package txflow

import "strings"

// ownImports returns the imports of the package that stand beside it: those of
// the same host and owner.
func (e *engine) ownImports() []string {
	var out []string
	owner := ownerOf(e.pass.Pkg.Path())
	for _, imp := range e.pass.Pkg.Imports() {
		if ownerOf(imp.Path()) == owner {
			out = append(out, imp.Path())
		}
	}
	return out
}

// ownerOf returns the first two elements of an import path: host and owner.
func ownerOf(path string) string {
	host, rest, _ := strings.Cut(path, "/")
	owner, _, _ := strings.Cut(rest, "/")
	return host + "/" + owner
}

// parts are sets of packages: two are in one part when imports lead from one to
// the other, in whatever direction. Packages of a library that share nothing may
// have an interface and a method in common by chance; in a program its main
// package joins all.
type parts map[string]string

// of returns the package that stands for the part of a package.
func (p parts) of(path string) string {
	for {
		up, ok := p[path]
		if !ok {
			return path
		}
		path = up
	}
}

// join makes one part of those of two packages.
func (p parts) join(a, b string) {
	if a, b = p.of(a), p.of(b); a != b {
		p[a] = b
	}
}
