package txflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A LossKind says how a conflict is kept from the code that runs the
// transaction again.
type LossKind uint8

const (
	// LostCode is an error of which only the text is left.
	LostCode LossKind = iota
	// DroppedCommit is a commit whose error nobody looks at.
	DroppedCommit
	// SwallowedError is a return of nil after an error.
	SwallowedError
)

// A Loss is a place where a body that is run again after a conflict keeps the
// conflict to itself.
type Loss struct {
	Kind     LossKind
	Pos, End token.Pos
	// Failed is the line of the call whose error it is.
	Failed int
}

// Losses looks, where s begins a transaction that is run again after a conflict,
// for places in the bodies at which the conflict gets lost.
func (s *Site) Losses() []Loss {
	if s.Fn == nil || s.Op != BeginTx || s.Retry != Retried {
		return nil
	}
	bodies, origins := s.bodies()
	var out []Loss
	for _, fn := range bodies {
		l := &lossFinder{e: s.e, fn: fn, origins: origins}
		out = append(out, l.find()...)
	}
	return out
}

// bodies returns the functions of this package that run statements of the
// transaction within what is run again, and the library calls that they make.
func (s *Site) bodies() ([]*ssa.Function, map[ssa.CallInstruction]bool) {
	origins := map[ssa.CallInstruction]bool{}
	var out []*ssa.Function
	for _, x := range s.e.summary(s.Fn).effects {
		if x.Retry != Retried || !x.Handle.Same(s.Handle) || x.Op != Run && x.Op != BeginTx && x.Op != CommitTx {
			continue
		}
		origins[x.Origin] = true
		for _, call := range []ssa.CallInstruction{x.Origin, x.At} {
			if !Here(call) {
				continue
			}
			if fn := call.Parent(); !slices.Contains(out, fn) && s.e.belowRetry(fn, x.Origin) {
				out = append(out, fn)
			}
		}
	}
	return out, origins
}

// belowRetry reports whether fn itself does not run the call again.
func (e *engine) belowRetry(fn *ssa.Function, origin ssa.CallInstruction) bool {
	found := false
	for _, x := range e.summary(fn).effects {
		if x.Origin == origin && x.Op != Faulty {
			if x.Retry == Retried {
				return false
			}
			found = true
		}
	}
	return found && !e.inGenerated(fn)
}

// A lossFinder looks for losses in one function.
type lossFinder struct {
	e       *engine
	fn      *ssa.Function
	origins map[ssa.CallInstruction]bool
	byInstr map[ssa.Instruction][]*Effect
	out     []Loss
}

func (l *lossFinder) find() []Loss {
	if errorResult(l.fn) < 0 {
		return nil
	}
	l.byInstr = map[ssa.Instruction][]*Effect{}
	var calls []*ssa.Call
	for _, x := range l.e.summary(l.fn).effects {
		l.byInstr[x.Instr] = append(l.byInstr[x.Instr], x)
		if d, ok := x.Instr.(*ssa.Defer); ok && x.Op == CommitTx && x.Origin == d && l.origins[d] {
			pos, end := l.e.rangeOf(d)
			l.add(DroppedCommit, d, pos, end)
		}
		call, ok := x.Instr.(*ssa.Call)
		if ok && l.origins[x.Origin] && (x.Op == Run || x.Op == CommitTx) && !slices.Contains(calls, call) {
			calls = append(calls, call)
		}
	}
	for _, call := range calls {
		l.call(call)
	}
	return l.out
}

func (l *lossFinder) add(kind LossKind, call ssa.CallInstruction, pos, end token.Pos) {
	l.out = append(l.out, Loss{kind, pos, end, l.e.placeOf(call).Line})
}

// call follows the error of one call.
func (l *lossFinder) call(call *ssa.Call) {
	for _, x := range l.byInstr[call] {
		if x.Op == CommitTx && x.Origin == x.Instr && errorUnused(call) {
			pos, end := l.e.rangeOf(call)
			l.add(DroppedCommit, call, pos, end)
			return
		}
	}
	w := &failureWalk{e: l.e, step: conflictSteps}
	w.visit = func(in ssa.Instruction, s failState, m marks) bool {
		switch in := in.(type) {
		case *ssa.Return:
			if s >= isSet {
				l.atReturn(call, in, m)
			}
			return false
		case *ssa.Store, *ssa.Send:
			return !keeps(in, m)
		case ssa.CallInstruction:
			return !keeps(in, m) && !neverReturns(in, m) && !l.runs(in)
		}
		return true
	}
	w.follow(call, notKnown, holdsError)
}

// keeps reports whether an instruction keeps the error at hand for somebody who
// looks at it later: in a variable of somebody else's, a channel or a list.
func keeps(in ssa.Instruction, m marks) bool {
	switch in := in.(type) {
	case *ssa.Store:
		switch a := in.Addr.(type) {
		case *ssa.Alloc:
			return false
		case *ssa.IndexAddr:
			if _, argument := a.X.(*ssa.Alloc); argument {
				return false
			}
		}
		return m.of(in.Val) == holdsError
	case *ssa.Send:
		return m.of(in.X) == holdsError
	case *ssa.Call:
		b, ok := in.Common().Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && slices.ContainsFunc(errorArgs(in), m.holds)
	}
	return false
}

// runs reports whether a call runs another statement.
func (l *lossFinder) runs(in ssa.CallInstruction) bool {
	return slices.ContainsFunc(l.byInstr[in], func(x *Effect) bool {
		return !x.Deferred && (x.Op == Run || x.Op == CommitTx || x.Op == BeginTx || x.Op == callMethod)
	})
}

// conflictSteps follows an error as long as it may be a conflict.
func conflictSteps(s failState, t tell) failState {
	switch t.kind {
	case tellsSet, tellsConflict, tellsDriver:
		return isSet
	case tellsNothing, tellsNotSentinel, tellsOtherThan:
		return s
	}
	return stopped
}

// atReturn looks at what a return makes of the error.
func (l *lossFinder) atReturn(call *ssa.Call, ret *ssa.Return, m marks) {
	v := ret.Results[len(ret.Results)-1]
	if m.of(v) == holdsNil {
		if ret.Pos().IsValid() {
			l.add(SwallowedError, call, ret.Pos(), ret.Pos()+token.Pos(len("return")))
		}
		return
	}
	if ld, ok := v.(*ssa.UnOp); ok {
		// Beside a defer, results are variables.
		if a, ok := ld.X.(*ssa.Alloc); ok && lastStore(a, ld) != nil {
			v = lastStore(a, ld)
		}
	}
	if made, ok := unwrap(v).(*ssa.Call); ok && l.keepsText(made, m) {
		pos, end := l.e.rangeOf(made)
		l.add(LostCode, call, pos, end)
	}
}

// keepsText reports whether a call makes an error in which of the error at hand
// only the text is left.
func (l *lossFinder) keepsText(made *ssa.Call, m marks) bool {
	args := made.Common().Args
	switch nameOfCallee(made) {
	case "errors.New", "github.com/pkg/errors.New":
		return textOf(args[0], m, 0)
	case "fmt.Errorf", "golang.org/x/xerrors.Errorf":
		return formatLoses(args, m)
	}
	return false
}

// nameOfCallee returns the full name of the function that is called, or "".
func nameOfCallee(call *ssa.Call) string {
	if fn := call.Common().StaticCallee(); fn != nil {
		if obj, ok := fn.Object().(*types.Func); ok {
			return fullName(obj)
		}
	}
	return ""
}

// textOf reports whether a string holds the text of the error at hand.
func textOf(v ssa.Value, m marks, depth int) bool {
	if depth > 6 {
		return false
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return v.Op == token.ADD && (textOf(v.X, m, depth+1) || textOf(v.Y, m, depth+1))
	case *ssa.Call:
		if m.holds(messageOf(v)) {
			return true
		}
		if strings.HasPrefix(nameOfCallee(v), "fmt.Sprint") {
			for _, a := range v.Common().Args {
				for _, el := range variadic(a) {
					if el != nil && (m.holds(unwrap(el)) || textOf(unwrap(el), m, depth+1)) {
						return true
					}
				}
			}
		}
	}
	return false
}

// formatLoses reports whether fmt.Errorf prints the error at hand and does not
// wrap it.
func formatLoses(args []ssa.Value, m marks) bool {
	format, ok := args[0].(*ssa.Const)
	if !ok || format.Value == nil || len(args) < 2 {
		return false
	}
	verbs, plain := verbsOf(constant.StringVal(format.Value))
	if !plain {
		return false
	}
	lost := false
	for i, el := range variadic(args[1]) {
		if el == nil || i >= len(verbs) || !m.holds(unwrap(el)) && !textOf(unwrap(el), m, 0) {
			continue
		}
		if verbs[i] == 'w' {
			return false
		}
		lost = true
	}
	return lost
}

// verbsOf returns the verbs of a format in order; false when it numbers its
// arguments or takes widths from them.
func verbsOf(format string) (verbs []byte, plain bool) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0; i++ {
		}
		switch {
		case i >= len(format) || format[i] == '[' || format[i] == '*':
			return nil, false
		case format[i] != '%':
			verbs = append(verbs, format[i])
		}
	}
	return verbs, true
}

// errorUnused reports whether nobody looks at the error of a call.
func errorUnused(call *ssa.Call) bool {
	if call.Referrers() == nil {
		return false
	}
	for _, r := range *call.Referrers() {
		x, ok := r.(*ssa.Extract)
		if !ok || isError(x.Type()) && len(*x.Referrers()) > 0 {
			return false
		}
	}
	return true
}
