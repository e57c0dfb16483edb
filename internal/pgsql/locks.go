package pgsql

import (
	"slices"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

// A lockAt is a locking clause with the last location of its SELECT, which
// orders the clauses of a statement as they are written.
type lockAt struct {
	RowLock
	loc int
}

// rowLock notes a locking clause of the SELECT s.
func (w *walker) rowLock(c *pgast.LockingClause, s *pgast.SelectStmt, sc *scope, where []Comparison, top bool) {
	l := RowLock{
		Strength: strengths[c.GetStrength()], Policy: policies[c.GetWaitPolicy()],
		Top: top, HasLimit: s.GetLimitCount() != nil, HasOrderBy: len(s.GetSortClause()) > 0,
		Where: where, Loose: w.level.loose, Pos: -1, End: -1,
	}
	l.Rejected = w.level.rejects(s)
	for _, it := range w.covered(c, sc, &l) {
		l.Tables = append(l.Tables, it.locked...)
		if l.Rejected == "" {
			l.Rejected = it.rejected
		}
		if it.nullable && !it.strict && !w.level.bare {
			w.st.NullableLocked = true
			l.Rejected = "the nullable side of an outer join"
		}
	}
	w.locks = append(w.locks, lockAt{l, w.maxLoc})
}

// pick notes a SELECT with LIMIT that locks nothing.
func (w *walker) pick(sc *scope, where []Comparison) {
	p := Pick{Where: where, Loose: w.level.loose}
	for _, it := range sc.items {
		p.Tables = append(p.Tables, it.locked...)
	}
	w.picks = append(w.picks, p)
}

// covered returns the elements whose rows the clause locks, and fills Of.
func (w *walker) covered(c *pgast.LockingClause, sc *scope, l *RowLock) []*fromItem {
	if len(c.GetLockedRels()) == 0 {
		return sc.items
	}
	var out []*fromItem
	for _, n := range c.GetLockedRels() {
		name := clean(n.GetRangeVar().GetRelname())
		i := slices.IndexFunc(sc.items, func(it *fromItem) bool { return it.name == name })
		if i < 0 {
			l.Of = append(l.Of, name)
			continue
		}
		it := sc.items[i]
		out = append(out, it)
		if it.table != "" {
			name = it.table
		}
		l.Of = append(l.Of, name)
	}
	return out
}

// rejects names what makes PostgreSQL reject a locking clause on a query
// (CheckSelectLocking in analyze.c), empty when nothing does.
func (l *level) rejects(s *pgast.SelectStmt) string {
	switch {
	case s.GetLarg() != nil:
		return "UNION/INTERSECT/EXCEPT"
	case len(s.GetDistinctClause()) > 0:
		return "DISTINCT"
	case len(s.GetGroupClause()) > 0:
		return "GROUP BY"
	case s.GetHavingClause() != nil:
		return "HAVING"
	case l.agg:
		return "aggregate functions"
	case l.window:
		return "window functions"
	case l.setFunc:
		return "set-returning functions in the target list"
	case len(s.GetValuesLists()) > 0:
		return "VALUES"
	}
	return ""
}

// finishLocks puts the locking clauses in textual order and finds their
// positions.
func (w *walker) finishLocks() {
	if w.st.Writing {
		w.st.Picks = w.picks
	}
	if len(w.locks) == 0 {
		return
	}
	slices.SortStableFunc(w.locks, func(a, b lockAt) int { return a.loc - b.loc })
	found := w.in.lockClauses(w.sp)
	for i, l := range w.locks {
		l.InWrite = w.st.Writing
		if len(found) == len(w.locks) && found[i].Strength == l.Strength && found[i].Policy == l.Policy {
			l.Pos, l.End = found[i].Pos, found[i].End
		}
		w.st.Locks = append(w.st.Locks, l.RowLock)
	}
}

// lockClauses finds the locking clauses among the tokens of a statement.
func (in *input) lockClauses(sp span) []RowLock {
	var out []RowLock
	depth := 0
	for i := sp.first; i < sp.end; i++ {
		switch {
		case in.is(i, "("):
			depth++
		case in.is(i, ")"):
			depth--
		case in.kw(i) == kwFor:
			strength, end := in.lockStrength(i, sp.end)
			if strength == 0 {
				continue
			}
			l := RowLock{Strength: strength, Top: depth == 0, Pos: in.off(in.toks[i].start)}
			l.Of, end = in.lockOf(end, sp.end)
			l.Policy, end = in.lockPolicy(end, sp.end)
			l.End = in.off(in.toks[end-1].end)
			out = append(out, l)
		}
	}
	return out
}

// lockStrength reads FOR [NO KEY] UPDATE or FOR [KEY] SHARE at token i and
// returns the token after it.
func (in *input) lockStrength(i, end int) (Strength, int) {
	for _, c := range clauses {
		if in.match(i, end, c.words) {
			return c.strength, i + len(c.words)
		}
	}
	return 0, i
}

// clauses are the forms of the locking clause.
var clauses = []struct {
	words    []keyword
	strength Strength
}{
	{[]keyword{kwFor, kwUpdate}, ForUpdate},
	{[]keyword{kwFor, kwNo, kwKey, kwUpdate}, ForNoKeyUpdate},
	{[]keyword{kwFor, kwShare}, ForShare},
	{[]keyword{kwFor, kwKey, kwShare}, ForKeyShare},
}

// match reports whether the tokens from i on are the given keywords.
func (in *input) match(i, end int, words []keyword) bool {
	for j, k := range words {
		if i+j >= end || in.toks[i+j].kw != k {
			return false
		}
	}
	return true
}

// lockOf reads OF name, … at token i.
func (in *input) lockOf(i, end int) (of []string, next int) {
	if i >= end || in.kw(i) != kwOf {
		return nil, i
	}
	for i++; i < end; i++ {
		name := in.ident(i)
		for i+2 < end && in.is(i+1, ".") {
			i += 2
			name = in.ident(i)
		}
		of = append(of, name)
		if i+1 >= end || !in.is(i+1, ",") {
			return of, i + 1
		}
		i++
	}
	return of, end
}

func (in *input) lockPolicy(i, end int) (WaitPolicy, int) {
	if i < end && in.kw(i) == kwNoWait {
		return NoWait, i + 1
	}
	if in.match(i, end, []keyword{kwSkip, kwLocked}) {
		return SkipLocked, i + 2
	}
	return Wait, i
}
