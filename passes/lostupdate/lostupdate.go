package lostupdate

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports rows that are read without a lock and written back.
var Analyzer = rule.New("lostupdate", doc, run)

func run(p *rule.Pass) {
	seen := map[token.Pos]bool{}
	for _, l := range p.Links() {
		f := faultOf(l)
		if f == nil || !open(l) || l.Protected() != "" {
			continue
		}
		pos, end := l.Write.Range()
		if l.Both() {
			pos, end = l.Write.OriginRange()
		}
		if seen[pos] {
			continue
		}
		seen[pos] = true
		read, _ := l.Read.OriginRange()
		p.Report(pos, end, message(l, f), rule.Related(read, "the row is read here, without a lock"))
	}
}

// open reports whether the transaction of the write, and with it the isolation
// level and the locks taken before, is known, or is nobody's business.
func open(l *txflow.Link) bool {
	return l.Decided() || l.Entry() && !l.TxParameter()
}

// A form is one of the three forms of the fault.
type form uint8

const (
	staleValue form = iota + 1
	staleTest
	checkInsert
)

type fault struct {
	form   form
	column string
	values []string
}

// faultOf says what is wrong with a link, nil if nothing is.
func faultOf(l *txflow.Link) *fault {
	switch l.WriteStatement.Kind {
	case pgsql.Update:
		if !l.SameRow || restated(l) {
			return nil
		}
		if cols := staleValues(l); len(cols) > 0 {
			return &fault{form: staleValue, column: cols[0], values: cols}
		}
		if col := staleTestOf(l); col != "" {
			return &fault{form: staleTest, column: col}
		}
	case pgsql.Delete:
		if l.SameRow && !restated(l) && consumed(l) {
			return &fault{form: staleTest}
		}
	case pgsql.Insert:
		if inserts(l) {
			return &fault{form: checkInsert}
		}
	}
	return nil
}

// versions are names of columns by which optimistic locking tells versions apart.
var versions = map[string]bool{
	"version": true, "ver": true, "rev": true, "revision": true, "etag": true, "lock_version": true,
	"row_version": true, "xmin": true, "generation": true, "epoch": true, "updated_at": true, "seq": true,
}

// restated reports whether the WHERE of the write repeats what was read, or may
// do so: a column that the write changes, or a version.
func restated(l *txflow.Link) bool {
	st := l.WriteStatement
	if !st.WhereComplete || st.Trailing || len(st.Where) == 0 {
		return true
	}
	for _, c := range st.Where {
		name := c.Column.Column
		if versions[strings.ToLower(name)] || c.Op != "=" {
			return true
		}
		if slices.ContainsFunc(st.Sets, func(a pgsql.Assignment) bool { return a.Column == name }) {
			return true
		}
		if slices.ContainsFunc(l.Tests, func(t txflow.Test) bool { return t.Column != "" && strings.EqualFold(t.Column, name) }) {
			return true
		}
	}
	return false
}

// staleValues returns the columns that are set to what was made of themselves.
func staleValues(l *txflow.Link) []string {
	var out []string
	for _, f := range l.Values {
		if sameColumn(f.Column, f.From) && !f.Aggregate && !slices.Contains(out, f.Column) {
			out = append(out, f.Column)
		}
	}
	return out
}

func sameColumn(a, b string) bool { return normal(a) == normal(b) }

func normal(s string) string {
	return strings.ReplaceAll(strings.ToLower(strings.Trim(s, `"`)), "_", "")
}

// staleTestOf returns the column that is tested, and changed, without being
// tested again by the statement.
func staleTestOf(l *txflow.Link) string {
	for _, t := range l.Tests {
		if t.Column == "" || t.New {
			continue
		}
		for _, a := range l.WriteStatement.Sets {
			if sameColumn(a.Column, t.Column) && (!idempotent(t, a) || hasOtherWrite(l)) {
				return a.Column
			}
		}
	}
	return ""
}

// idempotent reports whether the write comes out the same when it is done twice:
// a mark that the test found not yet made.
func idempotent(t txflow.Test, a pgsql.Assignment) bool {
	if len(a.Value.Columns) > 0 {
		return false
	}
	switch {
	case t.Op == token.ILLEGAL: // if !done { SET done = true }
		return true
	case t.Const == "nil": // if doneAt == nil { SET done_at = now() }
		return true
	case a.Value.Kind == pgsql.ExprConst && t.Op == token.NEQ:
		return strings.Trim(t.Const, `"`) == a.Value.Const
	case t.Other:
		return true
	}
	return false
}

// hasOtherWrite reports whether something else is written that depends on what
// was read.
func hasOtherWrite(l *txflow.Link) bool {
	return slices.ContainsFunc(l.Others(), func(s *txflow.Site) bool {
		return s.Op == txflow.Run && s.Instr != l.Write.Instr && s.Any(s.Effect, repeats) && l.Uses(s)
	})
}

// repeats reports whether a statement does more when it is run twice.
func repeats(st *pgsql.Statement) bool {
	switch st.Kind {
	case pgsql.Insert:
		return st.OnConflict == pgsql.ConflictNone
	case pgsql.Update:
		return slices.ContainsFunc(st.Sets, func(a pgsql.Assignment) bool { return len(a.Value.Columns) > 0 })
	}
	return false
}

// consumed reports whether a row is used up: it is read, something is written
// because of it, and it is deleted without a look at whether it was still there.
func consumed(l *txflow.Link) bool {
	tested := slices.ContainsFunc(l.Tests, func(t txflow.Test) bool {
		return t.Column != "" && (t.Op != token.EQL && t.Op != token.NEQ || !t.Other)
	})
	return tested && hasOtherWrite(l) && !l.CountLookedAt()
}

// inserts reports whether a row is inserted because there was none, or not too
// many, and nothing catches a second one.
func inserts(l *txflow.Link) bool {
	st := l.WriteStatement
	if st.OnConflict != pgsql.ConflictNone || st.Trailing || len(st.Reads) > 0 || !l.Scoped || l.TestsViolation() {
		return false
	}
	if slices.ContainsFunc(l.Tests, func(t txflow.Test) bool { return t.Absent }) {
		return true
	}
	return slices.ContainsFunc(l.Values, func(f txflow.Flow) bool { return f.Aggregate })
}

func message(l *txflow.Link, f *fault) string {
	table := l.WriteStatement.Target.Name
	where := l.Read.Place()
	via := l.Write.Via()
	if l.Both() {
		via = ""
	}
	switch f.form {
	case staleValue:
		cols := strings.Join(f.values, ", ")
		return fmt.Sprintf("lost update%s: %s of %s is set to a value made from the row read without a lock at %s, so what another transaction writes in between is erased without an error; lock the row when it is read (%s, in the same transaction), or compute the value in SQL",
			via, cols, table, where, pgsql.ForNoKeyUpdate)
	case staleTest:
		if l.WriteStatement.Kind == pgsql.Delete {
			return fmt.Sprintf("lost update%s: the row of %s that is deleted was read and tested without a lock at %s, so two executions can both use it; lock the row when it is read (%s, in the same transaction), or delete it first and go on only if one row was deleted",
				via, table, where, pgsql.ForUpdate)
		}
		return fmt.Sprintf("lost update%s: whether %s of %s is written was decided on the row read without a lock at %s, and the WHERE does not repeat the test, so two executions can both pass it; lock the row when it is read (%s, in the same transaction), or put the test into the WHERE and look at the number of rows",
			via, f.column, table, where, pgsql.ForNoKeyUpdate)
	}
	return fmt.Sprintf("lost update%s: whether this row of %s is inserted was decided by the read at %s, which locks nothing that is not there, so two executions can both insert; use a unique constraint with ON CONFLICT, or take a lock on the parent row or an advisory lock before the read",
		via, table, where)
}
