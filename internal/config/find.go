package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Load returns the configuration of the packages in a directory: that of the
// nearest file upwards, or the defaults if there is none. The search ends at
// the directory that holds .git or go.work. An error is an [Error], or several
// joined; the Config is the defaults then, and never nil.
//
// Answers are kept for the life of the process.
func Load(dir string) (*Config, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return &Config{}, fmt.Errorf("looking for %s: %w", FileName, err)
	}
	if file := find(dir); file != "" {
		return Read(file)
	}
	return &Config{}, nil
}

// Read returns what one file says. Errors are as those of [Load], and answers
// are kept as well.
func Read(file string) (*Config, error) {
	read, _ := contents.LoadOrStore(file, sync.OnceValues(func() (*Config, error) {
		data, err := os.ReadFile(file)
		if err != nil {
			return &Config{File: file}, &Error{File: file, Msg: "cannot be read: " + reason(err)}
		}
		p := newParser(file, data)
		p.document(data)
		p.findSchema()
		return p.done()
	}))
	return read.(func() (*Config, error))()
}

// reason is an error of the file system without the name of the file.
func reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return err.Error()
}

var (
	found    sync.Map // directory to path of the file that applies, or ""
	contents sync.Map // path of a file to func() (*Config, error)
)

// Forget drops all answers that are kept, for a process that outlives a change of
// the files.
func Forget() {
	found.Clear()
	contents.Clear()
}

// find returns the path of the file that applies to a directory, or "".
func find(dir string) string {
	if file, ok := found.Load(dir); ok {
		return file.(string)
	}
	file := filepath.Join(dir, FileName)
	if !exists(file) {
		file = ""
		if parent := filepath.Dir(dir); parent != dir && !isTop(dir) {
			file = find(parent)
		}
	}
	found.Store(dir, file)
	return file
}

// isTop reports whether a project ends with the directory.
func isTop(dir string) bool {
	return exists(filepath.Join(dir, ".git")) || exists(filepath.Join(dir, "go.work"))
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// maxDirs bounds the directories that [Hash] looks into: a project has fewer,
// and a home directory many more.
const maxDirs = 20_000

// Hash names the content of all files that can apply to packages of the
// project that a directory belongs to: the one that applies to the directory,
// and those below the project's top. Without a top they are those below the
// directory. It is "" if there are none.
func Hash(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	files := Files(dir)
	if len(files) == 0 {
		return ""
	}
	h := sha256.New()
	for _, file := range files {
		data, err := os.ReadFile(file)
		fmt.Fprintf(h, "%q %d %v\n%s\n", file, len(data), err, data)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Files returns the paths of the files that [Hash] is made of. dir is absolute.
func Files(dir string) []string {
	files := below(cmp.Or(Top(dir), dir))
	if file := find(dir); file != "" && !slices.Contains(files, file) {
		files = append(files, file)
	}
	return files
}

// Top returns the directory with which the project around dir ends: the one
// that holds .git or go.work, "" if none does. dir is absolute.
func Top(dir string) string {
	for ; !isTop(dir); dir = filepath.Dir(dir) {
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
	return dir
}

// below returns the configuration files in a directory and those below it that
// can hold packages.
func below(root string) []string {
	var files []string
	dirs := 0
	// An error, a directory that cannot be read, means that no package is read there.
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // see above
		case d.IsDir():
			if dirs++; dirs > maxDirs {
				return fs.SkipAll
			}
			if path != root && ignored(d.Name()) {
				return fs.SkipDir
			}
		case d.Name() == FileName:
			files = append(files, path)
		}
		return nil
	})
	return files
}

// ignored reports whether the go command, or anybody, looks for packages in
// directories of that name.
func ignored(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		name == "testdata" || name == "vendor" || name == "node_modules"
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
