package txflow

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// resetHooks are the hooks of a pool that run on a session between two
// borrowers.
//
// Source: https://pkg.go.dev/github.com/jackc/pgx/v5/pgxpool#Config
var resetHooks = map[string]bool{"AfterRelease": true, "BeforeAcquire": true, "PrepareConn": true}

// resetsSessions reports whether this package gives a pool a hook that resets
// its sessions between two borrowers: DISCARD ALL, RESET ALL, RESET ROLE.
func (e *engine) resetsSessions() bool {
	if e.resets == nil {
		got := e.findReset()
		e.resets = &got
	}
	return *e.resets
}

func (e *engine) findReset() bool {
	for key, stored := range e.fields {
		if !resetHooks[key.field] || key.typ.Pkg() == nil || !strings.HasSuffix(unvendor(key.typ.Pkg().Path()), "/pgxpool") {
			continue
		}
		for _, v := range stored {
			for _, t := range e.functions(v, 0) {
				if t.fn != nil && e.runsReset(t.fn) {
					return true
				}
			}
		}
	}
	return false
}

func (e *engine) runsReset(fn *ssa.Function) bool {
	for _, x := range e.summary(fn).effects {
		for _, alt := range e.statements(x) {
			for _, st := range alt {
				if st.Kind == pgsql.Discard || st.Kind == pgsql.Reset {
					return true
				}
			}
		}
	}
	return false
}

// SessionsAreReset reports whether the program, as far as it is seen here, gives
// a pool a hook that resets its sessions between two borrowers.
func (s *Site) SessionsAreReset() bool {
	if s.e.resetsSessions() {
		return true
	}
	s.e.reads.resets = true
	return anyResets(s.e.blobs)
}

func anyResets(packages map[string]*PackageFacts) bool {
	for _, p := range packages {
		if d := p.decode(); d != nil && d.resets {
			return true
		}
	}
	return false
}

// OwnPool reports whether the pool below the handle is opened and closed by the
// function itself: nobody borrows from it afterwards.
func (s *Site) OwnPool() bool {
	root := s.Handle.Root()
	open, ok := root.Base.(ssa.Instruction)
	if !ok || s.Fn == nil || root.Kind != Pool || open.Parent() != outermost(s.Fn) {
		return false
	}
	for _, b := range open.Parent().Blocks {
		for _, in := range b.Instrs {
			d, ok := in.(*ssa.Defer)
			if !ok {
				continue
			}
			c := d.Common()
			var recv ssa.Value
			name := ""
			if c.IsInvoke() {
				recv, name = c.Value, c.Method.Name()
			} else if fn := c.StaticCallee(); fn != nil && len(c.Args) > 0 {
				recv, name = c.Args[0], fn.Name()
			}
			if name == "Close" && recv != nil && s.e.eval(recv, "").Same(root) {
				return true
			}
		}
	}
	return false
}

// Listens reports whether the function waits for notifications in a loop: such a
// listener gives its session back when the program ends.
func (s *Site) Listens() bool {
	if s.Fn == nil {
		return false
	}
	var visit func(*ssa.Function) bool
	visit = func(fn *ssa.Function) bool {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				for _, c := range s.e.callees(call.Common()) {
					if f := c.api(); f != nil && f.Role == dbapi.Listen && s.e.loops(fn)[b] != 0 {
						return true
					}
				}
			}
		}
		for _, a := range fn.AnonFuncs {
			if visit(a) {
				return true
			}
		}
		return false
	}
	return visit(outermost(s.Fn))
}
