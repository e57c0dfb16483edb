package txflow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// effectsOfStream returns the effect of reading from a stream: a wait for the
// network when the other end is a client that sends a request.
func (e *engine) effectsOfStream(call ssa.CallInstruction, c *callee, f *dbapi.Func) []*Effect {
	a := c.arg(f.From)
	if a == nil || !e.fromClient(a, 0) {
		return nil
	}
	return []*Effect{{Op: External, Origin: call, What: "reading the request's body", Handle: Value{Kind: Unknown}, API: f}}
}

// fromClient reports whether the stream v is the body of a request that a
// client sends, or wraps it. A request that this program makes has a body of
// its own.
func (e *engine) fromClient(v ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	switch v := unwrap(v).(type) {
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok {
			return bodyOf(fa) && !e.madeHere(fa.X)
		}
		if a, ok := v.X.(*ssa.Alloc); ok {
			s := e.stores(a)
			return len(s) == 1 && e.fromClient(s[0], depth+1)
		}
	case *ssa.Extract:
		return v.Index == 0 && e.fromClient(v.Tuple, depth+1)
	case *ssa.Call:
		for _, c := range e.callees(v.Common()) {
			f := c.outside()
			if f == nil || f.Role != dbapi.WrapStream {
				continue
			}
			if a := c.arg(f.From); a != nil && e.fromClient(a, depth+1) {
				return true
			}
		}
	}
	return false
}

// bodyOf reports whether the field is the body of an HTTP request.
func bodyOf(fa *ssa.FieldAddr) bool {
	name := strings.TrimPrefix(typeName(fa.X.Type()), "*") + "." + structOf(fa.X.Type()).Field(fa.Field).Name()
	return strings.HasSuffix(name, "Request.Body") && slices.Contains(dbapi.Streams(), name)
}

// madeHere reports whether a request is one that the program makes.
func (e *engine) madeHere(v ssa.Value) bool {
	call, ok := originCall(v, 0).(*ssa.Call)
	if !ok {
		_, local := v.(*ssa.Alloc)
		return local
	}
	return slices.ContainsFunc(e.callees(call.Common()), func(c callee) bool { return strings.HasPrefix(c.name, "net/http") })
}

// A waitPoint is the place at which the program waits for what a call returned.
type waitPoint struct {
	ssa.CallInstruction
	pos, end token.Pos
}

// effectsOfTimer returns the effect of waiting for the channel that time.After
// has returned, nil when nothing does so.
func (e *engine) effectsOfTimer(call ssa.CallInstruction) []*Effect {
	v := call.Value()
	if v == nil || v.Referrers() == nil {
		return nil
	}
	for _, r := range *v.Referrers() {
		at := waitAt(r, v)
		if !at.IsValid() {
			continue
		}
		x := &Effect{Op: External, Origin: call, What: "a pause", Handle: Value{Kind: Unknown}}
		if r.Block() == call.Block() {
			x.At = &waitPoint{call, at, at}
		}
		return []*Effect{x}
	}
	return nil
}

// waitAt returns where an instruction waits for the channel v.
func waitAt(in ssa.Instruction, v ssa.Value) token.Pos {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			return in.Pos()
		}
	case *ssa.Select:
		if in.Blocking && slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && s.Chan == v }) {
			return in.Pos()
		}
	}
	return token.NoPos
}

// effectsOfGoroutines returns the effect of waiting for the goroutines that the
// function has started: that of one of them that leaves the process.
func (e *engine) effectsOfGoroutines(wait ssa.CallInstruction) []*Effect {
	fn := wait.Parent()
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for _, x := range e.started(call) {
				if x.Op == External {
					return []*Effect{{Op: External, Origin: wait, What: x.What + " in a goroutine that is waited for", Handle: Value{Kind: Unknown}, API: x.API}}
				}
			}
		}
	}
	return nil
}

// started returns the effects of the goroutine that a call starts, or of the
// function that it hands to a group of goroutines.
func (e *engine) started(call ssa.CallInstruction) []*Effect {
	if _, ok := call.(*ssa.Go); ok {
		return e.effectsOf(call)
	}
	fn := call.Common().StaticCallee()
	if fn == nil || !groups[fn.String()] {
		return nil
	}
	args := call.Common().Args
	return e.applyFunction(call, args[len(args)-1], func(int, string) Value { return Value{Kind: Unknown} })
}

// groups are the methods that start a goroutine for which Wait waits.
var groups = map[string]bool{
	"(*sync.WaitGroup).Go":                      true,
	"(*golang.org/x/sync/errgroup.Group).Go":    true,
	"(*golang.org/x/sync/errgroup.Group).TryGo": true,
}

// waitsForCallers are the waits for others that have made the same call of the
// same group.
var waitsForCallers = map[string]bool{
	"(*golang.org/x/sync/singleflight.Group).Do": true,
}

// ownGroup reports whether the group that a call waits in may be one that the
// function has just made, in which nobody else can be.
func (e *engine) ownGroup(call ssa.CallInstruction) bool {
	args := call.Common().Args
	return len(args) > 0 && e.mayBeMadeHere(args[0], 0)
}

// mayBeMadeHere reports whether the pointer v can point to a variable of the
// function itself.
func (e *engine) mayBeMadeHere(v ssa.Value, depth int) bool {
	if depth > 8 {
		return true
	}
	made := func(v ssa.Value) bool { return e.mayBeMadeHere(v, depth+1) }
	switch v := unwrap(v).(type) {
	case *ssa.Alloc:
		return true
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, made)
	case *ssa.UnOp:
		if a, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
			return slices.ContainsFunc(e.stores(a), made)
		}
	}
	return false
}
