package vettool

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// A loaded package is type-checked from its source; all it imports comes from
// the compiler's export data.
type loaded struct {
	*packages.Package
	// imported are all packages that are known, by path: those that are imported
	// and what their types speak of.
	imported map[string]*types.Package
}

// load parses and type-checks the package. The error is a scanner.ErrorList or
// a types.Error if the fault is in the source.
func load(cfg *unitConfig) (*loaded, error) {
	fset := token.NewFileSet()
	files := make([]*ast.File, 0, len(cfg.GoFiles))
	for _, name := range cfg.GoFiles {
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	imp := &importer{cfg: cfg, fset: fset, packages: map[string]*types.Package{}}
	tc := &types.Config{
		Importer:  imp,
		Sizes:     types.SizesFor("gc", build.Default.GOARCH),
		GoVersion: cfg.GoVersion,
	}
	info := &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
	pkg, err := tc.Check(cfg.ImportPath, fset, files, info)
	if err != nil {
		return nil, err
	}
	return &loaded{imported: imp.packages, Package: &packages.Package{
		ID: cfg.ID, PkgPath: cfg.ID, Name: pkg.Name(), // findings are filed under the ID
		GoFiles: cfg.GoFiles, OtherFiles: cfg.NonGoFiles, IgnoredFiles: cfg.IgnoredFiles,
		Fset: fset, Syntax: files, Types: pkg, TypesInfo: info, TypesSizes: tc.Sizes,
		Module: module(cfg),
	}}, nil
}

// module gives what the go command says of the package's module.
func module(cfg *unitConfig) *packages.Module {
	switch m := cfg.Module; {
	case m != nil:
		return &packages.Module{
			Path: m.Path, Version: m.Version, Time: m.Time, Main: m.Main, Indirect: m.Indirect,
			Dir: m.Dir, GoMod: m.GoMod, GoVersion: m.GoVersion,
		}
	case cfg.ModulePath != "":
		return &packages.Module{Path: cfg.ModulePath, Version: cfg.ModuleVersion, GoVersion: cfg.GoVersion}
	}
	return nil
}

// An importer reads types from export data. One importer for all imports of a
// package, so that a type is one type by whichever way it comes.
type importer struct {
	cfg      *unitConfig
	fset     *token.FileSet
	packages map[string]*types.Package
}

// Import gives the package that is imported by that path in the source.
func (i *importer) Import(path string) (*types.Package, error) {
	mapped, ok := i.cfg.ImportMap[path] // vendored packages have other paths
	if !ok {
		return nil, fmt.Errorf("the go command does not say what package %q is", path)
	}
	if mapped == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg, ok := i.packages[mapped]; ok && pkg.Complete() {
		return pkg, nil
	}
	file, ok := i.cfg.PackageFile[mapped]
	if !ok {
		return nil, fmt.Errorf("the go command gives no export data of package %q", mapped)
	}
	return i.read(mapped, file)
}

func (i *importer) read(path, file string) (pkg *types.Package, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()                     // only read
	r, err := gcexportdata.NewReader(bufio.NewReader(f)) //nolint:staticcheck // the files of the go command's cache have the old form
	if err == nil {
		pkg, err = gcexportdata.Read(r, i.fset, i.packages, path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading export data of %s, which the Go version that pgtxvet is built with may be too old for: %w", path, err)
	}
	return pkg, nil
}
