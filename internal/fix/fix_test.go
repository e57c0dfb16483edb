package fix

import (
	"go/token"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

func TestInsert(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []edit
		want  []edit // nil: the last overlaps
	}{
		{"order", []edit{{5, 7, ""}, {1, 2, ""}, {3, 3, "x"}}, []edit{{1, 2, ""}, {3, 3, "x"}, {5, 7, ""}}},
		{"touching", []edit{{1, 3, ""}, {3, 5, ""}}, []edit{{1, 3, ""}, {3, 5, ""}}},
		{"same", []edit{{1, 3, "x"}, {1, 3, "x"}}, []edit{{1, 3, "x"}}},
		{"another text", []edit{{1, 3, "x"}, {1, 3, "y"}}, nil},
		{"overlap before", []edit{{1, 3, ""}, {2, 5, ""}}, nil},
		{"overlap after", []edit{{2, 5, ""}, {1, 3, ""}}, nil},
		{"two insertions", []edit{{2, 2, "x"}, {2, 2, "y"}}, nil},
	} {
		var got []edit
		ok := true
		for _, e := range c.edits {
			if got, ok = insert(got, e); !ok {
				break
			}
		}
		if ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, ok, c.want)
		}
	}
}

func TestValidate(t *testing.T) {
	fset := token.NewFileSet()
	file := fset.AddFile("f.go", -1, 10)
	at := func(i int) token.Pos { return file.Pos(i) }
	for _, c := range []struct {
		name  string
		edits []analysis.TextEdit
		want  string
	}{
		{"right", []analysis.TextEdit{{Pos: at(5)}, {Pos: at(1), End: at(3)}}, ""},
		{"nowhere", []analysis.TextEdit{{}}, "no file"},
		{"backwards", []analysis.TextEdit{{Pos: at(3), End: at(1)}}, "not in f.go"},
		{"beyond", []analysis.TextEdit{{Pos: at(3), End: at(10) + 1}}, "not in f.go"},
		{"twice", []analysis.TextEdit{{Pos: at(1), End: at(5)}, {Pos: at(3), End: at(7)}}, "twice"},
	} {
		err := Validate(fset, []analysis.SuggestedFix{{TextEdits: c.edits}})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
