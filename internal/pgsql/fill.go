package pgsql

import (
	"errors"
	"sort"
	"strconv"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

// What a hole may be filled with. Each carries the hole byte, by which the
// parse tree shows what came from a hole.
const (
	fillName   = `"` + string(holeByte) + `"` // a name, a column or any expression
	fillString = `'` + string(holeByte) + `'`
	fillSet    = fillName + " = " + fillName
	fillRow    = "(" + fillName + ")"
	fillSelect = "SELECT " + fillName
	fillValues = "VALUES " + fillRow
	fillJoin   = "JOIN " + fillName
	fillCTE    = fillName + " AS (" + fillSelect + ")"
	fillWhen   = "WHEN " + fillName + " THEN " + fillName
)

// A filler renders one statement for the grammar: placeholders become $n and
// holes the filling that is tried next.
type filler struct {
	in   *input
	sp   span
	subs []substitution
	out  string
	segs []segment
}

// A substitution stands in for one token.
type substitution struct {
	tok     int
	choices []string
	choice  int
	start   int // offset in the rendered text
	end     int
}

// A segment maps a stretch of the rendered text to the working text.
type segment struct{ out, text, size int }

func (in *input) newFiller(sp span) *filler {
	f := &filler{in: in, sp: sp}
	for i := sp.first; i < sp.end; i++ {
		if c := in.choices(sp, i); c != nil {
			f.subs = append(f.subs, substitution{tok: i, choices: c})
		}
	}
	return f
}

// render writes the statement with the current choices.
func (f *filler) render() {
	text, pos := f.in.text, f.in.toks[f.sp.first].start
	end := f.in.toks[f.sp.end-1].end
	f.segs = f.segs[:0]
	if len(f.subs) == 0 {
		f.segs = append(f.segs, segment{0, pos, end - pos})
		f.out = text[pos:end]
		return
	}
	var b strings.Builder
	b.Grow(end - pos + 16)
	for i := range f.subs {
		s := &f.subs[i]
		t := f.in.toks[s.tok]
		f.segs = append(f.segs, segment{b.Len(), pos, t.start - pos})
		b.WriteString(text[pos:t.start])
		pad(&b, text, t.start-1)
		s.start = b.Len()
		f.segs = append(f.segs, segment{s.start, t.start, 0})
		b.WriteString(s.choices[s.choice])
		s.end = b.Len()
		pad(&b, text, t.end)
		pos = t.end
	}
	f.segs = append(f.segs, segment{b.Len(), pos, end - pos})
	b.WriteString(text[pos:end])
	f.out = b.String()
}

// pad writes a blank where a word would touch the filling.
func pad(b *strings.Builder, text string, i int) {
	if i >= 0 && i < len(text) && (isIdent(text[i]) || isOp(text[i]) || text[i] == '\'' || text[i] == '"') {
		b.WriteByte(' ')
	}
}

// working maps an offset of the rendered text to the working text.
func (f *filler) working(off int) int {
	i := sort.Search(len(f.segs), func(i int) bool { return f.segs[i].out > off }) - 1
	if i < 0 {
		return f.in.toks[f.sp.first].start
	}
	s := f.segs[i]
	return s.text + min(off-s.out, s.size)
}

// tokenAt returns the index of the token at an offset of the rendered text.
func (f *filler) tokenAt(off int) int {
	w := f.working(off)
	toks := f.in.toks[f.sp.first:f.sp.end]
	i := sort.Search(len(toks), func(i int) bool { return toks[i].end > w })
	return f.sp.first + min(i, len(toks)-1)
}

// filled reports whether the offset of the rendered text is inside a filling.
func (f *filler) filled(off int) bool {
	i := sort.Search(len(f.subs), func(i int) bool { return f.subs[i].end > off })
	return i < len(f.subs) && f.subs[i].start <= off && f.in.toks[f.subs[i].tok].hole
}

// guessed reports whether an unknown hole was filled with something that is
// not an operand: there may be more in the statement than the tree shows.
func (f *filler) guessed() bool {
	for _, s := range f.subs {
		fill := s.choices[s.choice]
		if f.in.toks[s.tok].kind == tokHole && !strings.HasPrefix(fill, fillName) {
			return true
		}
	}
	return false
}

// advance takes the next filling after an error: of the last hole that the
// grammar read and that has another one, else of the first after it.
func (f *filler) advance(err error) bool {
	var perr *pgast.Error
	at := len(f.out)
	if errors.As(err, &perr) && perr.Off >= 0 {
		at = perr.Off
	}
	n := sort.Search(len(f.subs), func(i int) bool { return f.subs[i].start > at })
	for i := n - 1; i >= 0; i-- {
		if f.next(i) {
			return true
		}
	}
	for i := n; i < len(f.subs); i++ {
		if f.next(i) {
			return true
		}
	}
	return false
}

// next moves one substitution on, and those after it back to their first.
func (f *filler) next(i int) bool {
	if f.subs[i].choice+1 >= len(f.subs[i].choices) {
		return false
	}
	f.subs[i].choice++
	for j := i + 1; j < len(f.subs); j++ {
		f.subs[j].choice = 0
	}
	return true
}

// choices returns what may stand for token i, nil when it stands for itself.
func (in *input) choices(sp span, i int) []string {
	t := in.toks[i]
	switch {
	case t.kind == tokParam:
		return in.paramChoices(sp, i)
	case t.kind == tokHole:
		return in.holeChoices(sp, i)
	case t.kind == tokWord && t.hole:
		return []string{`"` + in.word(i) + `"`}
	case t.kind == tokOp && in.text[t.start] == '\\':
		return []string{"?"}
	}
	return nil
}

// tableBefore holds the keywords before the name of a table.
var tableBefore = map[keyword]bool{kwFrom: true, kwJoin: true, kwInto: true, kwTable: true, kwOnly: true}

// literalOnly holds the statements that take no parameters, in which drivers
// may still interpolate one.
var literalOnly = map[keyword]bool{
	kwSet: true, kwListen: true, kwUnlisten: true, kwNotify: true, kwSavepoint: true,
	kwReset: true, kwCreate: true, kwAlter: true, kwDrop: true, kwRelease: true, kwRollback: true,
	kwTruncate: true, kwLock: true, kwCopy: true, kwDeclare: true,
}

func (in *input) paramChoices(sp span, i int) []string {
	dollar := "$" + strconv.Itoa(in.toks[i].param)
	prev := in.kw(i - 1)
	switch {
	case in.toks[i].name == "" && in.text[in.toks[i].start] == '$': // PostgreSQL's own: never a name
	case in.is(i-1, ".") || in.is(i+1, "."):
		return []string{fillName, dollar}
	case tableBefore[prev] || prev == kwAs || in.startsWith(sp, i, kwUpdate):
		return []string{dollar, fillName}
	case prev == kwIn: // GORM writes a list with its parentheses
		return []string{"(" + dollar + ")", dollar}
	}
	if prev == kwInterval || literalOnly[in.kw(sp.first)] {
		return []string{dollar, fillName, fillString}
	}
	if dollar == in.word(i) {
		return nil
	}
	return []string{dollar}
}

// startsWith reports whether token i is the second of its statement and the
// first is k.
func (in *input) startsWith(sp span, i int, k keyword) bool {
	return i == sp.first+1 && in.kw(sp.first) == k
}

// holeChoices returns the fillings of a hole, the likeliest first.
func (in *input) holeChoices(sp span, i int) []string {
	if t := in.toks[i]; t.end-t.start > 1 { // the beginning of a name, or $ and a hole
		return []string{fillName}
	}
	after := i > sp.first && endsOperand(in.text, in.toks, i-1)
	switch k := in.kindAt(i); {
	case after && k != HoleUnknown: // no operand can stand there
		return []string{"", fillName, fillString, ", " + fillName}
	case k != HoleUnknown && !notOperand[in.kw(i-1)]:
		return append(in.typedChoices(k, i), in.operandChoices(sp, i)...)
	case i == sp.first:
		return in.leadingChoices(sp, i)
	case after:
		return in.clauseChoices(sp, i)
	}
	return in.operandChoices(sp, i)
}

// kindAt returns the kind of the hole that token i begins with.
func (in *input) kindAt(i int) HoleKind {
	if n := holesBefore(in.holes, in.toks[i].start); n < len(in.holes) {
		return in.holes[n].Kind
	}
	return HoleUnknown
}

// notOperand holds the keywords that no operand follows, whatever the kind of
// the hole.
var notOperand = map[keyword]bool{
	kwFor: true, kwLevel: true, kwTransaction: true, kwWith: true, kwCase: true, kwUnion: true,
	kwIntersect: true, kwExcept: true,
}

// typedChoices fills a hole whose kind is known; the general fillings come
// after these, should the kind be wrong.
func (in *input) typedChoices(k HoleKind, i int) []string {
	switch {
	case k == HoleList && (in.kw(i-1) == kwIn || in.kw(i-1) == kwValues):
		return []string{fillRow}
	case k == HoleList:
		return []string{fillName, fillRow}
	case k == HoleLiteral:
		return []string{fillName, fillString, "1"}
	}
	return []string{fillName}
}

// leadingChoices fills a hole that begins the statement: a comment or EXPLAIN,
// or the part of the query before FROM.
func (in *input) leadingChoices(sp span, i int) []string {
	if i+1 < sp.end && in.kw(i+1) == kwFrom {
		return []string{fillSelect, ""}
	}
	if len(in.lockClauses(sp)) > 0 && in.topSelect(sp) {
		return []string{"", fillSelect + " FROM " + fillName}
	}
	if i+1 < sp.end && in.kw(i+1) == kwAs {
		return []string{"WITH " + fillName, ""}
	}
	return []string{""}
}

// topSelect reports whether the statement locks rows at its outermost level:
// then it can only be a SELECT.
func (in *input) topSelect(sp span) bool {
	for _, l := range in.lockClauses(sp) {
		if l.Top {
			return true
		}
	}
	return false
}

// clauseChoices fills a hole after a complete operand: whole clauses, most
// often nothing.
func (in *input) clauseChoices(sp span, i int) []string {
	out := []string{""}
	switch next := in.kw(i + 1); {
	case i+1 < sp.end && (in.toks[i+1].kind == tokParam || in.toks[i+1].kind == tokString):
		out = []string{"=", "AND", ",", ""} // before nothing: "a 'b'" is a typed literal
	case i+1 < sp.end && in.toks[i+1].kind <= tokParam && next == kwNone:
		out = append(out, "=", "AND", ",")
	case next == kwOn:
		out = append(out, fillJoin)
	case next == kwEnd:
		out = append(out, fillWhen)
	}
	if in.inserts(sp) {
		out = append(out, fillValues)
	}
	if in.kw(sp.first) == kwUpdate {
		out = append(out, "SET "+fillSet)
	}
	return append(out, fillName, ", "+fillName)
}

func (in *input) inserts(sp span) bool {
	for i := sp.first; i < sp.end; i++ {
		if k := in.kw(i); k == kwInsert {
			return true
		} else if k == kwSelect || k == kwValues {
			return false
		}
	}
	return false
}

// afterKeyword holds the fillings that go before the general ones, by the
// keyword before the hole.
var afterKeyword = map[keyword][]string{
	kwSet:         {fillSet},
	kwLocal:       {fillSet},
	kwSession:     {fillSet},
	kwValues:      {fillRow},
	kwIn:          {fillRow},
	kwUnion:       {fillSelect},
	kwIntersect:   {fillSelect},
	kwExcept:      {fillSelect},
	kwWith:        {fillCTE},
	kwCase:        {fillWhen},
	kwFor:         {"READ ONLY"},
	kwLevel:       {"SERIALIZABLE"},
	kwTransaction: {"READ ONLY"},
	kwInterval:    {fillString},
	kwIs:          {"NULL"},
	kwExplain:     {fillSelect},
	kwJoin:        {fillName, fillName + " ON " + fillName},
	kwAll:         {fillName, fillSelect},
	kwAs:          {fillName, fillSelect},
}

// operandChoices fills a hole where an operand, a name or a clause's body must
// follow. A quoted name is all of these.
func (in *input) operandChoices(sp span, i int) []string {
	var out []string
	switch {
	case in.is(i-1, "(") && in.queryBefore(i-2):
		out = append(out, fillSelect)
	case (in.kw(i-1) == kwSelect || in.kw(i-1) == kwDistinct) && i+1 < sp.end && in.beginsOperand(i+1):
		out = append(out, fillName+",")
	case !in.is(i+1, "=") && !in.is(i+1, "."):
		out = append(out, afterKeyword[in.kw(i-1)]...)
	}
	out = append(out, fillName)
	if in.is(i-1, ",") {
		out = append(out, fillSet, fillRow, fillString)
	}
	if in.is(i-1, "(") {
		out = append(out, fillSelect)
	}
	return append(out, "", fillName+" AND", fillName+",")
}

// beginsOperand reports whether an operand can begin with token i.
func (in *input) beginsOperand(i int) bool {
	switch t := in.toks[i]; t.kind {
	case tokWord:
		return t.kw == kwNone || t.kw == kwCase || t.kw == kwExists
	case tokQuoted, tokString, tokNumber, tokParam:
		return true
	}
	return false
}

// queryBefore reports whether a parenthesis after token i opens a query.
func (in *input) queryBefore(i int) bool {
	switch in.kw(i) {
	case kwAs, kwFrom, kwJoin, kwExists:
		return true
	}
	return false
}

// openEnds holds the keywords after which a hole at the end of the text may
// bring further clauses with it.
var openEnds = map[keyword]bool{
	kwWhere: true, kwFrom: true, kwAnd: true, kwOr: true, kwBy: true, kwOn: true, kwJoin: true,
	kwHaving: true, kwSelect: true, kwReturning: true, kwUnion: true, kwAll: true, kwSet: true,
	kwValues: true, kwInto: true, kwUpdate: true, kwUsing: true,
}

// trailing reports whether token i is a hole that may hold a whole clause.
func (in *input) trailing(sp span, i int) bool {
	t := in.toks[i]
	if t.kind != tokHole || t.end-t.start > 1 || in.kindAt(i) != HoleUnknown && in.kw(i-1) != kwFor {
		return false
	}
	if i == sp.first {
		return sp.end == sp.first+1
	}
	if in.kw(i-1) == kwFor {
		return true
	}
	if !endsOperand(in.text, in.toks, i-1) {
		return i == sp.end-1 && openEnds[in.kw(i-1)]
	}
	return in.clauseLevel(sp, i)
}

// clauseLevel reports whether the clauses of a query, not the arguments of a
// function or a list, stand at the depth of token i.
func (in *input) clauseLevel(sp span, i int) bool {
	depth := 0
	for i--; i >= sp.first; i-- {
		switch {
		case in.is(i, ")"):
			depth++
		case in.is(i, "("):
			if depth == 0 {
				k := in.kw(i + 1)
				return k == kwSelect || k == kwWith || k == kwInsert || k == kwUpdate || k == kwDelete
			}
			depth--
		}
	}
	return true
}
