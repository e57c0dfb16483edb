package txflow

import (
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// isList reports whether builders that write lists in parentheses, as dbr and
// upper/db do, write a value of the type so.
func isList(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && !isByte(s.Elem())
}

// afterIn is a text that ends where a list may follow, with or without the
// parenthesis that the builder would write.
var afterIn = regexp.MustCompile(`(?i)\bIN\s*(\(?)\s*$`)

// listFragment writes a text with placeholders, of which each stands for a list, or
// for what value writes.
func (r *renderer) listFragment(value func(ssa.Value), text ssa.Value, args []ssa.Value) {
	n := len(r.text)
	r.arg(text, sqltext.Unknown)
	parts := r.text[n:]
	r.text = r.text[:n:n]
	i := 0
	for _, p := range parts {
		r.lost = r.lost || p.Hole != nil && p.Hole.Kind == sqltext.Unknown || strings.Contains(p.Lit, "??")
		pieces := strings.Split(p.Lit, "?")
		if p.Hole != nil || len(pieces) == 1 {
			r.text = append(r.text, p)
			continue
		}
		r.lit(pieces[0])
		for j, piece := range pieces[1:] {
			var v ssa.Value
			if i < len(args) {
				v = args[i]
			}
			i++
			r.listPlaceholder(value, pieces[j], v)
			r.lit(piece)
		}
	}
	r.lost = r.lost || i != len(args)
}

// listPlaceholder writes what a placeholder stands for that comes after a text.
func (r *renderer) listPlaceholder(value func(ssa.Value), before string, v ssa.Value) {
	in := afterIn.FindStringSubmatch(before)
	switch {
	case in == nil && v != nil && !isList(unwrap(v).Type()):
		value(v)
	case in == nil:
		r.placeholder(nil, "")
	case in[1] == "":
		r.lit("(")
		r.hole(sqltext.List)
		r.lit(")")
		r.lost = true
	case v != nil:
		value(v)
	default:
		r.placeholder(nil, "")
	}
}
