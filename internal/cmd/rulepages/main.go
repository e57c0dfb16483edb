// Rulepages writes the pages of the rules, docs/rules/*.md, from the rules'
// documentation, the programs in testdata and the timelines of their proofs.
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
	dir := filepath.Join(root, pagesDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range strays(dir, files) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	var errs []error
	for name, text := range files {
		errs = append(errs, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	return errors.Join(errs...)
}

// strays are the pages in dir that are not in files.
func strays(dir string, files map[string][]byte) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if _, ok := files[e.Name()]; !ok && filepath.Ext(e.Name()) == ".md" {
			names = append(names, e.Name())
		}
	}
	return names
}
