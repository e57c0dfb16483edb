// Package schema says which tables, keys, indexes, foreign keys and functions a
// database has, as the SQL scripts of a repository make it: migrations, a
// dumped schema, the schema files of sqlc.
//
// [Find] chooses the scripts for a package, and the answers of a [Schema] have
// three values: scripts can be missing, templates can hide a name, and a
// statement can be beyond what is read here. Then what it may change is
// [Unknown], and nothing is said to be absent that it may have made.
//
// Reading the scripts takes time, up to some tenths of a second for a large
// project. Ask when everything else about a finding is known.
package schema

import (
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql"
)

// An Answer is yes, no, or not known.
type Answer uint8

const (
	Unknown Answer = iota
	No
	Yes
)

// String returns the answer as a word.
func (a Answer) String() string { return [...]string{"unknown", "no", "yes"}[a%3] }

// answer is Yes or No.
func answer(b bool) Answer {
	if b {
		return Yes
	}
	return No
}

// A Schema is the schema that a package's statements run in. The zero value,
// and nil, know nothing. Where several sets of scripts apply, what they
// disagree on is unknown.
type Schema struct{ sets []*loaded }

// Known reports whether there are scripts.
func (s *Schema) Known() bool { return s != nil && len(s.sets) > 0 }

// A Table is a table of the schema. The zero value, and nil, know nothing.
type Table struct {
	// Name is the table's name without its schema.
	Name     string
	variants []variant
}

// A variant is a table as one set of scripts makes it.
type variant struct {
	l *loaded
	t *table
}

// Table returns the table of a name, with or without its schema, and whether
// there is one. The Table is nil unless the answer is Yes. Views and foreign
// tables are unknown.
func (s *Schema) Table(name string) (*Table, Answer) {
	if !s.Known() {
		return nil, Unknown
	}
	ref := split(name)
	t := &Table{Name: ref.Name}
	absent := true
	for _, l := range s.sets {
		found, a := l.lookup(ref)
		absent = absent && a == No
		for _, x := range found {
			t.variants = append(t.variants, variant{l, x})
		}
	}
	switch {
	case len(t.variants) > 0:
		return t, Yes
	case absent:
		return nil, No
	}
	return nil, Unknown
}

// split splits a name at its last dot.
func split(name string) pgsql.TableRef {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return pgsql.TableRef{Schema: name[:i], Name: name[i+1:]}
	}
	return pgsql.TableRef{Name: name}
}

// lookup returns the tables that a name in a program can mean. The search path
// of the program's sessions is not known.
func (l *loaded) lookup(ref pgsql.TableRef) ([]*table, Answer) {
	var found []*table
	unknown := l.incomplete || l.moreTables
	for _, t := range l.order {
		if t.name.name != ref.Name {
			continue
		}
		fits := ref.Schema == "" || ref.Schema == t.schema
		switch {
		case fits && !t.view && !t.placeholder:
			found = append(found, t)
		case fits || !t.stated:
			unknown = true
		}
	}
	if len(found) == 0 && unknown {
		return nil, Unknown
	}
	return found, answer(len(found) > 0)
}

// agree returns the answer that all variants of a table give.
func (t *Table) agree(ask func(variant) Answer) Answer {
	if t == nil || len(t.variants) == 0 {
		return Unknown
	}
	first := ask(t.variants[0])
	for _, v := range t.variants[1:] {
		if ask(v) != first {
			return Unknown
		}
	}
	return first
}

// Columns returns the columns in order of their definition, and whether these
// are all: Yes or Unknown.
func (t *Table) Columns() ([]pgsql.Column, Answer) {
	if t == nil || len(t.variants) == 0 {
		return nil, Unknown
	}
	first := t.variants[0].t.columns
	all := t.agree(func(v variant) Answer {
		if v.t.columnsUnsure || !sameColumns(v.t.columns, first) {
			return Unknown
		}
		return Yes
	})
	return slices.Clone(first), all
}

// sameColumns reports whether two tables have columns of the same names.
func sameColumns(a, b []pgsql.Column) bool {
	names := func(list []pgsql.Column) (out []string) {
		for _, c := range list {
			out = append(out, c.Name)
		}
		return out
	}
	return same(names(a), names(b))
}

// Column returns a column, and whether there is one.
func (t *Table) Column(name string) (pgsql.Column, Answer) {
	var col pgsql.Column
	a := t.agree(func(v variant) Answer {
		if i := v.t.column(name); i >= 0 {
			col = v.t.columns[i]
			return Yes
		}
		return v.absent(v.t.columnsUnsure)
	})
	if a != Yes {
		return pgsql.Column{}, a
	}
	return col, a
}

// absent is No unless something may have been missed.
func (v variant) absent(unsure bool) Answer {
	if unsure || v.l.incomplete {
		return Unknown
	}
	return No
}

// Constraints returns the primary key, the unique, exclusion, foreign key and
// check constraints and the indexes on which all sources agree, and whether
// these are all: Yes or Unknown. Nobody may modify them.
func (t *Table) Constraints() ([]*pgsql.Constraint, Answer) {
	if t == nil || len(t.variants) == 0 {
		return nil, Unknown
	}
	var out []*pgsql.Constraint
	all := Yes
	for i, v := range t.variants {
		list := v.t.constraints()
		if v.absent(v.t.unsure()) == Unknown {
			all = Unknown
		}
		if i == 0 {
			out = slices.Clone(list)
			continue
		}
		before := len(out)
		out = slices.DeleteFunc(out, func(k *pgsql.Constraint) bool {
			return !slices.ContainsFunc(list, func(o *pgsql.Constraint) bool { return alike(k, o) })
		})
		if len(out) != before || len(list) != before {
			all = Unknown
		}
	}
	return out, all
}

// alike reports whether two constraints are the same but for their names and
// the way they are written.
func alike(a, b *pgsql.Constraint) bool {
	return a.Kind == b.Kind && (a.Where == "") == (b.Where == "") && a.Referenced.Name == b.Referenced.Name &&
		same(columnsOf(a), columnsOf(b)) && same(a.WhereColumns, b.WhereColumns)
}

// UniqueOver reports whether two rows cannot have the same values in the
// columns, none of them NULL: a primary key, a unique constraint or index, or
// an exclusion constraint is over some or all of them and nothing else. A
// partial one, and an exclusion constraint with other operators than = and &&,
// is Unknown: see [Table.Keys].
func (t *Table) UniqueOver(columns ...string) Answer {
	return t.agree(func(v variant) Answer {
		a := v.absent(v.t.unsure())
		for _, k := range v.t.constraints() {
			switch {
			case !isKey(k) || !covered(k, columns):
			case k.Where == "" && refuses(k):
				return Yes
			default:
				a = Unknown
			}
		}
		return a
	})
}

// isKey reports whether a constraint refuses rows because of others.
func isKey(k *pgsql.Constraint) bool {
	return k.Kind == pgsql.PrimaryKey || k.Kind == pgsql.Unique || k.Kind == pgsql.Exclusion
}

// covered reports whether a constraint is over some of the columns and nothing
// else.
func covered(k *pgsql.Constraint, columns []string) bool {
	over := columnsOf(k)
	return len(over) > 0 && !slices.ContainsFunc(over, func(c string) bool { return !slices.Contains(columns, c) })
}

// refuses reports whether a constraint refuses a row with the same values.
func refuses(k *pgsql.Constraint) bool {
	return k.Kind != pgsql.Exclusion || !slices.ContainsFunc(k.Elements, func(e pgsql.Element) bool {
		return e.Operator != "=" && e.Operator != "&&"
	})
}

// Keys returns the constraints that refuse a row because of another one, those
// that are partial or over expressions included: primary keys, unique
// constraints and indexes, exclusion constraints. The answer is that of
// [Table.Constraints].
func (t *Table) Keys() ([]*pgsql.Constraint, Answer) {
	list, all := t.Constraints()
	return slices.DeleteFunc(list, func(k *pgsql.Constraint) bool { return !isKey(k) }), all
}

// PrimaryKey returns the columns of the primary key, and whether there is one.
func (t *Table) PrimaryKey() ([]string, Answer) {
	keys, all := t.Keys()
	for _, k := range keys {
		if k.Kind == pgsql.PrimaryKey {
			return columnsOf(k), Yes
		}
	}
	if all == Yes {
		return nil, No
	}
	return nil, Unknown
}

// KeyColumns returns the columns whose change makes UPDATE take FOR UPDATE
// rather than FOR NO KEY UPDATE on the row: those of unique indexes that a
// foreign key could reference, so neither partial ones nor ones over
// expressions (documentation, section 13.3.2). The answer is whether these are
// all: Yes or Unknown.
func (t *Table) KeyColumns() ([]string, Answer) {
	keys, all := t.Keys()
	var out []string
	for _, k := range keys {
		if k.Kind == pgsql.Exclusion || k.Where != "" || len(plainColumns(k)) != len(k.Elements) {
			continue
		}
		for _, c := range columnsOf(k) {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out, all
}

// Indexed reports whether an index serves a search for one of the columns: it
// is the first of a btree or hash index that is not partial. One that is
// partial, over an expression, or of another method is Unknown.
func (t *Table) Indexed(columns ...string) Answer {
	return t.agree(func(v variant) Answer {
		a := v.absent(v.t.unsure())
		for _, k := range v.t.constraints() {
			if k.Kind == pgsql.ForeignKey || k.Kind == pgsql.Check || len(k.Elements) == 0 {
				continue
			}
			first := k.Elements[0]
			simple := k.Where == "" && first.Column != "" && (k.Method == "btree" || k.Method == "hash")
			if slices.ContainsFunc(first.Columns, func(c string) bool { return slices.Contains(columns, c) }) {
				if simple {
					return Yes
				}
				a = Unknown
			}
		}
		return a
	})
}

// A Reference is a foreign key.
type Reference struct {
	// Table has the foreign key, Columns are its referencing columns.
	Table   string
	Columns []string
	// To is the referenced table, ToColumns are its columns; nil where they
	// are those of a primary key that is not known.
	To        string
	ToColumns []string
}

// References returns the foreign keys of the table, and whether these are all:
// Yes or Unknown.
func (t *Table) References() ([]Reference, Answer) {
	list, all := t.Constraints()
	var out []Reference
	for _, k := range list {
		if k.Kind == pgsql.ForeignKey {
			out = append(out, t.variants[0].l.reference(t.variants[0].t, k))
		}
	}
	return out, all
}

// reference describes a foreign key of a table.
func (l *loaded) reference(t *table, k *pgsql.Constraint) Reference {
	r := Reference{Table: t.name.name, Columns: columnsOf(k), To: k.Referenced.Name, ToColumns: k.ReferencedColumns}
	if parent := l.find(k.Referenced); len(r.ToColumns) == 0 && parent != nil {
		for _, p := range parent.constraints() {
			if p.Kind == pgsql.PrimaryKey {
				r.ToColumns = columnsOf(p)
			}
		}
	}
	return r
}

// ReferencedBy returns the foreign keys that reference the table, and whether
// these are all: Yes or Unknown. Those that only some sources have are left
// out, and the answer is Unknown.
func (t *Table) ReferencedBy() ([]Reference, Answer) {
	if t == nil || len(t.variants) == 0 {
		return nil, Unknown
	}
	var out []Reference
	all := Yes
	for i, v := range t.variants {
		refs, sure := v.referencedBy()
		if !sure {
			all = Unknown
		}
		if i == 0 {
			out = refs
			continue
		}
		before := len(out)
		out = slices.DeleteFunc(out, func(r Reference) bool {
			return !slices.ContainsFunc(refs, func(o Reference) bool { return o.Table == r.Table && same(o.Columns, r.Columns) })
		})
		if len(out) != before || len(refs) != before {
			all = Unknown
		}
	}
	return out, all
}

// referencedBy returns the foreign keys that reference a table or the table
// that it is a partition of.
func (v variant) referencedBy() (refs []Reference, sure bool) {
	sure = !v.l.incomplete && !v.l.moreTables
	for _, o := range v.l.order {
		sure = sure && (o.view || !o.consUnsure)
		for _, k := range o.cons {
			for p, i := v.t, 0; p != nil && i < maxLevels; i++ {
				if refers(k, p) {
					refs = append(refs, v.l.reference(o, k))
				}
				if !p.partition || len(p.parents) != 1 {
					break
				}
				p = p.parents[0]
			}
		}
	}
	return refs, sure
}

// HasChildren reports whether a foreign key references the table.
func (t *Table) HasChildren() Answer {
	return t.agree(func(v variant) Answer {
		refs, sure := v.referencedBy()
		if len(refs) > 0 {
			return Yes
		}
		return v.absent(!sure)
	})
}

// A Function is what is known of the functions of one name.
type Function struct {
	Name string
	// Volatility is [pgsql.VolatilityUnset] where overloads differ.
	Volatility pgsql.Volatility
	// Language is "" where overloads differ.
	Language string
	// ReadsTables and WritesTables say whether the body reads and writes
	// tables, itself or through functions that it calls.
	ReadsTables, WritesTables Answer
}

// Function returns the function of a name, with or without its schema, and
// whether a script defines one. Functions of extensions are Unknown, and so
// are PostgreSQL's own in a database that has any.
func (s *Schema) Function(name string) (Function, Answer) {
	if !s.Known() {
		return Function{}, Unknown
	}
	ref := split(name)
	var found []Function
	absent := true
	for _, l := range s.sets {
		absent = absent && !l.incomplete && !l.extensions
		found = append(found, l.functionsOf(ref, 0)...)
	}
	switch {
	case len(found) > 0:
		return merge(found), Yes
	case absent:
		return Function{}, No
	}
	return Function{}, Unknown
}

// merge describes several functions as one.
func merge(list []Function) Function {
	out := list[0]
	for _, f := range list[1:] {
		if f.Volatility != out.Volatility {
			out.Volatility = pgsql.VolatilityUnset
		}
		if f.Language != out.Language {
			out.Language = ""
		}
		if f.ReadsTables != out.ReadsTables {
			out.ReadsTables = Unknown
		}
		if f.WritesTables != out.WritesTables {
			out.WritesTables = Unknown
		}
	}
	return out
}

// functionsOf describes the functions of a name.
func (l *loaded) functionsOf(ref pgsql.TableRef, depth int) []Function {
	var out []Function
	for n, list := range l.funcs {
		if n.name != ref.Name || ref.Schema != "" && ref.Schema != n.schema && n.schema != defaultSchema {
			continue
		}
		for _, f := range list {
			out = append(out, l.describe(f, depth))
		}
	}
	return out
}

// maxCalls bounds the functions called one in another that are looked into.
const maxCalls = 4

// describe describes one function.
func (l *loaded) describe(f *function, depth int) Function {
	out := Function{Name: f.name.name, Volatility: f.def.Volatility, Language: f.def.Language}
	if out.Volatility == pgsql.VolatilityUnset {
		out.Volatility = pgsql.Volatile
	}
	if !f.def.Known {
		return out
	}
	out.ReadsTables, out.WritesTables = answer(len(f.def.Reads) > 0), answer(len(f.def.Writes) > 0)
	for _, call := range f.def.Calls {
		reads, writes := l.called(call, depth)
		out.ReadsTables, out.WritesTables = either(out.ReadsTables, reads), either(out.WritesTables, writes)
	}
	if f.def.Dynamic {
		out.ReadsTables, out.WritesTables = either(out.ReadsTables, Unknown), either(out.WritesTables, Unknown)
	}
	return out
}

// called says what a function that another one calls does. One that no script
// defines, of those that are all here, is PostgreSQL's own or an extension's,
// which hardly ever read tables of a user.
func (l *loaded) called(call string, depth int) (reads, writes Answer) {
	if depth >= maxCalls {
		return Unknown, Unknown
	}
	list := l.functionsOf(split(call), depth+1)
	if len(list) == 0 && !l.incomplete {
		return No, No
	}
	if len(list) == 0 {
		return Unknown, Unknown
	}
	f := merge(list)
	return f.ReadsTables, f.WritesTables
}

// either is Yes if one of the answers is, and No if both are.
func either(a, b Answer) Answer {
	switch {
	case a == Yes || b == Yes:
		return Yes
	case a == No && b == No:
		return No
	}
	return Unknown
}

// Tables returns the names of the tables that scripts create, sorted, with
// their schemas where a script says it.
func (s *Schema) Tables() []string {
	var out []string
	for _, l := range s.sets {
		for _, t := range l.order {
			switch {
			case t.view || t.placeholder:
			case t.stated:
				out = append(out, t.schema+"."+t.name.name)
			default:
				out = append(out, t.name.name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Statements returns how many statements were read.
func (s *Schema) Statements() int {
	n := 0
	for _, l := range s.sets {
		n += l.statements
	}
	return n
}

// Incomplete returns why what is not in the schema may be there all the same;
// nil if it is not.
func (s *Schema) Incomplete() []string {
	var out []string
	for _, l := range s.sets {
		out = append(out, l.reasons...)
	}
	return out
}
