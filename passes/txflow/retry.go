package txflow

import (
	"go/constant"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Retry says how often an effect is run again when it fails.
type Retry uint8

const (
	// NotRetried effects run once.
	NotRetried Retry = iota
	// MaybeRetried effects stand in a loop that goes on after an error, without
	// looking at its code, or in a function that is given to code not seen, or in
	// one that looks at the code and calls itself, or the same function twice.
	MaybeRetried
	// Retried effects are run again when the SQLSTATE says so.
	Retried
)

// retryCodes are the SQLSTATEs that ask for the transaction to be run again,
// their class, and the words of their messages.
//
// Source: PostgreSQL documentation, Serialization Failure Handling.
var retryCodes = []string{"40", "40001", "40P01", "could not serialize", "deadlock detected", "serialization_failure", "serialization failure"}

// predicateWords are parts of the names of functions of other packages that
// decide whether an error is worth another try.
var predicateWords = []string{"retry", "retriable", "retryable", "serializ", "transient", "deadlock", "temporary"}

// loops numbers the blocks of a function by the cycle they are in; a block in
// no cycle has number 0.
func (e *engine) loops(fn *ssa.Function) map[*ssa.BasicBlock]int {
	if got, ok := e.loopsOf[fn]; ok {
		return got
	}
	out := map[*ssa.BasicBlock]int{}
	index := map[*ssa.BasicBlock]int{}
	low := map[*ssa.BasicBlock]int{}
	onStack := map[*ssa.BasicBlock]bool{}
	var stack []*ssa.BasicBlock
	n, cycles := 0, 0
	var visit func(*ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		n++
		index[b], low[b] = n, n
		stack = append(stack, b)
		onStack[b] = true
		self := false
		for _, s := range b.Succs {
			self = self || s == b
			if index[s] == 0 {
				visit(s)
				low[b] = min(low[b], low[s])
			} else if onStack[s] {
				low[b] = min(low[b], index[s])
			}
		}
		if low[b] != index[b] {
			return
		}
		var members []*ssa.BasicBlock
		for {
			m := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			onStack[m] = false
			members = append(members, m)
			if m == b {
				break
			}
		}
		if len(members) > 1 || self {
			cycles++
			for _, m := range members {
				out[m] = cycles
			}
		}
	}
	if len(fn.Blocks) > 0 {
		visit(fn.Blocks[0])
	}
	e.loopsOf[fn] = out
	return out
}

// retryOf says how the function fn itself runs the call again when it fails.
func (e *engine) retryOf(fn *ssa.Function, call ssa.CallInstruction) Retry {
	loops := e.loops(fn)
	cycle := loops[call.Block()]
	if cycle == 0 {
		if e.callsAgain(fn, call) && e.testsCode(fn, 0) {
			return MaybeRetried
		}
		return NotRetried
	}
	maybe := false
	for _, b := range fn.Blocks {
		if loops[b] != cycle {
			continue
		}
		if e.blockTestsCode(b, 0) {
			return Retried
		}
		for i := range b.Succs {
			if failed := failedCall(b, i); failed != nil && failed == call.Value() && loops[b.Succs[i]] == cycle {
				maybe = true
			}
		}
	}
	if maybe || e.errorControlsLoop(fn, call, cycle) {
		return MaybeRetried
	}
	return NotRetried
}

// callsAgain reports whether fn calls itself, or calls in a second place what the
// call calls.
func (e *engine) callsAgain(fn *ssa.Function, call ssa.CallInstruction) bool {
	if slices.ContainsFunc(e.callers[fn], func(c ssa.CallInstruction) bool { return c.Parent() == fn }) {
		return true
	}
	callee := call.Common().StaticCallee()
	return callee != nil && slices.ContainsFunc(e.callers[callee], func(c ssa.CallInstruction) bool {
		return c.Parent() == fn && c != call
	})
}

// errorControlsLoop reports whether the loop goes on or ends by the error of
// the call: for try := 0; try < 3; try++ { if err = once(); err == nil { break } }.
func (e *engine) errorControlsLoop(fn *ssa.Function, call ssa.CallInstruction, cycle int) bool {
	loops := e.loops(fn)
	for _, b := range fn.Blocks {
		if loops[b] != cycle || len(b.Succs) != 2 {
			continue
		}
		for i, s := range b.Succs {
			// The edge on which the error is set stays in the loop and the other leaves it.
			if failedCall(b, i) != nil && failedCall(b, i) == call.Value() && loops[s] == cycle && loops[b.Succs[1-i]] != cycle {
				return true
			}
		}
	}
	return false
}

// blockTestsCode reports whether a block looks at the code of an error, by a
// constant or through a function that does.
func (e *engine) blockTestsCode(b *ssa.BasicBlock, depth int) bool {
	for _, in := range b.Instrs {
		for _, op := range in.Operands(nil) {
			switch v := (*op).(type) {
			case *ssa.Const:
				if isRetryCode(v) {
					return true
				}
			case *ssa.Global:
				if slices.ContainsFunc(e.globalStores[v], listsRetryCode) {
					return true
				}
			}
		}
		if look, ok := in.(*ssa.Lookup); ok && isDriverCode(look.Index) {
			return true // in a table that is made elsewhere
		}
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		for _, c := range e.callees(call.Common()) {
			if c.name == "slices.Contains" && isDriverCode(call.Common().Args[1]) {
				return true
			}
			if c.fn != nil && e.testsCode(c.fn, depth+1) {
				return true
			}
			if c.foreign != nil && c.foreign.testsCode {
				return true
			}
			if c.fn == nil && c.obj != nil && returnsBool(call) {
				name := strings.ToLower(c.obj.Name())
				for _, w := range predicateWords {
					if strings.Contains(name, w) {
						return true
					}
				}
			}
		}
	}
	return false
}

// testsCode reports whether the function looks at the code of an error.
func (e *engine) testsCode(fn *ssa.Function, depth int) bool {
	if got, ok := e.codeTests[fn]; ok {
		return got
	}
	if depth > 4 {
		return false
	}
	e.codeTests[fn] = false // in recursion
	got := false
	for _, b := range fn.Blocks {
		if e.blockTestsCode(b, depth) {
			got = true
			break
		}
	}
	e.codeTests[fn] = got
	return got
}

// isDriverCode reports whether v is the code of an error that PostgreSQL sent.
func isDriverCode(v ssa.Value) bool {
	ld, ok := unwrap(v).(*ssa.UnOp)
	if !ok {
		return false
	}
	fa, ok := ld.X.(*ssa.FieldAddr)
	return ok && driverErrors[typeName(fa.X.Type())] && isCode(ld)
}

// listsRetryCode reports whether v is a map or a slice that is made with a retry
// code in it.
func listsRetryCode(v ssa.Value) bool {
	v = unwrap(v)
	if sl, ok := v.(*ssa.Slice); ok {
		v = sl.X
	}
	if v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if k, ok := r.Key.(*ssa.Const); ok && isRetryCode(k) {
				return true
			}
		case *ssa.IndexAddr:
			for _, st := range storesTo(r, 0) {
				if k, ok := st.Val.(*ssa.Const); ok && isRetryCode(k) {
					return true
				}
			}
		}
	}
	return false
}

func isRetryCode(k *ssa.Const) bool {
	if k.Value == nil || k.Value.Kind() != constant.String {
		return false
	}
	s := constant.StringVal(k.Value)
	for _, code := range retryCodes {
		if s == code || len(code) > 5 && strings.Contains(strings.ToLower(s), code) {
			return true
		}
	}
	return false
}

func returnsBool(call ssa.CallInstruction) bool {
	v := call.Value()
	return v != nil && v.Type().Underlying().String() == "bool"
}
