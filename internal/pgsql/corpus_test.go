package pgsql

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A sample is one text of the corpus with the holes taken out.
type sample struct {
	name string
	src  Source
}

var styleNames = map[string]Style{
	"": StyleAuto, "dollar": StyleDollar, "question": StyleQuestion, "named": StyleNamed, "at": StyleAt,
}

var holeMarks = map[string]HoleKind{
	"{}": HoleUnknown, "{ident}": HoleIdent, "{literal}": HoleLiteral, "{list}": HoleList,
}

// source makes a Source of a text in which holes are written as marks.
func source(text string, style Style) Source {
	src := Source{Style: style}
	for text != "" {
		mark, at := nextMark(text)
		if mark == "" {
			break
		}
		src.Text += text[:at]
		src.Holes = append(src.Holes, Hole{Off: len(src.Text), Kind: holeMarks[mark]})
		text = text[at+len(mark):]
	}
	src.Text += text
	return src
}

func nextMark(text string) (mark string, at int) {
	for m := range holeMarks {
		if i := strings.Index(text, m); i >= 0 && (mark == "" || i < at) {
			mark, at = m, i
		}
	}
	return mark, at
}

// readCorpus reads a corpus file: texts after lines "=== name [style]".
func readCorpus(t testing.TB, path string) []sample {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []sample
	for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		head, text, _ := strings.Cut(part, "\n")
		name, style, _ := strings.Cut(head, " ")
		s, ok := styleNames[style]
		if !ok {
			t.Fatalf("%s: style %q", path, style)
		}
		out = append(out, sample{name, source(strings.TrimRight(text, "\n"), s)})
	}
	return out
}

// corpus reads all corpus files.
func corpus(t testing.TB) []sample {
	t.Helper()
	paths, err := filepath.Glob("testdata/corpus/*.sql")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	var out []sample
	for _, p := range paths {
		out = append(out, readCorpus(t, p)...)
	}
	return out
}

// enums name the values of the types that have no String method.
var enums = map[reflect.Type][]string{
	reflect.TypeFor[ExprKind]():       {"other", "param", "const", "column", "default", "null", "hole"},
	reflect.TypeFor[WaitPolicy]():     {"wait", "skip locked", "nowait"},
	reflect.TypeFor[Scope]():          {"unknown", "session", "transaction"},
	reflect.TypeFor[ConflictAction](): {"none", "nothing", "update"},
	reflect.TypeFor[Isolation]():      {"default", "read uncommitted", "read committed", "repeatable read", "serializable"},
}

// dump returns the fields of v that are set, for golden files.
func dump(v reflect.Value) any {
	if v.CanInterface() && v.Kind() == reflect.Uint8 {
		if s, ok := v.Interface().(interface{ String() string }); ok {
			return s.String()
		}
	}
	if names := enums[v.Type()]; names != nil {
		return names[v.Uint()]
	}
	switch v.Kind() {
	case reflect.Pointer:
		return dump(v.Elem())
	case reflect.Slice:
		out := []any{}
		for i := range v.Len() {
			out = append(out, dump(v.Index(i)))
		}
		return out
	case reflect.Struct:
		switch r := v.Interface().(type) {
		case ColumnRef:
			return r.Table + "." + r.Column
		case TableRef:
			return strings.TrimSpace(strings.TrimPrefix(r.Schema+"."+r.Name+" "+r.Alias, "."))
		}
		out := map[string]any{}
		for i := range v.NumField() {
			f := v.Field(i)
			if name := v.Type().Field(i).Name; !f.IsZero() && !(name == "Text" && v.Type() == reflect.TypeFor[Statement]()) {
				out[v.Type().Field(i).Name] = dump(f)
			}
		}
		return out
	}
	return v.Interface()
}

// TestGolden holds the statements of the corpus to golden files, which are the
// same for both grammars.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/corpus/*.sql")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, p := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(p), ".sql"), func(t *testing.T) { golden(t, p) })
	}
}

func golden(t *testing.T, path string) {
	var b strings.Builder
	for _, s := range readCorpus(t, path) {
		b.WriteString("=== " + s.name + "\n")
		for _, st := range Parse(s.src) {
			line, err := json.Marshal(dump(reflect.ValueOf(st)))
			if err != nil {
				t.Fatal(err)
			}
			b.Write(line)
			b.WriteByte('\n')
		}
	}
	compare(t, strings.Replace(strings.TrimSuffix(path, ".sql")+".json", "/corpus/", "/golden/", 1), b.String())
}

// compare holds text to a golden file, line by line.
func compare(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, got := strings.Split(string(data), "\n"), strings.Split(text, "\n")
	name := ""
	for i := range min(len(want), len(got)) {
		if strings.HasPrefix(got[i], "=== ") {
			name = got[i]
		}
		if want[i] != got[i] {
			t.Errorf("%s:%d: %s\n got %s\nwant %s", path, i+1, name, got[i], want[i])
		}
	}
	if len(want) != len(got) {
		t.Errorf("%s: %d lines, want %d", path, len(got), len(want))
	}
}
