package pgsql

import "github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"

// unnamed is the name PostgreSQL gives a result column that has none.
const unnamed = "?column?"

// figureName returns the name PostgreSQL gives a result column
// (FigureColname in parse_target.c).
func figureName(n *pgast.Node) string {
	if name, _ := figure(n); name != "" {
		return name
	}
	return unnamed
}

// figure returns a name and whether it is a good one, not a mere type's.
func figure(n *pgast.Node) (name string, good bool) {
	switch v := n.GetNode().(type) {
	case *pgast.Node_ColumnRef:
		return lastName(v.ColumnRef.GetFields()), true
	case *pgast.Node_AIndirection:
		if name := lastName(v.AIndirection.GetIndirection()); name != "" {
			return name, true
		}
		return figure(v.AIndirection.GetArg())
	case *pgast.Node_FuncCall:
		return lastName(v.FuncCall.GetFuncname()), true
	case *pgast.Node_AExpr:
		if v.AExpr.GetKind() == pgast.AEXPR_NULLIF {
			return "nullif", true
		}
	case *pgast.Node_TypeCast:
		if name, good := figure(v.TypeCast.GetArg()); good {
			return name, true
		}
		return lastName(v.TypeCast.GetTypeName().GetNames()), false
	case *pgast.Node_CollateClause:
		return figure(v.CollateClause.GetArg())
	case *pgast.Node_SubLink:
		return sublinkName(v.SubLink)
	case *pgast.Node_CaseExpr:
		if name, good := figure(v.CaseExpr.GetDefresult()); good {
			return name, true
		}
		return "case", false
	case *pgast.Node_MinMaxExpr:
		if v.MinMaxExpr.GetOp() == pgast.IS_GREATEST {
			return "greatest", true
		}
		return "least", true
	case *pgast.Node_SqlvalueFunction:
		return valueFuncs[v.SqlvalueFunction.GetOp()], true
	case *pgast.Node_AArrayExpr:
		return "array", true
	case *pgast.Node_RowExpr:
		return "row", true
	case *pgast.Node_CoalesceExpr:
		return "coalesce", true
	case *pgast.Node_GroupingFunc:
		return "grouping", true
	}
	name = pgast.Constructor(n)
	return name, name != ""
}

func sublinkName(s *pgast.SubLink) (string, bool) {
	switch s.GetSubLinkType() {
	case pgast.EXISTS_SUBLINK:
		return "exists", true
	case pgast.ARRAY_SUBLINK:
		return "array", true
	case pgast.EXPR_SUBLINK:
		if list := leftmost(s.GetSubselect().GetSelectStmt()).GetTargetList(); len(list) > 0 {
			if t := list[0].GetResTarget(); t.GetName() != "" {
				return t.GetName(), true
			}
			return figure(list[0].GetResTarget().GetVal())
		}
	}
	return "", false
}

// lastName returns the last string of a list of names, * for a star.
func lastName(list []*pgast.Node) string {
	for i := len(list) - 1; i >= 0; i-- {
		switch v := list[i].GetNode().(type) {
		case *pgast.Node_String:
			return v.String_.GetSval()
		case *pgast.Node_AStar:
			return "*"
		}
	}
	return ""
}
