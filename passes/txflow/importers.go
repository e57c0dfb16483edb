package txflow

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxModuleFiles bounds the files of a module that are looked at for importers.
const maxModuleFiles = 20_000

// retryWords say that a file has to do with running something again.
var retryWords = [][]byte{[]byte(`"40001"`), []byte(`"40P01"`), []byte("SerializationFailure"), []byte(`"40"`), []byte("etryable("), []byte("etriable("), []byte("RetryIf(")}

// ImportersRetry reports whether a package of the same module that imports this
// one, directly or not, has to do with running something again. A driver that
// analyses packages one by one sees no callers in other packages; where there
// may be one that tries again, nothing is known.
func (s *Site) ImportersRetry() bool {
	s.e.reads.importers = true
	if s.e.importersRetry == nil {
		got := importersRetry(s.e.pass.Pkg.Path(), filepath.Dir(s.e.pass.Fset.Position(s.e.pass.Files[0].FileStart).Filename))
		s.e.importersRetry = &got
	}
	return *s.e.importersRetry
}

// TalksOfRetry reports whether a file counts for [Site.ImportersRetry].
func TalksOfRetry(src []byte) bool {
	return slices.ContainsFunc(retryWords, func(w []byte) bool { return bytes.Contains(src, w) })
}

func importersRetry(path, dir string) bool {
	root := moduleRoot(dir)
	if root == "" {
		return false
	}
	// importedBy are the directories that import a path; every directory of the
	// module stands for one package.
	importedBy := map[string][]string{}
	retries := map[string]bool{}
	files := 0
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read imports nothing that is known
		case d.IsDir():
			if base := d.Name(); name != root && (base == "vendor" || base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".")) {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		if files++; files > maxModuleFiles {
			return fs.SkipAll
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return nil //nolint:nilerr // as above
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			return nil //nolint:nilerr // as above
		}
		from := filepath.Dir(name)
		for _, imp := range f.Imports {
			if p, err := strconv.Unquote(imp.Path.Value); err == nil {
				importedBy[p] = append(importedBy[p], from)
			}
		}
		if TalksOfRetry(src) {
			retries[from] = true
		}
		return nil
	})
	// The module's path is the package's without the directories below the root.
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return false
	}
	module := strings.TrimSuffix(strings.TrimSuffix(path, filepath.ToSlash(rel)), "/")
	if rel == "." {
		module = path
	}
	seen := map[string]bool{path: true}
	for work := []string{path}; len(work) > 0; {
		p := work[0]
		work = work[1:]
		for _, from := range importedBy[p] {
			if retries[from] {
				return true
			}
			rel, err := filepath.Rel(root, from)
			if err != nil {
				continue
			}
			next := module
			if rel != "." {
				next += "/" + filepath.ToSlash(rel)
			}
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}

// moduleRoot returns the directory of the go.mod file above dir, or "".
func moduleRoot(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
