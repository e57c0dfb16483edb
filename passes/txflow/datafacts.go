package txflow

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/fxamacker/cbor/v2"
	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// The encoded forms of where data comes from and goes to.
type (
	xSource struct {
		_       struct{} `cbor:",toarray"`
		Base    byte     // xParam, xKey, xConst
		Index   int
		Name    string
		Path    string
		Derived bool
	}
	// xOut says what a result, or what parameter -1-Index points to, is made of.
	xOut struct {
		_       struct{} `cbor:",toarray"`
		Index   int
		Path    string
		Sources []xSource
	}
	xArg struct {
		_       struct{} `cbor:",toarray"`
		N       int
		Name    string
		Sources []xSource
	}
	xGuard struct {
		_           struct{} `cbor:",toarray"`
		Left, Right []xSource
		Op          int
		Const       string
		Truth       bool
		Tell        tellKind
		Name        string
	}
	xData struct {
		_      struct{} `cbor:",toarray"`
		Args   []xArg
		Params []xOut
		Guards []xGuard
	}
)

const (
	xKey byte = iota + 16
	xConst
)

// maxDataPath bounds the calls between a function and what it runs, where the values
// of that are still written down: a read and a write meet in a service, not in main.
const maxDataPath = 3

// maxOuts bounds the fields of a result that are written down.
const maxOuts = 32

func (c *encoder) sources(s sources) []xSource {
	var out []xSource
	for _, x := range s {
		y := xSource{Path: x.path, Derived: x.derived}
		switch b := x.base.(type) {
		case *ssa.Parameter:
			i := paramIndex(c.fn, b)
			if i < 0 {
				continue
			}
			y.Base, y.Index = xParam, i
		case callKey:
			y.Base, y.Name = xKey, c.e.keyText(b)
		case konst:
			if len(b) > 40 {
				continue
			}
			y.Base, y.Name = xConst, string(b)
		default:
			continue
		}
		out = append(out, y)
	}
	return out
}

// outs encodes what the results of fn, and what its pointers point to when it
// returns, are made of.
func (c *encoder) outs(fn *ssa.Function) []xOut {
	if c.e.inGenerated(fn) && !hasRun(c.e.summary(fn).effects) && !c.buildsStatement(fn) {
		return nil
	}
	var out []xOut
	res := fn.Signature.Results()
	for i := range res.Len() {
		out = c.addOuts(out, res.At(i).Type(), i, nil, func(path string) sources { return c.e.leaves(fn, i, path) })
	}
	for i, p := range fn.Params {
		if _, ok := p.Type().Underlying().(*types.Pointer); !ok || structOf(p.Type()) == nil || !c.e.mutates(fn, i) {
			continue
		}
		out = c.addOuts(out, p.Type(), -1-i, sources{{base: p}}, func(path string) sources { return c.e.leaves(fn, -1-i, path) })
	}
	return out
}

// buildsStatement reports whether fn belongs to a small builder of statements,
// as ent generates them: it returns its receiver.
func (c *encoder) buildsStatement(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	if res.Len() != 1 {
		return false
	}
	n, ok := types.Unalias(derefPtr(res.At(0).Type())).(*types.Named)
	if !ok || n.Obj().Pkg() != c.e.pass.Pkg {
		return false
	}
	for m := range n.Methods() {
		if name := m.Name(); name == "Exec" || name == "Save" || name == "Scan" || name == "Only" || name == "ExecX" {
			return true
		}
	}
	return false
}

// addOuts encodes the sources of a value of type t and of the fields below it, as
// far as they differ from what follows from the whole.
func (c *encoder) addOuts(out []xOut, t types.Type, index int, whole sources, at func(string) sources) []xOut {
	if whole == nil {
		whole = at("")
		if xs := c.sources(whole); len(xs) > 0 {
			out = append(out, xOut{Index: index, Sources: xs})
		}
	}
	n := len(out)
	var fields func(t types.Type, prefix string, depth int)
	fields = func(t types.Type, prefix string, depth int) {
		st := structOf(elementType(t))
		if st == nil || depth > 2 || isScalarStruct(elementType(t)) {
			return
		}
		for f := range st.Fields() {
			if len(out)-n >= maxOuts {
				return
			}
			path := prefix + "." + f.Name()
			got := at(path)
			if len(got) > 0 && !slices.Equal(got, whole.below(path)) {
				if xs := c.sources(got); len(xs) > 0 {
					out = append(out, xOut{Index: index, Path: path, Sources: xs})
				}
			}
			if f.Embedded() {
				fields(f.Type(), path, depth+1)
			}
		}
	}
	fields(t, "", 0)
	return out
}

// data encodes where the values of an effect come from.
func (c *encoder) data(y *xEffect, x *Effect) {
	var d xData
	switch {
	case len(x.Path) > maxDataPath:
		return
	case x.Op == Run && x.data.args != nil:
		st := c.e.only(x)
		if st == nil {
			return
		}
		switch st.Kind {
		case pgsql.Select, pgsql.Update, pgsql.Insert, pgsql.Delete:
		default:
			return
		}
		y.Reads, y.Writes = st.Kind == pgsql.Select, st.Kind != pgsql.Select
		d.Args = c.args(x, st)
	case x.Op == callMethod && x.data.param != nil:
		d.Params = c.passed(x)
	default:
		return
	}
	if x.data.guards != nil {
		for _, g := range x.data.guards() {
			y := xGuard{Left: c.sources(g.left), Right: c.sources(g.right), Op: int(g.op), Const: g.konst, Truth: g.truth, Tell: g.tell, Name: g.name}
			if len(y.Left)+len(y.Right) > 0 && len(d.Guards) < 12 {
				d.Guards = append(d.Guards, y)
			}
		}
	}
	y.Key = c.e.keyText(x.key)
	y.Data, _ = cbor.Marshal(&d) // what cannot be written is not known
}

// args encodes the values of a statement's placeholders.
func (c *encoder) args(x *Effect, st *pgsql.Statement) []xArg {
	var out []xArg
	seen := map[string]bool{}
	add := func(v pgsql.Expr) {
		key := strconv.Itoa(v.Param) + v.ParamName
		if v.Kind != pgsql.ExprParam || seen[key] || len(out) >= maxOuts {
			return
		}
		seen[key] = true
		if xs := c.sources(x.data.args(v.Param, v.ParamName)); len(xs) > 0 {
			out = append(out, xArg{N: v.Param, Name: v.ParamName, Sources: xs})
		}
	}
	for _, w := range slices.Concat(st.Where, st.Listed) {
		add(w.Value)
	}
	for _, a := range st.Sets {
		add(a.Value)
	}
	return out
}

// passed encodes what a call of an interface's method passes.
func (c *encoder) passed(x *Effect) []xOut {
	if x.data.paths == nil {
		return nil
	}
	var out []xOut
	known := map[resultKey]sources{}
	for _, p := range x.data.paths() {
		got := x.data.param(p.index, p.path)
		if len(got) == 0 || len(out) >= 2*maxOuts || slices.Equal(got, sourcesAt(known, p.index, p.path)) {
			continue
		}
		known[resultKey(p)] = got
		if xs := c.sources(got); len(xs) > 0 {
			out = append(out, xOut{Index: p.index, Path: p.path, Sources: xs})
		}
	}
	return out
}

// dataPaths lists the arguments of a call and the fields below them, those that
// hold others first.
func dataPaths(args []ssa.Value) []pathOf {
	var out []pathOf
	for i, a := range args {
		if a == nil || isContext(a.Type()) || isFunc(a.Type()) {
			continue
		}
		n := len(out)
		var fields func(t types.Type, prefix string, depth int)
		fields = func(t types.Type, prefix string, depth int) {
			out = append(out, pathOf{i, prefix})
			st := structOf(elementType(t))
			if st == nil || depth > 2 || isScalarStruct(elementType(t)) {
				return
			}
			for f := range st.Fields() {
				switch {
				case len(out)-n >= maxOuts:
				case f.Embedded():
					fields(f.Type(), prefix+"."+f.Name(), depth+1)
				default:
					out = append(out, pathOf{i, prefix + "." + f.Name()})
				}
			}
		}
		fields(unwrap(a).Type(), "", 0)
	}
	return out
}

func (d *decoder) sources(xs []xSource) sources {
	var out sources
	for _, x := range xs {
		s := source{path: x.Path, derived: x.Derived}
		switch x.Base {
		case xParam:
			s.base = d.param(x.Index, "")
		case xKey:
			s.base = callKey{inner: x.Name}
		case xConst:
			s.base = konst(x.Name)
		default:
			continue
		}
		out = append(out, s)
	}
	return out
}

func (d *decoder) outs(xs []xOut) map[resultKey]sources {
	if len(xs) == 0 {
		return nil
	}
	out := map[resultKey]sources{}
	for _, x := range xs {
		out[resultKey{x.Index, x.Path}] = d.sources(x.Sources)
	}
	return out
}

// data gives a decoded effect its data, which is decoded when somebody asks: most
// statements meet no other.
func (d *decoder) data(y *Effect, x *xEffect) {
	if len(x.Data) == 0 {
		return
	}
	y.key = callKey{inner: x.Key}
	raw := x.Data
	decoded := sync.OnceValue(func() *xData {
		var data xData
		_ = codec().Unmarshal(raw, &data) // what is garbled is not known
		return &data
	})
	if y.Op == Run {
		y.data.access = &[2]bool{x.Reads, x.Writes}
		y.data.args = func(n int, name string) sources {
			for _, a := range decoded().Args {
				if a.N == n && a.Name == name {
					return d.sources(a.Sources)
				}
			}
			return nil
		}
	} else {
		outs := sync.OnceValue(func() map[resultKey]sources { return d.outs(decoded().Params) })
		y.data.param = func(i int, path string) sources { return sourcesAt(outs(), i, path) }
		y.data.paths = func() []pathOf {
			var paths []pathOf
			for _, p := range decoded().Params {
				paths = append(paths, pathOf{p.Index, p.Path})
			}
			return paths
		}
	}
	y.data.guards = func() []guard {
		var out []guard
		for _, g := range decoded().Guards {
			out = append(out, guard{d.sources(g.Left), d.sources(g.Right), token.Token(g.Op), g.Const, g.Truth, g.Tell, g.Name})
		}
		return out
	}
}

// sourcesAt finds the sources at a path among recorded ones, or below the longest
// recorded prefix.
func sourcesAt(m map[resultKey]sources, index int, path string) sources {
	if got, ok := m[resultKey{index, path}]; ok {
		return got
	}
	for p := path; p != ""; {
		p = p[:strings.LastIndexByte(p, '.')]
		if got, ok := m[resultKey{index, p}]; ok {
			return got.below(path[len(p):])
		}
	}
	return nil
}
