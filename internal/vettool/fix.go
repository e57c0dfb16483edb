package vettool

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"

	"github.com/pgtxvet/pgtxvet/internal/check"
	"github.com/pgtxvet/pgtxvet/internal/fix"
)

// fix applies the fixes, or prints what that would change.
func (r *run) fix(results []check.Result) (int, error) {
	code := r.errors(results)
	set := fix.New()
	for _, res := range results {
		if err := set.Add(res); err != nil {
			return exitFailed, err
		}
	}
	var err error
	if r.opts.diff {
		err = r.printDiff(set.Files())
	} else {
		err = r.write(set.Files())
	}
	if set.Skipped > 0 && err == nil {
		fmt.Fprintf(r.stderr, "pgtxvet: %d of %d fixes skipped because they overlap others; run the command again to apply them\n", set.Skipped, set.Skipped+set.Applied)
		if r.cfg.FixArchive == "" { // else go fix would drop the others
			code = exitFailed
		}
	}
	return code, err
}

// printDiff writes the changes as a unified diff.
func (r *run) printDiff(files []fix.File) error {
	for _, f := range files {
		if _, err := r.stdout.Write(f.Diff(f.Name+" (old)", f.Name+" (new)")); err != nil {
			return err
		}
	}
	return nil
}

// write writes the files, or puts them in the archive from which go fix writes
// them at its end.
func (r *run) write(files []fix.File) (err error) {
	if r.cfg.FixArchive == "" {
		return fix.Write(files)
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
	for _, file := range files {
		w, err := zw.Create(file.Name)
		if err != nil {
			return err
		}
		if _, err := w.Write(file.New); err != nil {
			return err
		}
	}
	return nil
}
