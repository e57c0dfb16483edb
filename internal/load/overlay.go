package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// readFile gives the text of a file, which the caller may change.
func (cfg *Config) readFile(name string) ([]byte, error) {
	if text, ok := cfg.Overlay[name]; ok {
		return slices.Clone(text), nil
	}
	return os.ReadFile(name)
}

// writeOverlay gives the arguments by which the go command reads the overlay:
// the texts that differ from those on disk are written to a directory that
// remove takes away.
func writeOverlay(overlay map[string][]byte) (args []string, remove func(), err error) {
	replace := make(map[string]string)
	for name, text := range overlay {
		if disk, err := os.ReadFile(name); err != nil || !bytes.Equal(disk, text) {
			replace[name] = ""
		}
	}
	if len(replace) == 0 {
		return nil, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "pgtxvet-overlay-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) } // what is left is temporary
	var errs []error
	for name := range replace {
		file := filepath.Join(dir, strconv.Itoa(len(errs)))
		replace[name] = file
		errs = append(errs, os.WriteFile(file, overlay[name], 0o600))
	}
	list := filepath.Join(dir, "overlay.json")
	data, err := json.Marshal(map[string]any{"Replace": replace})
	errs = append(errs, err, os.WriteFile(list, data, 0o600))
	if err := errors.Join(errs...); err != nil {
		remove()
		return nil, nil, err
	}
	return []string{"-overlay=" + list}, remove, nil
}
