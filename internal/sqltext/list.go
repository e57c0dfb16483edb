package sqltext

import (
	"regexp"
	"strings"
)

// placeholder matches one placeholder or number, commas and spaces around it;
// a literal hole is the byte 0.
var placeholder = regexp.MustCompile(`^[,\s]*(?:[$:@](?:[A-Za-z_]\w*\x00?|\d+|\x00)|\?|%s|\d+|\x00|'\x00')?(?:::[\w\[\]]+)?[,\s]*$`)

// tuple matches a row of placeholders in parentheses.
var tuple = regexp.MustCompile(`^\(\s*(?:[$:@](?:[A-Za-z_]\w*\x00?|\d+|\x00)|\?|\d+|\x00|DEFAULT|NOW\(\)|now\(\)|\s|,|::[\w\[\]]+)+\)$`)

// shape is the text with a byte 0 for each literal hole; not ok with others.
func (t Text) shape() (s string, ok bool) {
	var b strings.Builder
	for _, p := range t {
		switch {
		case p.Hole == nil:
			b.WriteString(p.Lit)
		case p.Hole.Kind == Literal:
			b.WriteByte(0)
		case p.Hole.Kind == List:
			b.WriteString("?")
		default:
			return "", false
		}
	}
	return b.String(), true
}

// placeholders says whether a text is placeholders with commas.
func placeholders(t Text) (trimmed string, ok bool) {
	s, ok := t.shape()
	if !ok {
		return "", false
	}
	s = strings.TrimSpace(s)
	for f := range strings.SplitSeq(s, ",") {
		if !placeholder.MatchString(f) {
			return "", false
		}
	}
	return s, true
}

// opensList says whether a list of placeholders may begin behind the text.
func (t Text) opensList() bool {
	if len(t) == 0 {
		return true
	}
	last := t[len(t)-1]
	if last.Hole != nil {
		return last.Hole.Kind == List
	}
	s := strings.TrimRight(last.Lit, space)
	return s == "" || strings.HasSuffix(s, "(") || strings.HasSuffix(s, "[")
}

// solveLists is solve for lists: elements appended in a loop become any number
// of them.
func solveLists(vs vals, h *Hole) vals {
	var base vals
	var many []operand
	found, unknown := false, false
	for _, v := range vs {
		at := -1
		for i, e := range v.list {
			if e.rec == h {
				if at >= 0 {
					return nil
				}
				at = i
			}
		}
		if at < 0 {
			base = append(base, v)
			continue
		}
		found = true
		for i, e := range v.list {
			switch {
			case i == at:
			case i < at:
				return nil
			case e.rec != nil, e.more && e.many == nil:
				unknown = true
			case e.more:
				many = append(many, e.many...)
			default:
				many = append(many, e.operand)
			}
		}
	}
	if !found {
		return vs
	}
	if base == nil {
		return nil
	}
	if many == nil && !unknown {
		return base
	}
	if unknown {
		many = nil
	}
	out := make(vals, len(base))
	for i, v := range base {
		v.list = append(append([]elem{}, v.list...), elem{more: true, many: unique(many)})
		out[i] = v
	}
	return out.limitLists()
}

func unique(ops []operand) []operand {
	var out []operand
	seen := map[operand]bool{}
	for _, o := range ops {
		if !seen[o] {
			seen[o] = true
			out = append(out, o)
		}
	}
	return out
}

// limitLists drops duplicates and merges what is too much: the elements that
// all lists begin with, then any number of the others.
func (vs vals) limitLists() vals {
	var out vals
	for _, v := range vs {
		if v.kind != isList {
			return nil
		}
		dup := false
		for _, w := range out {
			dup = dup || sameList(v.list, w.list)
		}
		if !dup {
			out = append(out, v)
		}
	}
	if len(out) <= MaxTexts {
		if out == nil {
			return vals{}
		}
		return out
	}
	n := 0
	for n < len(out[0].list) && allHave(out, n) {
		n++
	}
	var many []operand
	for _, v := range out {
		for _, e := range v.list[n:] {
			switch {
			case e.rec != nil, e.more && e.many == nil:
				return nil
			case e.more:
				many = append(many, e.many...)
			default:
				many = append(many, e.operand)
			}
		}
	}
	list := append(append([]elem{}, out[0].list[:n]...), elem{more: true, many: unique(many)})
	return vals{{kind: isList, list: list}}
}

func allHave(vs vals, n int) bool {
	for _, v := range vs {
		if n >= len(v.list) || !sameElem(v.list[n], vs[0].list[n]) || v.list[n].more {
			return false
		}
	}
	return true
}

func sameElem(a, b elem) bool {
	if a.operand != b.operand || a.more != b.more || a.rec != b.rec || len(a.many) != len(b.many) {
		return false
	}
	for i := range a.many {
		if a.many[i] != b.many[i] {
			return false
		}
	}
	return true
}

func sameList(a, b []elem) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameElem(a[i], b[i]) {
			return false
		}
	}
	return true
}

// pick returns an element of lists, "3" or "*" for any, below a path.
func (r *Resolver) pick(lists vals, index, path string) vals {
	if lists == nil {
		return nil
	}
	view := viewOf(path)
	var alts []vals
	for _, v := range lists {
		if index == "*" {
			alts = append(alts, r.pickAny(v.list, path)...)
			continue
		}
		alts = append(alts, r.pickAt(v.list, atoi(index), path)...)
	}
	return union(view, alts...)
}

func (r *Resolver) pickAny(list []elem, path string) []vals {
	var alts []vals
	for _, e := range list {
		alts = append(alts, r.elemVals(e, path)...)
		if len(alts) > 4*MaxTexts {
			return []vals{nil}
		}
	}
	return alts
}

func (r *Resolver) pickAt(list []elem, n int, path string) []vals {
	for i, e := range list {
		if e.more {
			return r.pickAny(list[i:], path)
		}
		if i == n {
			return r.elemVals(e, path)
		}
	}
	return nil
}

// elemVals are the alternatives of an element.
func (r *Resolver) elemVals(e elem, path string) []vals {
	if !e.more {
		return []vals{r.operandVals(e.operand, path)}
	}
	if e.rec != nil || len(e.many) == 0 {
		return []vals{nil}
	}
	var alts []vals
	for _, o := range e.many {
		alts = append(alts, r.operandVals(o, path))
	}
	return alts
}

func (r *Resolver) operandVals(o operand, path string) vals {
	return r.at(o.at, o.v, o.path+path)
}

// join is strings.Join.
func (r *Resolver) join(lists vals, sep Set) Set {
	if lists == nil {
		return Anything()
	}
	var out Set
	for _, v := range lists {
		out = append(out, r.joinList(v.list, sep)...)
	}
	return out.limit()
}

func (r *Resolver) joinList(list []elem, sep Set) Set {
	acc := Set{{}}
	for i, e := range list {
		if e.more {
			acc = acc.concat(r.joinMany(e, i > 0, sep))
			continue
		}
		if i > 0 {
			acc = acc.concat(sep)
		}
		acc = acc.concat(r.texts(r.operandVals(e.operand, "")))
	}
	return acc
}

// joinMany renders any number of elements: a List when all are placeholders
// and no other element stands before them, one row of placeholders for rows,
// else a hole.
func (r *Resolver) joinMany(e elem, continues bool, sep Set) Set {
	if continues || len(e.many) == 0 || len(sep) != 1 {
		return Anything()
	}
	if s, ok := sep[0].constant(); !ok || strings.TrimSpace(s) != "," {
		return Anything()
	}
	row := false
	for _, o := range e.many {
		for _, t := range r.texts(r.operandVals(o, "")) {
			s, ok := t.shape()
			if ok && tuple.MatchString(strings.TrimSpace(s)) {
				row = true
				continue
			}
			if text, ok := placeholders(t); !ok || text == "" {
				return Anything()
			}
			if row {
				return Anything()
			}
		}
	}
	list := hole(List)
	if row {
		list = literal("(").plus(list).plus(literal(")"))
	}
	return Set{list}
}
