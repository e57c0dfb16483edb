package pgsql

import (
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

// maxScript bounds the bytes of a script that are given to the grammar.
const maxScript = 16 << 20

// Definitions returns what the statements of a script do to the schema, in
// order. It never fails: what the grammar rejects has a Problem, and the tables
// it may change as far as the tokens tell.
func Definitions(script string) []*Definition {
	in := newInput(Source{Text: script, Style: StyleDollar})
	in.budget = maxScript
	var out []*Definition
	for _, sp := range in.split() {
		out = append(out, in.definition(sp))
	}
	return out
}

// neutral are the statements that leave the schema alone, by their first word.
var neutral = set("abort", "analyze", "analyse", "begin", "checkpoint", "close", "cluster", "comment", "commit", "copy",
	"deallocate", "declare", "delete", "discard", "end", "execute", "explain", "fetch", "grant", "insert", "listen",
	"load", "lock", "merge", "move", "notify", "prepare", "reassign", "refresh", "reindex", "release", "revoke",
	"rollback", "savepoint", "security", "show", "start", "table", "truncate", "unlisten", "update", "vacuum", "values")

// neutralObjects are the objects that are not of the schema as it is meant
// here, by the word after CREATE, ALTER or DROP.
var neutralObjects = set("access", "aggregate", "cast", "collation", "constraint", "conversion", "database", "default",
	"domain", "event", "group", "language", "large", "operator", "policy", "procedural", "publication", "role", "rule",
	"sequence", "server", "statistics", "subscription", "system", "tablespace", "text", "transform", "trigger",
	"trusted", "type", "user")

// definition describes one statement.
func (in *input) definition(sp span) *Definition {
	d := &Definition{Pos: in.off(in.toks[sp.first].start), End: in.off(in.toks[sp.end-1].end)}
	first := in.ident(sp.first)
	switch {
	case neutral[first], (first == "set" || first == "reset") && !in.setsPath(sp):
	case in.isNeutralObject(sp):
	case first == "do":
		in.doBlock(sp, d)
	default:
		in.defines(sp, d)
	}
	return d
}

// setsPath reports whether a SET or RESET is of the search path.
func (in *input) setsPath(sp span) bool {
	i := sp.first + 1
	if w := in.ident(i); w == "local" || w == "session" {
		i++
	}
	w := in.ident(i)
	return w == "search_path" || w == "schema"
}

// isNeutralObject reports whether a CREATE, ALTER or DROP is of an object that
// is not described.
func (in *input) isNeutralObject(sp span) bool {
	k, i := in.kw(sp.first), sp.first+1
	if k != kwCreate && k != kwAlter && k != kwDrop {
		return false
	}
	if k == kwCreate && in.ident(i) == "or" {
		i += 2
	}
	if w := in.ident(i); w == "type" || w == "domain" { // columns go with a type, and have its name
		return !(k == kwDrop && in.ident(sp.end-1) == "cascade" || k == kwAlter && in.kw(sp.end-2) == kwTo)
	}
	return i < sp.end && neutralObjects[in.ident(i)]
}

// defines describes a statement by its tree.
func (in *input) defines(sp span, d *Definition) {
	b := &definer{in: in, sp: sp, d: d}
	tree, problem := b.tree()
	if tree == nil {
		d.Problem = problem
		in.touched(sp, d)
		return
	}
	b.statement(tree)
}

// A definer fills a Definition from a parse tree.
type definer struct {
	in *input
	sp span
	d  *Definition
}

// tree parses the statement. The body of a function is left out: it is a
// literal to the grammar, and may be long.
func (b *definer) tree() (*pgast.Node, string) {
	in, sp := b.in, b.sp
	start, end := in.toks[sp.first].start, in.toks[sp.end-1].end
	text := in.text[start:end]
	if i := in.bodyToken(sp); i >= 0 {
		text = in.text[start:in.toks[i].start] + "''" + in.text[in.toks[i].end:end]
	}
	if in.budget -= len(text); len(text) > maxStatement || in.deep(sp) || in.budget < 0 {
		return nil, "it is too long or too deep to be parsed"
	}
	stmts, err := pgast.Parse(text)
	if err != nil || len(stmts) != 1 {
		return nil, "the grammar rejects it"
	}
	return stmts[0].GetStmt(), ""
}

// bodyToken returns the token that is the body of a CREATE FUNCTION or
// PROCEDURE, -1 if there is none.
func (in *input) bodyToken(sp span) int {
	if in.kw(sp.first) != kwCreate || !in.isRoutine(sp) {
		return -1
	}
	for i, depth := sp.first, 0; i+1 < sp.end; i++ {
		switch {
		case in.is(i, "("):
			depth++
		case in.is(i, ")"):
			depth--
		case depth == 0 && in.kw(i) == kwAs && in.toks[i+1].kind == tokString:
			return i + 1
		}
	}
	return -1
}

// isRoutine reports whether the second or fourth word is FUNCTION or PROCEDURE.
func (in *input) isRoutine(sp span) bool {
	for _, i := range []int{sp.first + 1, sp.first + 3} {
		if w := in.ident(i); i < sp.end && (w == "function" || w == "procedure") {
			return true
		}
	}
	return false
}

// literal returns the value of a token that is a string.
func (in *input) literal(i int) string {
	s := in.word(i)
	if strings.HasPrefix(s, "$") {
		if tag := strings.IndexByte(s[1:], '$') + 2; len(s) >= 2*tag {
			return s[tag : len(s)-tag]
		}
		return ""
	}
	if c := s[0] | 0x20; c == 'e' {
		return strings.ReplaceAll(unescape(s[1:]), "''", "'")
	}
	return unquote(s)
}

// unescape resolves the common escapes of E'…'.
func unescape(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\'`, `''`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(strings.Trim(s, "'"))
}

func (b *definer) add(c Change) { b.d.Changes = append(b.d.Changes, c) }

// statement describes what a tree does.
func (b *definer) statement(n *pgast.Node) {
	switch v := n.GetNode().(type) {
	case *pgast.Node_CreateStmt:
		b.createTable(v.CreateStmt)
	case *pgast.Node_CreateForeignTableStmt:
		b.add(Change{Op: CreateViewOp, Table: table(v.CreateForeignTableStmt.GetBaseStmt().GetRelation())})
	case *pgast.Node_CreateTableAsStmt:
		b.createAs(v.CreateTableAsStmt)
	case *pgast.Node_ViewStmt:
		b.add(Change{Op: CreateViewOp, Table: table(v.ViewStmt.GetView())})
	case *pgast.Node_AlterTableStmt:
		b.alterTable(v.AlterTableStmt)
	case *pgast.Node_IndexStmt:
		b.createIndex(v.IndexStmt)
	case *pgast.Node_DropStmt:
		b.drop(v.DropStmt)
	case *pgast.Node_RenameStmt:
		b.rename(v.RenameStmt)
	case *pgast.Node_AlterObjectSchemaStmt:
		b.move(v.AlterObjectSchemaStmt)
	case *pgast.Node_CreateFunctionStmt:
		b.createFunction(v.CreateFunctionStmt)
	case *pgast.Node_AlterFunctionStmt:
		f := v.AlterFunctionStmt
		b.add(Change{Op: AlterFunctionOp, Table: named(f.GetFunc().GetObjname()),
			Function: &Function{Volatility: volatility(f.GetActions()), Arguments: typeNames(f.GetFunc().GetObjargs())}})
	case *pgast.Node_CreateExtensionStmt:
		b.add(Change{Op: CreateExtensionOp, Name: v.CreateExtensionStmt.GetExtname()})
	case *pgast.Node_CreateSchemaStmt:
		for _, e := range v.CreateSchemaStmt.GetSchemaElts() {
			b.inSchema(e, v.CreateSchemaStmt.GetSchemaname())
		}
	case *pgast.Node_VariableSetStmt:
		b.searchPath(v.VariableSetStmt)
	case *pgast.Node_SelectStmt:
		b.selects(v.SelectStmt)
	case *pgast.Node_CallStmt:
		_, name := funcName(v.CallStmt.GetFunccall())
		b.d.Calls = append(b.d.Calls, name)
	}
}

// inSchema describes an element of CREATE SCHEMA.
func (b *definer) inSchema(n *pgast.Node, schema string) {
	at := len(b.d.Changes)
	b.statement(n)
	for i := at; i < len(b.d.Changes); i++ {
		if c := &b.d.Changes[i]; c.Table.Schema == "" {
			c.Table.Schema = schema
		}
	}
}

// createAs describes CREATE TABLE AS, SELECT INTO and CREATE MATERIALIZED VIEW.
func (b *definer) createAs(s *pgast.CreateTableAsStmt) {
	rel := s.GetInto().GetRel()
	if s.GetObjtype() != pgast.OBJECT_TABLE {
		b.add(Change{Op: CreateViewOp, Table: table(rel), Lenient: s.GetIfNotExists()})
	} else {
		b.filled(rel, s.GetIfNotExists())
	}
}

// filled describes a table that is made of the rows of a query.
func (b *definer) filled(rel *pgast.RangeVar, lenient bool) {
	if temporary(rel) {
		b.add(Change{Op: CreateTempOp, Table: table(rel)})
		return
	}
	b.add(Change{Op: CreateTableOp, Table: table(rel), Unseen: true, Lenient: lenient})
}

func temporary(r *pgast.RangeVar) bool { return r.GetRelpersistence() == "t" }

// selects describes a SELECT: INTO, set_config of the search path, and the
// functions it calls.
func (b *definer) selects(s *pgast.SelectStmt) {
	if rel := s.GetIntoClause().GetRel(); rel != nil {
		b.filled(rel, false)
	}
	for _, st := range Parse(Source{Text: b.in.text[b.in.toks[b.sp.first].start:b.in.toks[b.sp.end-1].end], Style: StyleDollar}) {
		b.d.Calls = append(b.d.Calls, st.Funcs...)
		for _, set := range st.Settings {
			if set.Name == "search_path" && set.Func {
				b.add(Change{Op: SearchPathOp, Path: splitPath(set.Value)})
			}
		}
	}
}

// splitPath splits the value of a search path.
func splitPath(value string) []string {
	out := []string{}
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.Trim(strings.TrimSpace(name), `"`); name != "" {
			out = append(out, name)
		}
	}
	return out
}

func (b *definer) searchPath(s *pgast.VariableSetStmt) {
	c := Change{Op: SearchPathOp}
	if s.GetKind() == pgast.VAR_SET_VALUE {
		c.Path = []string{}
		for _, a := range s.GetArgs() {
			c.Path = append(c.Path, splitPath(a.GetAConst().GetSval().GetSval())...)
		}
	}
	b.add(c)
}

// named returns the object that a list of names names.
func named(list []*pgast.Node) TableRef {
	var t TableRef
	if n := len(list); n > 0 {
		t.Name = str(list[n-1])
		if n > 1 {
			t.Schema = str(list[n-2])
		}
	}
	return t
}

// dropped are the kinds of objects whose dropping is described.
var dropped = map[pgast.ObjectType]ChangeOp{
	pgast.OBJECT_TABLE: DropTableOp, pgast.OBJECT_VIEW: DropViewOp, pgast.OBJECT_MATVIEW: DropViewOp,
	pgast.OBJECT_FOREIGN_TABLE: DropViewOp, pgast.OBJECT_INDEX: DropIndexOp, pgast.OBJECT_SCHEMA: DropSchemaOp,
	pgast.OBJECT_FUNCTION: DropFunctionOp, pgast.OBJECT_PROCEDURE: DropFunctionOp, pgast.OBJECT_ROUTINE: DropFunctionOp,
	pgast.OBJECT_TYPE: DropTypeOp, pgast.OBJECT_DOMAIN: DropTypeOp,
}

func (b *definer) drop(s *pgast.DropStmt) {
	op, ok := dropped[s.GetRemoveType()]
	if !ok {
		return
	}
	for _, o := range s.GetObjects() {
		c := Change{Op: op, Lenient: s.GetMissingOk(), Cascade: s.GetBehavior() == pgast.DROP_CASCADE}
		switch v := o.GetNode().(type) {
		case *pgast.Node_List:
			c.Table = named(v.List.GetItems())
		case *pgast.Node_ObjectWithArgs:
			c.Table = named(v.ObjectWithArgs.GetObjname())
			c.Function = &Function{Arguments: typeNames(v.ObjectWithArgs.GetObjargs())}
			if v.ObjectWithArgs.GetArgsUnspecified() {
				c.Function = nil
			}
		case *pgast.Node_TypeName:
			c.Table = named(v.TypeName.GetNames())
		case *pgast.Node_String:
			c.Name = v.String_.GetSval()
		}
		b.add(c)
	}
}

// renamed are the kinds of objects whose renaming is described.
var renamed = map[pgast.ObjectType]ChangeOp{
	pgast.OBJECT_TABLE: RenameTableOp, pgast.OBJECT_VIEW: RenameTableOp, pgast.OBJECT_MATVIEW: RenameTableOp,
	pgast.OBJECT_FOREIGN_TABLE: RenameTableOp, pgast.OBJECT_INDEX: RenameIndexOp, pgast.OBJECT_COLUMN: RenameColumnOp,
	pgast.OBJECT_TABCONSTRAINT: RenameConstraintOp, pgast.OBJECT_SCHEMA: RenameSchemaOp,
	pgast.OBJECT_TYPE: RenameTypeOp, pgast.OBJECT_DOMAIN: RenameTypeOp,
	pgast.OBJECT_FUNCTION: RenameFunctionOp, pgast.OBJECT_PROCEDURE: RenameFunctionOp, pgast.OBJECT_ROUTINE: RenameFunctionOp,
}

func (b *definer) rename(s *pgast.RenameStmt) {
	op, ok := renamed[s.GetRenameType()]
	if !ok {
		return
	}
	c := Change{Op: op, Table: table(s.GetRelation()), Name: s.GetSubname(), To: s.GetNewname(), Lenient: s.GetMissingOk()}
	if op == RenameTypeOp {
		c.Table = named(s.GetObject().GetList().GetItems())
	}
	if f := s.GetObject().GetObjectWithArgs(); f != nil {
		c.Table = named(f.GetObjname())
		c.Function = &Function{Arguments: typeNames(f.GetObjargs())}
	}
	b.add(c)
}

// move describes ALTER … SET SCHEMA.
func (b *definer) move(s *pgast.AlterObjectSchemaStmt) {
	switch s.GetObjectType() {
	case pgast.OBJECT_TABLE, pgast.OBJECT_VIEW, pgast.OBJECT_MATVIEW, pgast.OBJECT_FOREIGN_TABLE:
		b.add(Change{Op: MoveTableOp, Table: table(s.GetRelation()), To: s.GetNewschema(), Lenient: s.GetMissingOk()})
	}
}
