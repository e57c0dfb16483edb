package pgsql

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

// Limits of what is given to the grammar. What is beyond them becomes a
// partial statement. The C parser recurses over the tree of an expression, and
// a stack overflow there ends the process.
const (
	maxStatement = 32 << 10 // bytes of one statement
	maxTotal     = 1 << 20  // bytes given to the grammar for one Source
	maxChain     = 250      // operators between two commas, joins, set operations
	maxDepth     = 200      // nested brackets
	maxAttempts  = 24       // fillings of the holes of one statement
)

// Parse returns the statements of a text in order, without the empty ones. It
// never fails: a statement that the grammar rejects is [Statement.Partial],
// and the others are not affected by it.
//
// A result may be shared: neither Parse nor its callers modify it afterwards.
func Parse(src Source) []*Statement {
	in := newInput(src)
	var out []*Statement
	for _, span := range in.split() {
		out = append(out, in.statement(span))
	}
	return out
}

// An input is a Source made ready: its working text has a holeByte for every
// hole.
type input struct {
	src    Source
	text   string
	holes  []Hole // in order, offsets within src.Text
	toks   []token
	budget int // bytes that may still be given to the grammar
}

func newInput(src Source) *input {
	in := &input{src: src, budget: maxTotal}
	in.holes = sortedHoles(src)
	in.text = withHoles(sanitize(src.Text), in.holes)
	in.tokenize()
	return in
}

// sortedHoles returns the holes in order and in range.
func sortedHoles(src Source) []Hole {
	ok := slices.IsSortedFunc(src.Holes, func(a, b Hole) int { return cmp.Compare(a.Off, b.Off) })
	n := len(src.Holes)
	if ok && (n == 0 || src.Holes[0].Off >= 0 && src.Holes[n-1].Off <= len(src.Text)) {
		return src.Holes
	}
	holes := slices.Clone(src.Holes)
	for i := range holes {
		holes[i].Off = min(max(holes[i].Off, 0), len(src.Text))
	}
	slices.SortStableFunc(holes, func(a, b Hole) int { return cmp.Compare(a.Off, b.Off) })
	return holes
}

func withHoles(text string, holes []Hole) string {
	if len(holes) == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + len(holes))
	last := 0
	for _, h := range holes {
		b.WriteString(text[last:h.Off])
		b.WriteByte(holeByte)
		last = h.Off
	}
	b.WriteString(text[last:])
	return b.String()
}

// tokenize lexes the text in the placeholder style that it shows: a style that
// the caller names but the text does not use is no better than none.
func (in *input) tokenize() {
	l := in.lex(in.src.Style, false)
	switch in.src.Style {
	case StyleAuto:
		l = in.lex(detect(l), true)
	case StyleQuestion, StyleNamed, StyleAt:
		if !l.saw(in.src.Style) {
			l = in.lex(detect(l), true)
		}
	}
	in.toks = l.toks
}

func (in *input) lex(style Style, guess bool) *lexer {
	l := &lexer{text: in.text, style: style, guess: guess || style == StyleAuto, holes: in.holes}
	l.toks = make([]token, 0, len(in.text)/5+4)
	l.run()
	return l
}

func (l *lexer) saw(s Style) bool {
	return s == StyleQuestion && l.sawQuestion || s == StyleNamed && l.sawNamed || s == StyleAt && l.sawAt
}

func detect(l *lexer) Style {
	if l.sawDollar {
		return StyleDollar
	}
	for _, s := range []Style{StyleQuestion, StyleNamed, StyleAt} {
		if l.saw(s) {
			return s
		}
	}
	return StyleDollar
}

// off turns an offset of the working text into one of Source.Text.
func (in *input) off(w int) int {
	return w - holesBefore(in.holes, w)
}

// is reports whether token i is the punctuation or operator s.
func (in *input) is(i int, s string) bool {
	if i < 0 || i >= len(in.toks) {
		return false
	}
	t := in.toks[i]
	return (t.kind == tokPunct || t.kind == tokOp) && in.text[t.start:t.end] == s
}

// closing returns the token that closes the parenthesis at token i, the last
// one when none does.
func (in *input) closing(i, end int) int {
	depth := 0
	for ; i < end; i++ {
		if in.is(i, "(") {
			depth++
		} else if in.is(i, ")") {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return end - 1
}

// word returns the text of token i.
func (in *input) word(i int) string {
	return in.text[in.toks[i].start:in.toks[i].end]
}

// kw returns the keyword that token i is, kwNone outside the text.
func (in *input) kw(i int) keyword {
	if i < 0 || i >= len(in.toks) {
		return kwNone
	}
	return in.toks[i].kw
}

// A span is a range of tokens: one statement.
type span struct{ first, end int }

// split cuts the text at its semicolons. Those inside the body of a SQL
// function (BEGIN ATOMIC … END) and inside the parentheses of CREATE RULE
// separate nothing.
func (in *input) split() []span {
	var out []span
	start, depth, atomic := 0, 0, 0
	for i := range in.toks {
		switch {
		case in.is(i, "("):
			depth++
		case in.is(i, ")"):
			depth--
		case in.kw(i) == kwAtomic && in.kw(i-1) == kwBegin:
			atomic = 1
		case atomic > 0 && in.kw(i) == kwCase:
			atomic++
		case atomic > 0 && in.kw(i) == kwEnd:
			atomic--
		case in.is(i, ";") && atomic == 0 && (depth <= 0 || !in.isRule(start)):
			if i > start {
				out = append(out, span{start, i})
			}
			start, depth = i+1, 0
		}
	}
	if start < len(in.toks) {
		out = append(out, span{start, len(in.toks)})
	}
	return out
}

// isRule reports whether a CREATE RULE begins at token i.
func (in *input) isRule(i int) bool {
	return in.kw(i) == kwCreate && (in.kw(i+1) == kwRule || in.kw(i+3) == kwRule)
}

// statement analyses the tokens of one statement.
func (in *input) statement(sp span) *Statement {
	st := &Statement{}
	in.bounds(sp, st)
	if tree, f := in.grammar(sp); tree != nil {
		in.walk(sp, st, tree, f)
	} else {
		in.partial(sp, st)
	}
	return st
}

// bounds fills what does not depend on the grammar.
func (in *input) bounds(sp span, st *Statement) {
	first, last := in.toks[sp.first], in.toks[sp.end-1]
	st.Pos, st.End = in.off(first.start), in.off(last.end)
	for st.Pos < st.End && isSpace(in.src.Text[st.Pos]) { // beside a hole
		st.Pos++
	}
	for st.End > st.Pos && isSpace(in.src.Text[st.End-1]) {
		st.End--
	}
	st.Text = in.src.Text[st.Pos:st.End]
	st.Params = in.countParams(sp)
	for i := sp.first; i < sp.end; i++ {
		if in.toks[i].hole {
			st.Holes = true
			st.Trailing = st.Trailing || in.trailing(sp, i)
		}
	}
}

func (in *input) countParams(sp span) int {
	seen := map[int]struct{}{}
	for _, t := range in.toks[sp.first:sp.end] {
		if t.kind == tokParam {
			seen[t.param] = struct{}{}
		}
	}
	return len(seen)
}

// grammar parses one statement, trying the fillings of its holes in turn.
func (in *input) grammar(sp span) (*pgast.Node, *filler) {
	size := in.toks[sp.end-1].end - in.toks[sp.first].start
	if size > maxStatement || in.deep(sp) {
		return nil, nil
	}
	f := in.newFiller(sp)
	for range maxAttempts {
		f.render()
		if in.budget -= len(f.out); in.budget < 0 {
			return nil, nil
		}
		stmts, err := pgast.Parse(f.out)
		if err == nil {
			if len(stmts) != 1 {
				return nil, nil
			}
			return stmts[0].GetStmt(), f
		}
		if !f.advance(err) {
			return nil, nil
		}
	}
	return nil, nil
}

// nesting holds the keywords that make the tree deeper wherever they stand.
var nesting = map[keyword]bool{
	kwUnion: true, kwIntersect: true, kwExcept: true, kwCase: true, kwJoin: true,
}

// deep reports whether the tree could be too deep to recurse over. AND, OR and
// commas make lists, which are flat.
func (in *input) deep(sp span) bool {
	chain, nested, depth := 0, 0, 0
	for i := sp.first; i < sp.end; i++ {
		switch k := in.kw(i); {
		case in.is(i, "(") || in.is(i, "["):
			depth++
		case in.is(i, ")") || in.is(i, "]"):
			depth--
		case in.is(i, ",") || k == kwAnd || k == kwOr:
			chain = 0
		case in.toks[i].kind == tokOp || in.is(i, "::") || k == kwNot || k == kwIs || k == kwIn:
			chain++
		case nesting[k]:
			nested++
		}
		if chain > maxChain || nested > maxChain || depth > maxDepth {
			return true
		}
	}
	return false
}
