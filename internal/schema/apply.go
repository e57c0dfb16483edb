package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// apply changes the model as a statement does.
func (m *model) apply(d *pgsql.Definition) {
	for i := range d.Changes {
		m.change(&d.Changes[i])
	}
	m.mayApply(d, cmp.Or(d.Problem, "a statement may change any table"))
	for _, call := range d.Calls {
		for _, f := range m.called(call) {
			if f.def.Effects != nil {
				m.mayApply(f.def.Effects, call+" is called, which may change any table")
			}
		}
	}
}

// mayApply notes what a statement may do.
func (m *model) mayApply(d *pgsql.Definition, why string) {
	for _, t := range d.Touches {
		m.touch(t)
	}
	m.moreTables = m.moreTables || d.Creates
	if d.Anything {
		m.miss("%s", why)
	}
}

// called returns the functions of a name that is called.
func (m *model) called(call string) []*function {
	call = call[strings.LastIndexByte(call, '.')+1:]
	var out []*function
	for n, list := range m.funcs {
		if n.name == call {
			out = append(out, list...)
		}
	}
	return out
}

// touch marks what is not sure any more.
func (m *model) touch(t pgsql.Touch) {
	if isHole(t.Table) {
		m.miss("a template names a table")
		return
	}
	if m.temps[t.Table.Name] {
		return
	}
	tab := m.find(t.Table)
	if tab == nil {
		tab = m.need(t.Table)
		tab.doubtful = true
	}
	if t.Loses {
		tab.lose(t)
	}
	tab.columnsUnsure = tab.columnsUnsure || t.Columns
	tab.consUnsure = tab.consUnsure || t.Keys
}

// lose takes away what a statement may have dropped.
func (t *table) lose(by pgsql.Touch) {
	switch {
	case by.Columns:
		t.forget()
	case by.Constraint == "":
		t.cons = nil
	default:
		t.cons = slices.DeleteFunc(t.cons, func(k *pgsql.Constraint) bool { return !k.Index && k.Name == by.Constraint })
	}
}

// operations are what is done for each kind of change of a table that exists.
var operations = map[pgsql.ChangeOp]func(*model, *table, *pgsql.Change){
	pgsql.DropTableOp:        (*model).dropTable,
	pgsql.DropViewOp:         (*model).dropTable,
	pgsql.RenameTableOp:      (*model).renameTable,
	pgsql.MoveTableOp:        (*model).moveTable,
	pgsql.AddColumnOp:        (*model).addColumn,
	pgsql.DropColumnOp:       (*model).dropColumn,
	pgsql.RenameColumnOp:     (*model).renameColumn,
	pgsql.AlterColumnOp:      (*model).alterColumn,
	pgsql.AlterTypeOp:        (*model).alterType,
	pgsql.AddConstraintOp:    (*model).addConstraints,
	pgsql.DropConstraintOp:   (*model).dropConstraint,
	pgsql.RenameConstraintOp: (*model).renameConstraint,
	pgsql.AttachPartitionOp:  (*model).attach,
	pgsql.DetachPartitionOp:  (*model).detach,
	pgsql.InheritOp:          (*model).inherit,
	pgsql.NoInheritOp:        (*model).detach,
}

// others are what is done for the other kinds.
var others = map[pgsql.ChangeOp]func(*model, *pgsql.Change){
	pgsql.CreateTableOp:     (*model).createTable,
	pgsql.CreateViewOp:      (*model).createView,
	pgsql.CreateTempOp:      func(m *model, c *pgsql.Change) { m.temps[c.Table.Name] = true },
	pgsql.DropIndexOp:       (*model).dropIndex,
	pgsql.RenameIndexOp:     (*model).renameIndex,
	pgsql.DropTypeOp:        (*model).dropType,
	pgsql.RenameTypeOp:      (*model).renameType,
	pgsql.CreateFunctionOp:  (*model).createFunction,
	pgsql.AlterFunctionOp:   (*model).alterFunction,
	pgsql.DropFunctionOp:    (*model).dropFunction,
	pgsql.RenameFunctionOp:  (*model).renameFunction,
	pgsql.CreateExtensionOp: func(m *model, _ *pgsql.Change) { m.extensions = true },
	pgsql.DropSchemaOp:      (*model).dropSchema,
	pgsql.RenameSchemaOp:    (*model).renameSchema,
	pgsql.SearchPathOp:      func(m *model, c *pgsql.Change) { m.path = c.Path },
}

func (m *model) change(c *pgsql.Change) {
	if isHole(c.Table) && (c.Op == pgsql.CreateTableOp || c.Op == pgsql.CreateViewOp) {
		m.moreTables = true
		return
	}
	if isHole(c.Table) {
		m.miss("a template names a table")
		return
	}
	if do := others[c.Op]; do != nil {
		do(m, c)
		return
	}
	t := m.find(c.Table)
	if t == nil && m.temps[c.Table.Name] {
		return
	}
	if t == nil && m.renamesIndex(c) {
		return
	}
	if t == nil && (c.Lenient && !m.incomplete || c.Op == pgsql.DropTableOp || c.Op == pgsql.DropViewOp) {
		if !c.Lenient {
			m.miss("%s is dropped, and created elsewhere", c.Table.Name)
		}
		return
	}
	operations[c.Op](m, m.need(c.Table), c)
}

// renamesIndex does ALTER TABLE … RENAME, which also renames indexes.
func (m *model) renamesIndex(c *pgsql.Change) bool {
	if c.Op != pgsql.RenameTableOp {
		return false
	}
	_, k := m.index(c.Table)
	if k != nil {
		k.Name = c.To
	}
	return k != nil
}

func (m *model) createTable(c *pgsql.Change) {
	n, stated := m.place(c.Table)
	old := m.tables[n]
	if old == nil && !stated {
		if t := m.find(c.Table); t != nil && t.placeholder {
			old = t
		}
	}
	if old != nil && !old.placeholder {
		if !c.Lenient {
			old.forget() // two databases, or a drop that was not seen
		}
		return
	}
	t := old
	if t == nil {
		t = m.put(&table{name: n, stated: stated})
	} else if !c.Lenient && !t.doubtful && len(t.cons) == 0 {
		// what was asked of it before can only be references to it
		t.consUnsure, t.columnsUnsure = false, false
	}
	t.placeholder, t.doubtful = false, false
	t.columnsUnsure = t.columnsUnsure || c.Unseen
	m.fill(t, c)
}

// fill gives a new table what its definition says.
func (m *model) fill(t *table, c *pgsql.Change) {
	for _, l := range c.Likes {
		m.like(t, m.need(l.Table), l.Indexes)
	}
	for _, p := range c.Parents {
		parent := m.need(p)
		t.partition = c.Partition
		if t.link(parent) {
			m.like(t, parent, false)
		}
	}
	for _, col := range c.Columns {
		if i := t.column(col.Name); i >= 0 {
			t.columns[i].NotNull = t.columns[i].NotNull || col.NotNull
			continue
		}
		t.columns = append(t.columns, col)
	}
	m.addConstraints(t, c)
}

// like copies the columns of a table, and its indexes.
func (m *model) like(t, from *table, indexes bool) {
	t.columnsUnsure = t.columnsUnsure || from.columnsUnsure
	for _, c := range from.columns {
		if t.column(c.Name) < 0 {
			t.columns = append(t.columns, c)
		}
	}
	if !indexes {
		return
	}
	t.consUnsure = t.consUnsure || from.unsure()
	for _, k := range from.constraints() {
		if k.Kind != pgsql.ForeignKey && k.Kind != pgsql.Check {
			k := clone(k)
			k.Name = ""
			m.add(t, k)
		}
	}
}

func clone(k *pgsql.Constraint) *pgsql.Constraint {
	c := *k
	c.Elements = slices.Clone(k.Elements)
	for i := range c.Elements {
		c.Elements[i].Columns = slices.Clone(c.Elements[i].Columns)
	}
	c.WhereColumns = slices.Clone(k.WhereColumns)
	c.ReferencedColumns = slices.Clone(k.ReferencedColumns)
	c.Included = slices.Clone(k.Included)
	return &c
}

func (m *model) createView(c *pgsql.Change) {
	n, stated := m.place(c.Table)
	if t := m.tables[n]; t != nil {
		t.forget()
		t.view, t.placeholder = true, false
		return
	}
	m.put(&table{name: n, stated: stated, view: true, columnsUnsure: true, consUnsure: true})
}

func (m *model) dropTable(t *table, _ *pgsql.Change) {
	m.remove(t)
	for _, o := range slices.Clone(m.order) {
		if o.partition && slices.Contains(o.parents, t) {
			m.dropTable(o, nil)
			continue
		}
		o.parents = slices.DeleteFunc(o.parents, func(p *table) bool { return p == t })
		o.cons = slices.DeleteFunc(o.cons, func(k *pgsql.Constraint) bool { return refers(k, t) })
	}
}

// refers reports whether a constraint is a foreign key that references a table.
func refers(k *pgsql.Constraint, t *table) bool {
	return k.Kind == pgsql.ForeignKey && k.Referenced.Schema == t.schema && k.Referenced.Name == t.name.name
}

func (m *model) renameTable(t *table, c *pgsql.Change) { m.rename(t, name{t.schema, c.To}) }

func (m *model) moveTable(t *table, c *pgsql.Change) {
	t.stated = true
	m.rename(t, name{c.To, t.name.name})
}

// rename gives a table another name, also where it is referenced.
func (m *model) rename(t *table, to name) {
	if old := m.tables[to]; old != nil && old != t {
		m.remove(old)
		t.forget() // one of the two was not seen to go
	}
	for _, o := range m.order {
		for _, k := range o.cons {
			if refers(k, t) {
				k.Referenced = pgsql.TableRef{Schema: to.schema, Name: to.name}
			}
		}
	}
	delete(m.tables, t.name)
	t.name = to
	m.tables[to] = t
}

func (m *model) addColumn(t *table, c *pgsql.Change) {
	for _, col := range c.Columns {
		if t.column(col.Name) >= 0 {
			if !c.Lenient {
				t.columnsUnsure, t.consUnsure = true, true
			}
			return
		}
		t.columns = append(t.columns, col)
	}
	m.addConstraints(t, c)
	for _, o := range m.order {
		if slices.Contains(o.parents, t) {
			m.addColumn(o, &pgsql.Change{Columns: c.Columns, Lenient: true})
		}
	}
}

func (m *model) dropColumn(t *table, c *pgsql.Change) {
	i := t.column(c.Name)
	switch {
	case i >= 0:
		t.columns = slices.Delete(t.columns, i, i+1)
	case !c.Lenient:
		t.columnsUnsure = true
	case !t.columnsUnsure:
		return
	}
	t.cons = slices.DeleteFunc(t.cons, func(k *pgsql.Constraint) bool {
		return slices.Contains(slices.Concat(columnsOf(k), k.WhereColumns, k.Included), c.Name)
	})
	for _, o := range m.order {
		o.cons = slices.DeleteFunc(o.cons, func(k *pgsql.Constraint) bool {
			return refers(k, t) && slices.Contains(k.ReferencedColumns, c.Name)
		})
		if slices.Contains(o.parents, t) && o.column(c.Name) >= 0 {
			m.dropColumn(o, &pgsql.Change{Name: c.Name, Lenient: true})
		}
	}
}

func (m *model) renameColumn(t *table, c *pgsql.Change) {
	if i := t.column(c.Name); i >= 0 {
		t.columns[i].Name = c.To
	} else {
		t.columnsUnsure = t.columnsUnsure || !c.Lenient
	}
	for _, k := range t.cons {
		renameIn(k, c.Name, c.To)
	}
	for _, o := range m.order {
		for _, k := range o.cons {
			if refers(k, t) {
				replace(k.ReferencedColumns, c.Name, c.To)
			}
		}
		if slices.Contains(o.parents, t) && o.column(c.Name) >= 0 {
			m.renameColumn(o, c)
		}
	}
}

func replace(list []string, from, to string) {
	for i := range list {
		if list[i] == from {
			list[i] = to
		}
	}
}

// renameIn renames a column in a constraint, also in its texts.
func renameIn(k *pgsql.Constraint, from, to string) {
	for i := range k.Elements {
		e := &k.Elements[i]
		if e.Column == from {
			e.Column = to
		}
		if slices.Contains(e.Columns, from) {
			e.Expr = renameWord(e.Expr, from, to)
		}
		replace(e.Columns, from, to)
	}
	if slices.Contains(k.WhereColumns, from) {
		k.Where = renameWord(k.Where, from, to)
	}
	replace(k.WhereColumns, from, to)
	replace(k.Included, from, to)
}

func (m *model) alterColumn(t *table, c *pgsql.Change) {
	for _, col := range c.Columns {
		if i := t.column(col.Name); i >= 0 {
			t.columns[i].NotNull = col.NotNull
		}
	}
}

func (m *model) alterType(t *table, c *pgsql.Change) {
	for _, col := range c.Columns {
		if i := t.column(col.Name); i >= 0 {
			t.columns[i].Type = col.Type
		}
	}
}

func (m *model) attach(t *table, c *pgsql.Change) {
	t.parents, t.partition = nil, true
	t.link(m.need(c.Parents[0]))
}

func (m *model) detach(t *table, c *pgsql.Change) {
	if p := m.find(c.Parents[0]); t.partition && p != nil {
		for _, k := range p.constraints() { // they stay
			t.cons = append(t.cons, clone(k))
		}
		t.consUnsure = t.consUnsure || p.unsure()
	}
	t.partition = false
	t.parents = nil
}

func (m *model) inherit(t *table, c *pgsql.Change) {
	for _, p := range c.Parents {
		t.link(m.need(p))
	}
}

func (m *model) dropType(c *pgsql.Change) {
	if !c.Cascade {
		return
	}
	for _, t := range m.order {
		for _, col := range slices.Clone(t.columns) {
			if ofType(col, c.Table) {
				m.dropColumn(t, &pgsql.Change{Name: col.Name})
			}
		}
	}
}

// ofType reports whether a column is of a type, or an array of it.
func ofType(c pgsql.Column, typ pgsql.TableRef) bool {
	name := strings.TrimRight(c.Type, "[]")
	return name == typ.Name || name == typ.Schema+"."+typ.Name || typ.Schema == "" && strings.HasSuffix(name, "."+typ.Name)
}

func (m *model) renameType(c *pgsql.Change) {
	for _, t := range m.order {
		for i, col := range t.columns {
			if ofType(col, c.Table) {
				t.columns[i].Type = strings.Replace(col.Type, c.Table.Name, c.To, 1)
			}
		}
	}
}

func (m *model) dropSchema(c *pgsql.Change) {
	for _, t := range slices.Clone(m.order) {
		if t.schema == c.Name {
			m.dropTable(t, nil)
		}
	}
	for n := range m.funcs {
		if n.schema == c.Name {
			delete(m.funcs, n)
		}
	}
}

func (m *model) renameSchema(c *pgsql.Change) {
	for _, t := range slices.Clone(m.order) {
		if t.schema == c.Name {
			m.rename(t, name{c.To, t.name.name})
		}
	}
	for n, list := range m.funcs {
		if n.schema == c.Name {
			delete(m.funcs, n)
			m.funcs[name{c.To, n.name}] = list
		}
	}
}
