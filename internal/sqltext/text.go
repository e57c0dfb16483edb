package sqltext

import (
	"go/token"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// maxBytes bounds the literal bytes of one text; what comes after is a hole.
const maxBytes = 64 << 10

// recursive marks, while a loop or a recursive function is evaluated, the
// place where the value under evaluation stands in itself. It never leaves the
// package.
const recursive HoleKind = 255

var holeNames = map[HoleKind]string{
	Unknown:   "?",
	Ident:     "ident",
	Literal:   "lit",
	List:      "list",
	recursive: "rec",
}

// String renders the text for messages and tests: a hole is ‹?›, ‹ident›,
// ‹lit› or ‹list›, a symbolic one ‹name.Field› of its parameter, with its kind
// after a colon where it is known.
func (t Text) String() string {
	var b strings.Builder
	for _, p := range t {
		if p.Hole == nil {
			b.WriteString(p.Lit)
			continue
		}
		b.WriteString("‹" + p.Hole.String() + "›")
	}
	return b.String()
}

// String names the hole as [Text.String] shows it, without the brackets.
func (h *Hole) String() string {
	if h.Param == nil {
		return holeNames[h.Kind]
	}
	s := h.Param.Name() + h.Path
	if h.Kind != Unknown {
		s += ":" + holeNames[h.Kind]
	}
	return s
}

// An Offset is a hole of a joined text: it stands before the byte Off.
type Offset struct {
	Off  int
	Hole *Hole
}

// Join returns the literal parts as one string, without the holes, and where
// in it the holes stand.
func (t Text) Join() (text string, holes []Offset) {
	var b strings.Builder
	for _, p := range t {
		if p.Hole != nil {
			holes = append(holes, Offset{b.Len(), p.Hole})
			continue
		}
		b.WriteString(p.Lit)
	}
	return b.String(), holes
}

// Pos returns where the byte at an offset of the joined text (see [Text.Join])
// is written in the source, and NoPos unless exactly that byte stands there,
// so that an edit may be made at the position. The offset just behind the last
// byte of a literal is the position behind that byte.
func (t Text) Pos(offset int) token.Pos {
	pos := token.NoPos
	for _, p := range t {
		if p.Hole != nil {
			continue
		}
		if offset < len(p.Lit) {
			if p.at.IsValid() {
				return p.at + token.Pos(offset)
			}
			return token.NoPos
		}
		offset -= len(p.Lit)
		pos = token.NoPos
		if offset == 0 && p.at.IsValid() {
			pos = p.at + token.Pos(len(p.Lit))
		}
	}
	if offset == 0 {
		return pos
	}
	return token.NoPos
}

// Params returns the symbolic holes of all texts, each parameter and path
// once, in order.
func (s Set) Params() []*Hole {
	type key struct {
		param   *ssa.Parameter
		foreign any
		path    string
	}
	seen := map[key]bool{}
	var holes []*Hole
	for _, t := range s {
		for _, p := range t {
			if !p.Hole.symbolic() {
				continue
			}
			k := key{p.Hole.Param, p.Hole.Foreign, p.Hole.Path}
			if !seen[k] {
				seen[k] = true
				holes = append(holes, p.Hole)
			}
		}
	}
	return holes
}

// Substitute replaces symbolic holes. For each, arg returns the texts that
// stand for it; for nil the hole stays symbolic. To make it plainly unknown
// return [Anything].
func (s Set) Substitute(arg func(*Hole) Set) Set {
	var out Set
	for _, t := range s {
		out = append(out, t.substitute(arg)...)
	}
	return known(out.limit())
}

func (t Text) substitute(arg func(*Hole) Set) Set {
	acc := Set{nil}
	for _, p := range t {
		if p.Hole.symbolic() {
			if with := arg(p.Hole); with != nil {
				acc = acc.concat(with.as(p.Hole.Kind))
				continue
			}
		}
		acc = acc.concat(Set{{p}})
	}
	return acc
}

// symbolic reports whether a caller's argument can fill the hole.
func (h *Hole) symbolic() bool { return h != nil && (h.Param != nil || h.Foreign != nil) }

// Anything is the set that says nothing: one unknown hole.
func Anything() Set { return Set{hole(Unknown)} }

// as makes texts fit a hole of a known kind: an unknown argument of %d is still
// a number, and a name in quotes is still a name.
func (s Set) as(kind HoleKind) Set {
	if kind == Unknown {
		return s
	}
	out := make(Set, len(s))
	for i, t := range s {
		out[i] = t.as(kind)
	}
	return out
}

var (
	number = regexp.MustCompile(`^(?:[-+]?[0-9][0-9.]*|true|false)$`)
	name   = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)
)

func (t Text) as(kind HoleKind) Text {
	if s, ok := t.constant(); ok {
		switch {
		case kind == Ident && !name.MatchString(s):
			return literal(`"` + strings.ReplaceAll(s, `"`, `""`) + `"`)
		case kind == Ident, kind == Literal && number.MatchString(s):
			return t
		}
	}
	h := &Hole{Kind: kind}
	if len(t) == 1 && t[0].Hole != nil {
		h.Param, h.Path = t[0].Hole.Param, t[0].Hole.Path
	}
	return Text{{Hole: h}}
}

// known is nil for a set that says nothing.
func known(s Set) Set {
	for _, t := range s {
		if !t.isUnknown() {
			return s
		}
	}
	return nil
}

func hole(kind HoleKind) Text { return Text{{Hole: &Hole{Kind: kind}}} }

func literal(s string) Text {
	if s == "" {
		return Text{}
	}
	return Text{{Lit: s}}
}

func (t Text) isUnknown() bool {
	return len(t) == 1 && t[0].Hole != nil && t[0].Hole.Kind == Unknown && t[0].Hole.Param == nil
}

// constant returns the text if it has no holes.
func (t Text) constant() (string, bool) {
	for _, p := range t {
		if p.Hole != nil {
			return "", false
		}
	}
	s, _ := t.Join()
	return s, true
}

func (t Text) has(kind HoleKind) bool {
	for _, p := range t {
		if p.Hole != nil && p.Hole.Kind == kind {
			return true
		}
	}
	return false
}

func (t Text) size() int {
	n := 0
	for _, p := range t {
		n += len(p.Lit)
	}
	return n
}

// key is equal for texts that are equal but for their positions.
func (t Text) key() string {
	var b strings.Builder
	for _, p := range t {
		if p.Hole == nil {
			b.WriteString(p.Lit)
			continue
		}
		b.WriteByte(0)
		b.WriteByte(byte(p.Hole.Kind))
		if p.Hole.Param != nil {
			b.WriteString(p.Hole.Param.Parent().String())
			b.WriteByte(0)
			b.WriteString(p.Hole.Param.Name() + p.Hole.Path)
		}
		b.WriteByte(0)
	}
	return b.String()
}

// plus appends a text; two unknown holes side by side are one.
func (t Text) plus(u Text) Text {
	out := make(Text, 0, len(t)+len(u))
	out = append(out, t...)
	size := t.size()
	for _, p := range u {
		if p.Hole == nil && p.Lit == "" {
			continue
		}
		if size += len(p.Lit); size > maxBytes {
			p = Part{Hole: &Hole{}}
		}
		if n := len(out); n > 0 && out[n-1:].isUnknown() && (Text{p}).isUnknown() {
			continue
		}
		out = append(out, p)
	}
	return out
}

// concat returns each text of s followed by each of u. When these are too
// many, the set with more alternatives is widened first.
func (s Set) concat(u Set) Set {
	for len(s)*len(u) > MaxTexts && (len(s) > 1 || len(u) > 1) {
		if len(s) > len(u) {
			s = Set{s.widen()}
		} else {
			u = Set{u.widen()}
		}
	}
	out := make(Set, 0, len(s)*len(u))
	for _, a := range s {
		for _, b := range u {
			out = append(out, a.plus(b))
		}
	}
	return out.limit()
}

// limit drops duplicates and widens a set with too many texts to one.
func (s Set) limit() Set {
	if len(s) < 2 {
		return s
	}
	seen := make(map[string]bool, len(s))
	out := make(Set, 0, len(s))
	for _, t := range s {
		if k := t.key(); !seen[k] {
			seen[k] = true
			out = append(out, t)
		}
	}
	if len(out) > MaxTexts {
		return Set{out.widen()}
	}
	return out
}

// widen returns one text that stands for all: what they begin with, a hole,
// and what they end with. Words are not cut.
func (s Set) widen() Text {
	if len(s) == 1 {
		return s[0]
	}
	for _, t := range s {
		if t.has(recursive) {
			return hole(Unknown)
		}
	}
	prefix, suffix := s[0], s[0]
	for _, t := range s[1:] {
		prefix = commonPrefix(prefix, t)
	}
	prefix = prefix.cutWord(false)
	for _, t := range s {
		suffix = commonSuffix(suffix, t.slice(prefix.width(), t.width()))
	}
	suffix = suffix.cutWord(true)
	return prefix.plus(hole(Unknown)).plus(suffix)
}

// width counts bytes, a hole as one.
func (t Text) width() int {
	n := 0
	for _, p := range t {
		n += p.width()
	}
	return n
}

func (p Part) width() int {
	if p.Hole != nil {
		return 1
	}
	return len(p.Lit)
}

// slice returns the parts from one offset to another, as width counts them.
func (t Text) slice(from, to int) Text {
	var out Text
	for _, p := range t {
		w := p.width()
		lo, hi := max(from, 0), min(to, w)
		if lo < hi {
			out = append(out, p.slice(lo, hi))
		}
		from, to = from-w, to-w
	}
	return out
}

func (p Part) slice(lo, hi int) Part {
	if p.Hole != nil || lo == 0 && hi == len(p.Lit) {
		return p
	}
	p.Lit = p.Lit[lo:hi]
	if p.at.IsValid() {
		p.at += token.Pos(lo)
	}
	return p
}

// units is the text one unit for each byte or hole, for comparison.
func (t Text) units() []string {
	out := make([]string, 0, t.width())
	for _, p := range t {
		if p.Hole != nil {
			out = append(out, Text{p}.key())
			continue
		}
		for i := range len(p.Lit) {
			out = append(out, p.Lit[i:i+1])
		}
	}
	return out
}

func commonPrefix(a, b Text) Text {
	x, y := a.units(), b.units()
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return a.slice(0, n)
}

func commonSuffix(a, b Text) Text {
	x, y := a.units(), b.units()
	n := 0
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return a.slice(len(x)-n, len(x))
}

const space = " \t\n\r\v\f"

// cutWord drops the part of a word at the open end of a prefix or suffix.
func (t Text) cutWord(suffix bool) Text {
	x := t.units()
	isSpace := func(u string) bool { return len(u) == 1 && strings.Contains(space, u) }
	if suffix {
		i := 0
		for i < len(x) && !isSpace(x[i]) {
			i++
		}
		return t.slice(i, len(x))
	}
	i := len(x)
	for i > 0 && !isSpace(x[i-1]) {
		i--
	}
	return t.slice(0, i)
}

// mapLiterals applies f to each literal part; parts that change lose their
// exact position.
func (t Text) mapLiterals(f func(string) string) Text {
	out := make(Text, 0, len(t))
	for _, p := range t {
		if p.Hole == nil {
			if s := f(p.Lit); s != p.Lit {
				p = Part{Lit: s, Pos: p.Pos}
			}
		}
		out = append(out, p)
	}
	return out
}

// runs calls f for each longest run of literal parts and for each hole.
func (t Text) runs(f func(run Text, lit string)) {
	for i := 0; i < len(t); {
		j := i + 1
		if t[i].Hole == nil {
			for j < len(t) && t[j].Hole == nil {
				j++
			}
		}
		s, _ := t[i:j].Join()
		f(t[i:j], s)
		i = j
	}
}

// replace replaces old by each text of with, in literals only: n times at
// most, or all for n < 0.
func (t Text) replace(old string, with Text, n int) Text {
	out := Text{}
	t.runs(func(run Text, lit string) {
		if run[0].Hole != nil || old == "" {
			out = append(out, run...)
			return
		}
		from := 0
		for n != 0 {
			i := strings.Index(lit[from:], old)
			if i < 0 {
				break
			}
			out = out.plus(run.slice(from, from+i)).plus(with)
			from += i + len(old)
			n--
		}
		out = out.plus(run.slice(from, len(lit)))
	})
	return out
}

// trim cuts literal bytes at the two ends: cut returns how much of the first
// (last) run to keep, as a range. A hole at an end stops it.
func (t Text) trim(left, right func(string) string) Text {
	if len(t) > 0 && t[0].Hole == nil && left != nil {
		t = t.trimRun(left, false)
	}
	if n := len(t); n > 0 && t[n-1].Hole == nil && right != nil {
		t = t.trimRun(right, true)
	}
	return t
}

func (t Text) trimRun(f func(string) string, end bool) Text {
	i, j := 0, 0
	if end {
		i, j = len(t), len(t)
		for i > 0 && t[i-1].Hole == nil {
			i--
		}
	} else {
		for j < len(t) && t[j].Hole == nil {
			j++
		}
	}
	run := t[i:j]
	s, _ := run.Join()
	gone := len(s) - len(f(s))
	if end {
		run = run.slice(0, len(s)-gone)
	} else {
		run = run.slice(gone, len(s))
	}
	out := append(Text{}, t[:i]...)
	out = append(out, run...)
	return append(out, t[j:]...)
}
