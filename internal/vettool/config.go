package vettool

import (
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/tools/go/analysis"
)

// A unitConfig is what the go command says of one package in unit.cfg. The
// names are those of the struct vetConfig of cmd/go/internal/work.
type unitConfig struct {
	ID            string // e.g. "fmt [fmt.test]"
	Compiler      string
	Dir           string
	ImportPath    string
	GoVersion     string // of the module, e.g. "go1.21.0"
	GoFiles       []string
	NonGoFiles    []string
	IgnoredFiles  []string
	ModulePath    string
	ModuleVersion string
	Module        *analysis.Module  // not before Go 1.27
	ImportMap     map[string]string // import path in the source to package path
	PackageFile   map[string]string // package path to file with export data
	PackageVetx   map[string]string // package path to file of facts
	VetxOnly      bool              // facts are wanted, and no findings
	VetxOutput    string            // where to write the facts
	Stdout        string            // where to write standard output
	FixArchive    string            // zip archive for fixed files

	// SucceedOnTypecheckFailure asks for silence about a package that does not
	// type-check: the compiler will say it.
	SucceedOnTypecheckFailure bool
}

// readConfig reads unit.cfg.
func readConfig(name string) (*unitConfig, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	cfg := new(unitConfig)
	if err := json.Unmarshal(data, cfg); err != nil {
		return nil, fmt.Errorf("%s is not what go vet writes: %w", name, err)
	}
	if len(cfg.GoFiles) == 0 {
		return nil, fmt.Errorf("package %s has no Go files", cfg.ImportPath)
	}
	if cfg.Compiler != "" && cfg.Compiler != "gc" {
		return nil, fmt.Errorf("package %s is built with %s; only the export data of the gc compiler can be read", cfg.ImportPath, cfg.Compiler)
	}
	return cfg, nil
}
