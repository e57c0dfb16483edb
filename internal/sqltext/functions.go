package sqltext

import (
	"strconv"
	"strings"
)

// A fold says how to compute a result of a function.
type fold struct {
	eval  func(*folding) vals
	index int
	view  string // "#" for the content of a builder that is returned, "[]" for a list
}

func text(eval func(c *folding) Set) fold {
	return fold{eval: func(c *folding) vals { return setVals(eval(c)) }}
}

// always is a function that returns something of a kind, whatever it is given.
func always(kind HoleKind) fold {
	return text(func(*folding) Set { return Set{hole(kind)} })
}

// same is a function whose text is, as far as SQL goes, that of argument i.
func same(i int) fold {
	return text(func(c *folding) Set { return c.text(i) })
}

// perLiteral is a function that works byte by byte.
func perLiteral(f func(string) string) fold {
	return text(func(c *folding) Set {
		return c.text(0).each(func(t Text) Set { return Set{t.mapLiterals(f).unnamed()} })
	})
}

// trimming is a function that cuts both ends by a cutset or an affix.
func trimming(left, right func(s, arg string) string) fold {
	return text(func(c *folding) Set {
		arg := ""
		if len(c.args) > 1 {
			var ok bool
			if arg, ok = c.constant(1); !ok {
				return Anything()
			}
		}
		bind := func(f func(s, arg string) string) func(string) string {
			if f == nil {
				return nil
			}
			return func(s string) string { return f(s, arg) }
		}
		return c.text(0).each(func(t Text) Set {
			if arg != "" && t.endsOpen(left != nil, right != nil) {
				t = t.unnamed()
			}
			return Set{t.trim(bind(left), bind(right))}
		})
	})
}

// each maps every text. A text that stands for a value under evaluation can
// only be appended to, not changed.
func (s Set) each(f func(Text) Set) Set {
	var out Set
	for _, t := range s {
		if t.has(recursive) {
			out = append(out, hole(Unknown))
			continue
		}
		out = append(out, f(t)...)
	}
	return out.limit()
}

// unnamed makes symbolic holes unknown: what a caller puts there is changed.
func (t Text) unnamed() Text {
	out := make(Text, len(t))
	for i, p := range t {
		if p.Hole != nil && p.Hole.Param != nil && p.Hole.Kind == Unknown {
			p = Part{Hole: &Hole{}}
		}
		out[i] = p
	}
	return out
}

// endsOpen says whether a symbolic hole is at an end that is cut.
func (t Text) endsOpen(left, right bool) bool {
	n := len(t)
	return n > 0 && (left && t[0].Hole != nil || right && t[n-1].Hole != nil)
}

func spaceLeft(s, _ string) string  { return strings.TrimLeft(s, space) }
func spaceRight(s, _ string) string { return strings.TrimRight(s, space) }

// functions are the functions of other packages that are folded, by full name
// without the major version.
var functions map[string]fold

func init() { // the table refers to itself through the evaluator
	functions = map[string]fold{
		"fmt.Sprintf":      text(func(c *folding) Set { return c.format(0, 1) }),
		"fmt.Sprint":       text(func(c *folding) Set { return c.print(0, false) }),
		"fmt.Sprintln":     text(func(c *folding) Set { return c.print(0, true) }),
		"fmt.Appendf":      text(func(c *folding) Set { return c.text(0).concat(c.format(1, 2)) }),
		"fmt.Append":       text(func(c *folding) Set { return c.text(0).concat(c.print(1, false)) }),
		"fmt.Appendln":     text(func(c *folding) Set { return c.text(0).concat(c.print(1, true)) }),
		"strings.Join":     text(func(c *folding) Set { return c.r.join(c.list(0), c.text(1)) }),
		"strings.Clone":    same(0),
		"bytes.Clone":      same(0),
		"strings.ToUpper":  perLiteral(strings.ToUpper),
		"strings.ToLower":  perLiteral(strings.ToLower),
		"bytes.ToUpper":    perLiteral(strings.ToUpper),
		"bytes.ToLower":    perLiteral(strings.ToLower),
		"bytes.TrimSpace":  trimming(spaceLeft, spaceRight),
		"bytes.TrimSuffix": trimming(nil, strings.TrimSuffix),

		"strings.TrimSpace":  trimming(spaceLeft, spaceRight),
		"strings.Trim":       trimming(strings.TrimLeft, strings.TrimRight),
		"strings.TrimLeft":   trimming(strings.TrimLeft, nil),
		"strings.TrimRight":  trimming(nil, strings.TrimRight),
		"strings.TrimPrefix": trimming(strings.TrimPrefix, nil),
		"strings.TrimSuffix": trimming(nil, strings.TrimSuffix),

		"strings.ReplaceAll":          text(func(c *folding) Set { return c.replace(-1) }),
		"strings.Replace":             text((*folding).replaceN),
		"strings.Repeat":              text((*folding).repeat),
		"(*strings.Replacer).Replace": text((*folding).replacer),
		"strings.Split":               {eval: (*folding).split, view: "[]"},
		"strings.Fields":              {eval: (*folding).fields, view: "[]"},
		"slices.Concat":               {eval: (*folding).concatLists, view: "[]"},
		"slices.Clone":                {eval: func(c *folding) vals { return c.list(0) }, view: "[]"},

		"(*strings.Builder).String": text((*folding).content),
		"(*bytes.Buffer).String":    text((*folding).content),
		"(*bytes.Buffer).Bytes":     text((*folding).content),
		"bytes.NewBufferString":     {eval: func(c *folding) vals { return setVals(c.text(0)) }, view: "#"},
		"bytes.NewBuffer":           {eval: (*folding).newBuffer, view: "#"},

		"strconv.Itoa":        text(func(c *folding) Set { return c.text(0) }),
		"strconv.FormatInt":   text((*folding).formatInt),
		"strconv.FormatUint":  text((*folding).formatInt),
		"strconv.FormatBool":  always(Literal),
		"strconv.FormatFloat": always(Literal),
		"strconv.Quote":       always(Literal),

		"(github.com/jackc/pgx.Identifier).Sanitize": text((*folding).sanitize),
		"github.com/jackc/pgx.QuoteIdentifier":       text((*folding).quoteIdent),
		"github.com/lib/pq.QuoteIdentifier":          text((*folding).quoteIdent),
		"github.com/lib/pq.QuoteLiteral":             text((*folding).quoteLiteral),

		"github.com/jmoiron/sqlx.Rebind":          same(1),
		"(*github.com/jmoiron/sqlx.DB).Rebind":    same(1),
		"(*github.com/jmoiron/sqlx.Tx).Rebind":    same(1),
		"(*github.com/jmoiron/sqlx.Conn).Rebind":  same(1),
		"github.com/jmoiron/sqlx.In":              same(0),
		"github.com/jmoiron/sqlx.Named":           same(0),
		"github.com/jmoiron/sqlx.BindNamed":       same(1),
		"(*github.com/jmoiron/sqlx.DB).BindNamed": same(1),
		"(*github.com/jmoiron/sqlx.Tx).BindNamed": same(1),
	}
	writers = map[string]writer{
		"(*strings.Builder).Len":   {},
		"(*strings.Builder).Cap":   {},
		"(*strings.Builder).Grow":  {},
		"(*bytes.Buffer).Len":      {},
		"(*bytes.Buffer).Cap":      {},
		"(*bytes.Buffer).Grow":     {},
		"(*bytes.Buffer).Reset":    {write: cleared},
		"(*strings.Builder).Reset": {write: cleared},

		"(*strings.Builder).String": {},
		"(*bytes.Buffer).String":    {},
		"(*bytes.Buffer).Bytes":     {},

		"(*strings.Builder).Write":       writing(0, func(c *folding) Set { return c.text(1) }),
		"(*strings.Builder).WriteString": writing(0, func(c *folding) Set { return c.text(1) }),
		"(*strings.Builder).WriteByte":   writing(0, (*folding).char),
		"(*strings.Builder).WriteRune":   writing(0, (*folding).char),
		"(*bytes.Buffer).Write":          writing(0, func(c *folding) Set { return c.text(1) }),
		"(*bytes.Buffer).WriteString":    writing(0, func(c *folding) Set { return c.text(1) }),
		"(*bytes.Buffer).WriteByte":      writing(0, (*folding).char),
		"(*bytes.Buffer).WriteRune":      writing(0, (*folding).char),
		"(*bytes.Buffer).Truncate":       {write: truncated},
		"io.WriteString":                 writing(0, func(c *folding) Set { return c.text(1) }),
		"fmt.Fprintf":                    writing(0, func(c *folding) Set { return c.format(1, 2) }),
		"fmt.Fprint":                     writing(0, func(c *folding) Set { return c.print(1, false) }),
		"fmt.Fprintln":                   writing(0, func(c *folding) Set { return c.print(1, true) }),
	}
}

// A writer is a function that changes the content of a builder or buffer,
// argument arg; nil write: it only reads.
type writer struct {
	arg   int
	write func(c *folding, earlier func() vals) vals
}

var writers map[string]writer

func writing(arg int, what func(*folding) Set) writer {
	return writer{arg, func(c *folding, earlier func() vals) vals {
		before := c.r.texts(earlier())
		return setVals(before.concat(what(c)))
	}}
}

func cleared(*folding, func() vals) vals { return textVals(Text{}) }

// truncated handles Truncate(b.Len()-n) and Truncate(0).
func truncated(c *folding, earlier func() vals) vals {
	if n, ok := intConst(c.args[1]); ok && n == 0 {
		return textVals(Text{})
	}
	n, ok := bufferLenMinus(c.args[1], c.args[0])
	if !ok {
		return nil
	}
	return setVals(c.r.texts(earlier()).each(func(t Text) Set {
		if t = t.cutEnds(0, n); t == nil {
			return Anything()
		}
		return Set{t}
	}))
}

// content is what a builder or buffer holds.
func (c *folding) content() Set {
	return c.r.texts(c.r.at(point{c.f, c.call}, c.args[0], "#"))
}

func (c *folding) newBuffer() vals {
	if vs := c.r.value(c.f, c.args[0], "[]"); len(vs) == 1 && len(vs[0].list) == 0 {
		return textVals(Text{})
	}
	return setVals(c.text(0))
}

// char is a byte or rune as text.
func (c *folding) char() Set {
	if s, ok := c.constant(1); ok {
		if n, err := strconv.ParseInt(s, 10, 32); err == nil {
			return Set{literal(string(rune(n)))}
		}
	}
	return Anything()
}

func (c *folding) formatInt() Set {
	if s, ok := c.constant(0); ok {
		if base, ok := c.constant(1); ok && base == "10" {
			return Set{literal(s)}
		}
	}
	return Set{hole(Literal)}
}

// replace is strings.ReplaceAll, or strings.Replace of at most n.
func (c *folding) replace(n int) Set {
	old, ok := c.constant(1)
	if !ok {
		return Anything()
	}
	with := c.text(2)
	return c.text(0).each(func(t Text) Set {
		var out Set
		for _, w := range with {
			out = append(out, t.unnamed().replace(old, w, n))
		}
		return out
	})
}

func (c *folding) replaceN() Set {
	s, ok := c.constant(3)
	if !ok {
		return Anything()
	}
	n := atoi(s)
	if s == "-1" {
		return c.replace(-1)
	}
	return c.text(0).each(func(t Text) Set {
		if _, ok := t.constant(); !ok || n < 0 {
			return Anything()
		}
		return c.replace(n)
	})
}

// replacer is strings.NewReplacer(...).Replace: the pairs are tried in order
// at each place.
func (c *folding) replacer() Set {
	orgs := c.r.value(c.f, c.args[0], "?")
	if len(orgs) != 1 || orgs[0].org == nil {
		return Anything()
	}
	made, f := asCall(orgs[0].org)
	if made == nil || nameOf(made.Call.StaticCallee()) != "strings.NewReplacer" {
		return Anything()
	}
	lists := c.r.at(point{f, made}, made.Call.Args[0], "[]")
	if len(lists) != 1 || len(lists[0].list)%2 != 0 {
		return Anything()
	}
	var olds []string
	var news []Set
	for i, e := range lists[0].list {
		s := c.r.texts(c.r.operandVals(e.operand, ""))
		if e.more {
			return Anything()
		}
		if i%2 == 1 {
			news = append(news, s)
			continue
		}
		old, ok := s[0].constant()
		if !ok || len(s) != 1 || old == "" {
			return Anything()
		}
		olds = append(olds, old)
	}
	return c.text(1).each(func(t Text) Set { return t.unnamed().replaceAny(olds, news) })
}

// replaceAny replaces at each place the first of olds that stands there.
func (t Text) replaceAny(olds []string, news []Set) Set {
	acc := Set{{}}
	t.runs(func(run Text, lit string) {
		if run[0].Hole != nil {
			acc = acc.concat(Set{run})
			return
		}
		from := 0
		for i := 0; i < len(lit); {
			n := -1
			for j, old := range olds {
				if strings.HasPrefix(lit[i:], old) {
					n = j
					break
				}
			}
			if n < 0 {
				i++
				continue
			}
			acc = acc.concat(Set{run.slice(from, i)}).concat(news[n])
			i += len(olds[n])
			from = i
		}
		acc = acc.concat(Set{run.slice(from, len(lit))})
	})
	return acc
}

// repeat is strings.Repeat: of placeholders an unknown number of times, a
// list.
func (c *folding) repeat() Set {
	times, ok := c.constant(1)
	n := atoi(times)
	return c.text(0).each(func(t Text) Set {
		if ok && n >= 0 && n*t.size() <= maxBytes && n*len(t) <= 4*maxElems {
			out := Text{}
			for range n {
				out = out.plus(t)
			}
			return Set{out}
		}
		if s, ok := placeholders(t); ok && s != "" && s[0] != ',' {
			return Set{hole(List)}
		}
		return Anything()
	})
}

// split is strings.Split of one known text.
func (c *folding) split() vals {
	sep, ok := c.constant(1)
	s, ok2 := c.constant(0)
	if !ok || !ok2 || sep == "" {
		return nil
	}
	return listOf(c, strings.Split(s, sep))
}

func (c *folding) fields() vals {
	s, ok := c.constant(0)
	if !ok {
		return nil
	}
	return listOf(c, strings.Fields(s))
}

// concatLists is slices.Concat.
func (c *folding) concatLists() vals {
	lists := c.list(0)
	if len(lists) != 1 {
		return nil
	}
	var out []elem
	for _, e := range lists[0].list {
		part := c.r.operandVals(e.operand, "[]")
		if e.more || len(part) != 1 {
			return nil
		}
		out = append(out, part[0].list...)
	}
	return vals{{kind: isList, list: out}}
}

// sanitize is pgx.Identifier.Sanitize.
func (c *folding) sanitize() Set {
	lists := c.list(0)
	if len(lists) != 1 {
		return Set{hole(Ident)}
	}
	acc := Set{{}}
	for i, e := range lists[0].list {
		if e.more {
			return Set{hole(Ident)}
		}
		if i > 0 {
			acc = acc.concat(Set{literal(".")})
		}
		acc = acc.concat(quoted(c.r.texts(c.r.operandVals(e.operand, "")), `"`, Ident))
	}
	return acc
}

func (c *folding) quoteIdent() Set   { return quoted(c.text(0), `"`, Ident) }
func (c *folding) quoteLiteral() Set { return quoted(c.text(0), `'`, Literal) }

// quoted puts known texts and parameters in quotes; others become a hole.
func quoted(s Set, quote string, kind HoleKind) Set {
	return s.each(func(t Text) Set {
		if s, ok := t.constant(); ok {
			return Set{literal(quote + strings.ReplaceAll(s, quote, quote+quote) + quote)}
		}
		if len(t) == 1 && t[0].Hole.Param != nil {
			h := *t[0].Hole
			h.Kind = kind
			return Set{{{Hole: &h}}}
		}
		return Set{hole(kind)}
	})
}
