package txflow

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// maxVariableText bounds the texts of variables that facts hand on.
const maxVariableText = 8 << 10

// ownTexts returns the SQL texts that the package's exported variables hold and
// that nothing in it changes: embedded files, and statements in maps.
func (e *engine) ownTexts() []xText {
	var out []xText
	for _, name := range slices.Sorted(maps.Keys(e.pkg.Members)) {
		v, ok := e.pkg.Members[name].(*ssa.Global)
		if !ok || !token.IsExported(name) || e.inTest(v.Pos()) {
			continue
		}
		entries := e.text.Variable(v)
		if !slices.ContainsFunc(entries, func(t sqltext.Entry) bool { return beginsStatement(t.Text) }) {
			continue
		}
		for _, t := range entries {
			out = append(out, xText{Name: name, Key: t.Key, Text: t.Text})
		}
	}
	return out
}

// beginsStatement reports whether a text is a statement that is known.
func beginsStatement(s string) bool {
	if len(s) > maxVariableText || !strings.ContainsAny(s, " \n\t") {
		return false
	}
	sts := pgsql.Parse(pgsql.Source{Text: s})
	return len(sts) > 0 && !sts[0].Partial
}

// otherTexts returns the texts that a variable of one of the user's packages
// holds.
func (e *engine) otherTexts(v *ssa.Global) []sqltext.Entry {
	if v.Pkg == nil || v.Object() == nil {
		return nil
	}
	p := e.foreignPackage(v.Pkg.Pkg.Path())
	if p == nil {
		return nil
	}
	return p.texts[v.Name()]
}
