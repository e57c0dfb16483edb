package pgsql

import (
	"slices"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

// A scope is the names that one query level sees.
type scope struct {
	parent *scope
	items  []*fromItem
	ctes   []*fromItem
}

// A fromItem is one element of a FROM list, or a common table expression.
type fromItem struct {
	name    string // the name columns are qualified with
	table   string // the real table, empty for anything else
	outputs []Output
	// locked are the tables whose rows a locking clause on the item locks.
	locked []string
	// rejected is why PostgreSQL does not take a locking clause on the item.
	rejected string
	nullable bool // on the nullable side of an outer join
	strict   bool // WHERE or an inner join tests one of its columns
}

func (sc *scope) cte(name string) *fromItem {
	for ; sc != nil; sc = sc.parent {
		for i := len(sc.ctes) - 1; i >= 0; i-- {
			if sc.ctes[i].name == name {
				return sc.ctes[i]
			}
		}
	}
	return nil
}

// item finds the element that a qualifier names, here or in an outer query.
func (sc *scope) item(name string) *fromItem {
	for ; sc != nil; sc = sc.parent {
		for _, it := range sc.items {
			if it.name == name {
				return it
			}
		}
	}
	return nil
}

// only returns the element that unqualified columns belong to when it is the
// only one of the innermost level that has any.
func (sc *scope) only() *fromItem {
	for ; sc != nil; sc = sc.parent {
		if len(sc.items) == 1 {
			return sc.items[0]
		}
		if len(sc.items) > 1 {
			return nil
		}
	}
	return nil
}

// column returns the real column behind a column of the item.
func (it *fromItem) column(name string) ColumnRef {
	if it.table != "" {
		return ColumnRef{it.table, name}
	}
	star := ColumnRef{}
	for _, o := range it.outputs {
		if o.Column.Column == "*" {
			star = ColumnRef{o.Column.Table, name}
		} else if o.Name == name && o.Column.Column != "" {
			return o.Column
		} else if o.Name == name {
			return ColumnRef{"", name}
		}
	}
	if star.Column != "" {
		return star
	}
	return ColumnRef{"", name}
}

// resolve returns the column that a reference names; ok is false when it came
// from a hole.
func (w *walker) resolve(c *pgast.ColumnRef, sc *scope) (ref ColumnRef, ok bool) {
	f := c.GetFields()
	name := "*"
	if f[len(f)-1].GetAStar() == nil {
		name = str(f[len(f)-1])
	}
	if clean(name) == "" {
		return ColumnRef{}, false
	}
	if len(f) > 1 {
		return w.qualified(clean(str(f[len(f)-2])), name, sc), true
	}
	if it := sc.item(name); it != nil && it.table != "" && name != "*" && sc.only() != it {
		w.test(it)
		return ColumnRef{it.table, "*"}, true // the whole row
	}
	it := sc.only()
	if it == nil {
		w.level.bare = w.level.bare || w.level.where
		return ColumnRef{"", name}, true
	}
	w.test(it)
	return it.column(name), true
}

func (w *walker) qualified(qualifier, name string, sc *scope) ColumnRef {
	it := sc.item(qualifier)
	if it == nil {
		return ColumnRef{qualifier, name}
	}
	w.test(it)
	return it.column(name)
}

// test notes that a condition uses a column of the item: PostgreSQL then may
// turn the outer join into an inner one (reduce_outer_joins in prepjointree.c).
func (w *walker) test(it *fromItem) {
	it.strict = it.strict || w.level.where
}

// with reads common table expressions. They see those before them, and with
// RECURSIVE themselves.
func (w *walker) with(c *pgast.WithClause, sc *scope) {
	for _, n := range c.GetCtes() {
		cte := n.GetCommonTableExpr()
		it := &fromItem{name: cte.GetCtename()}
		if c.GetRecursive() {
			sc.ctes = append(sc.ctes, it)
		}
		it.outputs = rename(w.query(cte.GetCtequery(), sc, false), cte.GetAliascolnames())
		if !c.GetRecursive() {
			sc.ctes = append(sc.ctes, it)
		}
	}
}

// rename gives result columns the names of an alias's column list.
func rename(out []Output, names []*pgast.Node) []Output {
	if len(names) == 0 || len(names) > len(out) {
		return out
	}
	out = slices.Clone(out)
	for i, n := range names {
		out[i].Name = str(n)
	}
	return out
}

// from reads a FROM list into the scope.
func (w *walker) from(list []*pgast.Node, sc *scope) {
	for _, n := range list {
		w.fromItem(n, sc, false)
	}
}

func (w *walker) fromItem(n *pgast.Node, sc *scope, nullable bool) {
	w.see(pgast.Location(n))
	switch v := n.GetNode().(type) {
	case *pgast.Node_RangeVar:
		it := w.rangeVar(v.RangeVar, sc)
		it.nullable = nullable
		sc.items = append(sc.items, it)
	case *pgast.Node_JoinExpr:
		w.join(v.JoinExpr, sc, nullable)
	case *pgast.Node_RangeSubselect:
		it := w.derived(v.RangeSubselect, sc)
		it.nullable = nullable
		sc.items = append(sc.items, it)
	case *pgast.Node_RangeTableSample:
		w.fromItem(v.RangeTableSample.GetRelation(), sc, nullable)
		w.visitAll(v.RangeTableSample.GetArgs(), sc)
	case *pgast.Node_RangeFunction:
		w.visitAll(v.RangeFunction.GetFunctions(), sc)
		sc.items = append(sc.items, &fromItem{name: functionAlias(v.RangeFunction)})
	default: // XMLTABLE, JSON_TABLE
		pgast.Children(n, func(c *pgast.Node) { w.visit(c, sc) })
		sc.items = append(sc.items, &fromItem{})
	}
}

func functionAlias(r *pgast.RangeFunction) string {
	if a := r.GetAlias().GetAliasname(); a != "" || len(r.GetFunctions()) == 0 {
		return a
	}
	items := r.GetFunctions()[0].GetList().GetItems()
	if len(items) == 0 {
		return ""
	}
	_, name := funcName(items[0].GetFuncCall())
	return name
}

// rangeVar reads a table or a reference to a common table expression.
func (w *walker) rangeVar(r *pgast.RangeVar, sc *scope) *fromItem {
	t := table(r)
	name := t.Alias
	if name == "" {
		name = t.Name
	}
	if t.Schema == "" && t.Name != "" {
		if cte := sc.cte(t.Name); cte != nil {
			return &fromItem{name: name, outputs: rename(cte.outputs, r.GetAlias().GetColnames())}
		}
	}
	w.addRead(t)
	return &fromItem{name: name, table: t.Name, locked: []string{t.Name}}
}

func (w *walker) addRead(t TableRef) {
	if _, ok := w.reads[t]; !ok {
		w.reads[t] = struct{}{}
		w.st.Reads = append(w.st.Reads, t)
	}
}

// derived reads a sub-SELECT in FROM.
func (w *walker) derived(r *pgast.RangeSubselect, sc *scope) *fromItem {
	it := &fromItem{name: r.GetAlias().GetAliasname()}
	saved := w.level
	w.level = &level{}
	sub := r.GetSubquery().GetSelectStmt()
	out, inner := w.selects(sub, sc, false)
	it.rejected = w.level.rejects(sub)
	w.level = saved
	it.outputs = rename(out, r.GetAlias().GetColnames())
	for _, i := range inner.items {
		it.locked = append(it.locked, i.locked...)
	}
	return it
}

// join reads a join; which of its sides are nullable depends on its type.
func (w *walker) join(j *pgast.JoinExpr, sc *scope, nullable bool) {
	t := j.GetJointype()
	first := len(sc.items)
	w.fromItem(j.GetLarg(), sc, nullable || t == pgast.JOIN_RIGHT || t == pgast.JOIN_FULL)
	w.fromItem(j.GetRarg(), sc, nullable || t == pgast.JOIN_LEFT || t == pgast.JOIN_FULL)
	inner := t != pgast.JOIN_LEFT && t != pgast.JOIN_RIGHT && t != pgast.JOIN_FULL
	saved := w.level.where
	w.level.where = inner && !nullable
	w.visit(j.GetQuals(), sc)
	w.level.where = saved
	for _, u := range j.GetUsingClause() {
		w.addColumn(ColumnRef{"", str(u)})
	}
	if a := j.GetAlias().GetAliasname(); a != "" { // the alias hides the names inside
		sc.items = append(sc.items[:first], joined(a, sc.items[first:]))
	}
}

// joined is a join under an alias of its own.
func joined(alias string, items []*fromItem) *fromItem {
	it := &fromItem{name: alias}
	for _, i := range items {
		it.locked = append(it.locked, i.locked...)
		it.nullable = it.nullable || i.nullable
	}
	return it
}
