package report

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// Fingerprint gives each finding a name that it keeps when lines around it come
// and go: it is made of the rule, the file, the function around the finding and
// the text of its line, with a number for those that are alike. The file goes by
// the path of its module, so that it does not matter where the module is checked
// out and where the program was started. The findings must be sorted.
func Fingerprint(findings []Finding) {
	src, files, modules := sources{}, functions{}, modules{}
	seen := map[string]int{}
	for i := range findings {
		f := &findings[i]
		line, _ := src.line(f.Pos.Filename, f.Pos.Line)
		f.File, f.Func = modules.path(f.Pos.Filename), files.around(f.Pos)
		parts := []string{f.Rule, f.File, f.Func, strings.Join(strings.Fields(line), " ")}
		hash := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(parts, "\x00"))))[:24]
		seen[hash]++
		f.Fingerprint = fmt.Sprintf("%s:%d", hash, seen[hash])
	}
}

// modules holds the paths of modules by their directories, "" for directories
// that are not the root of one.
type modules map[string]string

// path is the import path of a file, so to speak: its name below that of its
// module. A file in no module goes by its own name.
func (m modules) path(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		name, ok := m[dir]
		if !ok {
			if data, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
				name = modfile.ModulePath(data)
			}
			m[dir] = name
		}
		if rel, err := filepath.Rel(dir, file); name != "" && err == nil {
			return path.Join(name, filepath.ToSlash(rel))
		}
		if dir == filepath.Dir(dir) {
			return filepath.Base(file)
		}
	}
}

// functions holds the declared functions of files by their names, nil for those
// that cannot be parsed.
type functions map[string][]function

// A function is a declaration from one line to another.
type function struct {
	name     string
	from, to int
}

// around is the name of the function around a position, "" outside of any.
func (fs functions) around(pos token.Position) string {
	list, ok := fs[pos.Filename]
	if !ok {
		list = declared(pos.Filename)
		fs[pos.Filename] = list
	}
	for _, f := range list {
		if f.from <= pos.Line && pos.Line <= f.to {
			return f.name
		}
	}
	return ""
}

func declared(name string) []function {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var list []function
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			list = append(list, function{receiver(fn) + fn.Name.Name, fset.Position(fn.Pos()).Line, fset.Position(fn.End()).Line})
		}
	}
	return list
}

// receiver is the name of the type of a method and a dot.
func receiver(fn *ast.FuncDecl) string {
	name := ""
	if fn.Recv != nil {
		ast.Inspect(fn.Recv, func(n ast.Node) bool {
			if f, ok := n.(*ast.Field); ok {
				ast.Inspect(f.Type, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && name == "" {
						name = id.Name + "."
					}
					return name == ""
				})
			}
			return name == ""
		})
	}
	return name
}
