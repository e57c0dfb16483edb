package txflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// effectData says where the values of a statement come from, in terms of the
// function whose effect it is. It is computed when it is asked for.
type effectData struct {
	// args gives the sources of placeholder n (from 1), or of the named one.
	args func(n int, name string) sources
	// access says whether a table is read and whether one is written, where that is
	// known already.
	access *[2]bool
	// guards gives the conditions under which the statement runs.
	guards func() []guard
	// param gives, of a call that is not resolved yet, the sources of what it
	// passes for parameter i (the receiver first), at a path.
	param func(i int, path string) sources
	// paths lists what param can be asked for.
	paths func() []pathOf
}

// A guard is a condition that holds where a statement runs.
type guard struct {
	// left and right are the sources of what is compared by op; right is empty
	// for a condition that is no comparison, and op ILLEGAL.
	left, right sources
	op          token.Token
	// konst is the constant on the right: "nil", or as go/constant prints it.
	konst string
	// truth is, without a comparison, whether the condition is true.
	truth bool
	// tell is what the condition says of an error in left.
	tell tellKind
	name string // the error variable, where it is one
}

// around adds conditions to those under which the statement runs.
func (d *effectData) around(more func() []guard) {
	if more == nil {
		return
	}
	inner := d.guards
	d.guards = func() []guard {
		out := more()
		if inner != nil {
			out = append(inner(), out...)
		}
		return out
	}
}

// addData gives an effect the data that the call in this function knows.
func (e *engine) addData(x *Effect, call ssa.CallInstruction) {
	switch x.Op {
	case Run:
	case callMethod, callParam, External:
	default:
		return
	}
	if x.Origin == call && x.key == (callKey{}) {
		x.key = callKey{call: call}
		if x.Op == Run && x.API != nil {
			api := x.API
			x.data.args = func(n int, name string) sources { return e.argument(call, api, n, name) }
		}
		if x.Op == callMethod {
			x.data.param, x.data.paths = e.passes(call)
		}
	}
	b := call.Block()
	x.data.around(func() []guard { return e.guardsOf(b) })
}

// instantiateData puts the data of a called function's effect x into the
// caller's terms.
func (e *engine) instantiateData(y, x *Effect, call ssa.CallInstruction, u unit, args []ssa.Value) {
	y.key = e.keyInCaller(call, u.fn, x.key)
	y.data = e.dataInCaller(x, call, u, args)
}

func (e *engine) dataInCaller(x *Effect, call ssa.CallInstruction, u unit, args []ssa.Value) effectData {
	c := &callee{fn: u.fn, foreign: u.foreign, args: args}
	d := effectData{access: x.data.access}
	if in := x.data.args; in != nil {
		d.args = func(n int, name string) sources { return e.inCaller(call, c, in(n, name)) }
	}
	if in := x.data.param; in != nil {
		d.param = func(i int, path string) sources { return e.inCaller(call, c, in(i, path)) }
		d.paths = x.data.paths
	}
	if in := x.data.guards; in != nil {
		d.guards = func() []guard {
			var out []guard
			for _, g := range in() {
				g.left, g.right = e.inCaller(call, c, g.left), e.inCaller(call, c, g.right)
				if len(g.left) > 0 || len(g.right) > 0 {
					out = append(out, g)
				}
			}
			return out
		}
	}
	return d
}

// passes gives the sources of the arguments of a call, the receiver first, and
// what can be asked for.
func (e *engine) passes(call ssa.CallInstruction) (func(int, string) sources, func() []pathOf) {
	common := call.Common()
	args := common.Args
	if common.IsInvoke() {
		args = append([]ssa.Value{common.Value}, args...)
	}
	param := func(i int, path string) sources {
		if i < 0 || i >= len(args) {
			return nil
		}
		return e.origin(args[i], path, call)
	}
	return param, func() []pathOf { return dataPaths(args) }
}

// argument says what the value of a placeholder of a library call is made of.
func (e *engine) argument(call ssa.CallInstruction, f *dbapi.Func, n int, name string) sources {
	if f.Role == dbapi.Finish {
		return e.chained(call, call, n)
	}
	for _, c := range e.callees(call.Common()) {
		if got := c.api(); got == nil || got.Name != f.Name {
			continue
		}
		a := c.arg(f.Args)
		if a == nil {
			continue
		}
		if x, ok := a.(*ssa.Extract); ok && x.Index == 1 {
			if made, ok := x.Tuple.(*ssa.Call); ok {
				if v := e.namedValues(made); v != nil && name != "" {
					return e.namedOrigin(v, name, call)
				}
				return e.chained(made, call, n)
			}
		}
		els := withoutOptions(variadic(a))
		if name != "" {
			if len(els) > 0 {
				a = els[0]
			}
			return e.namedOrigin(unwrap(a), name, call)
		}
		if n >= 1 && n <= len(els) && els[n-1] != nil {
			return e.origin(unwrap(els[n-1]), "", call)
		}
	}
	return nil
}

// namedValues returns what the names stand for in the text that a call makes of one
// with names (sqlx.Named), or nil.
func (e *engine) namedValues(made *ssa.Call) ssa.Value {
	for _, c := range e.callees(made.Common()) {
		if f := c.api(); f != nil && f.Role == dbapi.Text && f.Clause == "named" && c.arg(f.Args) != nil {
			return unwrap(c.arg(f.Args))
		}
	}
	return nil
}

// queryOptions are the types of the options that pgx takes before the arguments of
// a statement.
var queryOptions = map[string]bool{
	"github.com/jackc/pgx/v5.QueryExecMode": true, "github.com/jackc/pgx/v5.QueryResultFormats": true,
	"github.com/jackc/pgx/v5.QueryResultFormatsByOID": true,
	"github.com/jackc/pgx/v4.QuerySimpleProtocol":     true, "github.com/jackc/pgx/v4.QueryResultFormats": true,
	"github.com/jackc/pgx/v4.QueryResultFormatsByOID": true,
}

// withoutOptions drops the options before the arguments of a statement.
func withoutOptions(args []ssa.Value) []ssa.Value {
	for len(args) > 0 && args[0] != nil && queryOptions[typeName(unwrapNamed(args[0]).Type())] {
		args = args[1:]
	}
	return args
}

// chained says what a placeholder of the text that a chain made is made of.
func (e *engine) chained(made, at ssa.CallInstruction, n int) sources {
	values := e.chainArgs[made]
	if n < 1 || n > len(values) {
		return nil
	}
	return e.originOf(values[n-1], at)
}

// namedOrigin says what the value of a named placeholder is made of: a field of
// a struct or a key of a map.
func (e *engine) namedOrigin(v ssa.Value, name string, at ssa.Instruction) sources {
	if _, ok := v.Type().Underlying().(*types.Map); ok {
		root, _ := place(v, "")
		for _, u := range mapUpdates(root) {
			if k, ok := u.Key.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.String && constant.StringVal(k.Value) == name {
				return e.origin(unwrap(u.Value), "", u)
			}
		}
		return nil
	}
	for _, c := range modelColumns(v.Type()) {
		if normal(c.name) == normal(name) {
			return e.origin(v, c.path, at)
		}
	}
	return nil
}

// guardsOf returns the conditions that hold wherever control reaches b.
func (e *engine) guardsOf(b *ssa.BasicBlock) []guard {
	if got, ok := e.blockGuards[b]; ok {
		return got
	}
	if e.blockGuards == nil {
		e.blockGuards = map[*ssa.BasicBlock][]guard{}
	}
	e.blockGuards[b] = nil
	out := e.eitherOf(b)
	for d := b.Idom(); d != nil; d = d.Idom() {
		out = append(out, e.eitherOf(d)...)
		br, ok := lastInstr(d).(*ssa.If)
		if !ok {
			continue
		}
		for i, s := range d.Succs {
			if len(s.Preds) == 1 && s.Dominates(b) {
				out = append(out, e.guard(br.Cond, i == 0, br, 0)...)
			}
		}
	}
	e.blockGuards[b] = out
	return out
}

// eitherOf returns the conditions of which one holds in a block that several
// branches lead to: that one thing is this constant or that one, as in
// "case a, b" and after "if x != a && x != b { return }". They are tests of the
// same thing, so what the one decides the others decide as well.
func (e *engine) eitherOf(b *ssa.BasicBlock) []guard {
	if len(b.Preds) < 2 {
		return nil
	}
	var out []guard
	for _, p := range b.Preds {
		br, ok := lastInstr(p).(*ssa.If)
		if !ok || p.Succs[0] == p.Succs[1] {
			return nil
		}
		c, ok := br.Cond.(*ssa.BinOp)
		if !ok || (c.Op == token.EQL) != (p.Succs[0] == b) {
			return nil
		}
		got := e.comparison(c, p.Succs[0] == b)
		if len(got) != 1 || got[0].op != token.EQL || got[0].konst == "" || got[0].konst == "nil" {
			return nil
		}
		if len(out) > 0 && !slices.Equal(out[0].left, got[0].left) {
			return nil
		}
		out = append(out, got[0])
	}
	return out
}

// guard reads a condition that is true, or false.
func (e *engine) guard(v ssa.Value, truth bool, at ssa.Instruction, depth int) []guard {
	if depth > 4 {
		return nil
	}
	var errs sources
	t := e.tellOfCond(v, truth, func(v ssa.Value) bool {
		if !isError(v.Type()) {
			return false
		}
		errs = errs.with(e.origin(v, "", at)...)
		return true
	}, 0)
	if len(errs) > 0 {
		return []guard{{left: errs, tell: t.kind, name: t.name}}
	}
	switch c := v.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			return e.guard(c.X, !truth, at, depth+1)
		}
	case *ssa.BinOp:
		return e.comparison(c, truth)
	case *ssa.Phi:
		return e.conjunction(c, truth, at, depth)
	}
	if s := e.origin(v, "", at); len(s) > 0 {
		return []guard{{left: s, truth: truth}}
	}
	return nil
}

// conjunction reads a && b, or a || b, that was kept in a variable.
func (e *engine) conjunction(phi *ssa.Phi, truth bool, at ssa.Instruction, depth int) []guard {
	var out []guard
	for _, edge := range phi.Edges {
		if k, ok := edge.(*ssa.Const); ok && k.Value != nil {
			continue
		}
		out = append(out, e.guard(edge, truth, at, depth+1)...)
	}
	return out
}

// inverse are the comparisons that hold where the ones they stand for do not.
var inverse = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// swapped are the comparisons with their sides exchanged.
var swapped = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ, token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

func (e *engine) comparison(c *ssa.BinOp, truth bool) []guard {
	op, ok := c.Op, true
	if !truth {
		op, ok = inverse[c.Op]
	}
	if _, compares := swapped[c.Op]; !ok || !compares {
		if s := e.origin(c, "", c); len(s) > 0 {
			return []guard{{left: s, truth: truth}}
		}
		return nil
	}
	g := guard{left: e.origin(c.X, "", c), right: e.origin(c.Y, "", c), op: op}
	y := c.Y
	if _, ok := c.X.(*ssa.Const); ok {
		y = c.X
		g.left, g.right, g.op = g.right, g.left, swapped[op]
	}
	if k, ok := y.(*ssa.Const); ok {
		if g.konst = "nil"; k.Value != nil {
			g.konst = k.Value.ExactString()
		}
	}
	if len(g.left) == 0 && len(g.right) == 0 {
		return nil
	}
	return []guard{g}
}
