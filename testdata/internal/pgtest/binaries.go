//go:build unix

package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// places are searched after PATH and pg_config, the newest version first.
var places = []string{
	"/usr/lib/postgresql/*/bin",         // Debian, Ubuntu
	"/usr/pgsql-*/bin",                  // PGDG packages for Red Hat
	"/usr/libexec/postgresql*",          // Alpine
	"/usr/local/pgsql/bin",              // built from source
	"/opt/homebrew/opt/postgresql*/bin", // Homebrew
	"/usr/local/opt/postgresql*/bin",
}

// findBindir returns a directory that holds initdb and postgres.
func findBindir() (string, error) {
	if dir := os.Getenv(EnvBindir); dir != "" {
		if !isBindir(dir) {
			return "", fmt.Errorf("%s=%s: no initdb and postgres there", EnvBindir, dir)
		}
		return dir, nil
	}
	for _, dir := range localBindirs() {
		if isBindir(dir) {
			return dir, nil
		}
	}
	dir, err := download()
	if err != nil {
		return "", errors.Join(errors.New(
			"install PostgreSQL 14 or later (Debian: apt-get install postgresql; macOS: brew install postgresql),"+
				" or set "+EnvBindir+" to the directory of initdb and postgres,"+
				" or set "+EnvDSN+" to a server whose user may create databases"), err)
	}
	return dir, nil
}

func localBindirs() []string {
	var dirs []string
	if path, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			dirs = append(dirs, filepath.Dir(real))
		}
		dirs = append(dirs, filepath.Dir(path))
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	for _, pattern := range places {
		found, _ := filepath.Glob(pattern)
		slices.Sort(found)
		slices.Reverse(found)
		dirs = append(dirs, found...)
	}
	return dirs
}

func isBindir(dir string) bool {
	for _, program := range []string{"initdb", "postgres"} {
		if info, err := os.Stat(filepath.Join(dir, program)); err != nil || info.IsDir() {
			return false
		}
	}
	return true
}
