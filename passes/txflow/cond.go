package txflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// A test is what a condition asks about a value.
type test uint8

const (
	isNilTest test = iota // the value is nil
	carriesTx             // the context carries a transaction
	equals                // the value is the constant
	isTxTest              // the handle is a transaction
)

// A cond is one condition under which an effect happens, in terms of the
// function's parameters: callers that decide it either way drop the effect or
// the condition.
type cond struct {
	test  test
	v     Value
	konst string
	want  bool
	// handle is set when the condition decides which handle is used: whether
	// a context carries a transaction, or whether a handle is nil.
	handle bool
}

// conds returns the conditions on parameters and contexts that hold wherever
// control reaches b.
func (e *engine) conds(b *ssa.BasicBlock) []cond {
	if got, ok := e.blockConds[b]; ok {
		return got
	}
	var out []cond
	for d := b.Idom(); d != nil; d = d.Idom() {
		if c, ok := e.edgeCond(d, b); ok {
			out = append(out, c)
		}
	}
	e.blockConds[b] = out
	return out
}

// edgeCond returns the condition of the branch at the end of d that dominates b.
func (e *engine) edgeCond(d, b *ssa.BasicBlock) (cond, bool) {
	br, ok := lastInstr(d).(*ssa.If)
	if !ok {
		return cond{}, false
	}
	for i, s := range d.Succs {
		if len(s.Preds) == 1 && s.Dominates(b) {
			return e.parseCond(br.Cond, i == 0)
		}
	}
	return cond{}, false
}

func lastInstr(b *ssa.BasicBlock) ssa.Instruction {
	if len(b.Instrs) == 0 {
		return nil
	}
	return b.Instrs[len(b.Instrs)-1]
}

// parseCond reads a condition that a caller may decide.
func (e *engine) parseCond(v ssa.Value, want bool) (cond, bool) {
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			return e.parseCond(x.X, !want)
		}
	case *ssa.BinOp:
		if x.Op != token.EQL && x.Op != token.NEQ {
			return cond{}, false
		}
		want = want == (x.Op == token.EQL)
		for _, p := range [][2]ssa.Value{{x.X, x.Y}, {x.Y, x.X}} {
			k, ok := p[1].(*ssa.Const)
			if !ok {
				continue
			}
			if h := presenceField(p[0]); h != nil && k.Value == nil {
				return cond{test: isTxTest, v: e.eval(h, ""), want: !want, handle: true}, true
			}
			got := e.eval(p[0], "")
			switch {
			case k.Value == nil && got.Kind == Carried && got.Ctx != nil:
				return cond{test: carriesTx, v: *got.Ctx, want: !want, handle: true}, true
			case k.Value == nil && got.Parameter() != nil && !isError(p[0].Type()):
				got.Kind = Symbolic // a nil of the type is not what the type says
				return cond{test: isNilTest, v: got, want: want, handle: e.handleType(got.Parameter(), got.Path)}, true
			case k.Value != nil && got.Parameter() != nil:
				return cond{test: equals, v: got, konst: k.Value.ExactString(), want: want}, true
			}
		}
		return cond{}, false
	}
	switch got := e.eval(v, ""); got.Kind {
	case carriedOK:
		return cond{test: carriesTx, v: *got.Ctx, want: want, handle: true}, true
	case Symbolic:
		if got.Parameter() != nil {
			return cond{test: equals, v: got, konst: constant.MakeBool(true).ExactString(), want: want}, true
		}
	}
	return cond{}, false
}

// presenceField returns the handle of which v is the field that is set in
// transactions only, or nil.
func presenceField(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok || !dbapi.PresenceField(strings.TrimPrefix(typeName(fa.X.Type()), "*")+"."+structOf(fa.X.Type()).Field(fa.Field).Name()) {
		return nil
	}
	return fa.X
}

// handleType reports whether what hangs below a parameter can be a handle, or
// an interface in which one can be.
func (e *engine) handleType(p *ssa.Parameter, path string) bool {
	t := fieldType(p.Type(), path)
	if t == nil {
		return true
	}
	k, flow := e.kindOfType(t)
	_, iface := t.Underlying().(*types.Interface)
	return flow || iface || k != Unknown
}

// A verdict is what is known of a condition.
type verdict uint8

const (
	open verdict = iota // a caller may decide it
	holds
	fails
	never // nobody will know
)

// judge decides a condition whose value was put into other terms.
func (c cond) judge() verdict {
	is := func(b bool) verdict {
		if b == c.want {
			return holds
		}
		return fails
	}
	switch c.test {
	case carriesTx:
		switch c.v.Kind {
		case TxContext:
			return is(true)
		case RootContext:
			return is(false)
		}
	case isNilTest:
		switch {
		case c.v.Kind == None:
			return is(true)
		case c.v.Handle() && c.v.Parameter() == nil && c.v.Base != nil:
			return is(false)
		}
	case isTxTest:
		switch c.v.Kind {
		case Tx:
			return is(true)
		case Pool:
			return is(false)
		}
	case equals:
		if c.v.Kind == Constant {
			return is(c.v.Const == c.konst)
		}
	}
	switch c.v.Base.(type) {
	case *ssa.Parameter, *foreignParam, closureParam:
		return open
	}
	return never
}

// substituteConds puts conditions into a caller's terms; ok is false when one
// fails, or when one that decides the handle will never be known, so that the
// effect does not happen there as far as anybody can tell.
func substituteConds(cs []cond, sub func(Value) Value) (out []cond, ok bool) {
	for _, c := range cs {
		c.v = sub(c.v)
		if c.test == isNilTest && c.v.Parameter() != nil {
			c.v.Kind = Symbolic // a nil of the type is not what the type says
		}
		switch v := c.judge(); {
		case v == fails, v == never && c.handle:
			return nil, false
		case v == open:
			out = append(out, c)
		}
	}
	return out, true
}

// waits reports whether a caller may still decide which handle x uses.
func (x *Effect) waits() bool {
	for _, c := range x.conds {
		if c.handle {
			return true
		}
	}
	return false
}

// A choice is one of the values that a phi can be, with the conditions under
// which it is that one.
type choice struct {
	v     ssa.Value
	conds []cond
}

// choices splits a value into what it is on each path where a parameter or the
// context decides between them; one choice when nothing does.
func (e *engine) choices(v ssa.Value) []choice {
	phi, ok := unwrap(v).(*ssa.Phi)
	if !ok || len(phi.Edges) > 4 {
		return []choice{{v: v}}
	}
	var out []choice
	known := false
	for i, edge := range phi.Edges {
		pred := phi.Block().Preds[i]
		cs := append([]cond(nil), e.conds(pred)...)
		if br, ok := lastInstr(pred).(*ssa.If); ok {
			for j, s := range pred.Succs {
				if s == phi.Block() && pred.Succs[1-j] != s {
					if c, ok := e.parseCond(br.Cond, j == 0); ok {
						cs = append(cs, c)
					}
				}
			}
		}
		known = known || len(cs) > 0
		out = append(out, choice{edge, cs})
	}
	if !known {
		return []choice{{v: v}}
	}
	return out
}

// A handleChoice is a choice whose value was evaluated.
type handleChoice struct {
	v     Value
	conds []cond
}

// handleChoices is choices of a handle. It goes on into functions of this package
// that give back one handle or the other: the transaction that they are given, or
// else the pool.
func (e *engine) handleChoices(v ssa.Value) []handleChoice {
	var out []handleChoice
	for _, c := range e.choices(v) {
		h := handleChoice{e.eval(c.v, ""), c.conds}
		returned := e.returnedChoices(c.v, h.v)
		if returned == nil {
			out = append(out, h)
		}
		for _, r := range returned {
			r.conds = append(r.conds[:len(r.conds):len(r.conds)], c.conds...)
			out = append(out, r)
		}
	}
	return out
}

// returnedChoices are the handles that a call can give back, in terms of the
// caller, where its arguments decide between them; nil where they do not.
func (e *engine) returnedChoices(v ssa.Value, joined Value) []handleChoice {
	call, ok := unwrap(v).(*ssa.Call)
	if !ok || joined.Kind != Unknown {
		return nil
	}
	callees := e.callees(call.Common())
	if len(callees) != 1 || callees[0].fn == nil || callees[0].api() != nil {
		return nil
	}
	sub := func(v Value) Value {
		return e.substitute(v, unit{fn: callees[0].fn}, e.argumentsOf(callees[0].args), call)
	}
	var out []handleChoice
	for _, b := range callees[0].fn.Blocks {
		ret, ok := lastInstr(b).(*ssa.Return)
		if !ok || len(ret.Results) != 1 {
			continue
		}
		for _, c := range e.choices(ret.Results[0]) {
			conds := append(c.conds[:len(c.conds):len(c.conds)], e.conds(b)...)
			if !slices.ContainsFunc(conds, func(c cond) bool { return c.handle }) {
				return nil // something else decides
			}
			if conds, ok := substituteConds(conds, sub); ok {
				out = append(out, handleChoice{sub(e.eval(c.v, "")), conds})
			}
		}
	}
	return out
}
