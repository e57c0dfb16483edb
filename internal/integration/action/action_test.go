package action

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

const root = "../../.."

// TestWorkflow holds the workflow of docs/ci.md and the action to each other and
// to the form of GitHub.
func TestWorkflow(t *testing.T) {
	page := read(t, "docs/ci.md")
	m := regexp.MustCompile("(?s)```yaml\n(name: pgtxvet\n.*?)```").FindStringSubmatch(page)
	if m == nil {
		t.Fatal("docs/ci.md shows no workflow")
	}
	const uses = "uses: pgtxvet/pgtxvet@main"
	if !strings.Contains(m[1], uses) {
		t.Fatal("the workflow of docs/ci.md does not use the action")
	}
	dir := t.TempDir()
	write(t, dir, "action.yml", read(t, "action.yml"))
	write(t, dir, ".git/HEAD", "ref: refs/heads/main\n")
	lint := func(name, workflow string) (string, error) {
		return actionlint(write(t, dir, ".github/workflows/"+name, strings.ReplaceAll(workflow, uses, "uses: ./")))
	}
	if out, err := lint("ci.yml", m[1]); err != nil {
		t.Errorf("actionlint: %v\n%s", err, out)
	}
	wrong := strings.Replace(m[1], "args:", "arguments:", 1)
	if out, err := lint("wrong.yml", wrong); err == nil || !strings.Contains(out, `"arguments" is not defined in action "pgtxvet"`) {
		t.Errorf("actionlint does not look at the inputs: %v\n%s", err, out)
	}
}

// TestWorkflows holds the project's own workflows to the form of GitHub.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob(root + "/.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	for _, file := range files {
		file, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := actionlint(file); err != nil {
			t.Errorf("actionlint: %v\n%s", err, out)
		}
	}
}

func actionlint(file string) (string, error) {
	cmd := exec.Command("go", "tool", "-modfile=internal/tools/go.mod", "actionlint", file)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestStep runs the step that checks, with a fault in the module and without.
func TestStep(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs bash")
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(bin, "pgtxvet", "pgtxvet"), "./cmd/pgtxvet")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	module := t.TempDir()
	write(t, module, "go.mod", "module example.com/jobs\n\ngo 1.26\n")
	write(t, module, "clean/clean.go", "package clean\n")
	write(t, module, "jobs/jobs.go", `package jobs

import (
	"context"
	"database/sql"
)

func Prepare(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "SET lock_timeout = '1s'")
	return err
}
`)
	for _, test := range []struct {
		args, sarif string
		status      int
		annotated   bool
		results     int // in the SARIF file of a step that passes, -1 if there is none
	}{
		{"./...", "false", 1, true, -1},
		{"-rules sessionset ./jobs ./clean", "false", 1, true, -1},
		{"./clean", "false", 0, false, -1},
		{"./...", "true", 0, false, 1},
		{"./clean", "true", 0, false, 0},
		{"-nosuchflag", "true", 1, false, -1},
		{"-nosuchflag", "false", 2, false, -1},
	} {
		t.Run(test.args+" "+test.sarif, func(t *testing.T) {
			env := stepEnvironment(t, bin, test.args, test.sarif)
			out, status := step(t, module, env)
			if status != test.status {
				t.Errorf("status %d, want %d\n%s", status, test.status, out)
			}
			annotated := regexp.MustCompile(`(?m)^::(error|warning) .*file=jobs/jobs\.go,line=9,`).MatchString(out)
			if annotated != test.annotated {
				t.Errorf("annotated: %v\n%s", annotated, out)
			}
			if status != 0 {
				return
			}
			if got := results(t, env["GITHUB_OUTPUT"]); got != test.results {
				t.Errorf("%d results, want %d", got, test.results)
			}
		})
	}
}

// stepEnvironment is what the step sees: what the action says, filled in.
func stepEnvironment(t *testing.T, temp, args, sarif string) map[string]string {
	t.Helper()
	values := strings.NewReplacer("${{ inputs.args }}", args, "${{ inputs.sarif }}", sarif, "${{ runner.temp }}", temp)
	env := map[string]string{"GITHUB_OUTPUT": filepath.Join(t.TempDir(), "output")}
	for name, value := range checkStep(t).Env {
		if env[name] = values.Replace(value); strings.Contains(env[name], "${{") {
			t.Fatalf("%s is %s", name, env[name])
		}
	}
	return env
}

// step runs the step as GitHub does, and returns what it prints and its status.
func step(t *testing.T, dir string, env map[string]string) (out string, status int) {
	t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", checkStep(t).Run)
	cmd.Dir = dir
	cmd.Env = os.Environ()
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	data, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(data), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data), 0
}

// results is the number of findings in the file that the step says it wrote, -1 if
// it says none.
func results(t *testing.T, output string) int {
	t.Helper()
	data, err := os.ReadFile(output)
	if err != nil {
		return -1
	}
	file, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "sarif-file=")
	if !ok {
		t.Fatalf("the step's output is %q", data)
	}
	var log struct {
		Runs []struct{ Results []any }
	}
	if data, err = os.ReadFile(file); err == nil {
		err = json.Unmarshal(data, &log)
	}
	if err != nil || len(log.Runs) != 1 {
		t.Fatalf("%s: %v, %d runs", file, err, len(log.Runs))
	}
	return len(log.Runs[0].Results)
}

// An actionStep is a step of action.yml.
type actionStep struct {
	ID, Run string
	Env     map[string]string
}

// checkStep is the step of the action that runs the program.
func checkStep(t *testing.T) actionStep {
	t.Helper()
	var action struct {
		Runs struct{ Steps []actionStep }
	}
	if err := yaml.Unmarshal([]byte(read(t, "action.yml")), &action); err != nil {
		t.Fatal(err)
	}
	for _, s := range action.Runs.Steps {
		if s.ID == "check" {
			return s
		}
	}
	t.Fatal("action.yml has no step check")
	return actionStep{}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, dir, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
