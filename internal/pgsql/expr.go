package pgsql

import (
	"strconv"
	"strings"

	"github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"
)

// expr reads a scalar expression, with its text.
func (w *walker) expr(n *pgast.Node, sc *scope) Expr {
	saved := w.minLoc
	w.minLoc = maxStatement * 2
	x := w.read(n, sc)
	if w.minLoc < maxStatement*2 {
		x.Text = w.text(w.minLoc)
	}
	w.minLoc = min(w.minLoc, saved)
	return x
}

// read reads a scalar expression.
func (w *walker) read(n *pgast.Node, sc *scope) Expr {
	x := &Expr{}
	w.active = append(w.active, x)
	w.visit(n, sc)
	w.active = w.active[:len(w.active)-1]
	w.classify(strip(n), sc, x)
	return *x
}

// strip removes casts and COLLATE.
func strip(n *pgast.Node) *pgast.Node {
	for {
		switch v := n.GetNode().(type) {
		case *pgast.Node_TypeCast:
			n = v.TypeCast.GetArg()
		case *pgast.Node_CollateClause:
			n = v.CollateClause.GetArg()
		default:
			return n
		}
	}
}

// classify sets the kind of an expression from its outermost node.
func (w *walker) classify(n *pgast.Node, sc *scope, x *Expr) {
	switch v := n.GetNode().(type) {
	case *pgast.Node_ColumnRef:
		ref, ok := w.resolve(v.ColumnRef, sc)
		if !ok {
			x.Kind = ExprHole
			return
		}
		x.Kind, x.Column = ExprColumn, ref
	case *pgast.Node_ParamRef:
		x.Kind, x.Param = ExprParam, int(v.ParamRef.GetNumber())
		x.ParamName = w.in.toks[w.f.tokenAt(int(v.ParamRef.GetLocation()))].name
	case *pgast.Node_AConst:
		w.constant(v.AConst, x)
	case *pgast.Node_SetToDefault:
		x.Kind = ExprDefault
	}
}

func (w *walker) constant(c *pgast.A_Const, x *Expr) {
	if c.GetIsnull() {
		x.Kind = ExprNull
		return
	}
	value := constValue(c)
	if clean(value) != value || w.f.filled(int(c.GetLocation())) {
		x.Kind = ExprHole
		return
	}
	x.Kind, x.Const = ExprConst, value
}

// constValue returns the value of a literal as text.
func constValue(c *pgast.A_Const) string {
	switch v := c.GetVal().(type) {
	case *pgast.A_Const_Ival:
		return strconv.Itoa(int(v.Ival.GetIval()))
	case *pgast.A_Const_Fval:
		return v.Fval.GetFval()
	case *pgast.A_Const_Boolval:
		return strconv.FormatBool(v.Boolval.GetBoolval())
	case *pgast.A_Const_Sval:
		return v.Sval.GetSval()
	case *pgast.A_Const_Bsval:
		return v.Bsval.GetBsval()
	}
	return ""
}

// endsText holds the keywords that end an expression in a list.
var endsText = map[keyword]bool{
	kwFrom: true, kwWhere: true, kwAnd: true, kwOr: true, kwAs: true, kwReturning: true, kwOrder: true,
	kwGroup: true, kwLimit: true, kwFor: true, kwOn: true, kwHaving: true, kwUnion: true, kwWhen: true,
	kwIntersect: true, kwExcept: true, kwOffset: true, kwFetch: true, kwWindow: true, kwInto: true,
	kwThen: true, kwUsing: true, kwLeft: true, kwJoin: true, kwInner: true,
}

// text returns the text of the expression that begins at an offset of the
// rendered statement, as the caller wrote it. The tree has no ends, so it is
// the tokens up to a separator.
func (w *walker) text(loc int) string {
	if loc < 0 {
		return ""
	}
	first := w.f.tokenAt(loc)
	last, depth, cases := first, 0, 0
	for i := first; i < w.sp.end; i++ {
		switch {
		case i == w.stop:
			return w.slice(first, last)
		case w.in.is(i, "(") || w.in.is(i, "["):
			depth++
		case (w.in.is(i, ")") || w.in.is(i, "]")) && depth == 0:
			if first-1 < w.sp.first || !w.in.is(first-1, "(") || w.opensList(first-1) {
				return w.slice(first, last)
			}
			first--
		case w.in.is(i, ")") || w.in.is(i, "]"):
			depth--
		case depth == 0 && w.in.kw(i) == kwCase:
			cases++
		case depth == 0 && w.in.kw(i) == kwEnd:
			cases--
		case depth == 0 && cases <= 0 && i > first && (w.in.is(i, ",") || endsText[w.in.kw(i)] && !w.distinct(i)):
			return w.slice(first, last)
		}
		last = i
	}
	return w.slice(first, last)
}

// distinct reports whether token i is the FROM of IS DISTINCT FROM.
func (w *walker) distinct(i int) bool {
	return w.in.kw(i) == kwFrom && w.in.kw(i-1) == kwDistinct
}

// opensList reports whether the parenthesis at token i opens a list: of
// arguments, of rows, or of IN.
func (w *walker) opensList(i int) bool {
	if i <= w.sp.first || w.in.toks[i-1].kind != tokWord {
		return i > w.sp.first && (w.in.is(i-1, ",") || w.in.toks[i-1].kind == tokQuoted)
	}
	switch w.in.kw(i - 1) {
	case kwAny, kwSome, kwAll, kwIn, kwValues, kwNone, kwCast:
		return true
	}
	return false
}

// slice returns the source text of the tokens first to last.
func (w *walker) slice(first, last int) string {
	from, to := w.in.off(w.in.toks[first].start), w.in.off(w.in.toks[last].end)
	return strings.TrimSpace(w.in.src.Text[from:to])
}

// where reads a condition and returns its AND-ed comparisons; complete is set
// when they are all of it.
func (w *walker) where(n *pgast.Node, sc *scope) (out []Comparison, complete bool) {
	if n == nil {
		return nil, true
	}
	w.level.where = true
	defer func() { w.level.where = false }()
	complete = true
	w.level.loose = nil
	for _, t := range conjuncts(n, nil) {
		w.level.term = nil
		c, ok := w.term(t, sc)
		if len(c) == 0 {
			w.level.loose = append(w.level.loose, w.level.term...)
		}
		out = append(out, c...)
		complete = complete && ok
	}
	return out, complete
}

// conjuncts flattens AND.
func conjuncts(n *pgast.Node, out []*pgast.Node) []*pgast.Node {
	if b := n.GetBoolExpr(); b != nil && b.GetBoolop() == pgast.AND_EXPR {
		for _, a := range b.GetArgs() {
			out = conjuncts(a, out)
		}
		return out
	}
	return append(out, n)
}

// term reads one AND-ed term; ok is set when the comparisons say all of it.
func (w *walker) term(n *pgast.Node, sc *scope) (out []Comparison, ok bool) {
	switch v := strip(n).GetNode().(type) {
	case *pgast.Node_AExpr:
		return w.compare(v.AExpr, sc)
	case *pgast.Node_NullTest:
		op := "IS NOT NULL"
		if v.NullTest.GetNulltesttype() == pgast.IS_NULL {
			op = "IS NULL"
		}
		return w.unary(v.NullTest.GetArg(), op, Expr{Kind: ExprNull}, sc)
	case *pgast.Node_BooleanTest:
		return w.unary(v.BooleanTest.GetArg(), boolTests[v.BooleanTest.GetBooltesttype()], Expr{}, sc)
	case *pgast.Node_ColumnRef:
		return w.unary(n, "=", boolean("true"), sc)
	case *pgast.Node_BoolExpr:
		if v.BoolExpr.GetBoolop() == pgast.NOT_EXPR {
			return w.negated(v.BoolExpr.GetArgs()[0], sc)
		}
	case *pgast.Node_SubLink:
		return w.quantified(v.SubLink, sc)
	case *pgast.Node_AConst:
		return nil, w.read(n, sc).Kind == ExprConst // WHERE true
	}
	w.visit(n, sc)
	return nil, false
}

func boolean(value string) Expr { return Expr{Kind: ExprConst, Const: value, Text: value} }

// unary reads a test of a single column.
func (w *walker) unary(n *pgast.Node, op string, value Expr, sc *scope) ([]Comparison, bool) {
	x := w.read(n, sc)
	if x.Kind != ExprColumn {
		return nil, false
	}
	return []Comparison{{Column: x.Column, Op: op, Value: value}}, true
}

// negated reads NOT term: of a boolean column, or of a comparison that has an
// opposite.
func (w *walker) negated(n *pgast.Node, sc *scope) ([]Comparison, bool) {
	if isColumn(strip(n)) {
		return w.unary(n, "=", boolean("false"), sc)
	}
	out, ok := w.term(n, sc)
	if len(out) != 1 || !ok {
		return nil, false
	}
	op, known := opposite[out[0].Op]
	if !known {
		return nil, false
	}
	out[0].Op = op
	return out, true
}

// quantified reads col IN (SELECT …) and EXISTS (SELECT …).
func (w *walker) quantified(s *pgast.SubLink, sc *scope) ([]Comparison, bool) {
	w.visit(s.GetTestexpr(), sc)
	x := w.read(s.GetSubselect(), sc)
	x.Text = w.listText(int(s.GetLocation()))
	ref := strip(s.GetTestexpr()).GetColumnRef()
	if ref == nil || s.GetSubLinkType() != pgast.ANY_SUBLINK {
		return nil, false
	}
	col, ok := w.resolve(ref, sc)
	if !ok {
		return nil, false
	}
	op := "IN"
	if name := opName(s.GetOperName()); name != "" && name != "=" {
		op = name + " ANY"
	} else if name == "=" {
		op = "ANY"
	}
	return []Comparison{{Column: col, Op: op, Value: x}}, false
}

// compare reads a comparison with a column on either side.
func (w *walker) compare(a *pgast.A_Expr, sc *scope) ([]Comparison, bool) {
	op := operator(a)
	if l, r := a.GetLexpr().GetRowExpr(), a.GetRexpr().GetRowExpr(); l != nil && r != nil && op == "=" {
		return w.compareRows(l, r, sc)
	}
	left := w.leftOperand(a, sc)
	right := w.operand(a, sc)
	if left.Kind != ExprColumn && right.Kind == ExprColumn {
		if m, ok := mirrored[op]; ok {
			left, right, op = right, left, m
		}
	}
	if w.f.filled(int(a.GetLocation())) {
		return nil, false // the operator itself is a hole
	}
	complete := !left.Subquery && !right.Subquery && left.Kind != ExprHole && right.Kind != ExprHole
	switch {
	case left.Kind == ExprColumn && op != "":
		return []Comparison{{Column: left.Column, Op: op, Value: right}}, complete
	case left.Kind == ExprConst && right.Kind == ExprConst: // WHERE 1 = 1
		return nil, left.Const == right.Const && op == "="
	}
	return nil, false
}

// leftOperand reads the left side; its text ends at the operator.
func (w *walker) leftOperand(a *pgast.A_Expr, sc *scope) Expr {
	saved := w.stop
	if loc := int(a.GetLocation()); loc > 0 {
		w.stop = w.f.tokenAt(loc)
	}
	x := w.expr(a.GetLexpr(), sc)
	w.stop = saved
	return x
}

// operand reads the right side: of IN and BETWEEN it is a list.
func (w *walker) operand(a *pgast.A_Expr, sc *scope) Expr {
	list := a.GetRexpr().GetList()
	if list == nil {
		return w.expr(a.GetRexpr(), sc)
	}
	if len(list.GetItems()) == 1 {
		return w.expr(list.GetItems()[0], sc)
	}
	x := w.read(a.GetRexpr(), sc)
	x.Text = w.listText(int(a.GetLocation()))
	for _, n := range list.GetItems() {
		if w.isHole(strip(n), sc) {
			x.Kind = ExprHole
		}
	}
	return x
}

// listText returns the text of the list or query in parentheses after the
// operator at loc, or of both bounds of BETWEEN.
func (w *walker) listText(loc int) string {
	first := w.f.tokenAt(loc)
	for i := first; i+1 < w.sp.end && i < first+4; i++ {
		if w.in.kw(i) == kwBetween {
			return w.boundsText(i + 1)
		}
		if w.in.is(i+1, "(") {
			return w.slice(i+1, w.in.closing(i+1, w.sp.end))
		}
	}
	return ""
}

// boundsText returns the text of the bounds of BETWEEN from token i on.
func (w *walker) boundsText(i int) string {
	last, ands := i, 0
	for j, depth := i, 0; j < w.sp.end; j++ {
		switch {
		case w.in.is(j, "("):
			depth++
		case w.in.is(j, ")"):
			depth--
		case depth == 0 && w.in.kw(j) == kwAnd:
			ands++
		case depth == 0 && endsText[w.in.kw(j)]:
			ands = 2
		}
		if ands == 2 || depth < 0 {
			break
		}
		last = j
	}
	return w.slice(i, last)
}

func (w *walker) isHole(n *pgast.Node, sc *scope) bool {
	var x Expr
	w.classify(n, sc, &x)
	return x.Kind == ExprHole
}

// compareRows reads (a, b) = (x, y) as a = x AND b = y.
func (w *walker) compareRows(l, r *pgast.RowExpr, sc *scope) (out []Comparison, ok bool) {
	ok = len(l.GetArgs()) == len(r.GetArgs())
	for i, n := range l.GetArgs() {
		if i >= len(r.GetArgs()) {
			break
		}
		left, right := w.expr(n, sc), w.expr(r.GetArgs()[i], sc)
		if left.Kind != ExprColumn || right.Subquery || right.Kind == ExprHole {
			ok = false
		}
		if left.Kind == ExprColumn {
			out = append(out, Comparison{Column: left.Column, Op: "=", Value: right})
		}
	}
	return out, ok
}

func opName(names []*pgast.Node) string {
	if len(names) == 0 {
		return ""
	}
	return str(names[len(names)-1])
}

// operator names the comparison that an A_Expr makes, empty when it is none
// that a Comparison describes.
func operator(a *pgast.A_Expr) string {
	name := opName(a.GetName())
	switch a.GetKind() {
	case pgast.AEXPR_OP:
		return name
	case pgast.AEXPR_OP_ANY:
		if name == "=" {
			return "ANY"
		}
		return name + " ANY"
	case pgast.AEXPR_OP_ALL:
		return name + " ALL"
	case pgast.AEXPR_IN, pgast.AEXPR_LIKE, pgast.AEXPR_ILIKE, pgast.AEXPR_SIMILAR:
		return listOps[a.GetKind()][strings.HasPrefix(name, "!") || name == "<>"]
	}
	return exprOps[a.GetKind()]
}
