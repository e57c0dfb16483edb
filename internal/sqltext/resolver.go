package sqltext

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

const (
	maxDepth = 6    // calls followed below the value asked for
	maxSteps = 4000 // evaluations of one Resolve
	maxPath  = 6    // fields and elements below a value
	maxElems = 256  // elements of one list
	maxLists = 4    // alternatives of one list
)

// A Resolver finds texts of one package's values. See the package comment.
type Resolver struct {
	pkg      *ssa.Package
	fset     *token.FileSet
	files    []*ast.File
	info     *types.Info
	readFile func(name string) ([]byte, error)
	others   func(v *ssa.Global) []Entry

	root    *frame
	usage   map[ssa.Value]*usage
	facts   *facts // what a scan of the package found; see index
	fluents map[*ssa.Function]int
	places  map[*ssa.BasicBlock]map[ssa.Instruction]int

	steps    int
	stack    []*busy
	marks    []*busy // open questions met since the innermost one was opened
	stopped  bool
	overruns int // values given up, for tests
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

	memo   map[key]vals
	loose  map[key]answer
	cycles map[key]*cycle
	busy   map[key]*busy
	kids   map[kid]*frame
}

func newFrame(caller *frame) *frame {
	f := &frame{caller: caller, memo: map[key]vals{}, loose: map[key]answer{}, busy: map[key]*busy{}, cycles: map[key]*cycle{}}
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
}

// busy is a question that is open: being answered.
type busy struct {
	depth   int // on the stack
	hole    *Hole
	frame   *frame
	key     key
	loose   []*busy // answered questions whose innermost mark is this one's
	members []*busy // answered questions whose outermost mark is this one's
}

// An answer is one with marks of open questions.
type answer struct {
	vals  vals
	marks []*busy
}

// A cycle is questions that depend on each other.
type cycle struct {
	open int // how many of them are being answered
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
// is answered by a mark, which solve then takes out.
//
// An answer that has marks in it is kept only as long as the questions they
// stand for are open. The answer to a question of a cycle depends on which
// question of the cycle was asked first, so it is not used for another one of
// the same cycle: answers must not depend on the order of questions.
func (r *Resolver) remember(f *frame, k key, compute func() vals) vals {
	c := f.cycles[k]
	if vs, ok := f.memo[k]; ok && (c == nil || c.open == 0) {
		return vs
	}
	if a, ok := f.loose[k]; ok {
		r.marks = merge(r.marks, a.marks)
		return a.vals
	}
	if b := f.busy[k]; b != nil {
		r.marks = merge(r.marks, []*busy{b})
		return recursion(viewOf(k.path), b.hole)
	}
	if !r.step() {
		return nil
	}
	b := &busy{depth: len(r.stack), hole: &Hole{Kind: recursive}, frame: f, key: k}
	f.busy[k] = b
	r.stack = append(r.stack, b)
	if c != nil {
		c.open++
	}
	outer := r.marks
	r.marks = nil
	vs := solve(compute(), viewOf(k.path), b.hole)
	r.stack = r.stack[:b.depth]
	delete(f.busy, k)
	if c != nil {
		c.open--
	}
	b.close()
	marks, self := r.marks, false
	if n := len(marks); n > 0 && marks[n-1] == b {
		marks, self = marks[:n-1], true
	}
	r.marks = merge(outer, marks)
	r.keep(b, vs, marks, self)
	return vs
}

// step counts towards the limit of one Resolve.
func (r *Resolver) step() bool {
	if r.steps++; r.steps > maxSteps && !r.stopped {
		r.stopped = true
		r.overruns++
	}
	return !r.stopped
}

// keep stores an answer that has marks of other open questions.
func (r *Resolver) keep(b *busy, vs vals, marks []*busy, self bool) {
	f, k := b.frame, b.key
	if n := len(marks); n > 0 {
		last := marks[n-1]
		f.loose[k] = answer{vs, marks}
		last.loose = append(last.loose, b)
		first := marks[0]
		first.members = append(append(first.members, b), b.members...)
		return
	}
	if r.stopped {
		return
	}
	f.memo[k] = vs
	if self && f.cycles[k] == nil {
		c := &cycle{}
		f.cycles[k] = c
		for _, m := range b.members {
			if m.frame.cycles[m.key] == nil {
				m.frame.cycles[m.key] = c
			}
		}
	}
}

// close forgets the answers that have the mark of a question now answered.
func (b *busy) close() {
	for _, l := range b.loose {
		delete(l.frame.loose, l.key)
	}
	b.loose = nil
}

// merge joins two sets of open questions, outermost first.
func merge(a, b []*busy) []*busy {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := make([]*busy, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			out = append(out, a[0])
			a, b = a[1:], b[1:]
		case a[0].depth < b[0].depth:
			out = append(out, a[0])
			a = a[1:]
		default:
			out = append(out, b[0])
			b = b[1:]
		}
	}
	return append(append(out, a...), b...)
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
