package rowsaffected

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports guarded writes of which nobody looks at how many rows they
// changed.
var Analyzer = rule.New("rowsaffected", doc, run)

func run(p *rule.Pass) {
	origins := map[ssa.CallInstruction][]*txflow.Site{}
	for _, s := range p.Effects {
		if s.Op == txflow.Run {
			origins[s.Origin] = append(origins[s.Origin], s)
		}
	}
	for _, s := range p.Effects {
		for _, d := range s.DroppedRows() {
			st, g := guarded(s, d)
			if st == nil || st.Returning && fillsModel[s.Library()] {
				continue
			}
			pos, end := s.RangeOfCall(d.At)
			if p.Migration(pos) || strings.HasSuffix(p.Fset.Position(pos).Filename, "_test.go") ||
				cannotFail(p, s, st, origins[s.Origin]) || readBack(s, st) {
				continue
			}
			p.Report(pos, end, message(s, st, g), related(s, d)...)
		}
	}
}

// fillsModel are the libraries that read the rows of RETURNING into the model.
var fillsModel = map[string]bool{"gorm": true, "bun": true, "go-pg": true}

// guarded returns the statement that is guarded in every alternative of the text.
func guarded(s *txflow.Site, d txflow.Dropped) (*pgsql.Statement, guard) {
	var found *pgsql.Statement
	var g guard
	alts := s.Statements()
	for _, i := range d.Alternatives {
		// Of several statements in one text the count is that of the last.
		if i >= len(alts) || len(alts[i]) != 1 {
			return nil, guard{}
		}
		st := alts[i][0]
		got, ok := guardOf(write{st, s, s.Answers(d.At)})
		if !ok {
			return nil, guard{}
		}
		if found == nil {
			found, g = st, got
		}
	}
	return found, g
}

// cannotFail reports whether what the guard tests cannot have changed: the row
// is locked or inserted before it by the same transaction, or the transaction is
// one that fails where another has changed the row.
func cannotFail(p *rule.Pass, s *txflow.Site, st *pgsql.Statement, same []*txflow.Site) bool {
	for _, t := range append([]*txflow.Site{s}, same...) {
		if t.Around(s) && lockedBefore(t, st) {
			return true
		}
	}
	if s.OnPool() || s.HandedToLiteral() {
		return false
	}
	// A caller may lock in the same transaction by another function of this
	// package that takes the transaction from its caller too.
	if given := s.Handle.Parameter(); given != nil && given.Parent().Parent() != nil {
		return false // a function that is given its transaction where it is written
	}
	for _, t := range p.Effects {
		if t.Op == txflow.Run && t.Handle.Kind != txflow.Pool && t.Handle.Parameter() != nil && s.Handle.Parameter() != nil &&
			t.Any(t.Effect, func(q *pgsql.Statement) bool { return locks(q, st) }) {
			return true
		}
	}
	return false
}

// lockedBefore reports whether an effect before s in its function locks or inserts
// what s writes, or its transaction has an isolation level that makes the write
// fail.
func lockedBefore(s *txflow.Site, st *pgsql.Statement) bool {
	inTx := !s.OnPool()
	for x := range s.Family() {
		switch {
		case x.Origin == s.Origin: // or the same effect, seen from around a closure
			return false
		case x.Op == txflow.BeginTx && inTx && (x.Mode.Unknown || x.Mode.Isolation >= pgsql.RepeatableRead):
			return true
		case x.Op == txflow.Run && s.Any(x, func(q *pgsql.Statement) bool {
			return inTx && locks(q, st) || !inTx && holdsSession(q) || inserts(q, st)
		}):
			return true
		}
	}
	return false
}

// holdsAdvisory reports whether q waits for an advisory lock.
func holdsAdvisory(q *pgsql.Statement) bool {
	return slices.ContainsFunc(q.Advisory, func(a pgsql.AdvisoryCall) bool { return !a.Unlock && !a.Try })
}

// holdsSession reports whether q waits for one that is held around statements on
// the pool.
func holdsSession(q *pgsql.Statement) bool {
	return holdsAdvisory(q) && q.Advisory[0].Scope == pgsql.ScopeSession
}

// inserts reports whether q inserts a row into the table that st writes.
func inserts(q, st *pgsql.Statement) bool {
	return q.Kind == pgsql.Insert && q.Target.Name == st.Target.Name
}

// locks reports whether q locks the rows that st writes, or all who write them.
func locks(q, st *pgsql.Statement) bool {
	if q.Kind == pgsql.LockTable || q.Tx.Isolation >= pgsql.RepeatableRead {
		return true
	}
	if holdsAdvisory(q) {
		return true
	}
	if q.Kind == pgsql.Select && q.Trailing && reads(q, st.Target.Name) {
		return true // a FOR UPDATE may be there
	}
	for _, l := range q.Locks {
		for _, t := range l.Tables {
			if t == st.Target.Name && !l.InWrite {
				return true
			}
		}
	}
	return false
}

// readBack reports whether the function reads the table after the write: what
// it finds there tells whether the write took place.
func readBack(s *txflow.Site, st *pgsql.Statement) bool {
	past := false
	for x := range s.Family() {
		if x.Origin == s.Origin {
			past = true
			continue
		}
		if past && x.Op == txflow.Run && s.Any(x, func(q *pgsql.Statement) bool {
			return q.Kind == pgsql.Select && reads(q, st.Target.Name)
		}) {
			return true
		}
	}
	return false
}

func reads(q *pgsql.Statement, table string) bool {
	for _, t := range q.Reads {
		if t.Name == table {
			return true
		}
	}
	return false
}

func message(s *txflow.Site, st *pgsql.Statement, g guard) string {
	verb := map[pgsql.Kind]string{pgsql.Update: "UPDATE of ", pgsql.Delete: "DELETE from "}[st.Kind]
	return fmt.Sprintf("nobody looks at how many rows the guarded %s%s changes%s: where %s no longer holds no row is changed, and the call succeeds all the same; %s",
		verb, st.Target.Name, s.Via(), g.text, advice(s))
}

// advice says how the count is had from the library.
func advice(s *txflow.Site) string {
	const then = " and return an error when it is 0"
	switch {
	case s.DroppedByGenerated():
		return "make the generated query return the number of rows (sqlc: :execrows)" + then
	case s.API != nil && strings.HasPrefix(s.API.Name, "(*gorm.io/"):
		return "look at RowsAffected beside Error" + then
	case s.Library() == "pop":
		return "run it with ExecWithCount" + then
	}
	return "look at RowsAffected" + then
}

func related(s *txflow.Site, d txflow.Dropped) []rule.Option {
	if len(s.Path) == 0 && d.At == s.Origin {
		return nil
	}
	pos, _ := s.OriginRange()
	return []rule.Option{rule.Related(pos, "the statement is run here")}
}
