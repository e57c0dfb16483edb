// Package since asks git which lines changed since a revision.
package since

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/pgtxvet/pgtxvet/internal/report"
)

// Changes are the lines of a repository that changed.
type Changes struct {
	files map[string]*file // by absolute names without symbolic links
}

// A file is one that changed.
type file struct {
	whole bool // it is new
	lines []span
	gaps  []int // after which lines others are gone
}

// A span is lines from one up to and including another.
type span struct{ from, to int }

// Find asks what changed between the point where the present branch left rev and
// the files as they are, committed or not. Files that git does not know and does
// not ignore have changed. Submodules are looked into. The directory can be any
// in the repository.
func Find(ctx context.Context, dir, rev string) (*Changes, error) {
	g := git{ctx, dir}
	top, err := g.top()
	if err != nil {
		return nil, err
	}
	g.dir = top
	base, err := g.mergeBase(rev)
	if err != nil {
		return nil, err
	}
	c := &Changes{files: map[string]*file{}}
	return c, c.collect(g, base)
}

// collect adds what changed in a working tree since a commit, and in the
// submodules since the commits that they had in it.
func (c *Changes) collect(g git, base string) error {
	// User's own settings must not change the form.
	out, err := g.run("diff", "--no-color", "--no-ext-diff", "--no-textconv", "--unified=0", "--find-renames",
		"--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules", base, "--")
	if err != nil {
		return err
	}
	if err := c.read(g.dir, out); err != nil {
		return fmt.Errorf("git diff %s: %w", base, err)
	}
	if err := c.untracked(g); err != nil {
		return err
	}
	subs, err := g.submodules()
	if err != nil {
		return err
	}
	for _, name := range subs {
		sub := git{g.ctx, filepath.Join(g.dir, filepath.FromSlash(name))}
		before, err := g.run("rev-parse", "--verify", "--quiet", "--end-of-options", base+":"+name)
		if err != nil { // it is new: nothing was there
			if before, err = sub.run("hash-object", "-t", "tree", os.DevNull); err != nil {
				return err
			}
		}
		if err := c.collect(sub, strings.TrimSpace(string(before))); err != nil {
			return err
		}
	}
	return nil
}

// A git runs git in a directory.
type git struct {
	ctx context.Context
	dir string
}

// run gives what a command prints. The variables that git sets for its hooks
// speak of another directory.
func (g git) run(args ...string) ([]byte, error) {
	cmd := exec.CommandContext(g.ctx, "git", args...)
	cmd.Dir = g.dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == "GIT_DIR" || name == "GIT_WORK_TREE" || name == "GIT_INDEX_FILE" || name == "GIT_PREFIX"
	})
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return out, fmt.Errorf("git %s: %s", args[0], bytes.TrimSpace(append(exit.Stderr, fmt.Sprintf(" (%v)", err)...)))
	}
	if err != nil {
		return out, fmt.Errorf("git is needed to know what changed: %w", err)
	}
	return out, nil
}

// top is the root of the working tree.
func (g git) top() (string, error) {
	out, err := g.run("rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(strings.TrimRight(string(out), "\r\n"))
}

// mergeBase is where the present branch left a revision.
func (g git) mergeBase(rev string) (string, error) {
	if _, err := g.run("rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}"); err != nil {
		return "", fmt.Errorf("git knows no revision %q; in CI it may have to be fetched first", rev)
	}
	out, err := g.run("merge-base", rev, "HEAD")
	if err != nil {
		return "", fmt.Errorf("%q and HEAD have no commit in common; in CI the history may have to be fetched first", rev)
	}
	return strings.TrimSpace(string(out)), nil
}

// read takes in a diff whose names are relative to a directory.
func (c *Changes) read(top string, diff []byte) error {
	files, _, err := gitdiff.Parse(bytes.NewReader(diff))
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.IsDelete || f.NewName == "" {
			continue
		}
		changed := &file{}
		for _, part := range f.TextFragments {
			changed.add(part)
		}
		c.files[filepath.Join(top, filepath.FromSlash(f.NewName))] = changed
	}
	return nil
}

// add takes in a part of a diff without context. Where lines are only gone, its
// position is the line before them.
func (f *file) add(part *gitdiff.TextFragment) {
	at := int(part.NewPosition)
	if part.NewLines == 0 {
		f.gaps = append(f.gaps, at)
		return
	}
	f.lines = append(f.lines, span{at, at + int(part.NewLines) - 1})
}

// untracked adds the files that git does not know.
func (c *Changes) untracked(g git) error {
	out, err := g.run("ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		c.files[filepath.Join(g.dir, filepath.FromSlash(name))] = &file{whole: true}
	}
	return nil
}

// submodules are the names of those that are checked out.
func (g git) submodules() ([]string, error) {
	out, err := g.run("ls-files", "-z", "--stage")
	if err != nil {
		return nil, err
	}
	var names []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		info, name, _ := strings.Cut(entry, "\t")
		if !strings.HasPrefix(info, "160000 ") {
			continue
		}
		if _, err := os.Stat(filepath.Join(g.dir, filepath.FromSlash(name), ".git")); err == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// Touch reports whether a finding stands on a line that changed, or speaks of one
// that did: a lock that is taken away at one line makes a fault of another.
func (c *Changes) Touch(f report.Finding) bool {
	if c.has(f.Pos.Filename, f.Pos.Line, f.End.Line) {
		return true
	}
	return slices.ContainsFunc(f.Related, func(r report.Related) bool { return c.has(r.Pos.Filename, r.Pos.Line, r.End.Line) })
}

// has reports whether one of the lines changed, or one between them is gone.
func (c *Changes) has(name string, from, to int) bool {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	f := c.files[name]
	if f == nil {
		return false
	}
	to = max(from, to)
	return f.whole ||
		slices.ContainsFunc(f.lines, func(s span) bool { return s.from <= to && from <= s.to }) ||
		slices.ContainsFunc(f.gaps, func(after int) bool { return from <= after && after < to })
}
