package txflow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// A maker is the call of a function of this package that has made a part of a
// chain: the arguments of that part are in the function's terms.
type maker struct {
	call *ssa.Call
	c    callee
	ret  ssa.Instruction // where the function returns the chain
	// outer is the call that made the function call it, nil if that is in the
	// function that finishes the chain.
	outer *maker
}

// within is m where the function that calls is itself called by o.
func (m *maker) within(o *maker) *maker {
	if m == nil {
		return o
	}
	n := *m
	n.outer = m.outer.within(o)
	return &n
}

// given stands for what a caller has put into a builder that it hands in.
var given = &dbapi.Func{Name: "given", Role: dbapi.Chain, Clause: "given"}

// builderLibrary returns the library of which the type of v is a statement in the
// making, or "".
func builderLibrary(v ssa.Value) string { return dbapi.Builder(typeName(v.Type())) }

// madeBy returns the ways in which a function of this package makes the chain
// that it returns, nil where there are too many.
func (e *engine) madeBy(call *ssa.Call, c *callee, depth int) [][]link {
	var ways [][]link
	plain := true
	for _, b := range c.fn.Blocks {
		ret, ok := lastInstr(b).(*ssa.Return)
		if !ok || len(ret.Results) == 0 || isNil(ret.Results[0]) {
			continue
		}
		got := e.chainsAt(ret.Results[0], ret, depth+maxChain/8)
		if len(got) == 0 {
			got = [][]link{nil}
		}
		for _, way := range got {
			way = notedIn(way, &maker{call: call, c: *c, ret: ret})
			plain = plain && !slices.ContainsFunc(way, func(l link) bool { return l.api.Role == dbapi.Chain })
			ways = append(ways, way)
		}
	}
	switch {
	case plain && len(ways) > 0:
		return [][]link{nil}
	case len(ways) > maxChains:
		return nil
	}
	return ways
}

// notedIn returns links with a note of where they were made.
func notedIn(links []link, in *maker) []link {
	out := slices.Clone(links)
	for i := range out {
		out[i].made = out[i].made.within(in)
	}
	return out
}

// makers returns the functions that made parts of a chain. One that made two
// parts, by two calls, is nil.
func makers(links []link) map[*ssa.Function]*maker {
	out := map[*ssa.Function]*maker{}
	for _, l := range links {
		for m := l.made; m != nil; m = m.outer {
			if old, ok := out[m.c.fn]; ok && (old == nil || old.call != m.call) {
				out[m.c.fn] = nil
				continue
			}
			out[m.c.fn] = m
		}
	}
	return out
}

// atFinish puts the values and the text of a chain into the terms of the function
// that finishes it.
func (e *engine) atFinish(links []link, text sqltext.Text, args []chainValue) (sqltext.Set, []chainValue) {
	by := makers(links)
	if len(by) == 0 {
		return sqltext.Set{text}, args
	}
	args = slices.Clone(args)
	for i, a := range args {
		if a.v == nil || a.v.Parent() == nil {
			continue
		}
		if m, made := by[a.v.Parent()]; made {
			if m == nil {
				args[i] = chainValue{}
				continue
			}
			args[i].made = m
		}
	}
	set := sqltext.Set{text}
	for range 4 { // functions that call each other
		set = set.Substitute(func(h *sqltext.Hole) sqltext.Set {
			if h.Param == nil {
				return nil
			}
			m := by[h.Param.Parent()]
			if m == nil {
				return nil
			}
			i := paramIndex(m.c.fn, h.Param)
			if i < 0 || i >= len(m.c.args) || m.c.args[i] == nil || h.Path != "" {
				return nil
			}
			return e.textOf(m.c.args[i])
		})
	}
	return set, args
}

// originOf says what a value of a chain is made of, where the chain is finished.
func (e *engine) originOf(a chainValue, at ssa.Instruction) sources {
	if a.v == nil {
		return nil
	}
	if a.made == nil {
		return e.origin(unwrap(a.v), a.path, at)
	}
	got := e.origin(unwrap(a.v), a.path, a.made.ret)
	for m := a.made; m != nil; m = m.outer {
		got = e.inCaller(m.call, &m.c, got)
	}
	return got
}

// neutral are the clauses that do not change a statement.
var neutral = map[string]bool{"runwith": true, "placeholderformat": true, "executor": true, "prepared": true, "conn": true}

// handedIn returns the text of a chain that begins with a builder which a caller
// hands in: the caller's, which [engine.substituteTexts] puts there, and what is
// added at its end. It is nil where something else is added.
func (e *engine) handedIn(links []link) sqltext.Text {
	if len(links) == 0 || links[0].api != given {
		return nil
	}
	text := sqltext.Text{{Hole: &sqltext.Hole{Param: links[0].param}}}
	for _, l := range links[1:] {
		switch {
		case l.api.Role != dbapi.Chain || neutral[l.api.Clause]:
		case l.api.Clause == "suffix" && l.c.arg(l.api.Args) != nil && len(variadic(l.c.arg(l.api.Args))) == 0:
			r := &renderer{e: e}
			r.lit(" ")
			r.arg(l.c.arg(l.api.SQL), sqltext.Unknown)
			text = append(text, r.text...)
		default:
			return nil
		}
	}
	return text
}

// finished is the row of the end of a builder that is handed on.
var finished = &dbapi.Func{Name: "finished", Role: dbapi.Finish, Clause: "exec"}

// builderText renders the statement that a builder is where it is handed on: at a
// call, or nil.
func (e *engine) builderText(v ssa.Value, at ssa.CallInstruction) (sqltext.Set, []chainValue) {
	lib := builderLibrary(v)
	render := renderers[lib]
	switch {
	case render == nil:
		return nil, nil
	case inPlace(v) && at != nil:
		return e.renderAll(render, e.mutated(v, at, 0), link{api: finished})
	}
	return e.renderAll(render, e.chains(v, 0), link{api: finished})
}

// renderAll renders the ways in which a chain was made. The values of the
// placeholders are nil where they are not known.
func (e *engine) renderAll(render func(*renderer) sqltext.Text, ways [][]link, finish link) (sqltext.Set, []chainValue) {
	var out sqltext.Set
	var args []chainValue
	known := true
	for _, way := range ways {
		if text := e.handedIn(way); text != nil {
			out, known = append(out, text), false
			continue
		}
		r := &renderer{e: e, links: way, finish: finish}
		t := render(r)
		if t == nil {
			known = known && len(ways) == 1
			continue
		}
		set, values := e.atFinish(way, t, r.args)
		known = known && !r.lost && len(set) == 1
		if len(out) == 0 {
			args = values
		} else if known = known && len(out) == 1 && sameText(out[0], set[0]) && slices.Equal(args, values); known {
			continue // the same on another handle
		}
		out = append(out, set...)
	}
	if !known {
		args = nil
	}
	return out, args
}

// sameText reports whether two texts are the same, with the same holes in them.
func sameText(a, b sqltext.Text) bool {
	textA, holesA := a.Join()
	textB, holesB := b.Join()
	return textA == textB && slices.EqualFunc(holesA, holesB, func(x, y sqltext.Offset) bool {
		return x.Off == y.Off && *x.Hole == *y.Hole
	})
}

// argsOfBuilder gives the values of the placeholders of a statement whose text is
// a builder that a call hands in, or nil.
func (e *engine) argsOfBuilder(call ssa.CallInstruction, texts sqltext.Set, u unit, args []ssa.Value) func(n int, name string) sources {
	if len(texts) != 1 || len(texts[0]) == 0 || texts[0][0].Hole == nil || texts[0][0].Hole.Path != "" {
		return nil
	}
	h := texts[0][0].Hole
	i := -1
	if h.Param != nil {
		i = u.index(h.Param)
	} else if p, ok := h.Foreign.(*foreignParam); ok {
		i = u.index(p)
	}
	if i < 0 || i >= len(args) || args[i] == nil || builderLibrary(args[i]) == "" {
		return nil
	}
	_, values := e.builderText(args[i], call)
	if values == nil {
		return nil
	}
	return func(n int, _ string) sources {
		if n < 1 || n > len(values) {
			return nil
		}
		return e.originOf(values[n-1], call)
	}
}
