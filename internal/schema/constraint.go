package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// addConstraints adds the constraints and indexes of a change to a table.
func (m *model) addConstraints(t *table, c *pgsql.Change) {
	for i := range c.Constraints {
		k := clone(&c.Constraints[i])
		if c.Op == pgsql.AddConstraintOp && c.Lenient && k.Name != "" && m.taken(t.schema, k.Name) {
			continue
		}
		m.add(t, k)
	}
}

// add adds one constraint or index.
func (m *model) add(t *table, k *pgsql.Constraint) {
	if k.UsingIndex != "" {
		m.useIndex(t, k)
		return
	}
	if k.Kind == pgsql.ForeignKey {
		ref := m.need(k.Referenced)
		k.Referenced = pgsql.TableRef{Schema: ref.schema, Name: ref.name.name}
	}
	if k.Name == "" {
		k.Name = m.choose(t, k)
	}
	t.cons = append(t.cons, k)
	m.notNull(t, k)
}

// notNull makes the columns of a primary key NOT NULL.
func (m *model) notNull(t *table, k *pgsql.Constraint) {
	if k.Kind != pgsql.PrimaryKey {
		return
	}
	for _, col := range columnsOf(k) {
		if i := t.column(col); i >= 0 {
			t.columns[i].NotNull = true
		}
	}
}

// useIndex makes an index a constraint, with the constraint's name.
func (m *model) useIndex(t *table, k *pgsql.Constraint) {
	for _, x := range t.cons {
		if x.Index && x.Name == k.UsingIndex {
			x.Index, x.Kind, x.Deferrable = false, k.Kind, k.Deferrable
			if k.Name != "" {
				x.Name = k.Name
			}
			m.notNull(t, x)
			return
		}
	}
	t.consUnsure = true
}

func (m *model) dropConstraint(t *table, c *pgsql.Change) {
	i := slices.IndexFunc(t.cons, func(k *pgsql.Constraint) bool { return !k.Index && k.Name == c.Name })
	if i < 0 {
		if !c.Lenient && !isCheck(c.Name) {
			t.cons, t.consUnsure = nil, true // one of those that are known, by another name
		}
		return
	}
	k := t.cons[i]
	t.cons = slices.Delete(t.cons, i, i+1)
	if c.Cascade {
		m.dropReferences(t, k)
	}
}

// isCheck reports whether the name that PostgreSQL gives a constraint is that
// of one that no rule asks about.
func isCheck(name string) bool {
	return strings.HasSuffix(name, "_check") || strings.HasSuffix(name, "_not_null")
}

// dropReferences drops the foreign keys that need a key that is dropped.
func (m *model) dropReferences(t *table, key *pgsql.Constraint) {
	for _, o := range m.order {
		o.cons = slices.DeleteFunc(o.cons, func(k *pgsql.Constraint) bool {
			return refers(k, t) && (same(k.ReferencedColumns, columnsOf(key)) ||
				len(k.ReferencedColumns) == 0 && key.Kind == pgsql.PrimaryKey)
		})
	}
}

// same reports whether two lists have the same elements.
func same(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

func (m *model) renameConstraint(t *table, c *pgsql.Change) {
	for _, k := range t.cons {
		if !k.Index && k.Name == c.Name {
			k.Name = c.To
		}
	}
}

// index returns the index of a name, and its table.
func (m *model) index(ref pgsql.TableRef) (*table, *pgsql.Constraint) {
	for _, t := range m.order {
		if ref.Schema != "" && t.stated && t.schema != ref.Schema {
			continue
		}
		for _, k := range t.cons {
			if k.Name == ref.Name && k.Kind != pgsql.ForeignKey && k.Kind != pgsql.Check {
				return t, k
			}
		}
	}
	return nil, nil
}

func (m *model) dropIndex(c *pgsql.Change) {
	t, k := m.index(c.Table)
	if k == nil {
		if !c.Lenient {
			m.miss("index %s is dropped, and created elsewhere", c.Table.Name)
		}
		return
	}
	t.cons = slices.DeleteFunc(t.cons, func(o *pgsql.Constraint) bool { return o == k })
	if c.Table.Schema == "" && t.stated && t.schema != defaultSchema && !slices.Contains(m.path, t.schema) {
		t.consUnsure = true // whether the index was found depends on the session's search path
	}
}

func (m *model) renameIndex(c *pgsql.Change) {
	if _, k := m.index(c.Table); k != nil {
		k.Name = c.To
	} else if !c.Lenient {
		m.miss("index %s is renamed, and created elsewhere", c.Table.Name)
	}
}

// maxName is the length of a name in PostgreSQL (NAMEDATALEN - 1).
const maxName = 63

// choose returns the name that PostgreSQL gives a constraint or an index
// (ChooseIndexName and ChooseConstraintName of its source).
func (m *model) choose(t *table, k *pgsql.Constraint) string {
	columns := joined(k)
	label := "idx"
	switch {
	case k.Kind == pgsql.PrimaryKey:
		columns, label = "", "pkey"
	case k.Kind == pgsql.ForeignKey:
		label = "fkey"
	case k.Kind == pgsql.Exclusion:
		label = "excl"
	case k.Kind == pgsql.Check:
		label = "check"
		if len(k.Elements) != 1 {
			columns = ""
		}
	case !k.Index:
		label = "key"
	}
	for n := 0; ; n++ {
		l := label
		if n > 0 {
			l += strconv.Itoa(n)
		}
		if s := objectName(t.name.name, columns, l); !m.taken(t.schema, s) {
			return s
		}
	}
}

// joined returns the names of the elements with underscores between them,
// each of them once.
func joined(k *pgsql.Constraint) string {
	var names []string
	for _, e := range k.Elements {
		s := e.Name
		for n := 1; slices.Contains(names, s); n++ {
			s = e.Name + strconv.Itoa(n)
		}
		names = append(names, s)
	}
	return strings.Join(names, "_")
}

// objectName joins two names and a label, cutting the longer of the names
// until the whole fits (makeObjectName of PostgreSQL's source).
func objectName(a, b, label string) string {
	room := maxName - len(label) - 1
	if b != "" {
		room--
	}
	la, lb := len(a), len(b)
	for la+lb > room {
		if la > lb {
			la--
		} else {
			lb--
		}
	}
	s := clip(a, la)
	if b != "" {
		s += "_" + clip(b, lb)
	}
	return s + "_" + label
}

// clip cuts a text to at most n bytes, between two characters.
func clip(s string, n int) string {
	for n < len(s) && n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// taken reports whether a constraint or an index of the schema has the name.
func (m *model) taken(schema, name string) bool {
	return slices.ContainsFunc(m.order, func(t *table) bool {
		return t.schema == schema &&
			slices.ContainsFunc(t.cons, func(k *pgsql.Constraint) bool { return k.Name == name })
	})
}

// renameWord replaces an identifier in a text.
func renameWord(text, from, to string) string {
	var b strings.Builder
	for text != "" {
		i := strings.Index(text, from)
		if i < 0 {
			break
		}
		end := i + len(from)
		b.WriteString(text[:i])
		if i > 0 && isWord(text[i-1]) || end < len(text) && isWord(text[end]) {
			b.WriteString(from)
		} else {
			b.WriteString(to)
		}
		text = text[end:]
	}
	return b.String() + text
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
