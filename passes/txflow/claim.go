package txflow

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/sqltext"
)

// Feeds reports whether what the call of the effect read returns, or scans into
// its arguments, goes into the call of the effect write. Both are effects of
// the site's function.
func (s *Site) Feeds(read, write *Effect) bool {
	if s.Fn == nil || read.Instr == nil || write.Instr == nil || read.Instr == write.Instr {
		return false
	}
	if read.Instr.Parent() != write.Instr.Parent() || !reaches(read.Instr.Block(), write.Instr.Block()) {
		return false
	}
	f := &flow{from: read.Instr, seen: map[ssa.Value]bool{}, chain: map[ssa.Instruction]bool{read.Instr: true}}
	f.builders(read.Instr)
	return f.operands(write.Instr)
}

// A flow follows values backwards to a call.
type flow struct {
	from ssa.CallInstruction
	seen map[ssa.Value]bool
	// chain are the call and the calls of the builder that it finishes.
	chain map[ssa.Instruction]bool
}

// builders adds the calls whose results the call is a method of.
func (f *flow) builders(call ssa.CallInstruction) {
	for range maxChain {
		c := call.Common()
		recv := c.Value
		if !c.IsInvoke() {
			if fn := c.StaticCallee(); fn == nil || fn.Signature.Recv() == nil || len(c.Args) == 0 {
				return
			}
			recv = c.Args[0]
		}
		next, ok := recv.(*ssa.Call)
		if !ok {
			return
		}
		f.chain[next] = true
		call = next
	}
}

func (f *flow) operands(in ssa.Instruction) bool {
	for _, op := range in.Operands(nil) {
		if *op != nil && f.visit(*op) {
			return true
		}
	}
	return false
}

// maxFlow bounds the values that a flow looks at.
const maxFlow = 400

func (f *flow) visit(v ssa.Value) bool {
	if f.seen[v] || len(f.seen) > maxFlow {
		return false
	}
	f.seen[v] = true
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.FreeVar:
		return f.filled(v)
	case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Parameter, *ssa.Builtin:
		return false
	case ssa.Instruction:
		return v == ssa.Instruction(f.from) || f.operands(v)
	}
	return false
}

// filled reports whether the call fills the variable v, or something that comes
// from the call is stored there.
func (f *flow) filled(v ssa.Value) bool {
	if v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v && f.visit(r.Val) || r.Val == v && f.within(r.Addr) {
				return true
			}
		case *ssa.MapUpdate:
			if r.Map == v && (f.visit(r.Value) || f.visit(r.Key)) {
				return true
			}
		case ssa.CallInstruction:
			if f.chain[r] || !f.seenCall(r) && f.operands(r) {
				return true
			}
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.MakeInterface, *ssa.Slice, *ssa.ChangeInterface, *ssa.MakeClosure:
			if x := r.(ssa.Value); !f.seen[x] {
				f.seen[x] = true
				if f.filled(x) {
					return true
				}
			}
		}
	}
	return false
}

// within follows the address that an argument is put into: an element of the
// list of a variadic call.
func (f *flow) within(addr ssa.Value) bool {
	el, ok := addr.(*ssa.IndexAddr)
	if !ok || f.seen[el.X] {
		return false
	}
	f.seen[el.X] = true
	return f.filled(el.X)
}

func (f *flow) seenCall(call ssa.CallInstruction) bool {
	v := call.Value()
	if v == nil {
		return false
	}
	was := f.seen[v]
	f.seen[v] = true
	return was
}

// onlyOneWords are parts of the names of functions that let one worker of a
// program go on and no other.
var onlyOneWords = []string{
	"leader", "election", "elector", "advisory", "redsync", "redlock", "distlock", "distributedlock", "pglock", "acquirelock",
	"trylock", "withlock", "obtainlock", "getlock", "takelock", "singleton", "exclusive", "onlyone", "runonce", "locker",
}

// OnlyOne reports whether the function of the site, or one that calls it in this
// package, lets only one worker go on: it takes an advisory lock or locks a
// table, or calls what goes by the name of a leader election or a distributed
// lock.
func (s *Site) OnlyOne() bool {
	found := false
	s.climb(func(fn *ssa.Function, _ ssa.CallInstruction) bool {
		found = s.e.letsOneOnly(outermost(fn))
		return !found
	})
	return found
}

// Polls reports whether the site is in a loop that waits between its rounds, or
// that goes on until its context ends: here or in a function that calls this one.
func (s *Site) Polls() bool {
	found := false
	s.climb(func(fn *ssa.Function, at ssa.CallInstruction) bool {
		found = at != nil && s.e.pollsAt(fn, at)
		return !found
	})
	return found
}

// Callers are the names of the site's function, of those through which the
// statement is reached and of those that lead to the site in this package.
func (s *Site) Callers() []string {
	names := slices.Clone(s.Path)
	s.climb(func(fn *ssa.Function, _ ssa.CallInstruction) bool {
		names = append(names, FuncName(fn))
		return true
	})
	return names
}

// climb calls f for the function of the site and for those that call it in this
// package, with the call in it that leads to the site, while f returns true.
func (s *Site) climb(f func(fn *ssa.Function, at ssa.CallInstruction) bool) {
	if s.Fn == nil {
		return
	}
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function, at ssa.CallInstruction, depth int) bool
	visit = func(fn *ssa.Function, at ssa.CallInstruction, depth int) bool {
		if seen[fn] || depth > maxPath {
			return true
		}
		seen[fn] = true
		if !f(fn, at) {
			return false
		}
		if fn.Parent() != nil {
			for _, made := range s.e.closures[fn] {
				if !visit(made.Parent(), callWith(made), depth+1) {
					return false
				}
			}
		}
		for _, call := range s.e.callers[fn] {
			if !visit(call.Parent(), call, depth+1) {
				return false
			}
		}
		return true
	}
	visit(s.Fn, s.Instr, 0)
}

// callWith returns the call that is given the closure, or nil.
func callWith(made *ssa.MakeClosure) ssa.CallInstruction {
	for _, r := range *made.Referrers() {
		if call, ok := r.(ssa.CallInstruction); ok {
			return call
		}
	}
	return nil
}

// letsOneOnly reports whether the function, or a closure in it, lets one worker
// go on and no other.
func (e *engine) letsOneOnly(fn *ssa.Function) bool {
	for _, x := range e.summary(fn).effects {
		for _, alt := range e.statements(x) {
			for _, st := range alt {
				if st.LockMode != "" || len(st.Advisory) > 0 {
					return true
				}
			}
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if goesByOnlyOne(e.calledName(in)) {
				return true
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, e.letsOneOnly)
}

// goesByOnlyOne reports whether a name, in lower case, has one of the words. A
// selector is no elector.
func goesByOnlyOne(name string) bool {
	name = strings.ReplaceAll(name, "selector", "")
	return slices.ContainsFunc(onlyOneWords, func(w string) bool { return strings.Contains(name, w) })
}

// calledName returns the name of what an instruction calls, with its receiver and
// the package if it is another, in lower case; "" for the locks of one process.
func (e *engine) calledName(in ssa.Instruction) string {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return ""
	}
	name := ""
	if c := call.Common(); c.IsInvoke() {
		name = c.Method.FullName()
	} else if fn := c.StaticCallee(); fn != nil {
		name = fn.String()
	}
	if strings.Contains(name, "sync.") {
		return ""
	}
	return strings.ToLower(strings.ReplaceAll(name, e.pass.Pkg.Path()+".", ""))
}

// timers are functions with which a loop waits for its next round.
var timers = map[string]bool{
	"time.Sleep": true, "time.After": true, "time.Tick": true, "time.NewTicker": true, "time.NewTimer": true, "(*time.Timer).Reset": true,
}

// pollsAt reports whether the call is in a loop of fn that looks at its context,
// or in any loop of a function that waits by a timer.
func (e *engine) pollsAt(fn *ssa.Function, at ssa.CallInstruction) bool {
	if at.Parent() != fn {
		return false
	}
	loops := e.loops(fn)
	cycle := loops[at.Block()]
	if cycle == 0 {
		return false
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			c := call.Common()
			if callee := c.StaticCallee(); callee != nil && timers[callee.String()] {
				return true
			}
			if c.IsInvoke() && isContext(c.Value.Type()) && loops[b] == cycle && (c.Method.Name() == "Err" || c.Method.Name() == "Done") {
				return true
			}
		}
	}
	return false
}

// TextPos returns where the byte at an offset of the n-th text of the statement
// is written in the source, if an edit may be made there. What follows it in the
// text must be written there too.
func (s *Site) TextPos(n, offset int) token.Pos {
	if n >= len(s.Texts) || offset < 0 {
		return token.NoPos
	}
	_, holes := s.Texts[n].Join()
	for _, h := range holes {
		if h.Off == offset {
			return token.NoPos
		}
	}
	return s.Texts[n].Pos(offset)
}

// HoleAt reports whether an unknown part of the n-th text, which may be a clause,
// follows the offset with only white space between.
func (s *Site) HoleAt(n, offset int) bool {
	if n >= len(s.Texts) {
		return false
	}
	text, holes := s.Texts[n].Join()
	if offset < 0 || offset > len(text) {
		return false
	}
	for _, h := range holes {
		if h.Off >= offset && strings.TrimSpace(text[offset:h.Off]) == "" {
			return true
		}
	}
	return false
}

// HoleBetween reports whether a part of the n-th text that may be anything stands
// between two offsets.
func (s *Site) HoleBetween(n, from, to int) bool {
	if n >= len(s.Texts) {
		return false
	}
	_, holes := s.Texts[n].Join()
	return slices.ContainsFunc(holes, func(h sqltext.Offset) bool {
		return h.Hole.Kind == sqltext.Unknown && from <= h.Off && h.Off <= to
	})
}

// OriginGenerated reports whether the call that runs the statement stands in a
// generated file, of this package or of another.
func (s *Site) OriginGenerated() bool {
	f, ok := s.Origin.(*foreignCall)
	if !ok {
		return s.e.inGenerated(s.Origin.Parent())
	}
	if got, known := s.e.foreignGenerated[f.at.File]; known {
		return got
	}
	got := false
	if src, err := ReadFile(s.e.pass, f.at.File); err == nil {
		file, err := parser.ParseFile(token.NewFileSet(), f.at.File, src, parser.PackageClauseOnly|parser.ParseComments)
		got = err == nil && ast.IsGenerated(file)
	}
	s.e.foreignGenerated[f.at.File] = got
	return got
}

// TextFromHere reports whether this package gives the text, or a part of it, to
// a function of another package that runs it.
func (s *Site) TextFromHere() bool {
	if _, foreign := s.Origin.(*foreignCall); !foreign {
		return true
	}
	for _, t := range s.Texts {
		for _, part := range t {
			if part.Pos.IsValid() {
				return true
			}
		}
	}
	return false
}

// Library returns the name of the library whose function runs the statement.
func (s *Site) Library() string {
	if s.API == nil {
		return ""
	}
	if lib := dbapi.LibraryOf(s.API); lib != nil {
		return lib.Name
	}
	return ""
}

// CountDropped reports whether nobody can know how many rows the statement of x
// wrote: what its call returns beside the error is not used.
func (s *Site) CountDropped(x *Effect) bool {
	if _, foreign := x.Origin.(*foreignCall); foreign || x.Origin.Value() == nil {
		return false
	}
	if x.API != nil && x.API.Uncounted {
		return true
	}
	if x.API != nil && x.API.Library == "ent" && (x.API.Clause == "saveone" || isError(x.Origin.Value().Type())) {
		return x.API.Clause == "save" // the error of UpdateOne and DeleteOne says that there was no row
	}
	for _, r := range *x.Origin.Value().Referrers() {
		switch r := r.(type) {
		case *ssa.Extract:
			if !isError(r.Type()) && len(*r.Referrers()) > 0 {
				return false
			}
		case *ssa.FieldAddr:
			if structOf(r.X.Type()).Field(r.Field).Name() != "Error" {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}
