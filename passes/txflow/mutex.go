package txflow

import "golang.org/x/tools/go/ssa"

// UnderMutex reports whether the statement runs on a pool that an object keeps
// together with a mutex, which the function holds around it: a pool that is used
// by one statement at a time never opens a second connection.
func (s *Site) UnderMutex() bool {
	p := s.Handle.Parameter()
	if p == nil || s.Fn == nil || s.Handle.Path == "" || s.Instr == nil || s.Instr.Parent() != s.Fn {
		return false
	}
	var locked, unlocks bool
	for _, b := range s.Fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			fn := call.Common().StaticCallee()
			if fn == nil || len(call.Common().Args) == 0 || s.e.eval(call.Common().Args[0], "").Base != ssa.Value(p) {
				continue
			}
			_, deferred := in.(*ssa.Defer)
			switch fn.String() {
			case "(*sync.Mutex).Lock":
				locked = locked || dominates(in, s.Instr)
			case "(*sync.Mutex).Unlock":
				unlocks = unlocks || deferred
			}
		}
	}
	return locked && unlocks
}
