package pgsql

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// holeByte stands for a hole in the working text. It is legal inside quoted
// literals and quoted identifiers, so whatever carries it in the parse tree is
// known to come from a hole.
const holeByte = '\x01'

type tokenKind uint8

const (
	tokWord   tokenKind = iota // identifier or keyword, not quoted
	tokQuoted                  // "…" and U&"…"
	tokString                  // '…', E'…', B'…', X'…', N'…', U&'…', $$…$$
	tokNumber
	tokParam // $1 or a placeholder of another style
	tokOp    // an operator
	tokPunct // one of ( ) [ ] , ; . : or ::, :=
	tokHole
)

// A token is a piece of the working text; comments and blanks are no tokens.
type token struct {
	kind       tokenKind
	hole       bool // a hole is in it or glued to it
	kw         keyword
	start, end int
	param      int    // number of a tokParam
	name       string // name of a named tokParam
}

// A lexer splits the working text into tokens as PostgreSQL's scanner does
// (documentation, section 4.1), except that placeholders of style are tokens.
type lexer struct {
	text  string
	style Style
	// guess is set while the style is not known for certain: a ? between two
	// operands is then an operator.
	guess bool
	holes []Hole

	toks   []token
	pos    int
	params map[string]int
	next   int // number of the last parameter given out

	// What the text shows, for the detection of the style.
	sawDollar, sawQuestion, sawNamed, sawAt bool
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isIdentStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}
func isIdent(c byte) bool { return isIdentStart(c) || isDigit(c) || c == '$' }
func isOp(c byte) bool    { return strings.IndexByte("~!@#^&|`?+-*/%<>=", c) >= 0 }

// at returns the byte at offset i, 0 beyond the end.
func (l *lexer) at(i int) byte {
	if i < 0 || i >= len(l.text) {
		return 0
	}
	return l.text[i]
}

func (l *lexer) run() {
	for l.pos < len(l.text) {
		l.step()
	}
}

// step reads one token, comment or blank at pos.
func (l *lexer) step() {
	c, d := l.at(l.pos), l.at(l.pos+1)
	switch {
	case isSpace(c):
		l.pos++
	case c == '-' && d == '-':
		l.lineComment()
	case c == '/' && d == '*':
		l.blockComment()
	case c == '\'':
		l.str(l.pos, 1, false)
	case c == '"':
		l.quoted(l.pos, 1)
	case c == holeByte:
		l.holeToken()
	case isIdentStart(c):
		l.word()
	case isDigit(c) || c == '.' && isDigit(d):
		l.number()
	case c == '$':
		l.dollar()
	case c == ':':
		l.colon()
	case c == '\\' && d == '?': // bun's escape of the operator
		l.emit(tokOp, l.pos, l.pos+2)
	case isOp(c):
		l.op()
	default:
		l.emit(tokPunct, l.pos, l.pos+1)
	}
}

func (l *lexer) emit(k tokenKind, start, end int) *token {
	l.toks = append(l.toks, token{kind: k, start: start, end: end})
	l.pos = end
	return &l.toks[len(l.toks)-1]
}

func (l *lexer) lineComment() {
	if i := strings.IndexByte(l.text[l.pos:], '\n'); i >= 0 {
		l.pos += i + 1
		return
	}
	l.pos = len(l.text)
}

// blockComment skips a comment; they nest.
func (l *lexer) blockComment() {
	depth := 0
	for l.pos < len(l.text) {
		switch {
		case l.at(l.pos) == '/' && l.at(l.pos+1) == '*':
			depth++
			l.pos += 2
		case l.at(l.pos) == '*' && l.at(l.pos+1) == '/':
			l.pos += 2
			if depth--; depth == 0 {
				return
			}
		default:
			l.pos++
		}
	}
}

// str reads a literal whose quote is at start+open-1.
func (l *lexer) str(start, open int, escapes bool) {
	i := start + open
	for ; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == '\\' && escapes:
			i++
		case c == '\'' && l.at(i+1) == '\'':
			i++
		case c == '\'':
			l.close(tokString, start, i+1)
			return
		}
	}
	l.close(tokString, start, len(l.text))
}

func (l *lexer) quoted(start, open int) {
	i := start + open
	for ; i < len(l.text); i++ {
		if l.text[i] != '"' {
			continue
		}
		if l.at(i+1) != '"' {
			l.close(tokQuoted, start, i+1)
			return
		}
		i++
	}
	l.close(tokQuoted, start, len(l.text))
}

// close emits a quoted token.
func (l *lexer) close(k tokenKind, start, end int) {
	t := l.emit(k, start, end)
	t.hole = strings.IndexByte(l.text[start:end], holeByte) >= 0
}

// prefixed reads a literal or identifier that begins with letters, such as
// E'…'; ok is false when there is none at pos.
func (l *lexer) prefixed() (ok bool) {
	c, d := l.at(l.pos)|0x20, l.at(l.pos+1)
	switch {
	case d == '\'' && strings.IndexByte("ebxn", c) >= 0:
		l.str(l.pos, 2, c == 'e')
	case c == 'u' && d == '&' && l.at(l.pos+2) == '\'':
		l.str(l.pos, 3, false)
	case c == 'u' && d == '&' && l.at(l.pos+2) == '"':
		l.quoted(l.pos, 3)
	default:
		return false
	}
	return true
}

// word reads an identifier or keyword. A hole in the middle of it, or at the
// end of one that is not complete, belongs to it.
func (l *lexer) word() {
	if l.prefixed() {
		return
	}
	start, i, hole := l.pos, l.pos, false
	for {
		for i < len(l.text) && isIdent(l.text[i]) {
			i++
		}
		if l.at(i) != holeByte || !l.glued(i) {
			break
		}
		hole = true
		i++
	}
	t := l.emit(tokWord, start, i)
	t.hole = hole
	if !hole {
		t.kw = keywordOf(l.text[start:i])
	}
}

// glued reports whether the hole at i continues the word that ends there.
func (l *lexer) glued(i int) bool {
	prev, next := l.at(i-1), l.at(i+1)
	if isIdent(next) || prev == '_' || next == '.' {
		return true
	}
	k := l.holeKind(i)
	return k == HoleIdent || k == HoleLiteral
}

// holeKind returns the kind of the hole at offset i of the working text.
func (l *lexer) holeKind(i int) HoleKind {
	if n := holesBefore(l.holes, i); n < len(l.holes) {
		return l.holes[n].Kind
	}
	return HoleUnknown
}

// holeToken reads a hole, with the rest of the identifier that it begins.
func (l *lexer) holeToken() {
	start, i := l.pos, l.pos+1
	if c := l.at(i); c == '_' || isDigit(c) || isIdentStart(c) && l.beginsIdent(i) {
		for i < len(l.text) && (isIdent(l.text[i]) || l.text[i] == holeByte) {
			i++
		}
	}
	l.emit(tokHole, start, i).hole = true
}

// beginsIdent reports whether the word at i can only be the rest of an
// identifier: it is no keyword.
func (l *lexer) beginsIdent(i int) bool {
	j := i
	for j < len(l.text) && isIdent(l.text[j]) {
		j++
	}
	return keywordOf(l.text[i:j]) == kwNone && l.at(j) != '\''
}

func (l *lexer) number() {
	i := l.pos
	for i < len(l.text) {
		c := l.text[i]
		exp := (c == '+' || c == '-') && l.at(i-1)|0x20 == 'e' && l.at(l.pos+1)|0x20 != 'x'
		if c == '.' && l.at(i+1) == '.' {
			break
		}
		if !isIdent(c) && c != '.' && !exp {
			break
		}
		i++
	}
	l.emit(tokNumber, l.pos, i)
}

// dollar reads $1, $$…$$, $tag$…$tag$, or a parameter whose number is a hole.
func (l *lexer) dollar() {
	i := l.pos + 1
	for isDigit(l.at(i)) {
		i++
	}
	if i > l.pos+1 {
		l.sawDollar = true
		t := l.emit(tokParam, l.pos, i)
		t.param = atoi(l.text[t.start+1 : i])
		return
	}
	if l.at(i) == holeByte {
		l.sawDollar = true
		l.emit(tokHole, l.pos, i+1).hole = true
		return
	}
	for isIdent(l.at(i)) && l.at(i) != '$' {
		i++
	}
	if l.at(i) != '$' {
		l.emit(tokPunct, l.pos, l.pos+1)
		return
	}
	tag := l.text[l.pos : i+1]
	end := strings.Index(l.text[i+1:], tag)
	if end < 0 {
		l.close(tokString, l.pos, len(l.text))
		return
	}
	l.close(tokString, l.pos, i+1+end+len(tag))
}

// colon reads ::, :=, :name or a lone colon.
func (l *lexer) colon() {
	switch d := l.at(l.pos + 1); {
	case d == ':' || d == '=':
		l.emit(tokPunct, l.pos, l.pos+2)
		return
	case isIdentStart(d) && !l.inBrackets():
		l.sawNamed = true
		if l.style == StyleNamed {
			l.named(l.pos, true)
			return
		}
	case d == holeByte && l.style == StyleNamed:
		l.named(l.pos, true)
		return
	}
	l.emit(tokPunct, l.pos, l.pos+1)
}

// inBrackets reports whether the innermost open bracket is [, where a colon
// separates the bounds of an array slice.
func (l *lexer) inBrackets() bool {
	depth := 0
	for i := len(l.toks) - 1; i >= 0 && l.toks[i].kind <= tokPunct; i-- {
		if l.toks[i].kind != tokPunct {
			continue
		}
		switch l.text[l.toks[i].start] {
		case ']', ')':
			depth++
		case '(', ';':
			if depth == 0 {
				return false
			}
			depth--
		case '[':
			if depth == 0 {
				return true
			}
			depth--
		}
	}
	return false
}

// named reads a named placeholder whose sign is at start; sqlx's names may
// contain dots.
func (l *lexer) named(start int, dots bool) {
	i, hole := start+1, false
	for i < len(l.text) {
		c := l.text[i]
		if c == holeByte {
			hole = true
		} else if !isIdent(c) && !(dots && c == '.' && isIdentStart(l.at(i+1))) {
			break
		}
		i++
	}
	if hole {
		l.emit(tokHole, start, i).hole = true
		return
	}
	l.param(start, i, l.text[start+1:i])
}

// param emits a placeholder; an empty name takes the next number.
func (l *lexer) param(start, end int, name string) {
	t := l.emit(tokParam, start, end)
	t.name = name
	if n, ok := l.params[name]; ok && name != "" {
		t.param = n
		return
	}
	l.next++
	t.param = l.next
	if name != "" {
		if l.params == nil {
			l.params = map[string]int{}
		}
		l.params[name] = l.next
	}
}

// op reads an operator, or a placeholder that begins where an operator could.
func (l *lexer) op() {
	if l.placeholder() {
		return
	}
	start, i := l.pos, l.pos
	for i < len(l.text) && isOp(l.text[i]) {
		two := l.text[i:min(i+2, len(l.text))]
		if two == "--" || two == "/*" {
			break
		}
		if i > start && l.placeholderAt(i) {
			break
		}
		i++
	}
	l.emit(tokOp, start, l.trimSign(start, i))
}

// trimSign leaves a trailing sign to the operand, as PostgreSQL does for
// operators that have none of ~!@#%^&|`? in them.
func (l *lexer) trimSign(start, end int) int {
	if strings.ContainsAny(l.text[start:end], "~!@#%^&|`?") {
		return end
	}
	for end > start+1 && (l.text[end-1] == '+' || l.text[end-1] == '-') {
		end--
	}
	return end
}

// placeholder reads a ? or @name at pos.
func (l *lexer) placeholder() bool {
	if !l.placeholderAt(l.pos) {
		return false
	}
	if l.text[l.pos] == '@' {
		l.named(l.pos, false)
		return true
	}
	i := l.pos + 1
	for isIdent(l.at(i)) { // bun's ?0 and ?name
		i++
	}
	switch name := l.text[l.pos+1 : i]; {
	case name == "" || keywordOf(name) != kwNone:
		l.param(l.pos, l.pos+1, "")
	case isDigit(name[0]):
		t := l.emit(tokParam, l.pos, i)
		t.param = atoi(name) + 1
		l.next = max(l.next, t.param)
	default:
		l.param(l.pos, i, name)
	}
	return true
}

// placeholderAt reports whether a placeholder of the style begins at i, and
// notes what it sees for the detection of the style.
func (l *lexer) placeholderAt(i int) bool {
	switch l.text[i] {
	case '@':
		if l.at(i-1) == '@' || l.at(i-1) == '<' && l.style != StyleAt {
			return false
		}
		if d := l.at(i + 1); !isIdentStart(d) && d != holeByte {
			return false
		}
		l.sawAt = true
		return l.style == StyleAt
	case '?':
		if !l.isQuestion(i) {
			return false
		}
		l.sawQuestion = true
		return l.style == StyleQuestion
	}
	return false
}

// isQuestion reports whether the ? at i can be a placeholder and not a part
// of the JSON operators ?, ?| and ?&.
func (l *lexer) isQuestion(i int) bool {
	d, e := l.at(i+1), l.at(i+2)
	if d == '|' && e != '|' || d == '&' && e != '&' || d == '?' || i > 0 && l.at(i-1) == '?' {
		return false
	}
	if l.at(i-1) == '@' { // the operator @?
		return false
	}
	if !l.guess || i != l.pos || !l.afterOperand() {
		return true
	}
	j := i + 1
	for isSpace(l.at(j)) {
		j++
	}
	return !l.beginsOperand(j)
}

// beginsOperand reports whether an operand begins at i.
func (l *lexer) beginsOperand(i int) bool {
	c := l.at(i)
	if isIdentStart(c) {
		return l.wordAt(i) == kwNone
	}
	return isDigit(c) || c != 0 && strings.IndexByte("'\"$?(", c) >= 0
}

func (l *lexer) wordAt(i int) keyword {
	j := i
	for isIdent(l.at(j)) {
		j++
	}
	if l.at(j) == '\'' {
		return kwNone
	}
	return keywordOf(l.text[i:j])
}

// afterOperand reports whether the last token ends an operand.
func (l *lexer) afterOperand() bool {
	return len(l.toks) > 0 && endsOperand(l.text, l.toks, len(l.toks)-1)
}

// endsOperand reports whether an expression can end with token i, so that an
// operator, a separator or a clause must follow.
func endsOperand(text string, toks []token, i int) bool {
	switch t := toks[i]; t.kind {
	case tokQuoted, tokString, tokNumber, tokParam, tokHole:
		return true
	case tokPunct:
		c := text[t.start]
		return c == ')' || c == ']'
	case tokOp:
		// The star of SELECT * and count(*).
		return text[t.start:t.end] == "*" && (i == 0 || !endsOperand(text, toks, i-1))
	case tokWord:
		return !t.kw.expects() || t.kw == kwUpdate && i > 0 && toks[i-1].kw.locking()
	}
	return false
}

// holesBefore counts the holes before offset i of the working text, where the
// n-th hole is one byte at its own offset plus n.
func holesBefore(holes []Hole, i int) int {
	return sort.Search(len(holes), func(n int) bool { return holes[n].Off+n >= i })
}

// atoi reads decimal digits and saturates far above any parameter number.
func atoi(s string) int {
	n := 0
	for i := 0; i < len(s) && n < 1<<24; i++ {
		if !isDigit(s[i]) {
			return n
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// sanitize replaces what neither parser takes: NUL, the hole byte itself, and
// bytes that are not UTF-8. Offsets do not change.
func sanitize(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 && strings.IndexByte(s, holeByte) < 0 {
		return s
	}
	b := []byte(s)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case r == 0 || r == holeByte:
			b[i] = ' '
		case r == utf8.RuneError && n == 1:
			b[i] = 0x7f // no part of any name
		}
		i += n
	}
	return string(b)
}
