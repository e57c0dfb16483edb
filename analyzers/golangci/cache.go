package golangci

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/schema"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// The passes that depend on more than Go files, by the names that they have
// elsewhere.
var configName, flowName = config.Analyzer.Name, txflow.Analyzer.Name

// keyed gives these passes names that change with the configuration files and the
// SQL of the project, and returns the one to add to the linter's. golangci-lint
// keeps findings under the names of a linter's analyzers and facts under that of
// theirs, with a hash of the Go files and of .golangci.yml, and knows nothing of
// .pgtxvet.yaml, of migrations and of embedded queries.
func keyed(dir string) *analysis.Analyzer {
	if key := key(dir); key != "" {
		config.Analyzer.Name = configName + "_" + key
		txflow.Analyzer.Name = flowName + "_" + key
	}
	return config.Analyzer
}

// key is a short hash of all that, "" if there is nothing of the kind.
func key(dir string) string {
	parts := []string{config.Hash(dir), schema.Hash(dir), hashSQL(dir)}
	all := strings.Join(parts, "")
	if all == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, " ")))
	return hex.EncodeToString(sum[:8])
}

// Bounds of what [hashSQL] looks at: a project is smaller, and a longer file
// holds data.
const (
	maxFiles = 50_000
	maxSize  = 1 << 20
)

// hashSQL names the content of the files *.sql of the project around a directory,
// which packages can embed. Of a long file it takes size and time.
func hashSQL(dir string) string {
	top := config.Top(dir)
	if top == "" {
		top = dir
	}
	h, found, seen := sha256.New(), false, 0
	// What cannot be read is not embedded either.
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // see above
		case d.IsDir():
			if path != top && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
				return fs.SkipDir
			}
		case filepath.Ext(path) == ".sql":
			found = true
			name := filepath.ToSlash(strings.TrimPrefix(path, top))
			fmt.Fprintf(h, "%q ", name)
			hashFile(h, path)
		}
		if seen++; seen > maxFiles {
			return fs.SkipAll
		}
		return nil
	})
	if !found {
		return ""
	}
	return string(h.Sum(nil))
}

// hashFile adds a file to a hash.
func hashFile(h io.Writer, path string) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxSize {
		fmt.Fprintf(h, "%d %v\n", info.Size(), info.ModTime())
		return
	}
	data, err := os.ReadFile(path)
	fmt.Fprintf(h, "%d %v\n%s\n", len(data), err != nil, data)
}
