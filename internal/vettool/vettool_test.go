package vettool

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// TestFactsFile holds that facts come back as they were written, that the file
// does not depend on the order of a map, and that a cut or foreign file is an
// error and no panic.
func TestFactsFile(t *testing.T) {
	records := map[factKey][]byte{
		{"example.com/a", "", "x.F"}:    []byte("one"),
		{"example.com/a", "S.UF0", "y"}: {},
		{"example.com/b", "", "x.F"}:    bytes.Repeat([]byte("long"), 100),
	}
	name := filepath.Join(t.TempDir(), "facts")
	var first []byte
	for range 10 {
		if err := writeFacts(name, records); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && !bytes.Equal(first, data) {
			t.Fatal("the same facts make different files")
		}
		first = data
	}
	got := map[factKey][]byte{}
	if err := decodeFacts(first, got); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(records) {
		t.Errorf("%d facts, want %d", len(got), len(records))
	}
	for key, data := range records {
		if !bytes.Equal(got[key], data) {
			t.Errorf("%v: %q, want %q", key, got[key], data)
		}
	}
	if err := decodeFacts(first[1:], map[factKey][]byte{}); err == nil {
		t.Error("a foreign file is no error")
	}
	if err := decodeFacts(first[:len(first)-1], map[factKey][]byte{}); err == nil {
		t.Error("a cut file is no error")
	}
}

// TestChoose holds which rules the flags leave.
func TestChoose(t *testing.T) {
	a, b, x := &analysis.Analyzer{Name: "a"}, &analysis.Analyzer{Name: "b"}, &analysis.Analyzer{Name: "x"}
	tool := &Tool{ByDefault: []*analysis.Analyzer{a, b}, OnRequest: []*analysis.Analyzer{x}}
	for args, want := range map[string]string{
		"":              "a b",
		"-a":            "a",
		"-a=false":      "b",
		"-x":            "x",
		"-x=false":      "a b",
		"-a -b=false":   "a",
		"-a=true -x":    "a x",
		"-json -v -all": "a b",
	} {
		opts, err := tool.parse(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, rule := range opts.rules {
			names = append(names, rule.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
}

// noted is a fact about types, fields and functions.
type noted struct{ Name string }

func (*noted) AFact() {}

// TestObjectFacts holds that facts about objects outlive the process: a second
// run finds them by the objects that it reads from export data.
func TestObjectFacts(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("go.mod", "module example.com/m\n\ngo 1.24\n")
	if err := os.Mkdir(filepath.Join(dir, "low"), 0o777); err != nil {
		t.Fatal(err)
	}
	low := write("low/low.go", "package low\n\ntype T struct{ F int }\n\nfunc (T) M() {}\n\nfunc Func() {}\n\nfunc hidden() {}\n")
	high := write("high.go", "package m\n\nimport \"example.com/m/low\"\n\nvar X low.T\n\nfunc F() { low.Func() }\n")
	seen := map[string][]string{}
	tool := &Tool{ByDefault: []*analysis.Analyzer{noter(seen)}, Stdout: t.Output(), Stderr: t.Output()}
	unit := func(cfg unitConfig) {
		data, err := json.Marshal(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if code := tool.Run([]string{write("unit.cfg", string(data))}); code != exitOK {
			t.Fatalf("status %d", code)
		}
	}
	facts := filepath.Join(dir, "low.vetx")
	unit(unitConfig{ImportPath: "example.com/m/low", GoFiles: []string{low}, VetxOnly: true, VetxOutput: facts})
	unit(unitConfig{
		ImportPath: "example.com/m", GoFiles: []string{high},
		ImportMap:   map[string]string{"example.com/m/low": "example.com/m/low"},
		PackageFile: map[string]string{"example.com/m/low": export(t, dir, "./low")},
		PackageVetx: map[string]string{"example.com/m/low": facts},
	})
	if got, want := strings.Join(seen["m"], " "), "F Func M T package low"; got != want {
		t.Errorf("facts %s, want %s", got, want)
	}
}

// noter exports a fact about everything and gathers the facts from below.
func noter(seen map[string][]string) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "noter", Doc: "notes objects", FactTypes: []analysis.Fact{new(noted)},
		Run: func(pass *analysis.Pass) (any, error) {
			for _, obj := range pass.TypesInfo.Defs {
				if obj != nil && obj.Pkg() == pass.Pkg {
					pass.ExportObjectFact(obj, &noted{obj.Name()})
				}
			}
			pass.ExportPackageFact(&noted{pass.Pkg.Name()})
			var names []string
			for _, f := range pass.AllObjectFacts() {
				if f.Object.Pkg() == pass.Pkg {
					continue
				}
				if n := new(noted); pass.ImportObjectFact(f.Object, n) && n.Name == f.Object.Name() {
					names = append(names, n.Name)
				}
			}
			for _, f := range pass.AllPackageFacts() {
				if n := new(noted); f.Package != pass.Pkg && pass.ImportPackageFact(f.Package, n) {
					names = append(names, "package "+n.Name)
				}
			}
			slices.Sort(names)
			seen[pass.Pkg.Name()] = names
			return nil, nil
		},
	}
}

// export gives the file with export data of a package.
func export(t testing.TB, dir, pkg string) string {
	cmd := exec.Command("go", "list", "-export", "-f", "{{.Export}}", pkg)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// BenchmarkUnit is a run over one package of the user's, with the types of
// net/http from export data, and over one that is not.
func BenchmarkUnit(b *testing.B) {
	dir := b.TempDir()
	write := func(name string, data []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, data, 0o666); err != nil {
			b.Fatal(err)
		}
		return name
	}
	file := write("user.go", []byte("package user\n\nimport \"net/http\"\n\nfunc Serve() error { return http.ListenAndServe(\"\", nil) }\n"))
	for name, cfg := range map[string]unitConfig{
		"user": {
			ImportPath: "example.com/user", GoFiles: []string{file},
			ImportMap:   map[string]string{"net/http": "net/http"},
			PackageFile: map[string]string{"net/http": export(b, dir, "net/http")},
		},
		"dependency": {ImportPath: "example.com/dep", Dir: "/home/u/go/pkg/mod/example.com/dep@v1.0.0", GoFiles: []string{file}, VetxOnly: true},
	} {
		b.Run(name, func(b *testing.B) {
			cfg.VetxOutput = filepath.Join(dir, "vetx")
			data, err := json.Marshal(cfg)
			if err != nil {
				b.Fatal(err)
			}
			unit := write(name+".cfg", data)
			tool := &Tool{ByDefault: []*analysis.Analyzer{noter(map[string][]string{})}, Stdout: b.Output(), Stderr: b.Output()}
			for b.Loop() {
				if code := tool.Run([]string{unit}); code != exitOK {
					b.Fatalf("status %d", code)
				}
			}
		})
	}
}
