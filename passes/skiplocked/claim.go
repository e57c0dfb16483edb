package skiplocked

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
	"github.com/pgtxvet/pgtxvet/passes/txflow"
)

// A form is the way in which a claim is written.
type form uint8

const (
	// inWrite is a statement that picks rows under a lock and writes them.
	inWrite form = iota + 1
	// unlockedInWrite is one that picks them without a lock.
	unlockedInWrite
	// lockedRead is a SELECT with a locking clause.
	lockedRead
	// unlockedRead is a SELECT without one.
	unlockedRead
)

// A claim is a statement that picks rows of a table by their state, to be
// marked or deleted.
type claim struct {
	form   form
	st     *pgsql.Statement
	lock   *pgsql.RowLock // nil without a lock
	tables []string       // the picked rows' tables
	where  []pgsql.Comparison
	loose  []pgsql.ColumnRef
	// text is the number of the text among those of the site.
	text int
}

// claimOf returns the claim that the site may run, if that is what it runs
// whatever text it has.
func claimOf(s *txflow.Site) *claim {
	var found *claim
	if s.Batch {
		return nil
	}
	for i, alt := range s.Statements() {
		if len(alt) == 0 {
			return nil
		}
		st := alt[len(alt)-1]
		c := claimIn(st)
		if c == nil || c.maybeSkips(s, i) || found != nil && c.form != found.form {
			return nil
		}
		c.text = i
		if found == nil {
			found = c
		}
	}
	return found
}

func claimIn(st *pgsql.Statement) *claim {
	if st.Partial || st.HasGroupBy || st.HasDistinct || st.HasSetOp {
		return nil
	}
	switch {
	case st.Writing:
		return claimInWrite(st)
	case st.Kind != pgsql.Select || !st.HasLimit && !st.HasOrderBy || st.HasAggregate:
		return nil
	case !st.HasLimit && len(st.Reads) > 1:
		return nil // locked in order, as likely as not
	case len(st.Locks) == 1 && st.Locks[0].Top && st.Locks[0].Strength >= pgsql.ForNoKeyUpdate:
		l := &st.Locks[0]
		return &claim{form: lockedRead, st: st, lock: l, tables: l.Tables, where: l.Where, loose: l.Loose}
	case len(st.Locks) == 0 && !st.Trailing && len(st.Reads) > 0:
		c := &claim{form: unlockedRead, st: st, where: st.Where, loose: st.WhereLoose}
		for _, r := range st.Reads {
			c.tables = append(c.tables, r.Name)
		}
		return c
	}
	return nil
}

// claimInWrite reads a statement that writes the rows that it picks, and tells
// the caller which: a sweep that returns nothing is nobody's claim.
func claimInWrite(st *pgsql.Statement) *claim {
	if st.Kind == pgsql.Insert || !st.Returning && st.Kind != pgsql.Select && !names(st.Sets) {
		return nil
	}
	written := func(tables []string) []string {
		return slices.DeleteFunc(slices.Clone(tables), func(t string) bool { return !writes(st, t) })
	}
	for i := range st.Locks {
		l := &st.Locks[i]
		t := written(l.Tables)
		if l.HasLimit && l.Strength >= pgsql.ForNoKeyUpdate && len(t) > 0 {
			c := &claim{form: inWrite, st: st, lock: l, tables: t, where: l.Where, loose: l.Loose}
			if !c.scoped(true) && (deletes(st) && t[0] != "" || c.tests(st.Sets)) {
				return c
			}
		}
	}
	if len(st.Locks) > 0 || st.Kind != pgsql.Update && st.Kind != pgsql.Delete {
		return nil
	}
	for i := range st.Picks {
		p := &st.Picks[i]
		c := &claim{form: unlockedInWrite, st: st, tables: written(p.Tables), where: p.Where, loose: p.Loose}
		if len(c.tables) > 0 && !deletes(st) && c.changes(st.Sets) && !c.restated(st) {
			return c
		}
	}
	return nil
}

// names reports whether a statement writes who has the row: its holder reads
// the row later.
func names(sets []pgsql.Assignment) bool {
	return slices.ContainsFunc(sets, func(a pgsql.Assignment) bool {
		return a.Value.Kind == pgsql.ExprParam && has(a.Column, holderColumns)
	})
}

// writes reports whether the statement writes the table. Two names that are not
// known are taken for the same: the columns have to tell.
func writes(st *pgsql.Statement, table string) bool {
	return slices.ContainsFunc(st.Writes, func(t pgsql.TableRef) bool { return singular(t.Name) == singular(table) })
}

// singular makes one name of a table's, in text, and the model's that an ORM
// derives it from.
func singular(table string) string {
	table = strings.ToLower(table)
	if s, ok := strings.CutSuffix(table, "ies"); ok {
		return s + "y"
	}
	for _, end := range []string{"sses", "shes", "ches", "xes"} {
		if strings.HasSuffix(table, end) {
			return strings.TrimSuffix(table, "es")
		}
	}
	return strings.TrimSuffix(table, "s")
}

func deletes(st *pgsql.Statement) bool { return st.Kind == pgsql.Delete }

// maybeSkips reports whether the claim passes over locked rows, or may do so by
// text that is not known.
func (c *claim) maybeSkips(s *txflow.Site, text int) bool {
	if c.lock == nil {
		return false
	}
	return c.lock.Policy == pgsql.SkipLocked || c.lock.Rejected != "" || c.st.Trailing || s.HoleAt(text, c.lock.End)
}

// columns are the columns that the claim's WHERE looks at, keys left out. What
// stands in an OR or in a function has to go by the name of a state.
func (c *claim) columns() []string {
	var out []string
	add := func(x pgsql.ColumnRef) {
		picked := x.Table == "" || slices.ContainsFunc(c.tables, func(t string) bool { return singular(t) == singular(x.Table) })
		if picked && !keyColumn(x.Column) {
			out = append(out, x.Column)
		}
	}
	for _, x := range c.where {
		add(x.Column)
	}
	for _, x := range c.loose {
		if has(x.Column, looseColumns) {
			add(x)
		}
	}
	return out
}

func contains(columns []string, name string) bool {
	return slices.ContainsFunc(columns, func(c string) bool { return strings.EqualFold(c, name) })
}

// changes reports whether the assignments change a column that the claim tests,
// so that a claimed row is no longer found.
func (c *claim) changes(sets []pgsql.Assignment) bool {
	cols := c.columns()
	return slices.ContainsFunc(sets, func(a pgsql.Assignment) bool { return a.Column != "" && contains(cols, a.Column) })
}

// tests reports whether the claim tests a state: a column that the assignments
// change, or one that is compared with a constant.
func (c *claim) tests(sets []pgsql.Assignment) bool {
	return c.changes(sets) || slices.ContainsFunc(c.where, constant)
}

// constant reports whether the comparison asks for one state of a column.
func constant(x pgsql.Comparison) bool {
	if keyColumn(x.Column.Column) {
		return false
	}
	switch x.Op {
	case "=", "IN", "ANY":
		return x.Value.Kind == pgsql.ExprConst || has(x.Column.Column, stateColumns) ||
			x.Op == "IN" && x.Value.Kind == pgsql.ExprOther && len(x.Value.Params) == 0 && !x.Value.Subquery
	case "IS NULL", "IS FALSE", "IS NOT TRUE", "IS TRUE":
		return true
	}
	return false
}

// scoped reports whether the claim looks at one row by a key, or at the rows of
// one owner: those are nobody else's. A tenant's jobs are claimed as jobs if the
// names say so.
func (c *claim) scoped(named bool) bool {
	for _, x := range c.where {
		name := x.Column.Column
		outside := x.Value.Kind == pgsql.ExprParam || x.Value.Kind == pgsql.ExprHole || len(x.Value.Params) > 0 || x.Value.Subquery
		switch x.Op {
		case "=", "IN", "ANY":
			switch {
			case x.Value.Kind == pgsql.ExprColumn, !outside && !keyColumn(name), has(name, stateColumns) && !keyColumn(name):
			case has(name, holderColumns):
				return true
			case queueColumn(name):
			case has(name, tenantColumns) && named:
			default:
				return true
			}
		case "<", "<=", ">", ">=":
			if keyColumn(name) && outside {
				return true // a page
			}
		}
	}
	return false
}

// restated reports whether the WHERE of a write tests the state again, or may do
// so, or asks for more than the key.
func (c *claim) restated(st *pgsql.Statement) bool {
	cols := c.columns()
	for _, x := range st.Where {
		if contains(cols, x.Column.Column) || !keyColumn(x.Column.Column) {
			return true
		}
	}
	return len(st.WhereLoose) > 0 || st.Trailing
}

var one = regexp.MustCompile(`(?i)\blimit\s+1\b`)

// likely reports whether something says that the rows are a queue: the name of
// the table, of a function on the way, a loop that polls, or more than one row
// at a time.
func (c *claim) likely(s *txflow.Site, callers []string) bool {
	if slices.ContainsFunc(c.tables, func(t string) bool { return has(t, queueTables) }) || anyHas(callers, claims) || s.Polls() {
		return true
	}
	return c.form != unlockedRead && c.lock != nil && c.lock.HasLimit && !one.MatchString(c.st.Text)
}

// named reports whether the names leave no doubt that it is a claim: ClaimNext of
// a table of jobs.
func (c *claim) named(s *txflow.Site) bool {
	name := ""
	if n := len(s.Path); n > 0 {
		name = s.Path[n-1]
	} else if s.Fn != nil {
		name = txflow.FuncName(s.Fn)
	}
	return c.plain() && has(name[strings.LastIndexByte(name, '.')+1:], plainClaims)
}

// evident reports whether a locking read is a claim wherever its rows are marked.
func (c *claim) evident(s *txflow.Site) bool {
	return c.form == lockedRead && c.lock.HasLimit && c.tests(nil) && c.named(s)
}

var clauses = regexp.MustCompile(`(?i)\b(order\s+by|limit|for\s+(no\s+key\s+)?update)\b`)

// open reports whether a part of the claim's WHERE is not known, which may name
// an owner.
func (c *claim) open(s *txflow.Site) bool {
	if !c.st.Holes {
		return false
	}
	text, _ := s.Texts[c.text].Join()
	if c.lock != nil && c.lock.Pos >= 0 {
		text = text[:min(c.lock.Pos, len(text))]
	}
	before := strings.ToLower(text)
	from := strings.LastIndex(before, "where")
	if from < 0 {
		return false
	}
	to := len(before)
	if at := clauses.FindStringIndex(before[from:]); at != nil {
		to = from + at[0]
	}
	return s.HoleBetween(c.text, from, to)
}

// plain reports whether a table goes by the name of a queue.
func (c *claim) plain() bool {
	return slices.ContainsFunc(c.tables, func(t string) bool { return has(t, plainQueues) })
}

// writes reports whether the statement writes a table of the claim.
func (c *claim) writes(st *pgsql.Statement) bool {
	return slices.ContainsFunc(c.tables, func(t string) bool { return writes(st, t) })
}
