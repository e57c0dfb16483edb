package pgsql

import (
	"strconv"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

// selects reads a SELECT, VALUES, TABLE or set operation and returns its
// result columns and scope.
func (w *walker) selects(s *pgast.SelectStmt, parent *scope, top bool) ([]Output, *scope) {
	saved := w.maxLoc
	w.maxLoc = -1
	sc := &scope{parent: parent}
	listed := w.listed && !top
	w.listed = false
	w.with(s.GetWithClause(), sc)
	out := w.body(s, sc, top)
	where, complete := w.where(s.GetWhereClause(), sc)
	loose := w.level.loose
	if listed {
		w.st.Listed = append(w.st.Listed, where...)
		w.listed = true
	}
	w.groups(s, sc)
	order := w.orderBy(s.GetSortClause(), sc, out)
	w.visit(s.GetLimitOffset(), sc)
	w.visit(s.GetLimitCount(), sc)
	if top {
		w.st.Outputs, w.st.OrderBy = out, order
		w.st.Where, w.st.WhereComplete, w.st.WhereLoose = where, complete, loose
		w.flags(s)
		w.into(leftmost(s).GetIntoClause())
	}
	for _, l := range s.GetLockingClause() {
		w.rowLock(l.GetLockingClause(), s, sc, where, top)
	}
	if !top && s.GetLimitCount() != nil && len(s.GetLockingClause()) == 0 {
		w.pick(sc, where)
	}
	w.maxLoc = max(w.maxLoc, saved)
	return out, sc
}

// body reads what a query is made of: rows, a set operation, or targets from
// tables.
func (w *walker) body(s *pgast.SelectStmt, sc *scope, top bool) []Output {
	switch {
	case len(s.GetValuesLists()) > 0:
		return w.values(s, sc)
	case s.GetLarg() != nil:
		return common(w.arm(s.GetLarg(), sc), w.arm(s.GetRarg(), sc))
	}
	w.from(s.GetFromClause(), sc)
	w.level.targets, w.listed = true, top
	out := w.outputs(s.GetTargetList(), sc, top || w.texts)
	w.level.targets, w.listed = false, false
	return out
}

// common returns the result columns of a set operation: the names of the left
// side, and the columns that are the same on both.
func common(left, right []Output) []Output {
	out := make([]Output, len(left))
	for i, l := range left {
		out[i].Name = l.Name
		if i < len(right) && l.Column == right[i].Column {
			out[i].Column = l.Column
		}
	}
	return out
}

// arm reads one side of a set operation.
func (w *walker) arm(s *pgast.SelectStmt, sc *scope) []Output {
	saved := w.level
	w.level = &level{}
	out, _ := w.selects(s, sc, false)
	w.level = saved
	return out
}

func (w *walker) values(s *pgast.SelectStmt, sc *scope) []Output {
	var out []Output
	for row, list := range s.GetValuesLists() {
		for i, n := range list.GetList().GetItems() {
			if row > 0 {
				w.visit(n, sc)
				continue
			}
			out = append(out, Output{Name: "column" + strconv.Itoa(i+1), Expr: w.expr(n, sc)})
		}
	}
	return out
}

func (w *walker) groups(s *pgast.SelectStmt, sc *scope) {
	w.visitAll(s.GetGroupClause(), sc)
	w.visit(s.GetHavingClause(), sc)
	w.visitAll(s.GetWindowClause(), sc)
	for _, d := range s.GetDistinctClause() { // an empty node for plain DISTINCT
		w.visit(d, sc)
	}
}

// orderBy reads ORDER BY and returns its terms that are plain columns.
func (w *walker) orderBy(list []*pgast.Node, sc *scope, out []Output) []ColumnRef {
	var cols []ColumnRef
	for _, n := range list {
		node := strip(n.GetSortBy().GetNode())
		w.see(pgast.Location(node))
		c := node.GetColumnRef()
		if c == nil {
			w.visit(node, sc)
			continue
		}
		if ref, ok := w.resolve(c, sc); ok {
			ref = outputColumn(c, ref, out)
			w.addColumn(ref)
			cols = append(cols, ref)
		}
	}
	return cols
}

// outputColumn returns the column behind an output's name, which ORDER BY
// prefers to a column of the tables.
func outputColumn(c *pgast.ColumnRef, ref ColumnRef, out []Output) ColumnRef {
	if len(c.GetFields()) > 1 {
		return ref
	}
	for _, o := range out {
		if o.Name == ref.Column && o.Column.Column != "" && o.Column.Column != "*" {
			return o.Column
		}
	}
	return ref
}

// flags notes the clauses of the outermost SELECT.
func (w *walker) flags(s *pgast.SelectStmt) {
	st := w.st
	st.HasWhere = s.GetWhereClause() != nil
	st.HasLimit = s.GetLimitCount() != nil
	st.HasOrderBy = len(s.GetSortClause()) > 0
	st.HasGroupBy = len(s.GetGroupClause()) > 0
	st.HasDistinct = len(s.GetDistinctClause()) > 0
	st.HasHaving = s.GetHavingClause() != nil
	st.HasSetOp = s.GetLarg() != nil
	st.HasAggregate = w.level.agg
}

func leftmost(s *pgast.SelectStmt) *pgast.SelectStmt {
	for s.GetLarg() != nil {
		s = s.GetLarg()
	}
	return s
}

// into notes the table that SELECT INTO and CREATE TABLE AS create.
func (w *walker) into(i *pgast.IntoClause) {
	if i == nil {
		return
	}
	w.st.Target = table(i.GetRel())
	w.st.Writes = append(w.st.Writes, w.st.Target)
	w.st.Temp = i.GetRel().GetRelpersistence() == "t"
	w.st.OnCommitDrop = i.GetOnCommit() == pgast.ONCOMMIT_DROP
}

// outputs reads a target list or the list of RETURNING.
func (w *walker) outputs(list []*pgast.Node, sc *scope, text bool) []Output {
	out := make([]Output, 0, len(list))
	for _, n := range list {
		t := n.GetResTarget()
		w.see(int(t.GetLocation()))
		o := Output{Name: t.GetName()}
		o.Expr = w.read(t.GetVal(), sc)
		if text {
			o.Expr.Text = w.text(int(t.GetLocation()))
		}
		if o.Expr.Kind == ExprColumn && isColumn(t.GetVal()) {
			o.Column = o.Expr.Column
		}
		if o.Name == "" {
			o.Name = figureName(t.GetVal())
		}
		o.Name = clean(o.Name)
		out = append(out, o)
	}
	return out
}

func isColumn(n *pgast.Node) bool { return n.GetColumnRef() != nil }
