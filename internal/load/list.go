package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A listed is what `go list -json` says about one package. The names of its
// fields are those of the go command.
type listed struct {
	Dir        string
	ImportPath string
	Name       string
	ForTest    string
	Standard   bool
	DepOnly    bool
	Match      []string
	Module     *packages.Module
	GoFiles    []string
	CgoFiles   []string
	OtherFiles []string `json:"-"` // the files of the next fields together
	CFiles     []string
	HFiles     []string
	SFiles     []string
	IgnoredGoFiles,
	IgnoredOtherFiles []string
	EmbedFiles []string
	Imports    []string
	ImportMap  map[string]string
	Error      *listError

	// These are asked for only where cgo is run.
	CompiledGoFiles []string
	DepsErrors      []*listError
}

// listFields are the fields of listed that every package is asked for. None
// of them needs a build.
const listFields = "Dir,ImportPath,Name,ForTest,Standard,DepOnly,Match,Module,GoFiles,CgoFiles,CFiles,HFiles,SFiles," +
	"IgnoredGoFiles,IgnoredOtherFiles,EmbedFiles,Imports,ImportMap,Error"

// A listError is what the go command has against one package.
type listError struct {
	ImportStack []string
	Pos         string
	Err         string
}

// text is the message; of an import cycle it tells the packages, and of a
// workspace whose directory is no module what to ask for instead.
func (e *listError) text() string {
	msg := strings.TrimSpace(e.Err)
	if strings.HasPrefix(msg, "import cycle") && len(e.ImportStack) > 0 {
		msg += ": " + strings.Join(e.ImportStack, " imports ")
	}
	if strings.Contains(msg, "does not contain modules listed in go.work") {
		msg += "; name a module (./mymodule/...), or all of them with the pattern work"
	}
	return msg
}

// goEnv is the part of `go env` that loading depends on.
type goEnv struct {
	GOARCH     string
	GOMOD      string
	GOMODCACHE string
	GOVERSION  string
	GOWORK     string
}

// A goCommand runs the go command in one directory.
type goCommand struct {
	dir string
	env []string
}

// newGoCommand prepares the go command for dir, the current directory if it
// is empty. A nil env is the environment of the process.
func newGoCommand(dir string, env []string) (*goCommand, error) {
	if env == nil {
		env = os.Environ()
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if fi, err := os.Stat(abs); err != nil {
		return nil, err
	} else if !fi.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", dir)
	}
	// The go command prefers the name in PWD when it names the same
	// directory; that keeps symbolic links as the user wrote them.
	return &goCommand{dir: abs, env: append(env[:len(env):len(env)], "PWD="+abs)}, nil
}

// run gives the standard output of one go command to read. An error says
// what the go command wrote to standard error.
func (g *goCommand) run(ctx context.Context, args []string, read func(io.Reader) error) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = g.dir, g.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("the go command is not on PATH; it is needed to find the packages: %w", err)
		}
		return fmt.Errorf("go %s: %w", args[0], err)
	}
	readErr := read(out)
	if readErr != nil {
		_, _ = io.Copy(io.Discard, out) // let the command end
	}
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if text := strings.TrimSpace(stderr.String()); text != "" {
			return fmt.Errorf("go %s: %s", args[0], text)
		}
		return fmt.Errorf("go %s: %w", args[0], err)
	}
	return readErr
}

// environment asks the go command for its settings.
func (g *goCommand) environment(ctx context.Context) (*goEnv, error) {
	env := new(goEnv)
	err := g.run(ctx, []string{"env", "-json", "GOARCH", "GOMOD", "GOMODCACHE", "GOVERSION", "GOWORK"}, func(r io.Reader) error {
		return json.NewDecoder(r).Decode(env)
	})
	return env, err
}

// check refuses what cannot be loaded: patterns that need a module outside
// of one, and a Go newer than the one this program was built with, whose
// standard library the type checker may not know.
func (e *goEnv) check(dir string, patterns []string) error {
	built := version.Lang(runtime.Version())
	if user := version.Lang(e.GOVERSION); user != "" && built != "" && version.Compare(user, built) > 0 {
		return fmt.Errorf("this program was built with %s and cannot check code for the newer %s: build it again with %s",
			runtime.Version(), e.GOVERSION, user)
	}
	if (e.GOMOD == os.DevNull || e.GOMOD == "NUL") && e.GOWORK == "" {
		for _, p := range patterns {
			if isLocal(p) && !strings.HasSuffix(p, ".go") {
				return fmt.Errorf("no go.mod in %s or a directory above it: pgtxvet needs a Go module", dir)
			}
		}
	}
	return nil
}

// isLocal reports whether a pattern names a place in the file system.
func isLocal(pattern string) bool {
	return pattern == "." || pattern == ".." ||
		strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") || filepath.IsAbs(pattern)
}

// list runs go list and decodes its packages, dependencies first.
func (g *goCommand) list(ctx context.Context, args ...string) ([]*listed, error) {
	var pkgs []*listed
	err := g.run(ctx, append([]string{"list", "-e"}, args...), func(r io.Reader) error {
		for dec := json.NewDecoder(r); ; {
			p := new(listed)
			if err := dec.Decode(p); err == io.EOF {
				return nil
			} else if err != nil {
				return fmt.Errorf("reading the output of go list: %w", err)
			}
			pkgs = append(pkgs, p)
		}
	})
	return pkgs, err
}

// listAll lists the packages that a configuration asks for and all they depend
// on.
func (g *goCommand) listAll(ctx context.Context, cfg *Config) ([]*listed, error) {
	args := append(cfg.listArgs(listFields), "-deps")
	if cfg.Tests {
		args = append(args, "-test")
	}
	overlay, remove, err := writeOverlay(cfg.Overlay)
	if err != nil {
		return nil, err
	}
	defer remove()
	args = append(append(args, overlay...), "--")
	return g.list(ctx, append(args, cfg.Patterns...)...)
}

// listArgs are the arguments of go list for a load.
func (cfg *Config) listArgs(fields string) []string {
	args := []string{"-json=" + fields}
	if cfg.Tags != "" {
		args = append(args, "-tags="+cfg.Tags)
	}
	return args
}

// sizes are the type sizes of the platform that is built for.
func (e *goEnv) sizes() types.Sizes {
	if s := types.SizesFor("gc", e.GOARCH); s != nil {
		return s
	}
	return types.SizesFor("gc", runtime.GOARCH)
}

// pkgPath is the import path without the test it is built for.
func (p *listed) pkgPath() string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

// isTestMain reports whether the package is a test's generated main.
func (p *listed) isTestMain() bool {
	return p.Name == "main" && p.ForTest == "" && strings.HasSuffix(p.ImportPath, ".test") &&
		len(p.GoFiles) == 1 && filepath.IsAbs(p.GoFiles[0])
}

// named reports whether a pattern without "..." names the package, so that
// the user asked for this one and not for whatever there is.
func (p *listed) named() bool {
	for _, m := range p.Match {
		if !strings.Contains(m, "...") && m != "all" && m != "std" && m != "cmd" {
			return true
		}
	}
	return false
}
