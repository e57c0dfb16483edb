package unhandled40001

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports transactions that can fail with 40001 and that nobody runs
// again.
var Analyzer = rule.New("unhandled40001", doc, run)

func run(p *rule.Pass) {
	r := &reporter{Pass: p, seen: map[any]bool{}}
	for _, s := range p.Effects {
		if s.Op == txflow.Faulty && s.Fault.Kind == txflow.RetriedInside {
			r.retriedInside(s)
		}
	}
	for _, s := range p.Effects {
		r.notRetried(s)
	}
}

// A reporter reports each fault once.
type reporter struct {
	*rule.Pass
	seen map[any]bool
	// inside are the transactions in which something is run again: that is
	// their fault, and not that nobody begins them again.
	inside []txflow.Value
}

func (r *reporter) retriedInside(s *txflow.Site) {
	r.inside = append(r.inside, s.Handle)
	pos, end := s.FaultRange()
	if !s.NewHere() || r.seen[pos] {
		return
	}
	r.seen[pos] = true
	r.Report(pos, end, "this is run again after 40001 inside the same transaction: PostgreSQL has aborted it and answers every further statement with 25P02; begin a new transaction for each try",
		rule.Related(beginPos(s), "the transaction is begun here"))
}

func (r *reporter) notRetried(s *txflow.Site) {
	level, what := isolation(s)
	if level < pgsql.RepeatableRead || level == pgsql.RepeatableRead && !writes(s) {
		return
	}
	if slices.ContainsFunc(r.inside, s.Handle.Same) {
		return
	}
	if s.Retry == txflow.Retried {
		r.losses(s)
	}
	if !s.Entry || s.Retry != txflow.NotRetried {
		return
	}
	if !txflow.Here(s.Origin) && !s.Mode.Here {
		return // said in the package that begins it
	}
	at := place(s)
	if r.seen[at] {
		return
	}
	if s.Pkg().Name() != "main" && s.ImportersRetry() {
		return // a caller in another package may try again
	}
	r.seen[at] = true
	pos, end := s.RangeOfCall(at)
	r.Report(pos, end, fmt.Sprintf("%s that nobody runs again: under concurrent use PostgreSQL aborts it with SQLSTATE 40001, at any statement or at COMMIT, and %s does not handle that; run the whole transaction again when the code is 40001 or 40P01",
		what, txflow.FuncName(s.Fn)), trail(s, at)...)
}

// losses reports where a body that is run again hides the conflict from what
// runs it.
func (r *reporter) losses(s *txflow.Site) {
	for _, l := range s.Losses() {
		if r.seen[l.Pos] {
			continue
		}
		r.seen[l.Pos] = true
		text := ""
		switch l.Kind {
		case txflow.LostCode:
			text = fmt.Sprintf("this keeps only the text of the error of line %d, so that what runs the transaction again never sees SQLSTATE 40001 in it; wrap the error with %%w", l.Failed)
		case txflow.DroppedCommit:
			text = "nobody looks at the error of this COMMIT, which may be SQLSTATE 40001: the transaction is rolled back and not run again; return the error"
		case txflow.SwallowedError:
			text = fmt.Sprintf("this returns nil although line %d may have failed with SQLSTATE 40001: the transaction is not run again, and its COMMIT rolls everything back; return the error", l.Failed)
		}
		r.Report(l.Pos, l.End, text)
	}
}

// isolation says at which level s begins a transaction, or raises it to.
func isolation(s *txflow.Site) (level pgsql.Isolation, what string) {
	switch s.Op {
	case txflow.BeginTx:
		if spared(s.Mode.Isolation, s.Mode.ReadOnly, s.Mode.Deferrable) {
			return 0, ""
		}
		level = s.Mode.Isolation
	case txflow.Run:
		st := s.Always(func(st *pgsql.Statement, _, _ []*pgsql.Statement) bool {
			return (st.Kind == pgsql.SetTransaction || st.Kind == pgsql.Begin) && st.Tx.Isolation >= pgsql.RepeatableRead && !st.Tx.Session && !spared(st.Tx.Isolation, st.Tx.ReadOnly, st.Tx.Deferrable)
		})
		if st == nil || s.Handle.Kind != txflow.Tx && st.Kind == pgsql.SetTransaction {
			return 0, ""
		}
		level = st.Tx.Isolation
	}
	switch level {
	case pgsql.Serializable:
		what = "SERIALIZABLE transaction"
	case pgsql.RepeatableRead:
		what = "REPEATABLE READ transaction"
	}
	return level, what
}

// spared reports whether a transaction opened in this way meets no conflicts.
func spared(level pgsql.Isolation, readOnly, deferrable bool) bool {
	return readOnly && (level == pgsql.RepeatableRead || deferrable)
}

// writes reports whether a statement that writes or locks is seen in the
// transaction.
func writes(s *txflow.Site) bool {
	for _, x := range s.Effects() {
		if x.Op == txflow.Run && (x.Handle.Same(s.Handle) || inScope(x, s.Handle)) && s.Any(x, func(st *pgsql.Statement) bool {
			return st.Writing || len(st.Locks) > 0
		}) {
			return true
		}
	}
	return false
}

func inScope(x *txflow.Effect, tx txflow.Value) bool {
	for _, sc := range x.Scopes {
		if sc.Tx.Same(tx) {
			return true
		}
	}
	return false
}

// place is the call to report: the begin itself, or the call that decides the
// level where a helper takes it as a parameter.
func place(s *txflow.Site) ssa.CallInstruction {
	if s.Op == txflow.BeginTx && s.Mode.Here || !txflow.Here(s.Origin) || s.InGenerated(s.Origin) {
		return s.At
	}
	return s.Origin
}

func trail(s *txflow.Site, at ssa.CallInstruction) []rule.Option {
	if len(s.Path) == 0 || at == s.At {
		return nil
	}
	pos, _ := s.Range()
	return []rule.Option{rule.Related(pos, txflow.FuncName(s.Fn)+" calls it here, and does not run it again")}
}

// beginPos is where the transaction of a fault is begun, if that is in sight.
func beginPos(s *txflow.Site) token.Pos {
	if call, ok := s.Handle.Base.(ssa.CallInstruction); ok && txflow.Here(call) {
		return s.Pos(call)
	}
	return token.NoPos
}
