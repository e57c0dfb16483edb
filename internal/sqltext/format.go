package sqltext

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

func asCall(o *operand) (*ssa.Call, *frame) {
	call, _ := o.v.(*ssa.Call)
	return call, o.at.f
}

// bufferLenMinus recognizes b.Len()-n.
func bufferLenMinus(v, buf ssa.Value) (int, bool) {
	b, ok := v.(*ssa.BinOp)
	if !ok || b.Op.String() != "-" {
		return 0, false
	}
	n, ok := intConst(b.Y)
	call, isCall := b.X.(*ssa.Call)
	if !ok || n < 0 || !isCall || nameOf(call.Call.StaticCallee()) != "(*bytes.Buffer).Len" {
		return 0, false
	}
	return int(n), sameLoad(call.Call.Args[0], buf)
}

// listOf is a list of constant texts.
func listOf(c *folding, texts []string) vals {
	if len(texts) > maxElems {
		return nil
	}
	list := make([]elem, len(texts))
	for i, s := range texts {
		list[i].operand = operand{v: ssa.NewConst(constantString(s), types.Typ[types.String]), at: point{f: c.f}}
	}
	return vals{{kind: isList, list: list}}
}

// A verb is one formatting directive, or literal text when verb is 0.
type verb struct {
	text  Text
	verb  rune
	arg   int  // operand index
	star  bool // takes width or precision from an operand
	width bool
	prec  bool
	sharp bool
}

// parseFormat splits a format into literal parts and directives. A hole in a
// format is a part like literal text; what it does to operands is unknown, so
// ok is false when a directive follows it.
func parseFormat(t Text) (verbs []verb, ok bool) {
	arg := 0
	opened := false
	ok = true
	t.runs(func(run Text, lit string) {
		if run[0].Hole != nil {
			opened = true
			verbs = append(verbs, verb{text: run})
			return
		}
		from := 0
		for {
			i := strings.IndexByte(lit[from:], '%')
			if i < 0 {
				break
			}
			i += from
			verbs = append(verbs, verb{text: run.slice(from, i)})
			v, n := parseVerb(lit[i+1:], &arg)
			from = i + 1 + n
			if v.verb == '%' {
				v = verb{text: run.slice(from-1, from)}
			} else if opened {
				ok = false
			}
			verbs = append(verbs, v)
		}
		verbs = append(verbs, verb{text: run.slice(from, len(lit))})
	})
	return verbs, ok
}

// parseVerb parses what follows a percent sign and says how long it is.
func parseVerb(s string, arg *int) (v verb, n int) {
	i := 0
	index := func() {
		if i < len(s) && s[i] == '[' {
			if j := strings.IndexByte(s[i:], ']'); j > 0 {
				*arg = atoi(s[i+1:i+j]) - 1
				i += j + 1
			}
		}
	}
	number := func() (found bool) {
		index()
		if i < len(s) && s[i] == '*' {
			v.star = true
			*arg++
			i++
			return true
		}
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
			found = true
		}
		return found
	}
	for i < len(s) && strings.IndexByte("+-# 0", s[i]) >= 0 {
		v.sharp = v.sharp || s[i] == '#'
		v.width = v.width || s[i] == '0' || s[i] == '+' || s[i] == ' '
		i++
	}
	if number() {
		v.width = true
	}
	if i < len(s) && s[i] == '.' {
		i++
		number()
		v.prec = true
	}
	index()
	if i >= len(s) {
		return verb{verb: '!', arg: -1}, i
	}
	for _, c := range s[i:] {
		v.verb = c
		i += len(string(c))
		break
	}
	if v.verb != '%' {
		v.arg = *arg
		*arg++
	}
	return v, i
}

// format is fmt.Sprintf of the format and operands at two arguments.
func (c *folding) format(format, operands int) Set {
	var out Set
	for _, t := range c.text(format) {
		if t.has(recursive) {
			out = append(out, hole(Unknown))
			continue
		}
		verbs, ok := parseFormat(t)
		if !ok {
			out = append(out, t.openFormat())
			continue
		}
		lists := c.list(operands)
		if takesMore(verbs, lists) {
			for i := range verbs {
				verbs[i].text = verbs[i].text.unnamed()
			}
		}
		out = append(out, c.formatVerbs(verbs, lists)...)
	}
	return out.limit()
}

// takesMore says whether there are operands that no verb takes, so that a hole
// in the format does.
func takesMore(verbs []verb, lists vals) bool {
	n := 0
	for _, v := range verbs {
		if v.verb != 0 {
			n = max(n, v.arg+1)
		}
	}
	for _, l := range lists {
		for i, e := range l.list {
			if e.more || i >= n {
				return true
			}
		}
	}
	return lists == nil
}

// openFormat is a format in which a hole may take operands: only what stands
// before the hole and takes none is known.
func (t Text) openFormat() Text {
	out := Text{}
	for _, p := range t {
		if p.Hole != nil {
			break
		}
		if i := strings.IndexByte(p.Lit, '%'); i >= 0 {
			out = append(out, p.slice(0, i))
			break
		}
		out = append(out, p)
	}
	return out.plus(hole(Unknown))
}

func (c *folding) formatVerbs(verbs []verb, lists vals) Set {
	if len(lists) == 0 {
		lists = vals{unknownVal(isList)}
	}
	var out Set
	for _, l := range lists {
		acc := Set{{}}
		for _, v := range verbs {
			if v.verb == 0 {
				acc = acc.concat(Set{v.text})
				continue
			}
			acc = acc.concat(c.operand(v, l.list))
		}
		out = append(out, acc...)
	}
	return out.limit()
}

// operand formats one operand of a list.
func (c *folding) operand(v verb, list []elem) Set {
	var e *elem
	for i := range list {
		if list[i].more {
			break
		}
		if i == v.arg {
			e = &list[i]
		}
	}
	if e == nil {
		return Set{unknownVerb(v)}
	}
	var out Set
	orgs := c.r.operandVals(e.operand, "!")
	if len(orgs) == 0 {
		return Set{unknownVerb(v)}
	}
	for _, o := range orgs {
		if o.org == nil {
			out = append(out, unknownVerb(v))
			continue
		}
		out = append(out, c.formatValue(v, o.org)...)
	}
	return out.limit()
}

func unknownVerb(v verb) Text {
	switch {
	case strings.ContainsRune("dboxXUeEfFgGtc", v.verb):
		return hole(Literal)
	case v.verb == 'q':
		return hole(Ident)
	}
	return hole(Unknown)
}

// formatValue formats one concrete value.
func (c *folding) formatValue(v verb, o *operand) Set {
	t := o.v.Type()
	switch v.verb {
	case 's', 'v':
		if v.prec || v.sharp {
			return Anything()
		}
		return c.formatPlain(v, o)
	case 'q':
		return c.formatQuoted(o)
	case 'd', 't':
		if !v.width && !v.prec && isNumeric(t) {
			return c.r.texts(c.r.value(o.at.f, o.v, ""))
		}
	}
	return Set{unknownVerb(v)}
}

// formatPlain is %s and %v.
func (c *folding) formatPlain(v verb, o *operand) Set {
	t := o.v.Type()
	if m := stringer(t); m != nil {
		return c.stringOf(o, m)
	}
	switch {
	case isNumeric(t) && v.width:
		return Set{hole(Literal)}
	case isNumeric(t), isString(t), isByteSlice(t) && v.verb == 's':
		return c.r.texts(c.r.value(o.at.f, o.v, ""))
	}
	if p, ok := o.v.(*ssa.Parameter); ok && types.IsInterface(t) {
		return Set{{{Hole: &Hole{Param: p}}}}
	}
	return Anything()
}

// stringer is the method that fmt calls for a type, nil for none.
func stringer(t types.Type) *types.Func {
	for _, name := range []string{"Error", "String"} {
		obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		m, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		sig := m.Signature()
		if sig.Params().Len() == 0 && sig.Results().Len() == 1 && isString(sig.Results().At(0).Type()) {
			return m
		}
	}
	return nil
}

// stringOf calls a String method of this package.
func (c *folding) stringOf(o *operand, m *types.Func) Set {
	fn := c.r.method(o.v.Type(), m)
	if fn == nil || o.at.f != c.f {
		return Anything()
	}
	g := c.r.enter(c.f, c.call, callee{fn: fn, args: []ssa.Value{o.v}, made: madeBy(o.v)})
	if g == nil || len(g.args) != 1 || g.args[0] != o.v {
		return Anything()
	}
	return c.r.texts(c.r.returned(g, 0, ""))
}

// madeBy tells frames of one method apart that one call enters for several
// operands.
func madeBy(v ssa.Value) ssa.Instruction {
	inst, _ := v.(ssa.Instruction)
	return inst
}

// formatQuoted is %q: a known text as Go quotes it, else an identifier.
func (c *folding) formatQuoted(o *operand) Set {
	t := o.v.Type()
	if stringer(t) != nil || !isString(t) && !isByteSlice(t) {
		return Set{hole(Ident)}
	}
	return c.r.texts(c.r.value(o.at.f, o.v, "")).each(func(t Text) Set {
		if s, ok := t.constant(); ok {
			return Set{literal(strconv.Quote(s))}
		}
		if len(t) == 1 && t[0].Hole.Param != nil {
			h := *t[0].Hole
			h.Kind = Ident
			return Set{{{Hole: &h}}}
		}
		return Set{hole(Ident)}
	})
}

// print is fmt.Sprint and fmt.Sprintln of the operands at an argument.
func (c *folding) print(operands int, line bool) Set {
	lists := c.list(operands)
	if len(lists) != 1 {
		return Anything()
	}
	acc := Set{{}}
	wasString := true
	for i, e := range lists[0].list {
		if e.more {
			return acc.concat(Anything())
		}
		s := c.operand(verb{verb: 'v', arg: i}, lists[0].list)
		str := c.isStringOperand(e)
		if i > 0 && (line || !str && !wasString) {
			s = Set{literal(" ")}.concat(s)
		}
		acc, wasString = acc.concat(s), str
	}
	if line {
		acc = acc.concat(Set{literal("\n")})
	}
	return acc
}

func (c *folding) isStringOperand(e elem) bool {
	for _, o := range c.r.operandVals(e.operand, "!") {
		if o.org != nil && !isString(o.org.v.Type()) {
			return false
		}
	}
	return true
}
