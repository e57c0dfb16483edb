package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"slices"

	"github.com/pgtxvet/pgtxvet/internal/config"
)

// Hash names the content of all scripts that can apply to packages of the
// project that a directory belongs to, also those that its configuration files
// declare. It is "" if there are none. What was found under another hash may
// not hold any more.
func Hash(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	p := projectOf(dir)
	sets := slices.Clone(p.sets)
	for _, file := range config.Files(dir) {
		if c, err := config.Read(file); err == nil && c.Schema() != nil {
			sets = append(sets, declaredSet(file, c.Schema()))
		}
	}
	if len(sets) == 0 {
		return ""
	}
	h := sha256.New()
	seen := map[string]bool{}
	for _, s := range sets {
		fmt.Fprintf(h, "%q %v %d\n", relative(p.root, s.dir), s.partial, len(s.files))
		for _, f := range s.files {
			fmt.Fprintf(h, "%q\n", relative(p.root, f))
			if !seen[f] {
				seen[f] = true
				hashFile(h, f)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashFile adds a script: its content, or of a long one its size and time.
func hashFile(h hash.Hash, file string) {
	if info, err := os.Stat(file); err == nil && info.Size() > maxFile {
		fmt.Fprintf(h, "%d %v\n", info.Size(), info.ModTime())
		return
	}
	text, err := readFile(file)
	fmt.Fprintf(h, "%d %v\n%s\n", len(text), err != nil, text)
}

// relative is a path from the top of the project: the hash is the same
// wherever that lies.
func relative(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}
