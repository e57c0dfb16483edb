//go:build !unix

package vettool

import "os"

// mapFile gives the content of a file.
func mapFile(name string) ([]byte, error) { return os.ReadFile(name) }
