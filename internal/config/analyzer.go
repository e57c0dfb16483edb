package config

import (
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Analyzer finds the configuration of a package, as a *[Package]. It reports
// nothing and never fails: what requires it goes on with the defaults, and one
// rule says what is wrong with the file.
//
// Its flag "file" names a file that applies to all packages instead.
var Analyzer = newAnalyzer()

// A Package is the configuration of one package.
type Package struct {
	*Config
	// Err says what is wrong with the file; the Config is the defaults then.
	Err error
}

const fileFlag = "file"

func newAnalyzer() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:       "config",
		Doc:        "find the configuration of a package (used by the rules)",
		Run:        run,
		ResultType: reflect.TypeFor[*Package](),
	}
	a.Flags.String(fileFlag, "", "configuration of all packages, instead of the nearest "+FileName)
	return a
}

// Use makes the file the configuration of all packages.
func Use(file string) error { return Analyzer.Flags.Set(fileFlag, file) }

func run(pass *analysis.Pass) (any, error) {
	if file := pass.Analyzer.Flags.Lookup(fileFlag).Value.String(); file != "" {
		c, err := Read(file)
		return &Package{c, err}, nil
	}
	c, err := &Config{}, error(nil)
	if dir := directory(pass); dir != "" {
		c, err = Load(dir)
	}
	return &Package{c, err}, nil
}

// directory returns the directory of the package's first file that a person has
// written: cgo puts its own first.
func directory(pass *analysis.Pass) string {
	for _, f := range pass.Files {
		name := pass.Fset.Position(f.Package).Filename
		if !strings.Contains(name, "_cgo_") {
			return dirOf(name)
		}
	}
	return ""
}
