package vettool

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strconv"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/pgtxvet/pgtxvet/internal/check"
)

// validate holds that the edits of each fix are inside of one file each and do
// not overlap. It sorts them and sets their ends.
func validate(fset *token.FileSet, fixes []analysis.SuggestedFix) error {
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

// An edit replaces the bytes from start up to end of a file.
type edit struct {
	start, end int
	text       string
}

// A fixer gathers the edits of fixes.
type fixer struct {
	edits   map[string][]edit // by file, in order, without overlap
	source  map[string][]byte
	done    int
	skipped int
}

// fix applies the first fix of each finding, or prints what that would change.
// Fixes that edit generated code are left out, and so are those that overlap
// one that came before.
func (r *run) fix(results []check.Result) (int, error) {
	code := r.errors(results)
	f := &fixer{edits: map[string][]edit{}, source: map[string][]byte{}}
	var pkg *types.Package
	for _, res := range results {
		pkg = res.Package.Types
		generated := generatedFiles(res)
		for _, d := range res.Diagnostics {
			if len(d.SuggestedFixes) == 0 || touches(generated, res.Package.Fset, d.SuggestedFixes[0]) {
				continue
			}
			if err := f.add(res.Package.Fset, d.SuggestedFixes[0]); err != nil {
				return exitFailed, err
			}
		}
	}
	fixed, err := f.apply(pkg)
	if err != nil {
		return exitFailed, err
	}
	if r.opts.diff {
		err = r.printDiff(f.source, fixed)
	} else {
		err = r.write(fixed)
	}
	if f.skipped > 0 && err == nil {
		fmt.Fprintf(r.stderr, "pgtxvet: %d of %d fixes skipped because they overlap others; run the command again to apply them\n", f.skipped, f.skipped+f.done)
		if r.cfg.FixArchive == "" { // else go fix would drop the others
			code = exitFailed
		}
	}
	return code, err
}

func generatedFiles(res check.Result) map[string]bool {
	generated := map[string]bool{}
	for _, file := range res.Package.Syntax {
		if ast.IsGenerated(file) {
			generated[res.Package.Fset.File(file.FileStart).Name()] = true
		}
	}
	return generated
}

func touches(files map[string]bool, fset *token.FileSet, fix analysis.SuggestedFix) bool {
	return slices.ContainsFunc(fix.TextEdits, func(e analysis.TextEdit) bool { return files[fset.File(e.Pos).Name()] })
}

// add takes in all edits of a fix, or none if one overlaps an earlier one.
func (f *fixer) add(fset *token.FileSet, fix analysis.SuggestedFix) error {
	merged := map[string][]edit{}
	for _, e := range fix.TextEdits {
		file := fset.File(e.Pos)
		name := file.Name()
		if err := f.read(name, file.Size()); err != nil {
			return err
		}
		edits, ok := merged[name]
		if !ok {
			edits = f.edits[name]
		}
		edits, ok = insert(edits, edit{file.Offset(e.Pos), file.Offset(e.End), string(e.NewText)})
		if !ok {
			f.skipped++
			return nil
		}
		merged[name] = edits
	}
	f.done++
	for name, edits := range merged {
		f.edits[name] = edits
	}
	return nil
}

// read keeps the source of a file, which must be as it was parsed.
func (f *fixer) read(name string, size int) error {
	if _, ok := f.source[name]; ok {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if len(data) != size {
		return fmt.Errorf("%s changed while it was analysed", name)
	}
	f.source[name] = data
	return nil
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

// apply gives the new content of all files that change.
func (f *fixer) apply(pkg *types.Package) (map[string][]byte, error) {
	fixed := map[string][]byte{}
	for name, edits := range f.edits {
		var out []byte
		at, src := 0, f.source[name]
		for _, e := range edits {
			out = append(append(out, src[at:e.start]...), e.text...)
			at = e.end
		}
		out = append(out, src[at:]...)
		if tidied, err := tidy(pkg, out); err == nil { // else as it is; the compiler will say more
			out = tidied
		}
		if !bytes.Equal(out, src) {
			fixed[name] = out
		}
	}
	return fixed, nil
}

// tidy formats a file and removes imports that the fixes have made superfluous.
func tidy(pkg *types.Package, src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, imp := range pkg.Imports() {
		names[imp.Path()] = imp.Name()
	}
	used := qualifiers(file)
	for _, spec := range slices.Clone(file.Imports) {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		name, explicit := names[path], ""
		if spec.Name != nil {
			name, explicit = spec.Name.Name, spec.Name.Name
		}
		if name != "" && name != "_" && name != "." && name != "C" && !used[name] {
			astutil.DeleteNamedImport(fset, file, explicit, path)
		}
	}
	var buf bytes.Buffer
	if err := format.Node(&buf, fset, file); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// qualifiers are the names in front of a dot that the file does not declare in
// a function.
func qualifiers(file *ast.File) map[string]bool {
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	return used
}

// printDiff writes the changes as a unified diff.
func (r *run) printDiff(source, fixed map[string][]byte) error {
	for _, name := range sortedNames(fixed) {
		out := diff.Diff(name+" (old)", source[name], name+" (new)", fixed[name])
		_, out, _ = bytes.Cut(out, []byte("\n")) // the line of the command
		if _, err := r.stdout.Write(out); err != nil {
			return err
		}
	}
	return nil
}

// write writes the files, or puts them in the archive from which go fix writes
// them at its end.
func (r *run) write(fixed map[string][]byte) (err error) {
	if r.cfg.FixArchive == "" {
		for _, name := range sortedNames(fixed) {
			if err := os.WriteFile(name, fixed[name], 0o644); err != nil {
				return err
			}
		}
		return nil
	}
	f, err := os.Create(r.cfg.FixArchive)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	zw := zip.NewWriter(f)
	defer func() { err = errors.Join(err, zw.Close()) }()
	if err := zw.SetComment(r.cfg.ID); err != nil {
		return err
	}
	for _, name := range sortedNames(fixed) {
		w, err := zw.Create(name)
		if err != nil {
			return err
		}
		if _, err := w.Write(fixed[name]); err != nil {
			return err
		}
	}
	return nil
}

func sortedNames(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
