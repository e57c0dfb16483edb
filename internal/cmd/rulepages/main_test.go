package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCurrent holds the pages in the repository to what the generator writes.
func TestCurrent(t *testing.T) {
	const root = "../../.."
	files, err := pages(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Errorf("%v; run make docs", err)
		} else if !bytes.Equal(got, files[name]) {
			t.Errorf("%s is not current; run make docs", name)
		}
	}
	for _, name := range strays(root, files) {
		t.Errorf("%s belongs to no rule; run make docs", name)
	}
}
