package load

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"
)

// translateCgo replaces the files of the packages that use cgo, of those that
// want selects, by the Go files that cgo makes of them, so that they can be
// type-checked like any other. The go command runs cgo for that; it compiles
// nothing else. Where cgo fails, the package keeps its files and has an error.
//
// The packages that want does not select are type-checked with a fake "C":
// their exported API rarely shows a C type.
func (l *loader) translateCgo(ctx context.Context, want func(*node) bool) error {
	var paths []string
	for _, n := range l.order {
		if len(n.list.CgoFiles) > 0 && want(n) {
			paths = append(paths, n.pkg.PkgPath)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	args := append(l.cfg.listArgs("ImportPath,Dir,CompiledGoFiles,Error,DepsErrors"), "-compiled")
	if l.cfg.Tests {
		args = append(args, "-test")
	}
	pkgs, err := l.goCmd.list(ctx, append(append(args, "--"), paths...)...)
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		n := l.nodes[p.ImportPath]
		if n == nil || len(n.list.CgoFiles) == 0 || !want(n) {
			continue
		}
		var files []string
		for _, f := range absolute(p.Dir, p.CompiledGoFiles) {
			if filepath.Ext(f) == ".go" || !strings.Contains(filepath.Base(f), ".") {
				files = append(files, f)
			}
		}
		if p.Error != nil || len(files) == 0 {
			n.broken = true
			n.pkg.Errors = append(n.pkg.Errors, l.cgoError(p))
			continue
		}
		n.pkg.CompiledGoFiles = files
		n.cgo = true
	}
	return nil
}

// cgoError is the first error of cgo. The go command gives the output of the
// tool, a "# package" line and what follows:
//
//	# example.com/m
//	./a.go:5:27: could not determine what C.twice refers to
func (l *loader) cgoError(p *listed) packages.Error {
	e := packages.Error{Msg: "cgo failed", Kind: packages.ListError}
	errs := p.DepsErrors
	if p.Error != nil {
		errs = append([]*listError{p.Error}, errs...)
	}
	for _, err := range errs {
		for line := range strings.Lines(err.Err) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "# ") {
				continue
			}
			if m := positioned.FindStringSubmatch(line); m != nil {
				e.Pos, line = absolutePos(l.goCmd.dir, m[1]), m[2]
			}
			e.Msg = "cgo: " + strings.TrimPrefix(line, "cgo: ")
			return e
		}
	}
	return e
}

// positioned is a line of a compiler's output with a position.
var positioned = regexp.MustCompile(`^(\S+:\d+:\d+): (.*)$`)

// cgoTypesMissing reports whether a package that is to be analysed fails, and
// one below it was type-checked with a fake "C" although it is not part of
// the standard library.
func (l *loader) cgoTypesMissing() bool {
	faked := make(map[*node]bool, len(l.order))
	missing := false
	for _, n := range l.order {
		if len(n.list.CgoFiles) > 0 && !n.cgo && !n.full && !n.list.Standard {
			faked[n] = true
		}
		for _, dep := range n.imports {
			if faked[dep] {
				faked[n] = true
				break
			}
		}
		if faked[n] && n.full && (n.broken || hasInvalid(n.pkg.TypesInfo)) {
			missing = true
		}
	}
	return missing
}
