package lostupdate

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pgtxvet/pgtxvet/internal/config"
	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/internal/schema"
	"github.com/pgtxvet/pgtxvet/passes/internal/names"
	"github.com/pgtxvet/pgtxvet/passes/internal/rule"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// Analyzer reports rows that are read without a lock and written back.
var Analyzer = rule.New("lostupdate", doc, run)

func run(p *rule.Pass) {
	links := p.Links()
	// The function in which a read and a write come together is where to look at;
	// its callers may know more about the transaction.
	met := map[[2]txflow.Place][]*txflow.Link{}
	for _, l := range links {
		if !l.Both() {
			met[l.Pair()] = append(met[l.Pair()], l)
		}
	}
	seen := map[token.Pos]bool{}
	for _, l := range links {
		f := faultOf(l)
		if f == nil || !open(l) || l.Protected() != "" || f.form == checkInsert && keyed(p, l) {
			continue
		}
		at := l
		if l.Both() {
			switch i := slices.IndexFunc(met[l.Pair()], l.Calls); {
			case i >= 0:
				if at = met[l.Pair()][i]; at.Protected() != "" || f.form == usedUp && !consumed(at) {
					continue
				}
			case l.KnownBelow():
				continue // said in the package of the function that is called
			}
		}
		pos, end := at.Write.Range()
		if seen[pos] || p.Migration(pos) {
			continue
		}
		seen[pos] = true
		read, _ := l.Read.OriginRange()
		p.Report(pos, end, message(at, f), rule.Related(read, "the row is read here, without a lock"), lockIt(l, f))
	}
}

// open reports whether the transaction of the write, and with it the isolation
// level and the locks taken before, is known, or is nobody's business.
func open(l *txflow.Link) bool {
	return l.Decided() || l.Entry() && !l.HandedIn()
}

// A form is one of the three forms of the fault.
type form uint8

const (
	staleValue form = iota + 1
	staleTest
	checkInsert
	// usedUp is a stale test of a row that is deleted, after it was used.
	usedUp
	// spareTest is a stale test of a row that is deleted, and that another
	// execution may have begun to need.
	spareTest
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
		switch {
		case !l.SameRow || restated(l):
			return nil
		case consumed(l):
			return &fault{form: usedUp}
		case spared(l):
			return &fault{form: spareTest}
		}
	case pgsql.Insert:
		if l.WriteStatement.OnConflict == pgsql.ConflictUpdate {
			if cols := staleValues(l); len(cols) > 0 && l.SameRow {
				return &fault{form: staleValue, column: cols[0], values: cols}
			}
			return nil
		}
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
		if versions[strings.ToLower(name)] {
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
		if !txflow.SameColumn(f.Column, f.From) || f.Aggregate || slices.Contains(out, f.Column) {
			continue
		}
		if slices.ContainsFunc(l.Asked(), func(c string) bool { return txflow.SameColumn(c, f.Column) }) {
			continue // it is part of the key by which the row was found
		}
		if f.Computed || changes(f.Column) {
			out = append(out, f.Column)
		}
	}
	return out
}

// changes reports whether a column may change in the life of a row, going by its
// name: a copy of one that does not erases nothing.
func changes(column string) bool {
	c := strings.ToLower(strings.Trim(column, `"`))
	switch c {
	case "id", "uuid", "guid", "type", "kind", "created", "creator", "slug", "code", "key", "hash", "tenant", "org":
		return false
	}
	return !strings.HasSuffix(c, "_id") && !strings.HasPrefix(c, "created_") && !strings.HasSuffix(c, "_type") &&
		!strings.HasSuffix(c, "_uuid") && c != "updated_at" && c != "inserted_at"
}

// staleTestOf returns the column that is tested, and changed, without being
// tested again by the statement.
func staleTestOf(l *txflow.Link) string {
	for _, t := range l.Tests {
		if t.Column == "" {
			continue
		}
		for _, a := range l.WriteStatement.Sets {
			if txflow.SameColumn(a.Column, t.Column) && matters(l, t, a) {
				return a.Column
			}
		}
	}
	return ""
}

// matters reports whether it does harm that two executions pass a test of a
// column and both write it.
func matters(l *txflow.Link, t txflow.Test, a pgsql.Assignment) bool {
	ordered := t.Op == token.LSS || t.Op == token.LEQ || t.Op == token.GTR || t.Op == token.GEQ
	if len(a.Value.Columns) > 0 { // SET left = left - $1
		// CASE WHEN left = $2 THEN … tests again.
		down := t.Op == token.NEQ && t.Const == "0" && strings.Contains(a.Value.Text, "-")
		return (ordered || t.Computed || down) && !strings.Contains(strings.ToUpper(a.Value.Text), "CASE")
	}
	if t.New {
		// Only forward: if v > row.v { SET v = $1 }; if row.mayBecome(v) { … }.
		return ordered || t.Op == token.ILLEGAL && t.Computed
	}
	k, constant := l.ConstantSet(a)
	switch {
	case !constant && a.Value.Kind != pgsql.ExprParam: // now() and the like
		return notYet(t) && hasOtherWrite(l)
	case !constant:
		// A new value: harm only if the test is about a state, compares with the
		// value that is to be replaced, or says that nobody has the row.
		return t.Op == token.EQL && (isState(t.Const) || t.Other) || unheld(t) && names.Holder(a.Column)
	case !isState(`"` + k + `"`): // a mark or a reset
		return notYet(t) && k != "" && hasOtherWrite(l)
	case t.Op == token.EQL && strings.Trim(t.Const, `"`) == k:
		return false // it stays as it is
	case t.Op == token.NEQ && strings.Trim(t.Const, `"`) == k, t.Const == "nil":
		return notYet(t) && hasOtherWrite(l) // the same state twice
	case t.Op == token.ILLEGAL && !t.Computed:
		return false
	case t.Other:
		return false
	}
	return true
}

// isState reports whether a constant is the name of a state.
func isState(k string) bool {
	k = strings.Trim(k, `"`)
	return k != "" && k != "nil" && k != "true" && k != "false" && (k[0] < '0' || k[0] > '9')
}

// notYet reports whether a test says that a row is not marked yet.
func notYet(t txflow.Test) bool {
	switch t.Op {
	case token.ILLEGAL:
		return !t.Computed && !t.Truth
	case token.EQL:
		return !t.Other
	case token.NEQ:
		return isState(t.Const)
	}
	return false
}

// unheld reports whether a test says that a column is empty: it is nil, or a
// value of database/sql is not valid.
func unheld(t txflow.Test) bool {
	return t.Op == token.EQL && t.Const == "nil" || t.Op == token.ILLEGAL && !t.Computed && !t.Truth
}

// hasOtherWrite reports whether something else is written that depends on what
// was read.
func hasOtherWrite(l *txflow.Link) bool {
	return hasOtherWriteWith(l, func(*txflow.Site) bool { return true })
}

func hasOtherWriteWith(l *txflow.Link, ok func(*txflow.Site) bool) bool {
	return slices.ContainsFunc(l.Others(), func(s *txflow.Site) bool {
		return s.Op == txflow.Run && s.Origin != l.Write.Origin && s.Any(s.Effect, repeats) && l.Uses(s) && ok(s)
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

// ended are states that a row does not leave, or in which it is as good as
// deleted.
var ended = names.Set("deleted removed archived trashed gone purged done completed complete finished failed cancelled canceled expired closed ended " +
	"rejected revoked succeeded success error dead processed delivered stopped terminated inactive disabled")

// needs are parts of the names of columns that say how much depends on a row.
var needs = []string{"ref", "count", "uses", "usage", "balance", "stock", "quantity", "qty", "remaining", "members", "children"}

func counts(column string) bool {
	return slices.ContainsFunc(needs, func(w string) bool { return strings.Contains(strings.ToLower(column), w) })
}

// spared reports whether a row is deleted because it is in some state, or not in
// some other, or because a number says that nobody needs it.
func spared(l *txflow.Link) bool {
	return slices.ContainsFunc(l.Tests, func(t txflow.Test) bool {
		switch {
		case t.Column == "" || t.Other || t.Computed:
			return false
		case t.Op == token.EQL && t.Const == "0", t.Op == token.LEQ && t.Const == "0", t.Op == token.LSS && t.Const == "1":
			return counts(t.Column)
		case t.Op == token.EQL || t.Op == token.NEQ:
			return names.State(t.Column) && isState(t.Const) && !ended[strings.ToLower(strings.Trim(t.Const, `"`))]
		}
		return false
	})
}

// consumed reports whether a row is used up: it is read, something is written
// because of it in the same round, and it is deleted without a look at whether it was
// still there.
func consumed(l *txflow.Link) bool {
	tested := slices.ContainsFunc(l.Tests, func(t txflow.Test) bool {
		return t.Column != "" && (t.Op != token.EQL && t.Op != token.NEQ || !t.Other)
	})
	return tested && hasOtherWriteWith(l, l.SameRound) && !l.CountLookedAt()
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

// keyed reports whether a unique or exclusion constraint keeps a second row out,
// or may do so: by the tags of the model, or by the schema, where there is one.
func keyed(p *rule.Pass, l *txflow.Link) bool {
	if l.TaggedUnique() {
		return true
	}
	cfg, ok := p.ResultOf[config.Analyzer].(*config.Package)
	if !ok {
		return false
	}
	s := schema.Find(l.Dir(), cfg.Config)
	if !s.Known() {
		return keyedByStray(l)
	}
	t, answer := s.Table(l.WriteStatement.Target.Name)
	switch answer {
	case schema.Unknown:
		return true
	case schema.No:
		return l.TableGuessed() || keyedByStray(l) // else it is the schema of another database
	}
	return anyKeepsOut(t, l)
}

// keyedByStray is keyed by what the program's own code makes of the table, or a
// script that is of no known form, if one of them creates it.
func keyedByStray(l *txflow.Link) bool {
	t, answer := schema.Stray(l.Dir(), l.WriteStatement.Target.Name)
	return answer == schema.Yes && anyKeepsOut(t, l)
}

// anyKeepsOut reports whether a key of the table keeps a second row out, or may
// do so.
func anyKeepsOut(t *schema.Table, l *txflow.Link) bool {
	keys, answer := t.Keys()
	return answer == schema.Unknown || slices.ContainsFunc(keys, func(k *pgsql.Constraint) bool { return keepsOut(k, l) })
}

// keepsOut reports whether a key may refuse the row because of the one that the
// read did not see: it is over columns that the INSERT sets, of which the read
// asked for one.
func keepsOut(k *pgsql.Constraint, l *txflow.Link) bool {
	has := func(list []string, name string) bool {
		return slices.ContainsFunc(list, func(c string) bool { return txflow.SameColumn(c, name) })
	}
	asked := false
	for _, el := range k.Elements {
		cols := el.Columns
		if el.Column != "" {
			cols = []string{el.Column}
		}
		for _, c := range cols {
			if !has(l.Inserted(), c) && !has(l.Asked(), c) {
				return false
			}
			asked = asked || has(l.Asked(), c)
		}
	}
	return asked
}

// lockIt offers to lock the row where it is read, if that is in the transaction of
// the write and the statement allows it.
func lockIt(l *txflow.Link, f *fault) rule.Option {
	none := rule.Fix("")
	st := l.ReadStatement
	if l.Read.OriginGenerated() || len(l.Read.Path) > 0 || !l.Read.OwnText() {
		return none // others read with it too
	}
	if f.form == checkInsert || l.Read.Handle.Kind != txflow.Tx || !l.Read.Handle.Same(l.Write.Handle) || len(l.Read.Texts) != 1 {
		return none
	}
	if len(st.Reads) != 1 || st.HasAggregate || st.HasGroupBy || st.HasDistinct || st.HasSetOp || st.HasHaving || st.Holes {
		return none
	}
	strength := pgsql.ForNoKeyUpdate
	if l.WriteStatement.Kind == pgsql.Delete {
		strength = pgsql.ForUpdate
	}
	last := l.Read.TextPos(0, st.End-1)
	if !last.IsValid() {
		return none
	}
	return rule.Fix("lock the row when it is read", analysis.TextEdit{Pos: last + 1, End: last + 1, NewText: []byte(" " + strength.String())})
}

// words lists columns for a message.
func words(cols []string) string {
	if len(cols) > 3 {
		return strings.Join(cols[:3], ", ") + fmt.Sprintf(" and %d more", len(cols)-3)
	}
	return strings.Join(cols, ", ")
}

func message(l *txflow.Link, f *fault) string {
	table := l.WriteStatement.Target.Name
	where := l.Read.Place()
	via := l.Write.Via()
	switch f.form {
	case staleValue:
		cols := words(f.values)
		return fmt.Sprintf("lost update%s: %s of %s is set to a value made from the row read without a lock at %s, so what another transaction writes in between is erased without an error; lock the row when it is read (%s, in the same transaction), or compute the value in SQL",
			via, cols, table, where, pgsql.ForNoKeyUpdate)
	case staleTest:
		return fmt.Sprintf("lost update%s: whether %s of %s is written was decided on the row read without a lock at %s, and the WHERE does not repeat the test, so two executions can both pass it; lock the row when it is read (%s, in the same transaction), or put the test into the WHERE and look at the number of rows",
			via, f.column, table, where, pgsql.ForNoKeyUpdate)
	case usedUp:
		return fmt.Sprintf("lost update%s: the row of %s that is deleted was read and tested without a lock at %s, so two executions can both use it; lock the row when it is read (%s, in the same transaction), or delete it first and go on only if one row was deleted",
			via, table, where, pgsql.ForUpdate)
	case spareTest:
		return fmt.Sprintf("lost update%s: whether the row of %s is deleted was decided on the row read without a lock at %s, and the WHERE does not repeat the test, so a row that has changed meanwhile is deleted all the same; lock the row when it is read (%s, in the same transaction), or put the test into the WHERE and look at the number of rows",
			via, table, where, pgsql.ForUpdate)
	}
	return fmt.Sprintf("lost update%s: whether this row of %s is inserted was decided by the read at %s, which locks nothing that is not there, so two executions can both insert; use a unique constraint with ON CONFLICT, or take a lock on the parent row or an advisory lock before the read",
		via, table, where)
}
