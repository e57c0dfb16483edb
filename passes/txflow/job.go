package txflow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

// A heldJob is the job that a function works while the queue holds a transaction
// for it; the zero value where there is none.
type heldJob struct {
	param *ssa.Parameter
	scope Scope
	// used is set when the function runs statements on that transaction. Else its
	// statements may well be meant to run elsewhere.
	used bool
}

// jobOf returns the job that fn is called with by its queue. A function that hands
// its job on, or writes to it, may be one that puts it into the queue.
func (e *engine) jobOf(fn *ssa.Function) heldJob {
	if !worksJobs(fn) || fn.Signature.Results().Len() != 1 {
		return heldJob{}
	}
	for _, p := range fn.Params {
		if !dbapi.HeldJob(typeName(p.Type())) {
			continue
		}
		j := heldJob{param: p, scope: Scope{Tx: Value{Kind: Tx, Base: p}}}
		if e.worked(&j, p, 0) {
			return j
		}
	}
	return heldJob{}
}

// worked reports whether all that is done with a job is to read it and to call its
// own methods.
func (e *engine) worked(j *heldJob, v ssa.Value, depth int) bool {
	for _, r := range *v.Referrers() {
		ok := depth < 4
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			ok = ok && !slices.ContainsFunc(*r.Referrers(), isStore)
		case *ssa.Store:
			a, local := r.Addr.(*ssa.Alloc)
			ok = ok && local && r.Val == v && e.workedVariable(j, a, depth+1)
		case ssa.CallInstruction:
			c := r.Common()
			f := c.StaticCallee()
			ok = ok && f != nil && f.Signature.Recv() != nil && len(c.Args) > 0 && c.Args[0] == v
			if row := e.rowOf(r); row != nil && row.Role == dbapi.Derive {
				j.used = true
			}
		default:
			ok = false
		}
		if !ok {
			return false
		}
	}
	return true
}

// workedVariable is worked for the variable in which a job is kept, here and in
// closures.
func (e *engine) workedVariable(j *heldJob, addr ssa.Value, depth int) bool {
	for _, r := range *addr.Referrers() {
		ok := depth < 4
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Store:
		case *ssa.UnOp:
			ok = ok && e.worked(j, r, depth+1)
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				ok = ok && (b != addr || e.workedVariable(j, r.Fn.(*ssa.Function).FreeVars[i], depth+1))
			}
		default:
			ok = false
		}
		if !ok {
			return false
		}
	}
	return true
}

func isStore(in ssa.Instruction) bool {
	_, ok := in.(*ssa.Store)
	return ok
}

// around returns the job's transaction as a scope of x, if it is open around x.
func (j heldJob) around(x *Effect, effects []*Effect) []Scope {
	if j.param == nil || !j.used && x.Op != External {
		return nil
	}
	for _, d := range effects {
		if (d.Op == CommitTx || d.Op == RollbackTx) && !d.Deferred && d.Handle.Base == j.param && d.Handle.Path == "" && dominates(d.Instr, x.Instr) {
			return nil
		}
	}
	return []Scope{j.scope}
}
