package report

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes a file of a module in a directory.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// prints gives the fingerprints of findings at each line with the word here.
func prints(t *testing.T, file, rule string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var findings []Finding
	for i, line := range strings.Split(string(data), "\n") {
		if strings.Contains(line, "here") {
			findings = append(findings, Finding{Rule: rule, Pos: token.Position{Filename: file, Line: i + 1, Column: 1}})
		}
	}
	Fingerprint(findings)
	var list []string
	for _, f := range findings {
		list = append(list, f.Fingerprint)
	}
	return list
}

// TestFingerprint holds what a fingerprint outlives, and what it tells apart.
func TestFingerprint(t *testing.T) {
	const code = "package p\n\nfunc (s *S[K]) F() {\n\there()\n\there()\n}\n\nfunc G() {\n\there()\n}\n\nvar _ = here\n"
	one := t.TempDir()
	write(t, one, "go.mod", "module example.com/m\n")
	base := prints(t, write(t, one, "a/a.go", code), "rule")
	seen := map[string]bool{}
	for _, p := range base {
		if seen[p] {
			t.Errorf("two findings have the fingerprint %s", p)
		}
		seen[p] = true
	}
	if len(base) != 4 || base[0][:24] != base[1][:24] || !strings.HasSuffix(base[1], ":2") {
		t.Errorf("equal lines of a function are not counted: %v", base)
	}
	same := func(what string, got []string) {
		t.Helper()
		if strings.Join(got, " ") != strings.Join(base, " ") {
			t.Errorf("%s: %v, want %v", what, got, base)
		}
	}
	other := t.TempDir()
	write(t, other, "sub/go.mod", "module example.com/m\n")
	same("another checkout", prints(t, write(t, other, "sub/a/a.go", code), "rule"))
	moved := strings.Replace(code, "func (s", "// More.\nfunc H() {}\n\nfunc (s", 1)
	moved = strings.ReplaceAll(moved, "\there()", "\t\t  here()")
	same("moved and indented lines", prints(t, write(t, one, "a/a.go", moved), "rule"))

	for what, got := range map[string][]string{
		"another rule":     prints(t, write(t, one, "a/a.go", code), "other"),
		"another file":     prints(t, write(t, one, "a/b.go", code), "rule"),
		"another function": prints(t, write(t, one, "a/a.go", strings.NewReplacer("F()", "F2()", "G()", "G2()").Replace(code)), "rule")[:3],
		"another line":     prints(t, write(t, one, "a/a.go", strings.ReplaceAll(code, "here", "here_")), "rule"),
	} {
		for _, p := range got {
			if seen[p] {
				t.Errorf("%s has the same fingerprint %s", what, p)
			}
		}
	}
}

// TestColumn holds that columns count UTF-16 code units.
func TestColumn(t *testing.T) {
	file := write(t, t.TempDir(), "x.go", "a🙂éb\n")
	src := sources{}
	for byteColumn, want := range map[int]int{1: 1, 2: 2, 6: 4, 8: 5, 9: 6, 0: 0, 99: 99} {
		if got := src.column(token.Position{Filename: file, Line: 1, Column: byteColumn}); got != want {
			t.Errorf("byte column %d is %d, want %d", byteColumn, got, want)
		}
	}
}
