package pgsql

import (
	"maps"
	"slices"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

// A walker fills a Statement from its parse tree.
type walker struct {
	in    *input
	f     *filler
	sp    span
	st    *Statement
	cols  map[ColumnRef]struct{}
	reads map[TableRef]struct{}
	funcs map[string]struct{}

	// active are the expressions being read, outermost first: what occurs in
	// the innermost occurs in all.
	active []*Expr
	// minLoc and maxLoc are the first and last location seen in the part of
	// the tree being read.
	minLoc, maxLoc int
	level          *level
	stop           int  // the token at which the text of an expression ends
	texts          bool // a result column is a value to be written
	listed         bool // the list of results of the outermost SELECT is read
	source         Expr // what the columns of SET (a, b) = (SELECT …) are set from
	locks          []lockAt
	picks          []Pick
}

// A level is what is noticed while one query level is read.
type level struct {
	targets, where       bool // in which clause the walk is
	agg, window, setFunc bool
	// bare is set when WHERE names a column without its table.
	bare bool
	// term are the columns of the WHERE's term that is being read, loose those
	// of the terms that are no comparison.
	term, loose []ColumnRef
}

// walk fills st from the tree of one statement.
func (in *input) walk(sp span, st *Statement, n *pgast.Node, f *filler) {
	w := &walker{in: in, f: f, sp: sp, st: st, minLoc: maxStatement * 2, maxLoc: -1, stop: -1}
	w.cols, w.reads, w.funcs = map[ColumnRef]struct{}{}, map[TableRef]struct{}{}, map[string]struct{}{}
	w.level = &level{}
	w.statement(n)
	w.finishLocks()
	if st.Trailing || f.guessed() {
		st.WhereComplete = false
	}
	if len(w.funcs) > 0 {
		st.Funcs = slices.Sorted(maps.Keys(w.funcs))
	}
}

// statement fills the parts of one kind of statement.
func (w *walker) statement(n *pgast.Node) {
	st := w.st
	st.Kind = w.kind(n)
	switch v := n.GetNode().(type) {
	case *pgast.Node_SelectStmt, *pgast.Node_InsertStmt, *pgast.Node_UpdateStmt,
		*pgast.Node_DeleteStmt, *pgast.Node_MergeStmt:
		w.query(n, nil, true)
	case *pgast.Node_VariableSetStmt:
		w.variableSet(v.VariableSetStmt)
	case *pgast.Node_TransactionStmt:
		w.transaction(v.TransactionStmt)
	case *pgast.Node_LockStmt:
		w.lockTable(v.LockStmt)
	case *pgast.Node_CopyStmt:
		w.copy(v.CopyStmt)
	case *pgast.Node_CreateTableAsStmt:
		w.into(v.CreateTableAsStmt.GetInto())
		w.query(v.CreateTableAsStmt.GetQuery(), nil, true)
	case *pgast.Node_CreateStmt:
		st.Target = table(v.CreateStmt.GetRelation())
		st.Writes = []TableRef{st.Target}
		st.Temp = v.CreateStmt.GetRelation().GetRelpersistence() == "t"
		st.OnCommitDrop = v.CreateStmt.GetOncommit() == pgast.ONCOMMIT_DROP
	case *pgast.Node_TruncateStmt:
		for _, r := range v.TruncateStmt.GetRelations() {
			st.Writes = append(st.Writes, table(r.GetRangeVar()))
		}
		st.Target = st.Writes[0]
	case *pgast.Node_ExplainStmt:
		if analyzes(v.ExplainStmt) {
			w.query(v.ExplainStmt.GetQuery(), nil, true)
		}
	case *pgast.Node_DeclareCursorStmt:
		st.Name = clean(v.DeclareCursorStmt.GetPortalname())
		st.Hold = v.DeclareCursorStmt.GetOptions()&cursorHold != 0
		w.query(v.DeclareCursorStmt.GetQuery(), nil, true)
	case *pgast.Node_CallStmt:
		if f := v.CallStmt.GetFunccall(); !w.call(f, nil) {
			w.visitAll(f.GetArgs(), nil)
		}
	case *pgast.Node_ExecuteStmt:
		st.Name = clean(v.ExecuteStmt.GetName())
		for _, p := range v.ExecuteStmt.GetParams() {
			w.visit(p, nil)
		}
	default:
		st.Name = clean(objectName(n))
	}
}

// cursorHold is CURSOR_OPT_HOLD of PostgreSQL's parsenodes.h.
const cursorHold = 0x20

// objectName is the channel, cursor, prepared statement or parameter that a
// statement names.
func objectName(n *pgast.Node) string {
	switch v := n.GetNode().(type) {
	case *pgast.Node_ListenStmt:
		return v.ListenStmt.GetConditionname()
	case *pgast.Node_UnlistenStmt:
		return v.UnlistenStmt.GetConditionname()
	case *pgast.Node_NotifyStmt:
		return v.NotifyStmt.GetConditionname()
	case *pgast.Node_PrepareStmt:
		return v.PrepareStmt.GetName()
	case *pgast.Node_DeallocateStmt:
		return v.DeallocateStmt.GetName()
	case *pgast.Node_FetchStmt:
		return v.FetchStmt.GetPortalname()
	case *pgast.Node_ClosePortalStmt:
		return v.ClosePortalStmt.GetPortalname()
	case *pgast.Node_VariableShowStmt:
		return strings.ToLower(v.VariableShowStmt.GetName())
	}
	return ""
}

// kind returns the kind of a statement from the type of its tree; statements
// that change the schema are told by their first word.
func (w *walker) kind(n *pgast.Node) Kind {
	switch v := n.GetNode().(type) {
	case *pgast.Node_SelectStmt:
		return Select
	case *pgast.Node_InsertStmt:
		return Insert
	case *pgast.Node_UpdateStmt:
		return Update
	case *pgast.Node_DeleteStmt:
		return Delete
	case *pgast.Node_MergeStmt:
		return Merge
	case *pgast.Node_CreateTableAsStmt:
		if v.CreateTableAsStmt.GetObjtype() != pgast.OBJECT_TABLE {
			return DDL
		}
		return CreateTable
	case *pgast.Node_CreateStmt:
		return CreateTable
	case *pgast.Node_TransactionStmt:
		return transactionKinds[v.TransactionStmt.GetKind()]
	case *pgast.Node_VariableSetStmt:
		return variableSetKind(v.VariableSetStmt)
	}
	return w.in.firstKind(w.sp)
}

// query reads a query or a data-modifying statement and returns its result
// columns.
func (w *walker) query(n *pgast.Node, parent *scope, top bool) []Output {
	saved := w.level
	w.level = &level{}
	defer func() { w.level = saved }()
	switch v := n.GetNode().(type) {
	case *pgast.Node_SelectStmt:
		out, _ := w.selects(v.SelectStmt, parent, top)
		return out
	case *pgast.Node_InsertStmt:
		return w.insert(v.InsertStmt, parent, top)
	case *pgast.Node_UpdateStmt:
		return w.update(v.UpdateStmt, parent, top)
	case *pgast.Node_DeleteStmt:
		return w.delete(v.DeleteStmt, parent, top)
	case *pgast.Node_MergeStmt:
		return w.merge(v.MergeStmt, parent, top)
	case *pgast.Node_ExecuteStmt:
		w.st.Name = clean(v.ExecuteStmt.GetName())
	}
	return nil
}

// visit collects what occurs in an expression.
func (w *walker) visit(n *pgast.Node, sc *scope) {
	w.see(pgast.Location(n))
	switch v := n.GetNode().(type) {
	case nil:
		return
	case *pgast.Node_ColumnRef:
		w.column(v.ColumnRef, sc)
		return
	case *pgast.Node_ParamRef:
		w.param(int(v.ParamRef.GetNumber()))
		return
	case *pgast.Node_SubLink:
		w.sublink(v.SubLink, sc)
		return
	case *pgast.Node_SelectStmt:
		w.subquery(n, sc)
		return
	case *pgast.Node_FuncCall:
		if w.call(v.FuncCall, sc) {
			return
		}
	case *pgast.Node_SqlvalueFunction:
		w.addFunc(valueFuncs[v.SqlvalueFunction.GetOp()])
	default:
		w.addFunc(pgast.Constructor(n))
	}
	pgast.Children(n, func(c *pgast.Node) { w.visit(c, sc) })
}

func (w *walker) see(loc int) {
	if loc >= 0 {
		w.minLoc, w.maxLoc = min(w.minLoc, loc), max(w.maxLoc, loc)
	}
}

func (w *walker) visitAll(list []*pgast.Node, sc *scope) {
	for _, n := range list {
		w.visit(n, sc)
	}
}

func (w *walker) sublink(s *pgast.SubLink, sc *scope) {
	w.visit(s.GetTestexpr(), sc)
	w.subquery(s.GetSubselect(), sc)
}

func (w *walker) subquery(n *pgast.Node, sc *scope) {
	for _, x := range w.active {
		x.Subquery = true
	}
	w.query(n, sc, false)
}

func (w *walker) column(c *pgast.ColumnRef, sc *scope) {
	if ref, ok := w.resolve(c, sc); ok {
		w.addColumn(ref)
	}
}

func (w *walker) addColumn(ref ColumnRef) {
	if w.level.where && !slices.Contains(w.level.term, ref) {
		w.level.term = append(w.level.term, ref)
	}
	for _, x := range w.active {
		if !slices.Contains(x.Columns, ref) {
			x.Columns = append(x.Columns, ref)
		}
	}
	if _, ok := w.cols[ref]; !ok {
		w.cols[ref] = struct{}{}
		w.st.Columns = append(w.st.Columns, ref)
	}
}

func (w *walker) param(n int) {
	for _, x := range w.active {
		if !slices.Contains(x.Params, n) {
			x.Params = append(x.Params, n)
		}
	}
}

func (w *walker) addFunc(name string) {
	if name == "" {
		return
	}
	w.funcs[name] = struct{}{}
	for _, x := range w.active {
		if !slices.Contains(x.Funcs, name) {
			x.Funcs = append(x.Funcs, name)
		}
	}
}

// call notes a function call, and what it does to locks and settings; done is
// set when it has read the arguments too.
func (w *walker) call(f *pgast.FuncCall, sc *scope) (done bool) {
	schema, name := funcName(f)
	if name == "" {
		return false
	}
	if schema != "" && f.GetFuncformat() != pgast.COERCE_SQL_SYNTAX {
		w.addFunc(schema + "." + name)
	} else {
		w.addFunc(name)
	}
	if f.GetOver() != nil {
		w.level.window = true
	} else if aggregates[name] || f.GetAggStar() || f.GetAggDistinct() || f.GetAggWithinGroup() || f.GetAggFilter() != nil {
		w.level.agg = true
	}
	w.level.setFunc = w.level.setFunc || w.level.targets && setReturning[name]
	if schema != "" && schema != "pg_catalog" {
		return false
	}
	if adv, ok := advisoryFuncs[name]; ok {
		w.advisory(f, adv, sc)
		return true
	}
	if name == "set_config" {
		w.setConfig(f, sc)
		return true
	}
	return false
}

// funcName returns the name as written, in lower case.
func funcName(f *pgast.FuncCall) (schema, name string) {
	parts := f.GetFuncname()
	if len(parts) == 0 {
		return "", ""
	}
	name = strings.ToLower(str(parts[len(parts)-1]))
	if len(parts) > 1 {
		schema = strings.ToLower(str(parts[len(parts)-2]))
	}
	if clean(name) == "" {
		return "", ""
	}
	return schema, name
}

// advisory notes an advisory-lock call.
func (w *walker) advisory(f *pgast.FuncCall, call AdvisoryCall, sc *scope) {
	call.Pos, call.End = -1, -1
	if loc := int(f.GetLocation()); loc >= 0 {
		i := w.f.tokenAt(loc)
		for w.in.is(i+1, ".") {
			i += 2
		}
		if i < w.sp.end {
			call.Pos, call.End = w.in.off(w.in.toks[i].start), w.in.off(w.in.toks[i].end)
		}
	}
	for _, a := range f.GetArgs() {
		call.Keys = append(call.Keys, w.expr(a, sc))
	}
	w.st.Advisory = append(w.st.Advisory, call)
}

// str returns the value of a String node.
func str(n *pgast.Node) string { return n.GetString_().GetSval() }

// clean returns a name, empty when it came from a hole.
func clean(name string) string {
	if strings.IndexByte(name, holeByte) >= 0 {
		return ""
	}
	return name
}

// table returns the table that a range variable names.
func table(r *pgast.RangeVar) TableRef {
	t := TableRef{Schema: clean(r.GetSchemaname()), Name: clean(r.GetRelname())}
	t.Alias = clean(r.GetAlias().GetAliasname())
	return t
}
