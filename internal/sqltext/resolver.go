package sqltext

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"
)

const (
	maxDepth = 6     // calls followed below the value asked for
	maxSteps = 20000 // evaluations of one Resolve
	maxElems = 256   // elements of one list
	maxLists = 4     // alternatives of one list
)

// A Resolver finds texts of one package's values. See the package comment.
type Resolver struct {
	pkg      *ssa.Package
	fset     *token.FileSet
	files    []*ast.File
	info     *types.Info
	readFile func(name string) ([]byte, error)

	root    *frame
	usage   map[ssa.Value]*usage
	facts   *facts // what a scan of the package found; see index
	fluents map[*ssa.Function]int
	places  map[*ssa.BasicBlock]map[ssa.Instruction]int

	steps   int
	calls   int // busy evaluations, a clock for busy.depth
	low     int // depth of the outermost busy value met
	stopped bool
}

// New makes a resolver for one SSA package that is built. files and info are
// its syntax and types; readFile reads a file by its name beside the source,
// for //go:embed, and may be nil.
func New(pkg *ssa.Package, fset *token.FileSet, files []*ast.File, info *types.Info, readFile func(name string) ([]byte, error)) *Resolver {
	return &Resolver{
		pkg: pkg, fset: fset, files: files, info: info, readFile: readFile,
		root:    newFrame(nil),
		usage:   map[ssa.Value]*usage{},
		fluents: map[*ssa.Function]int{},
		places:  map[*ssa.BasicBlock]map[ssa.Instruction]int{},
		low:     math.MaxInt,
	}
}

// Resolve returns the texts that v, a string, []byte or an interface or named
// type of these, can hold, in a deterministic order. It is nil when nothing is
// known.
func (r *Resolver) Resolve(v ssa.Value) Set {
	r.steps, r.stopped = 0, false
	return known(r.texts(r.value(r.root, v, "")).settle())
}

// settle makes marks of recursion that were left over plain holes.
func (s Set) settle() Set {
	for i, t := range s {
		if t.has(recursive) {
			s[i] = hole(Unknown)
		}
	}
	return s.limit()
}

// A frame is one activation of a function under evaluation. In the root frame,
// which has no function, parameters are symbolic and free variables are found
// through the closures' creation.
type frame struct {
	caller *frame
	site   ssa.Instruction // of the call, in caller
	fn     *ssa.Function
	args   []ssa.Value // of fn's parameters, in caller
	binds  []ssa.Value // of fn's free variables, in maker
	maker  *frame
	made   ssa.Instruction // the closure's creation, in maker
	depth  int

	memo map[key]vals
	busy map[key]*busy
	kids map[kid]*frame
}

func newFrame(caller *frame) *frame {
	f := &frame{caller: caller, memo: map[key]vals{}, busy: map[key]*busy{}}
	if caller != nil {
		f.depth = caller.depth + 1
	}
	return f
}

// A key names one question: the content of a value, or of what an address
// points to when a block begins, below a path.
//
// A path is a chain of steps: ".Field", "[3]", "[*]" (some element), and, at
// its end, a view: "#" (the content of a builder or buffer), "[]" (a slice as a
// list), "?" (the value that makes a map, function or closure), "!" (the
// concrete value in an interface). Pointers are followed without a step, but
// "*?" and "*!" are the views of what a pointer points to.
type key struct {
	v     ssa.Value
	path  string
	block *ssa.BasicBlock
	from  ssa.Instruction
}

type busy struct {
	depth int
	hole  *Hole
}

// vals are what a value can be. Nil means that nothing is known; empty, that
// there is no such value (an element of an empty list).
type vals []val

// A val is one text, one list, or, in the views "?" and "!", one value.
type val struct {
	text Text
	list []elem
	org  *operand
	rec  *Hole // this is the value under evaluation itself
	kind valKind
}

type valKind uint8

const (
	isText valKind = iota
	isList
	isValue
)

// An operand is a value or the content of an address, below a path, as seen
// just before an instruction.
type operand struct {
	at   point
	v    ssa.Value
	path string
}

type point struct {
	f    *frame
	inst ssa.Instruction // nil: the value needs no point
}

// An elem is one element of a list, or any number of elements, each one of
// many (unknown when that is empty).
type elem struct {
	operand
	more bool
	many []operand
	rec  *Hole
}

func textVals(ts ...Text) vals {
	out := make(vals, len(ts))
	for i, t := range ts {
		out[i] = val{text: t}
	}
	return out
}

func setVals(s Set) vals { return textVals(s...) }

// texts reads vals as texts, unknown ones as holes.
func (r *Resolver) texts(vs vals) Set {
	if vs == nil {
		return Anything()
	}
	out := make(Set, 0, len(vs))
	for _, v := range vs {
		if v.kind != isText {
			out = append(out, hole(Unknown))
			continue
		}
		out = append(out, v.text)
	}
	return out.limit()
}

// remember evaluates a question once for a frame. A question met inside itself
// is answered by a mark, which solve then takes out. What was found under such
// a mark is kept only where the mark is solved.
func (r *Resolver) remember(f *frame, k key, compute func() vals) vals {
	if vs, ok := f.memo[k]; ok {
		return vs
	}
	view := viewOf(k.path)
	if b := f.busy[k]; b != nil {
		r.low = min(r.low, b.depth)
		return recursion(view, b.hole)
	}
	if r.steps++; r.steps > maxSteps {
		r.stopped = true
		return nil
	}
	r.calls++
	b := &busy{depth: r.calls, hole: &Hole{Kind: recursive}}
	f.busy[k] = b
	outer := r.low
	r.low = math.MaxInt
	vs := solve(compute(), view, b.hole)
	delete(f.busy, k)
	r.calls--
	if r.low >= b.depth {
		if !r.stopped {
			f.memo[k] = vs
		}
		r.low = outer
	} else {
		r.low = min(r.low, outer)
	}
	return vs
}

func viewOf(path string) valKind {
	if path == "" {
		return isText
	}
	switch path[len(path)-1] {
	case ']':
		if len(path) >= 2 && path[len(path)-2] == '[' {
			return isList
		}
	case '?', '!':
		return isValue
	}
	return isText
}

func recursion(view valKind, h *Hole) vals {
	switch view {
	case isList:
		return vals{{kind: isList, list: []elem{{more: true, rec: h}}}}
	case isValue:
		return vals{{kind: isValue, rec: h}}
	}
	return textVals(Text{{Hole: h}})
}

// union joins alternatives; an unknown one among known ones stays visible.
func union(view valKind, alts ...vals) vals {
	out := vals{}
	sure := false
	for _, a := range alts {
		if a == nil {
			out = append(out, unknownVal(view))
			continue
		}
		sure = true
		out = append(out, a...)
	}
	if !sure && len(alts) > 0 {
		return nil
	}
	return out.limit(view)
}

func unknownVal(view valKind) val {
	switch view {
	case isList:
		return val{kind: isList, list: []elem{{more: true}}}
	case isValue:
		return val{kind: isValue}
	}
	return val{text: hole(Unknown)}
}

func (vs vals) limit(view valKind) vals {
	switch view {
	case isText:
		s := make(Set, len(vs))
		for i, v := range vs {
			if v.kind != isText {
				return nil
			}
			s[i] = v.text
		}
		return setVals(s.limit())
	case isList:
		return vs.limitLists()
	}
	var out vals
	seen := map[operand]bool{}
	for _, v := range vs {
		if v.org == nil {
			if v.rec == nil {
				return nil
			}
			out = append(out, v)
			continue
		}
		if !seen[*v.org] {
			seen[*v.org] = true
			out = append(out, v)
		}
	}
	if len(out) > MaxTexts {
		return nil
	}
	if out == nil {
		return vals{}
	}
	return out
}

// solve takes the mark of a value that contains itself out of the value's
// alternatives: what stands before or after the mark may be there any number
// of times.
func solve(vs vals, view valKind, h *Hole) vals {
	switch view {
	case isList:
		return solveLists(vs, h)
	case isValue:
		var out vals
		found := false
		for _, v := range vs {
			if v.rec == h {
				found = true
				continue
			}
			out = append(out, v)
		}
		if found && out == nil {
			return nil
		}
		if !found {
			return vs
		}
		return out
	}
	return solveTexts(vs, h)
}

func solveTexts(vs vals, h *Hole) vals {
	var base, before, after Set
	found := false
	for _, v := range vs {
		n, at := 0, 0
		for i, p := range v.text {
			if p.Hole == h {
				n, at = n+1, i
			}
		}
		switch {
		case n == 0:
			base = append(base, v.text)
			continue
		case n > 1:
			return nil
		}
		found = true
		if at > 0 {
			before = append(before, v.text[:at])
		}
		if at+1 < len(v.text) {
			after = append(after, v.text[at+1:])
		}
	}
	if !found {
		return vs
	}
	if base == nil {
		return nil
	}
	if len(before)+len(after) == 0 {
		return setVals(base.limit())
	}
	if len(before) > 0 {
		base = Set{hole(Unknown)}.concat(base)
	}
	if len(after) > 0 {
		base = base.concat(Set{hole(repeated(base, after))})
	}
	return setVals(base)
}

// repeated is the kind of what a loop appends: a list, when each turn adds a
// placeholder and the first adds no comma before it.
func repeated(base, steps Set) HoleKind {
	separated := true
	for _, s := range steps {
		text, ok := placeholders(s)
		if !ok {
			return Unknown
		}
		separated = separated && len(text) > 0 && text[0] == ','
	}
	if separated {
		return Unknown
	}
	for _, b := range base {
		if !b.opensList() {
			return Unknown
		}
	}
	return List
}
