// Package fix applies the fixes that findings suggest. The program and the vet
// tool share it, so that both change the same.
//
// Of each finding the first fix is taken, whole or not at all. One that overlaps
// a fix that came before waits for the next run: its edits speak of a text that
// is gone. Generated files are not touched, since what generates them would undo
// the change.
package fix

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/check"
)

// Validate holds that the edits of each fix are inside of one file each and do
// not overlap. It sorts them and sets their ends.
func Validate(fset *token.FileSet, fixes []analysis.SuggestedFix) error {
	for _, fix := range fixes {
		slices.SortStableFunc(fix.TextEdits, func(a, b analysis.TextEdit) int {
			return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.End, b.End))
		})
		var last token.Pos
		for i := range fix.TextEdits {
			e := &fix.TextEdits[i]
			e.End = cmp.Or(e.End, e.Pos)
			switch file := fset.File(e.Pos); {
			case file == nil:
				return fmt.Errorf("%q edits no file", fix.Message)
			case e.End < e.Pos || int(e.End) > file.Base()+file.Size():
				return fmt.Errorf("%q edits what is not in %s", fix.Message, file.Name())
			case e.Pos < last:
				return fmt.Errorf("%q edits %s twice", fix.Message, fset.Position(e.Pos))
			}
			last = e.End
		}
	}
	return nil
}

// ValidateAll takes invalid fixes off the diagnostics and says which rules made
// them.
func ValidateAll(fset *token.FileSet, results []check.Result) []error {
	var errs []error
	for i := range results {
		for j := range results[i].Diagnostics {
			d := &results[i].Diagnostics[j]
			if err := Validate(fset, d.SuggestedFixes); err != nil {
				errs = append(errs, fmt.Errorf("internal error: a fix of %s is wrong: %w", results[i].Analyzer.Name, err))
				d.SuggestedFixes = nil
			}
		}
	}
	return errs
}

// A Set gathers fixes that do not overlap. Fixes must be valid.
type Set struct {
	Applied int // fixes that were taken
	Skipped int // fixes that overlap one that was taken before

	files map[string]*source
	names map[string]string // of packages by path
	seen  map[*types.Package]bool
}

// New makes an empty Set.
func New() *Set {
	return &Set{files: map[string]*source{}, names: map[string]string{}, seen: map[*types.Package]bool{}}
}

// A source is a file and what is to change in it.
type source struct {
	old       []byte
	generated bool
	edits     []edit // in order, without overlap
}

// An edit replaces the bytes from start up to end of a file.
type edit struct {
	start, end int
	text       string
}

// Add takes in the first fix of each diagnostic of a result.
func (s *Set) Add(r check.Result) error {
	s.learn(r.Package.Types)
	for _, d := range r.Diagnostics {
		if len(d.SuggestedFixes) == 0 {
			continue
		}
		if err := s.add(r.Package.Fset, d.SuggestedFixes[0]); err != nil {
			return err
		}
	}
	return nil
}

// learn notes the names of the packages below one: an import does not say the
// name that it declares.
func (s *Set) learn(pkg *types.Package) {
	if pkg == nil || s.seen[pkg] {
		return
	}
	s.seen[pkg] = true
	for _, imp := range pkg.Imports() {
		s.names[imp.Path()] = imp.Name()
		s.learn(imp)
	}
}

// add takes in all edits of a fix, or none if one overlaps an earlier one.
func (s *Set) add(fset *token.FileSet, fix analysis.SuggestedFix) error {
	merged := map[*source][]edit{}
	for _, e := range fix.TextEdits {
		file := fset.File(e.Pos)
		if fset.Position(e.Pos).Filename != file.Name() {
			return nil // made of another file, by cgo or another generator
		}
		src, err := s.read(file)
		if err != nil {
			return err
		}
		if src.generated {
			return nil
		}
		edits, ok := merged[src]
		if !ok {
			edits = src.edits
		}
		edits, ok = insert(edits, edit{file.Offset(e.Pos), file.Offset(e.End), string(e.NewText)})
		if !ok {
			s.Skipped++
			return nil
		}
		merged[src] = edits
	}
	s.Applied++
	for src, edits := range merged {
		src.edits = edits
	}
	return nil
}

// read gives a file, which must be as it was parsed.
func (s *Set) read(file *token.File) (*source, error) {
	if src, ok := s.files[file.Name()]; ok {
		return src, nil
	}
	data, err := os.ReadFile(file.Name())
	if err != nil {
		return nil, fmt.Errorf("cannot fix: %w", err)
	}
	if len(data) != file.Size() {
		return nil, fmt.Errorf("%s changed while it was analysed", file.Name())
	}
	src := &source{old: data, generated: isGenerated(data)}
	s.files[file.Name()] = src
	return src, nil
}

// isGenerated reports whether a comment before the package clause says so.
func isGenerated(src []byte) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly|parser.ParseComments)
	return err == nil && ast.IsGenerated(file)
}

// insert puts an edit at its place among others. One that is there already is
// the same edit: two findings may want the same. False if it overlaps another.
func insert(edits []edit, e edit) ([]edit, bool) {
	i, _ := slices.BinarySearchFunc(edits, e, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	if i < len(edits) && edits[i] == e {
		return edits, true
	}
	if i > 0 && (edits[i-1].end > e.start || edits[i-1].start == e.start) ||
		i < len(edits) && (edits[i].start < e.end || edits[i].start == e.start) {
		return nil, false
	}
	return slices.Insert(slices.Clone(edits), i, e), true
}

// A File is one that the fixes change.
type File struct {
	Name     string
	Old, New []byte
}

// Files are the files that change, in the order of their names. They are
// formatted, and imports that the fixes have made superfluous are gone.
func (s *Set) Files() []File {
	var files []File
	for name, src := range s.files {
		if len(src.edits) == 0 {
			continue
		}
		text := src.apply()
		if tidied, err := tidy(s.names, text); err == nil { // else as it is; the compiler will say more
			text = tidied
		}
		if !bytes.Equal(text, src.old) {
			files = append(files, File{name, src.old, text})
		}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return files
}

func (src *source) apply() []byte {
	var out []byte
	at := 0
	for _, e := range src.edits {
		out = append(append(out, src.old[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, src.old[at:]...)
}

// Write writes the files in place.
func Write(files []File) error {
	for _, f := range files {
		if err := os.WriteFile(f.Name, f.New, 0o644); err != nil {
			return fmt.Errorf("cannot fix: %w", err)
		}
	}
	return nil
}

// Diff is the change of the file as a unified diff between two names.
func (f File) Diff(oldName, newName string) []byte {
	_, out, _ := bytes.Cut(diff.Diff(oldName, f.Old, newName, f.New), []byte("\n")) // without the line of the command
	return out
}
