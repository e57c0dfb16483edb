package pgsql

import (
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

// likeIndexes is CREATE_TABLE_LIKE_INDEXES of PostgreSQL's parsenodes.h.
const likeIndexes = 1 << 6

func (b *definer) createTable(s *pgast.CreateStmt) {
	if temporary(s.GetRelation()) {
		b.add(Change{Op: CreateTempOp, Table: table(s.GetRelation())})
		return
	}
	c := Change{Op: CreateTableOp, Table: table(s.GetRelation()), Lenient: s.GetIfNotExists(),
		Partition: s.GetPartbound() != nil, Unseen: s.GetOfTypename() != nil}
	for _, p := range s.GetInhRelations() {
		c.Parents = append(c.Parents, table(p.GetRangeVar()))
	}
	for _, e := range slices.Concat(s.GetTableElts(), s.GetConstraints()) {
		switch v := e.GetNode().(type) {
		case *pgast.Node_ColumnDef:
			b.column(&c, v.ColumnDef)
		case *pgast.Node_Constraint:
			b.constraint(&c, v.Constraint, "")
		case *pgast.Node_TableLikeClause:
			l := v.TableLikeClause
			c.Likes = append(c.Likes, Like{Table: table(l.GetRelation()), Indexes: l.GetOptions()&likeIndexes != 0})
		}
	}
	b.add(c)
}

// column adds a column and its constraints to a change.
func (b *definer) column(c *Change, def *pgast.ColumnDef) {
	col := Column{Name: def.GetColname(), Type: typeName(def.GetTypeName()), NotNull: def.GetIsNotNull(),
		Default: def.GetRawDefault() != nil || def.GetIdentity() != "" || def.GetGenerated() != ""}
	if strings.HasSuffix(col.Type, "serial") {
		col.Default, col.NotNull = true, true
	}
	for _, n := range def.GetConstraints() {
		con := n.GetConstraint()
		switch con.GetContype() {
		case pgast.CONSTR_NOTNULL:
			col.NotNull = true
		case pgast.CONSTR_PRIMARY:
			col.NotNull = true
		case pgast.CONSTR_IDENTITY:
			col.NotNull, col.Default = true, true
		case pgast.CONSTR_DEFAULT, pgast.CONSTR_GENERATED:
			col.Default = true
		}
		b.constraint(c, con, col.Name)
	}
	c.Columns = append(c.Columns, col)
}

var constraintKinds = map[pgast.ConstrType]ConstraintKind{
	pgast.CONSTR_PRIMARY: PrimaryKey, pgast.CONSTR_UNIQUE: Unique, pgast.CONSTR_EXCLUSION: Exclusion,
	pgast.CONSTR_FOREIGN: ForeignKey, pgast.CONSTR_CHECK: Check,
}

// constraint adds a constraint to a change, that of a column if one is named.
func (b *definer) constraint(c *Change, con *pgast.Constraint, column string) {
	kind, ok := constraintKinds[con.GetContype()]
	if !ok {
		b.deferrable(c, con)
		return
	}
	k := Constraint{Kind: kind, Name: con.GetConname(), NullsNotDistinct: con.GetNullsNotDistinct(),
		Deferrable: con.GetDeferrable(), UsingIndex: con.GetIndexname(), Method: con.GetAccessMethod()}
	k.Included = strs(con.GetIncluding())
	keys := con.GetKeys()
	if kind == ForeignKey {
		keys = con.GetFkAttrs()
		k.Referenced = table(con.GetPktable())
		k.ReferencedColumns = strs(con.GetPkAttrs())
	}
	switch {
	case kind == Check:
		for _, name := range columnsIn(con.GetRawExpr()) {
			k.Elements = append(k.Elements, plain(name))
		}
	case kind == Exclusion:
		b.exclusion(&k, con)
	case len(keys) > 0:
		for _, name := range strs(keys) {
			k.Elements = append(k.Elements, plain(name))
		}
	case column != "":
		k.Elements = []Element{plain(column)}
	}
	if k.Method == "" {
		k.Method = "btree"
	}
	c.Constraints = append(c.Constraints, k)
}

// deferrable applies DEFERRABLE, which is a constraint of its own to the
// grammar, to the one before it.
func (b *definer) deferrable(c *Change, con *pgast.Constraint) {
	if n := len(c.Constraints); n > 0 && con.GetContype() == pgast.CONSTR_ATTR_DEFERRABLE {
		c.Constraints[n-1].Deferrable = true
	}
}

func plain(column string) Element {
	return Element{Column: column, Columns: []string{column}, Name: column}
}

// exclusion reads the elements and the predicate of EXCLUDE.
func (b *definer) exclusion(k *Constraint, con *pgast.Constraint) {
	open := b.openAfter(int(con.GetLocation()))
	texts, end := b.elements(open)
	for i, x := range con.GetExclusions() {
		pair := x.GetList().GetItems()
		if len(pair) != 2 {
			continue
		}
		e := element(pair[0].GetIndexElem(), at(texts, i))
		e.Operator = lastName(pair[1].GetList().GetItems())
		k.Elements = append(k.Elements, e)
	}
	if con.GetWhereClause() != nil {
		k.WhereColumns = columnsIn(con.GetWhereClause())
		k.Where = b.whereAfter(end)
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

func (b *definer) createIndex(s *pgast.IndexStmt) {
	k := Constraint{Kind: PlainIndex, Name: s.GetIdxname(), Index: true, NullsNotDistinct: s.GetNullsNotDistinct(),
		Method: s.GetAccessMethod()}
	if s.GetUnique() {
		k.Kind = Unique
	}
	rel := int(s.GetRelation().GetLocation())
	texts, end := b.elements(b.openAfter(rel))
	for i, p := range s.GetIndexParams() {
		k.Elements = append(k.Elements, element(p.GetIndexElem(), at(texts, i)))
	}
	for _, p := range s.GetIndexIncludingParams() {
		k.Included = append(k.Included, p.GetIndexElem().GetName())
	}
	if s.GetWhereClause() != nil {
		k.WhereColumns = columnsIn(s.GetWhereClause())
		k.Where = b.whereAfter(end)
	}
	b.add(Change{Op: AddConstraintOp, Table: table(s.GetRelation()), Lenient: s.GetIfNotExists(), Constraints: []Constraint{k}})
}

// element describes an element of an index whose text is given.
func element(e *pgast.IndexElem, text string) Element {
	if e.GetExpr() == nil {
		return plain(e.GetName())
	}
	name, _ := figure(e.GetExpr())
	if name == "" {
		name = "expr"
	}
	return Element{Expr: text, Columns: columnsIn(e.GetExpr()), Name: name}
}

// columnsIn returns the columns named in an expression, in order.
func columnsIn(n *pgast.Node) []string {
	var out []string
	var visit func(*pgast.Node)
	visit = func(n *pgast.Node) {
		if c := n.GetColumnRef(); c != nil {
			if name := lastName(c.GetFields()); !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		pgast.Children(n, visit)
	}
	if n != nil {
		visit(n)
	}
	return out
}

// tokenAtByte returns the token at a byte offset within the statement.
func (b *definer) tokenAtByte(loc int) int {
	loc += b.in.toks[b.sp.first].start
	for i := b.sp.first; i < b.sp.end; i++ {
		if b.in.toks[i].start >= loc {
			return i
		}
	}
	return b.sp.end
}

// openAfter returns the first opening parenthesis after a byte of the statement.
func (b *definer) openAfter(loc int) int {
	i := b.tokenAtByte(max(loc, 0))
	for i < b.sp.end && !b.in.is(i, "(") {
		i++
	}
	return i
}

// elements returns the texts of the elements in the parentheses that open at
// a token, without what follows an expression, and the token after them.
func (b *definer) elements(open int) (texts []string, end int) {
	if open >= b.sp.end {
		return nil, b.sp.end
	}
	last := b.in.closing(open, b.sp.end)
	for i := open + 1; i < last; {
		next, stop := i, -1 // stop is the end of an expression
		for next < last && !b.in.is(next, ",") {
			if b.in.is(next, "(") {
				next = b.in.closing(next, last+1)
				if stop < 0 {
					stop = next + 1
				}
			}
			next++
		}
		if stop < 0 {
			stop = i + 1
		}
		texts = append(texts, b.text(i, min(stop, last)))
		i = next + 1
	}
	return texts, last + 1
}

// whereAfter returns the predicate whose WHERE follows at depth 0.
func (b *definer) whereAfter(i int) string {
	for ; i < b.sp.end; i++ {
		if b.in.is(i, "(") {
			i = b.in.closing(i, b.sp.end)
			continue
		}
		if b.in.kw(i) == kwWhere {
			return b.text(i+1, b.whereEnd(i+1))
		}
	}
	return ""
}

// whereEnd returns the token after a predicate: of a constraint it is one in
// parentheses, of an index it goes on to the end.
func (b *definer) whereEnd(i int) int {
	if b.in.kw(b.sp.first) == kwCreate && !b.in.createsTable(b.sp.first) || !b.in.is(i, "(") {
		return b.sp.end
	}
	return b.in.closing(i, b.sp.end) + 1
}

// text returns the text of tokens with single spaces and without comments.
func (b *definer) text(first, end int) string {
	var s strings.Builder
	for i := first; i < end; i++ {
		if i > first && b.in.toks[i].start > b.in.toks[i-1].end {
			s.WriteByte(' ')
		}
		s.WriteString(b.in.word(i))
	}
	return s.String()
}

func strs(list []*pgast.Node) []string {
	var out []string
	for _, n := range list {
		out = append(out, str(n))
	}
	return out
}

// typeName returns the name of a type without pg_catalog and modifiers.
func typeName(t *pgast.TypeName) string {
	names := strs(t.GetNames())
	if len(names) > 1 && names[0] == "pg_catalog" {
		names = names[1:]
	}
	return strings.Join(names, ".") + strings.Repeat("[]", len(t.GetArrayBounds()))
}

func typeNames(list []*pgast.Node) []string {
	out := []string{}
	for _, n := range list {
		out = append(out, typeName(n.GetTypeName()))
	}
	return out
}

func (b *definer) alterTable(s *pgast.AlterTableStmt) {
	if s.GetRelation() == nil {
		return
	}
	t := table(s.GetRelation())
	for _, n := range s.GetCmds() {
		if cmd := n.GetAlterTableCmd(); cmd != nil {
			b.alter(Change{Table: t, Lenient: s.GetMissingOk() || cmd.GetMissingOk(), Name: cmd.GetName(),
				Cascade: cmd.GetBehavior() == pgast.DROP_CASCADE}, cmd)
		}
	}
}

// alter describes one command of ALTER TABLE.
func (b *definer) alter(c Change, cmd *pgast.AlterTableCmd) {
	parent := []TableRef{table(cmd.GetDef().GetRangeVar())}
	switch cmd.GetSubtype() {
	case pgast.AT_AddColumn:
		c.Op, c.Name = AddColumnOp, ""
		b.column(&c, cmd.GetDef().GetColumnDef())
	case pgast.AT_AddConstraint:
		c.Op, c.Name = AddConstraintOp, ""
		b.constraint(&c, cmd.GetDef().GetConstraint(), "")
		if len(c.Constraints) == 0 {
			return // NOT NULL
		}
	case pgast.AT_DropColumn:
		c.Op = DropColumnOp
	case pgast.AT_DropConstraint:
		c.Op = DropConstraintOp
	case pgast.AT_SetNotNull:
		c.Op, c.Columns = AlterColumnOp, []Column{{Name: c.Name, NotNull: true}}
	case pgast.AT_DropNotNull:
		c.Op, c.Columns = AlterColumnOp, []Column{{Name: c.Name}}
	case pgast.AT_AlterColumnType:
		c.Op, c.Columns = AlterTypeOp, []Column{{Name: c.Name, Type: typeName(cmd.GetDef().GetColumnDef().GetTypeName())}}
	case pgast.AT_AddInherit:
		c.Op, c.Parents = InheritOp, parent
	case pgast.AT_DropInherit:
		c.Op, c.Parents = NoInheritOp, parent
	case pgast.AT_AttachPartition, pgast.AT_DetachPartition:
		c.Op, c.Parents = AttachPartitionOp, []TableRef{c.Table}
		if cmd.GetSubtype() == pgast.AT_DetachPartition {
			c.Op = DetachPartitionOp
		}
		c.Table = table(cmd.GetDef().GetPartitionCmd().GetName())
	default:
		return
	}
	b.add(c)
}
