// Rulepages writes the pages of the rules, docs/rules/*.md, from the rules'
// documentation, the programs in testdata and the timelines of their proofs,
// and the list of rules in README.md.
//
//	rulepages [directory of the repository]
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	if err := write(root); err != nil {
		fmt.Fprintln(os.Stderr, "rulepages:", err)
		os.Exit(1)
	}
}

// write writes the pages of the repository in root and removes those that have
// no rule.
func write(root string) error {
	files, err := pages(root)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(root, pagesDir), 0o755); err != nil {
		return err
	}
	for _, name := range strays(root, files) {
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			return err
		}
	}
	var errs []error
	for name, text := range files {
		errs = append(errs, os.WriteFile(filepath.Join(root, name), text, 0o644))
	}
	return errors.Join(errs...)
}

// strays are the pages on disk that are not in files.
func strays(root string, files map[string][]byte) []string {
	entries, err := os.ReadDir(filepath.Join(root, pagesDir))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		name := pagesDir + "/" + e.Name()
		if _, ok := files[name]; !ok && filepath.Ext(name) == ".md" {
			names = append(names, name)
		}
	}
	return names
}
