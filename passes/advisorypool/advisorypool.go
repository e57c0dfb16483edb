package advisorypool

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports session advisory locks that are not held and released on
// one session.
var Analyzer = rule.New("advisorypool", doc, run)

func run(p *rule.Pass) {
	for _, s := range p.Sites {
		st := s.Always(callsAdvisory)
		if st == nil {
			continue
		}
		call := st.Advisory[0]
		pos, end := s.Range()
		msg, opts := check(s, st, call)
		if msg == "" && call.Try && ignoresResult(s) {
			msg = fmt.Sprintf("nobody looks at the result of %s%s: it returns false when another session holds the advisory lock, and this code goes on all the same; scan the boolean and stop when it is false", call.Func, s.Via())
		}
		if msg != "" {
			p.Report(pos, end, msg, opts...)
		}
	}
}

// callsAdvisory reports whether the statement calls an advisory lock function
// and the same text does not hold the other half: one session runs all of it.
func callsAdvisory(st *pgsql.Statement, before, rest []*pgsql.Statement) bool {
	if len(st.Advisory) == 0 {
		return false
	}
	if c := st.Advisory[0]; c.Unlock || c.All {
		return !slices.ContainsFunc(before, locks)
	}
	return !slices.ContainsFunc(rest, unlocks)
}

// sessionLock reports whether the call takes a lock that outlives transactions.
func sessionLock(c pgsql.AdvisoryCall) bool {
	return c.Scope == pgsql.ScopeSession && !c.Unlock && !c.All
}

func locks(st *pgsql.Statement) bool { return slices.ContainsFunc(st.Advisory, sessionLock) }

func unlocks(st *pgsql.Statement) bool {
	for _, c := range st.Advisory {
		if c.Unlock || c.All {
			return true
		}
	}
	return st.Kind == pgsql.Discard
}

func check(s *txflow.Site, st *pgsql.Statement, call pgsql.AdvisoryCall) (string, []rule.Option) {
	if s.Handle.Root().Lone || s.Handle.Lone || s.UnderMutex() {
		return "", nil
	}
	if s.Handle.Kind == txflow.Pool || s.PresumedPool() && (sessionLock(call) && s.After(func(x *txflow.Effect) bool { return s.Any(x, unlocks) })) {
		switch {
		case sessionLock(call):
			return fmt.Sprintf("session advisory lock taken on %s%s: %s locks whichever session comes first, which then goes back to the pool still locked, and the unlock runs on another one; hold one session for the lock's whole life, or use %s in a transaction",
				s.HandleWords(), s.Via(), call.Func, xactForm(call)), nil
		case call.Unlock || call.All:
			return fmt.Sprintf("session advisory lock released on %s%s: %s runs on whichever session comes first, and only the session that took the lock can release it; unlock on the session that locked",
				s.HandleWords(), s.Via(), call.Func), nil
		}
		return "", nil
	}
	if !sessionLock(call) {
		return "", nil
	}
	switch s.Handle.Kind {
	case txflow.Tx:
		return checkTx(s, call)
	case txflow.Session:
		return checkSession(s, call)
	}
	return "", nil
}

// checkTx asks whether a session lock taken in a transaction is released in it.
func checkTx(s *txflow.Site, call pgsql.AdvisoryCall) (string, []rule.Option) {
	released := func(x *txflow.Effect) bool {
		return onSession(x, s.Handle) && s.Any(x, unlocks)
	}
	msg := fmt.Sprintf("session advisory lock taken in a transaction%s: neither commit nor rollback releases %s, so the session goes back to the pool still locked; use %s, which ends with the transaction",
		s.Via(), call.Func, xactForm(call))
	for _, x := range s.Effects() {
		if released(x) {
			leak := s.Leak(s.Handle, released)
			if leak == nil {
				return "", nil
			}
			return fmt.Sprintf("session advisory lock taken in a transaction and not released on every path%s: at line %d the transaction ends with it; use %s, which ends with the transaction",
				s.Via(), s.Line(leak.At), xactForm(call)), []rule.Option{rule.Related(s.Pos(leak.At), "the transaction ends here, the lock does not")}
		}
	}
	if s.UnlocksElsewhere(locks, unlocks) {
		return "", nil
	}
	return msg, []rule.Option{fix(s, call)}
}

// onSession reports whether x runs on the transaction v or on the session below it.
func onSession(x *txflow.Effect, v txflow.Value) bool {
	if x.Op != txflow.Run {
		return false
	}
	if x.Handle.Same(v) {
		return true
	}
	for f := v.From; f != nil && f.Kind != txflow.Pool; f = f.From {
		if x.Handle.Same(*f) {
			return true
		}
	}
	return false
}

// checkSession asks whether a session can go back to its pool still locked.
func checkSession(s *txflow.Site, call pgsql.AdvisoryCall) (string, []rule.Option) {
	if s.State == txflow.Undecided {
		return "", nil
	}
	released := func(x *txflow.Effect) bool { return x.Handle.Same(s.Handle) && s.Any(x, unlocks) }
	if leak := s.Leak(s.Handle, released); leak != nil {
		return fmt.Sprintf("the session goes back to the pool (line %d) with the advisory lock of %s%s still on it: giving it back does not unlock; unlock on this session on every path, or close the session",
				s.Line(leak.At), call.Func, s.Via()),
			[]rule.Option{rule.Related(s.Pos(leak.At), "the session goes back to the pool here")}
	}
	// Every path unlocks; one whose failure nobody sees does not count when the
	// context can be cancelled before it.
	careless := func(x *txflow.Effect) bool { return released(x) && s.ErrorDropped(x) && s.Cancellable(x) }
	for _, x := range s.Effects() {
		if !careless(x) {
			continue
		}
		leak := s.Leak(s.Handle, func(x *txflow.Effect) bool { return released(x) && !careless(x) })
		if leak != nil {
			pos, _ := s.RangeOf(x)
			return fmt.Sprintf("the advisory lock of %s%s can stay on the session: the unlock at line %d fails when its context is cancelled, its error is dropped, and the session goes back to the pool; unlock with context.WithoutCancel, and close the session when that fails",
				call.Func, s.Via(), s.LineOf(pos)), []rule.Option{rule.Related(pos, "this unlock may not happen")}
		}
	}
	return "", nil
}

// ignoresResult reports whether nobody can know what a try-lock returned.
func ignoresResult(s *txflow.Site) bool {
	if s.API == nil || s.Batch {
		return false
	}
	if s.API.Exec {
		return true
	}
	targets := s.ScanTargets()
	if len(targets) == 0 {
		return false
	}
	for _, t := range targets {
		a, ok := txflow.Unwrap(t).(*ssa.Alloc)
		if !ok || read(a) {
			return false
		}
	}
	return true
}

// read reports whether a variable is used for more than being scanned into.
func read(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.MakeInterface, *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == a {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// xactForm names the function that takes the same lock for a transaction.
func xactForm(c pgsql.AdvisoryCall) string {
	name := "pg_advisory_xact_lock"
	if c.Try {
		name = "pg_try_advisory_xact_lock"
	}
	if c.Shared {
		name += "_shared"
	}
	return name
}

// fix replaces the function by the one that locks for the transaction.
func fix(s *txflow.Site, call pgsql.AdvisoryCall) rule.Option {
	if len(s.Path) > 0 || len(s.Texts) != 1 || call.Pos < 0 {
		return rule.Fix("")
	}
	pos, end := s.Texts[0].Pos(call.Pos), s.Texts[0].Pos(call.End)
	if !pos.IsValid() || !end.IsValid() {
		return rule.Fix("")
	}
	return rule.Fix("lock until the end of the transaction", analysis.TextEdit{Pos: pos, End: end, NewText: []byte(xactForm(call))})
}
