package main

import (
	"errors"
	"path/filepath"

	"golang.org/x/tools/go/packages"

	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/report"
)

// useConfig makes a file the configuration of all packages. Unlike a file that
// was found, one that was named must be right.
func (p *program) useConfig(file string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	c, err := config.Read(file)
	if mistakes := append(config.Mistakes(err), config.Mistakes(c.CheckRules(p.suite.names()))...); len(mistakes) > 0 {
		return errors.Join(mistakes...)
	}
	return config.Use(file)
}

// checkConfigs says once what is wrong with the configuration of the packages,
// and reports whether nothing is.
func (p *program) checkConfigs(roots []*packages.Package, cwd string) bool {
	seen := map[string]bool{}
	for _, root := range roots {
		if len(root.GoFiles) == 0 {
			continue
		}
		c, err := config.Load(filepath.Dir(root.GoFiles[0]))
		for _, err := range append(config.Mistakes(err), config.Mistakes(c.CheckRules(p.suite.names()))...) {
			text := err.Error()
			if e, ok := errors.AsType[*config.Error](err); ok {
				short := *e
				short.File = report.Relative(e.File, cwd)
				text = short.Error()
			}
			if !seen[text] {
				seen[text] = true
				p.warn(text)
			}
		}
	}
	return len(seen) == 0
}
