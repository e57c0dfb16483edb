// Package usercode tells the user's own code from what it depends on.
package usercode

import (
	"os"
	"path"
	"strings"
)

// Is reports whether a package is the user's: its files are not in the module
// cache, not vendored and not the standard library's. The file is one of its
// Go files, by its full name.
func Is(importPath, file string) bool {
	file = strings.ReplaceAll(file, `\`, "/")
	if strings.Contains(file, "/pkg/mod/") || strings.Contains(file, "/vendor/") {
		return false
	}
	// The standard library stands in GOROOT/src, which is not known to a tool
	// that was built elsewhere; its paths have no dot in their first element, and
	// package builtin stands beside them.
	first, _, _ := strings.Cut(importPath, "/")
	if strings.Contains(first, ".") {
		return true
	}
	root, ok := strings.CutSuffix(path.Dir(file), "/src/"+importPath)
	if !ok {
		return true
	}
	_, err := os.Stat(root + "/src/builtin/builtin.go")
	return err != nil
}
