package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const clean = `package jobs

import (
	"context"
	"database/sql"
)

func Count(ctx context.Context, db *sql.DB) (n int, err error) {
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM jobs").Scan(&n)
	return n, err
}
`

// faulty has a fault in its function Prepare.
var faulty = clean + `
func Prepare(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "SET lock_timeout = '1s'")
	return err
}
`

const fault = "jobs.go:14:12: SET lock_timeout runs on whichever session of the pool db comes first"

// TestHooks installs both hooks from a copy of the suite and commits with them.
func TestHooks(t *testing.T) {
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Fatalf("%v; install it: apt-get install pre-commit, or pipx install pre-commit", err)
	}
	home := t.TempDir()
	env := environment(t, home)
	suite := copySuite(t, env)
	for hook, test := range map[string]func(*repository){"pgtxvet": testHook, "pgtxvet-changed": testHookOnChanges} {
		t.Run(hook, func(t *testing.T) {
			r := &repository{t: t, dir: t.TempDir(), env: env}
			r.git("init", "-q", "-b", "main")
			r.write("go.mod", "module example.com/jobs\n\ngo 1.26\n")
			r.write(".pre-commit-config.yaml", fmt.Sprintf("repos:\n- repo: %s\n  rev: %s\n  hooks:\n  - id: %s\n",
				suite.dir, bytes.TrimSpace(suite.git("rev-parse", "HEAD")), hook))
			r.git("commit", "-qm", "begin")
			r.run("pre-commit", "install", "--install-hooks")
			test(r)
		})
	}
	if got := binaries(t, home); !slices.Equal(got, []string{"pgtxvet"}) {
		t.Errorf("installed are %v", got)
	}
}

func testHook(r *repository) {
	r.write("jobs.go", faulty)
	r.refused(fault)
	r.write("jobs.go", clean)
	r.commit()
}

// testHookOnChanges holds that faults from before the hook are no obstacle.
func testHookOnChanges(r *repository) {
	r.write("jobs.go", faulty)
	r.git("commit", "-qm", "fault", "--no-verify")
	other := strings.NewReplacer("Count", "Number", "Prepare", "Ready")
	r.write("other.go", other.Replace(clean))
	r.commit()
	r.write("other.go", other.Replace(faulty))
	if out := r.refused("other.go" + strings.TrimPrefix(fault, "jobs.go")); bytes.Contains(out, []byte(fault)) {
		r.t.Errorf("a fault from before is reported:\n%s", out)
	}
}

// environment is what the commands run in: no settings of the user, the caches of
// the go command, no network, and no C compiler.
func environment(t *testing.T, home string) []string {
	t.Helper()
	env := os.Environ()
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	return append(env, "HOME="+home, "PRE_COMMIT_HOME="+filepath.Join(home, "pre-commit"),
		"GIT_CONFIG_GLOBAL=", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
		"GOPROXY=off", "GOFLAGS=", "CGO_ENABLED=0")
}

// binaries are the programs that pre-commit has installed.
func binaries(t *testing.T, home string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "pre-commit", "repo*", "golangenv-*", "bin", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".exe"))
	}
	return names
}

// A repository is one of git.
type repository struct {
	t   *testing.T
	dir string
	env []string
}

// copySuite makes a repository of the files that are in this one, with one commit.
func copySuite(t *testing.T, env []string) *repository {
	t.Helper()
	const root = "../../.."
	list := exec.Command("git", "ls-files", "-co", "--exclude-standard", "-z")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	suite := &repository{t: t, dir: t.TempDir(), env: env}
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, and not yet from the index
		}
		if err != nil {
			t.Fatal(err)
		}
		suite.file(name, data)
	}
	suite.git("init", "-q")
	suite.git("add", "-A")
	suite.git("commit", "-qm", "suite")
	return suite
}

// write writes a file and stages it.
func (r *repository) write(name, text string) {
	r.t.Helper()
	r.file(name, []byte(text))
	r.git("add", name)
}

func (r *repository) file(name string, data []byte) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) git(args ...string) []byte {
	r.t.Helper()
	return r.run("git", args...)
}

// commit commits what is staged, which the hook must let pass.
func (r *repository) commit() {
	r.t.Helper()
	if out := r.git("commit", "-m", "change"); !bytes.Contains(out, []byte("Passed")) {
		r.t.Errorf("the hook did not run:\n%s", out)
	}
}

// refused commits what is staged, which the hook must refuse with the message.
func (r *repository) refused(message string) []byte {
	r.t.Helper()
	out, err := r.command("git", "commit", "-m", "change").CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("Failed")) || !bytes.Contains(out, []byte(message)) {
		r.t.Fatalf("the hook does not refuse with %q: %v\n%s", message, err, out)
	}
	return out
}

func (r *repository) run(name string, args ...string) []byte {
	r.t.Helper()
	out, err := r.command(name, args...).CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

func (r *repository) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = r.dir
	cmd.Env = r.env
	return cmd
}
