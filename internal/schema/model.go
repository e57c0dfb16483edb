package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// A name is the name of a table or function with its schema.
type name struct{ schema, name string }

// A table is a table as it stands after the statements so far.
type table struct {
	name
	// stated is set when a statement named the schema; else it is whatever
	// comes first in the search path of the session that runs the script.
	stated  bool
	columns []pgsql.Column
	cons    []*pgsql.Constraint
	// parents are the tables it inherits from; with partition the one it is a
	// partition of, whose constraints hold for it.
	parents   []*table
	partition bool
	// view is set for views and foreign tables.
	view bool
	// placeholder is set while only statements that need the table were seen
	// and none that creates it.
	placeholder bool
	// doubtful is set on a placeholder that may never have been created.
	doubtful bool
	// columnsUnsure and consUnsure are set when there may be more than is
	// listed, or less.
	columnsUnsure, consUnsure bool
}

// A function is one function of a name.
type function struct {
	name
	def *pgsql.Function
}

// A model is a schema as the statements so far have made it.
type model struct {
	tables map[name]*table
	// order keeps the tables in the order of their creation.
	order []*table
	funcs map[name][]*function
	// path is the search path that the script has set; nil for the session's.
	path []string
	// incomplete is set when there may be tables, constraints and indexes that
	// the model does not have.
	incomplete bool
	// moreTables is set when there may be tables that the model does not have.
	moreTables bool
	// temps are the names of temporary tables.
	temps map[string]bool
	// reasons say why, in short.
	reasons []string
	// extensions is set when functions may exist that no script defines.
	extensions bool
}

func newModel() *model {
	return &model{tables: map[name]*table{}, funcs: map[name][]*function{}, temps: map[string]bool{}}
}

// maxReasons bounds the reasons that are kept.
const maxReasons = 10

// miss notes that the model is not complete.
func (m *model) miss(format string, args ...any) {
	m.incomplete = true
	if why := fmt.Sprintf(format, args...); len(m.reasons) < maxReasons && !slices.Contains(m.reasons, why) {
		m.reasons = append(m.reasons, why)
	}
}

// defaultSchema is where a table is created when nothing says where.
const defaultSchema = "public"

// place returns the name under which something is created.
func (m *model) place(ref pgsql.TableRef) (n name, stated bool) {
	if ref.Schema != "" {
		return name{ref.Schema, ref.Name}, true
	}
	for _, s := range m.path {
		if !strings.HasPrefix(s, "$") && !strings.HasPrefix(s, "pg_") {
			return name{s, ref.Name}, true
		}
	}
	return name{defaultSchema, ref.Name}, false
}

// find returns the table that a statement names, or nil. Where the search path
// does not lead to one, and there is only one of that name, it is meant.
func (m *model) find(ref pgsql.TableRef) *table {
	if ref.Schema != "" {
		if t := m.tables[name{ref.Schema, ref.Name}]; t != nil {
			return t
		}
		if t := m.tables[name{defaultSchema, ref.Name}]; t != nil && !t.stated {
			return t
		}
		return nil
	}
	for _, s := range m.path {
		if t := m.tables[name{s, ref.Name}]; t != nil {
			return t
		}
	}
	if t := m.tables[name{defaultSchema, ref.Name}]; t != nil {
		return t
	}
	var only *table
	for _, t := range m.order {
		if t.name.name == ref.Name {
			if only != nil {
				return nil
			}
			only = t
		}
	}
	return only
}

// need returns the table that a statement names, and a placeholder if it is
// created elsewhere or later.
func (m *model) need(ref pgsql.TableRef) *table {
	if t := m.find(ref); t != nil {
		return t
	}
	n, stated := m.place(ref)
	return m.put(&table{name: n, stated: stated, placeholder: true, columnsUnsure: true, consUnsure: true})
}

// put adds a table.
func (m *model) put(t *table) *table {
	m.tables[t.name] = t
	m.order = append(m.order, t)
	return t
}

// remove takes a table out.
func (m *model) remove(t *table) {
	if m.tables[t.name] == t {
		delete(m.tables, t.name)
	}
	m.order = slices.DeleteFunc(m.order, func(o *table) bool { return o == t })
}

// forget takes away what is known of a table, except that it is there.
func (t *table) forget() {
	t.columns, t.cons, t.parents = nil, nil, nil
	t.columnsUnsure, t.consUnsure = true, true
}

// link makes a table inherit from another one, or be a partition of it, unless
// that inherits from it.
func (t *table) link(parent *table) bool {
	if slices.Contains(t.parents, parent) || parent.descends(t, map[*table]bool{}) {
		return false
	}
	t.parents = append(t.parents, parent)
	return true
}

// descends reports whether a table is another one, or inherits from it.
func (t *table) descends(from *table, seen map[*table]bool) bool {
	if t == from {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	return slices.ContainsFunc(t.parents, func(p *table) bool { return p.descends(from, seen) })
}

// column returns the index of a column, -1 if there is none.
func (t *table) column(col string) int {
	return slices.IndexFunc(t.columns, func(c pgsql.Column) bool { return c.Name == col })
}

// constraints returns the constraints that hold for the rows of a table: also
// those of the table that it is a partition of.
func (t *table) constraints() []*pgsql.Constraint {
	out := t.cons
	for p, i := t, 0; p.partition && len(p.parents) == 1 && i < maxLevels; i++ {
		p = p.parents[0]
		out = slices.Concat(out, p.cons)
	}
	return out
}

// unsure reports whether there may be constraints that are not listed.
func (t *table) unsure() bool {
	for i := range maxLevels {
		if t.consUnsure || i > 0 && t.view {
			return true
		}
		if !t.partition || len(t.parents) != 1 {
			return false
		}
		t = t.parents[0]
	}
	return true
}

// maxLevels bounds the levels of partitions.
const maxLevels = 8

// columnsOf returns the columns of all elements of a constraint.
func columnsOf(c *pgsql.Constraint) []string {
	var out []string
	for _, e := range c.Elements {
		out = append(out, e.Columns...)
	}
	return out
}

// plainColumns returns the columns of the elements that are plain columns.
func plainColumns(c *pgsql.Constraint) []string {
	var out []string
	for _, e := range c.Elements {
		if e.Column != "" {
			out = append(out, e.Column)
		}
	}
	return out
}
