package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Whole makes the package that stands for the main packages which a module, or a
// part of it, does not have: it imports the roots that no main package among
// them needs, and has no code, not even a function main. What analyzers do where
// a program comes together they do there for a library. It is nil when main
// packages need all of the roots.
func Whole(fset *token.FileSet, roots []*packages.Package) *packages.Package {
	covered := make(map[string]bool)
	var cover func(p *packages.Package)
	cover = func(p *packages.Package) {
		if !covered[p.PkgPath] {
			covered[p.PkgPath] = true
			for _, dep := range p.Imports {
				cover(dep)
			}
		}
	}
	for _, p := range roots {
		if p.Name == "main" && !p.IllTyped {
			cover(p)
		}
	}
	var left []*packages.Package
	for _, p := range roots {
		if p.Name != "main" && !covered[p.PkgPath] && !p.IllTyped && p.Types != nil && !externalTest(p) {
			left = append(left, p)
		}
	}
	if len(left) == 0 {
		return nil
	}
	return importing(fset, left)
}

// externalTest reports whether p is the package of tests outside the package
// that they test.
func externalTest(p *packages.Package) bool {
	return strings.HasSuffix(p.Name, "_test") && p.ForTest != ""
}

// importing makes a package main that imports packages and does nothing. Its
// path is the pattern that matches all of them in the module of the first; its
// only file does not exist, but has a place, for what asks where a package is.
func importing(fset *token.FileSet, pkgs []*packages.Package) *packages.Package {
	first := pkgs[0]
	path, dir := first.PkgPath, first.Dir
	if m := first.Module; m != nil {
		path, dir = m.Path, m.Dir
	}
	p := &packages.Package{
		ID: path + "/...", PkgPath: path + "/...", Name: "main", Dir: dir,
		Fset: fset, Module: first.Module, TypesSizes: first.TypesSizes,
		Types:   types.NewPackage(path+"/...", "main"),
		Imports: make(map[string]*packages.Package, len(pkgs)),
		TypesInfo: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
			Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
		},
	}
	file, err := parser.ParseFile(fset, filepath.Join(dir, "..."), "package main\n", parser.SkipObjectResolution)
	if err != nil {
		return nil // it is no Go
	}
	p.Syntax = []*ast.File{file}
	var imports []*types.Package
	for _, dep := range pkgs {
		p.Imports[dep.PkgPath] = dep
		imports = append(imports, dep.Types)
	}
	p.Types.SetImports(imports)
	p.Types.MarkComplete()
	return p
}
