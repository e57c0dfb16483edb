package lsp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNeovim drives a real editor: it opens a program of testdata, shows what is
// found, applies a fix and saves.
//
// Without Neovim it is skipped, unless PGTXVET_TEST_NVIM is set, as it is by
// .ci/run.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		const missing = "nvim is not on PATH: the language server was not tried in an editor (on Debian: apt-get install neovim)"
		if os.Getenv("PGTXVET_TEST_NVIM") != "" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const source = "../../testdata"
	for _, name := range []string{"go.mod", "go.sum", "sessionset/reports/reports.go"} {
		write(t, filepath.Join(root, name), read(t, filepath.Join(source, name)))
	}
	binary := filepath.Join(t.TempDir(), "pgtxvet")
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/pgtxvet").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	file, out := filepath.Join(root, "sessionset/reports/reports.go"), filepath.Join(t.TempDir(), "out")
	script, err := filepath.Abs("testdata/editor.lua")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(nvim, "--headless", "--clean", "-n", "-c", "luafile "+script)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "FILE="+file, "PGTXVET="+binary, "ROOT="+root, "OUT="+out)
	printed, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("nvim: %v\n%s\n%s", err, printed, read(t, out))
	}
	saw := map[string]json.RawMessage{}
	for line := range bytes.Lines([]byte(read(t, out))) {
		var e struct {
			Event string
			Value json.RawMessage
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		t.Logf("%s: %s", e.Event, e.Value)
		saw[e.Event] = e.Value
	}
	type finding struct {
		Line, Col             int
		Source, Code, Message string
	}
	decode := func(event string) (list []finding) {
		if err := json.Unmarshal(saw[event], &list); err != nil && string(saw[event]) != "{}" {
			t.Errorf("%s: %v", event, err)
		}
		return list
	}
	before, after := decode("findings"), decode("after")
	if len(before) == 0 || before[0].Source != "pgtxvet" || !strings.Contains(before[0].Message, "outlives the commit") {
		t.Fatalf("Neovim shows %+v", before)
	}
	if !strings.Contains(string(saw["hover"]), "Session state set on a pooled connection") {
		t.Errorf("the hover is %s", saw["hover"])
	}
	if len(after) != len(before)-1 {
		t.Errorf("after the fix Neovim shows %+v", after)
	}
	if got, golden := read(t, file), read(t, filepath.Join(source, "sessionset/reports/reports.go.golden")); got != golden {
		t.Errorf("the file is now\n%s\nwant\n%s", got, golden)
	}
}
