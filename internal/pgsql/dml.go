package pgsql

import "github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"

// write notes the target of a data-modifying statement; top is set for the
// statement itself, not for a common table expression.
func (w *walker) write(r *pgast.RangeVar, top bool) *fromItem {
	t := table(r)
	w.see(int(r.GetLocation()))
	w.st.Writing = true
	w.st.Writes = append(w.st.Writes, t)
	if top {
		w.st.Target = t
	}
	name := t.Alias
	if name == "" {
		name = t.Name
	}
	return &fromItem{name: name, table: t.Name, locked: []string{t.Name}}
}

// returning reads RETURNING. Its plain columns are those of the target.
func (w *walker) returning(stmt any, sc *scope, top bool) []Output {
	list := pgast.Returning(stmt)
	out := w.outputs(list, sc, top)
	if top && len(list) > 0 {
		w.st.Returning, w.st.Outputs = true, out
	}
	return out
}

// condition reads the WHERE of an UPDATE or DELETE.
func (w *walker) condition(n *pgast.Node, sc *scope, top bool) {
	where, complete := w.where(n, sc)
	if top {
		w.st.Where, w.st.WhereComplete, w.st.HasWhere = where, complete, n != nil
		w.st.WhereLoose = w.level.loose
	}
}

func (w *walker) update(u *pgast.UpdateStmt, parent *scope, top bool) []Output {
	sc := &scope{parent: parent}
	w.with(u.GetWithClause(), sc)
	target := w.write(u.GetRelation(), top)
	sc.items = append(sc.items, target)
	w.from(u.GetFromClause(), sc)
	w.assign(u.GetTargetList(), sc, target, top, false)
	w.condition(u.GetWhereClause(), sc, top)
	return w.returning(u, sc, top)
}

func (w *walker) delete(d *pgast.DeleteStmt, parent *scope, top bool) []Output {
	sc := &scope{parent: parent}
	w.with(d.GetWithClause(), sc)
	sc.items = append(sc.items, w.write(d.GetRelation(), top))
	w.from(d.GetUsingClause(), sc)
	w.condition(d.GetWhereClause(), sc, top)
	return w.returning(d, sc, top)
}

// assign reads the SET list of an UPDATE.
func (w *walker) assign(list []*pgast.Node, sc *scope, target *fromItem, top, conflict bool) {
	for _, n := range list {
		t := n.GetResTarget()
		w.see(int(t.GetLocation()))
		w.visitAll(t.GetIndirection(), sc)
		a := Assignment{Column: clean(t.GetName()), OnConflict: conflict}
		if m := t.GetVal().GetMultiAssignRef(); m != nil {
			a.Value = w.multi(m, sc)
		} else {
			a.Value = w.expr(t.GetVal(), sc)
			if p := given(t.GetVal(), a.Column); p != nil {
				w.classify(p, sc, &a.Value)
			}
		}
		if top {
			w.st.Sets = append(w.st.Sets, a)
		}
	}
}

// given returns the parameter of SET c = coalesce($1, c), which is what is set
// where there is one, or nil.
func given(n *pgast.Node, column string) *pgast.Node {
	c := strip(n).GetCoalesceExpr()
	if c == nil || len(c.GetArgs()) != 2 {
		return nil
	}
	p, own := strip(c.GetArgs()[0]), strip(c.GetArgs()[1]).GetColumnRef()
	if p.GetParamRef() == nil || own == nil || len(own.GetFields()) == 0 {
		return nil
	}
	if last := own.GetFields()[len(own.GetFields())-1].GetString_(); last == nil || clean(last.GetSval()) != column {
		return nil
	}
	return p
}

// multi reads one column's share of SET (a, b) = (x, y) or = (SELECT …).
func (w *walker) multi(m *pgast.MultiAssignRef, sc *scope) Expr {
	i := int(m.GetColno()) - 1
	if row := m.GetSource().GetRowExpr(); row != nil && i >= 0 && i < len(row.GetArgs()) {
		return w.expr(row.GetArgs()[i], sc)
	}
	if i <= 0 { // the source is the same for all columns
		w.source = w.expr(m.GetSource(), sc)
	}
	return w.source
}

func (w *walker) insert(i *pgast.InsertStmt, parent *scope, top bool) []Output {
	sc := &scope{parent: parent}
	w.with(i.GetWithClause(), sc)
	target := w.write(i.GetRelation(), top)
	w.rows(i, sc, top)
	sc.items = append(sc.items, target)
	w.onConflict(i.GetOnConflictClause(), sc, target, top)
	return w.returning(i, sc, top)
}

// rows reads VALUES or the query of an INSERT.
func (w *walker) rows(i *pgast.InsertStmt, sc *scope, top bool) {
	s := i.GetSelectStmt().GetSelectStmt()
	if s == nil { // DEFAULT VALUES
		return
	}
	if len(s.GetValuesLists()) > 0 && s.GetWithClause() == nil {
		for row, list := range s.GetValuesLists() {
			values := make([]Expr, 0, len(list.GetList().GetItems()))
			for _, n := range list.GetList().GetItems() {
				values = append(values, w.expr(n, sc))
			}
			w.setRow(i.GetCols(), values, row, top)
		}
		return
	}
	saved := w.level
	w.level = &level{}
	w.texts = top
	out, _ := w.selects(s, sc, false)
	w.texts = false
	w.level = saved
	values := make([]Expr, 0, len(out))
	for _, o := range out {
		if o.Name == "*" {
			break
		}
		values = append(values, o.Expr)
	}
	w.setRow(i.GetCols(), values, 0, top)
}

// setRow pairs the columns of an INSERT with one row. Where a hole may stand
// for several of them, what follows it is not paired.
func (w *walker) setRow(cols []*pgast.Node, values []Expr, row int, top bool) {
	if !top {
		return
	}
	exact := len(cols) == len(values)
	for i, v := range values {
		a := Assignment{Value: v, Row: row}
		if i < len(cols) {
			a.Column = clean(cols[i].GetResTarget().GetName())
		}
		w.st.Sets = append(w.st.Sets, a)
		if !exact && (v.Kind == ExprHole || i < len(cols) && a.Column == "") {
			return
		}
	}
}

// onConflict reads ON CONFLICT; excluded is the row that was to be inserted.
func (w *walker) onConflict(c *pgast.OnConflictClause, sc *scope, target *fromItem, top bool) {
	if c == nil {
		return
	}
	if top {
		w.st.OnConflict = conflictActions[c.GetAction()]
		for _, e := range c.GetInfer().GetIndexElems() {
			if name := clean(e.GetIndexElem().GetName()); name != "" {
				w.st.ConflictColumns = append(w.st.ConflictColumns, name)
			}
		}
	}
	for _, e := range c.GetInfer().GetIndexElems() {
		w.visit(e.GetIndexElem().GetExpr(), sc)
	}
	w.visit(c.GetInfer().GetWhereClause(), sc)
	w.assign(c.GetTargetList(), sc, target, top, true)
	where, complete := w.where(c.GetWhereClause(), sc)
	if top && c.GetWhereClause() != nil {
		w.st.Where, w.st.WhereComplete, w.st.HasWhere = where, complete, true
	}
}

var conflictActions = map[pgast.OnConflictAction]ConflictAction{
	pgast.ONCONFLICT_NOTHING: ConflictNothing, pgast.ONCONFLICT_UPDATE: ConflictUpdate,
}

func (w *walker) merge(m *pgast.MergeStmt, parent *scope, top bool) []Output {
	sc := &scope{parent: parent}
	w.with(m.GetWithClause(), sc)
	target := w.write(m.GetRelation(), top)
	sc.items = append(sc.items, target)
	w.fromItem(m.GetSourceRelation(), sc, false)
	where, complete := w.where(m.GetJoinCondition(), sc)
	if top {
		w.st.Where, w.st.WhereComplete = where, complete
	}
	for _, n := range m.GetMergeWhenClauses() {
		c := n.GetMergeWhenClause()
		w.visit(c.GetCondition(), sc)
		if len(c.GetValues()) == 0 {
			w.assign(c.GetTargetList(), sc, target, top, false)
			continue
		}
		values := make([]Expr, 0, len(c.GetValues()))
		for _, v := range c.GetValues() {
			values = append(values, w.expr(v, sc))
		}
		w.setRow(c.GetTargetList(), values, 0, top)
	}
	return w.returning(m, sc, top)
}
