// Package pgast is PostgreSQL's parse tree under one set of names, whichever
// parser the build has.
//
// With cgo the parser is pg_query_go, PostgreSQL 16's own C grammar; without
// cgo it is oliphant, a Go port of PostgreSQL 18's. The two cannot be linked
// into one binary (both register the same protobuf file), and their node types
// are the same except where the server versions differ; functions such as
// [Returning] hide those places.
package pgast

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// An Error is a text that the grammar rejects.
type Error struct {
	// Off is the byte offset at which the grammar gave up, -1 when unknown.
	Off int
	Err error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the parser's own error.
func (e *Error) Unwrap() error { return e.Err }

// Parse parses SQL text; every error is an *[Error]. A panic of the parser is
// returned as an error too.
//
// The C parser and the protobuf decoder recurse over the tree, so a caller
// must bound nesting and operator chains first: a stack overflow in C cannot
// be recovered.
func Parse(text string) (stmts []*RawStmt, err error) {
	defer func() {
		if r := recover(); r != nil {
			stmts, err = nil, &Error{Off: -1, Err: fmt.Errorf("%s: %v", Grammar, r)}
		}
	}()
	stmts, pos, perr := parse(text)
	if perr != nil {
		return nil, &Error{Off: byteOffset(text, pos), Err: perr}
	}
	return stmts, nil
}

// byteOffset turns a 1-based character position into a byte offset.
func byteOffset(text string, pos int) int {
	if pos <= 0 {
		return -1
	}
	for off := range text {
		if pos--; pos == 0 {
			return off
		}
	}
	return len(text)
}

// Location returns the byte offset a node carries, -1 when it has none.
func Location(n *Node) int {
	switch v := n.GetNode().(type) {
	case *Node_ColumnRef:
		return int(v.ColumnRef.GetLocation())
	case *Node_AConst:
		return int(v.AConst.GetLocation())
	case *Node_ParamRef:
		return int(v.ParamRef.GetLocation())
	case *Node_FuncCall:
		return int(v.FuncCall.GetLocation())
	case *Node_ResTarget:
		return int(v.ResTarget.GetLocation())
	case *Node_RangeVar:
		return int(v.RangeVar.GetLocation())
	case *Node_SubLink:
		return int(v.SubLink.GetLocation())
	case *Node_CaseExpr:
		return int(v.CaseExpr.GetLocation())
	case *Node_SqlvalueFunction:
		return int(v.SqlvalueFunction.GetLocation())
	case *Node_SetToDefault:
		return int(v.SetToDefault.GetLocation())
	case *Node_CoalesceExpr:
		return int(v.CoalesceExpr.GetLocation())
	case *Node_MinMaxExpr:
		return int(v.MinMaxExpr.GetLocation())
	case *Node_RowExpr:
		return int(v.RowExpr.GetLocation())
	case *Node_AArrayExpr:
		return int(v.AArrayExpr.GetLocation())
	case *Node_DefElem:
		return int(v.DefElem.GetLocation())
	}
	return -1
}

// Children calls visit for the nodes directly below n, in textual order for
// the common kinds. The sub-SELECT of a SubLink is among them.
func Children(n *Node, visit func(*Node)) {
	switch v := n.GetNode().(type) {
	case nil, *Node_ColumnRef, *Node_ParamRef, *Node_AConst, *Node_String, *Node_AStar,
		*Node_Integer, *Node_Float, *Node_Boolean, *Node_SetToDefault,
		*Node_SqlvalueFunction, *Node_TypeName:
	case *Node_AExpr:
		each(visit, v.AExpr.GetLexpr(), v.AExpr.GetRexpr())
	case *Node_BoolExpr:
		each(visit, v.BoolExpr.GetArgs()...)
	case *Node_List:
		each(visit, v.List.GetItems()...)
	case *Node_TypeCast:
		each(visit, v.TypeCast.GetArg())
	case *Node_FuncCall:
		funcChildren(v.FuncCall, visit)
	case *Node_SubLink:
		each(visit, v.SubLink.GetTestexpr(), v.SubLink.GetSubselect())
	case *Node_NullTest:
		each(visit, v.NullTest.GetArg())
	case *Node_BooleanTest:
		each(visit, v.BooleanTest.GetArg())
	case *Node_CaseExpr:
		each(visit, v.CaseExpr.GetArg())
		each(visit, v.CaseExpr.GetArgs()...)
		each(visit, v.CaseExpr.GetDefresult())
	case *Node_CaseWhen:
		each(visit, v.CaseWhen.GetExpr(), v.CaseWhen.GetResult())
	case *Node_CoalesceExpr:
		each(visit, v.CoalesceExpr.GetArgs()...)
	case *Node_MinMaxExpr:
		each(visit, v.MinMaxExpr.GetArgs()...)
	case *Node_RowExpr:
		each(visit, v.RowExpr.GetArgs()...)
	case *Node_AArrayExpr:
		each(visit, v.AArrayExpr.GetElements()...)
	case *Node_AIndirection:
		each(visit, v.AIndirection.GetArg())
		each(visit, v.AIndirection.GetIndirection()...)
	case *Node_AIndices:
		each(visit, v.AIndices.GetLidx(), v.AIndices.GetUidx())
	case *Node_CollateClause:
		each(visit, v.CollateClause.GetArg())
	case *Node_NamedArgExpr:
		each(visit, v.NamedArgExpr.GetArg())
	case *Node_ResTarget:
		each(visit, v.ResTarget.GetIndirection()...)
		each(visit, v.ResTarget.GetVal())
	case *Node_SortBy:
		each(visit, v.SortBy.GetNode())
	case *Node_MultiAssignRef:
		each(visit, v.MultiAssignRef.GetSource())
	case *Node_GroupingSet:
		each(visit, v.GroupingSet.GetContent()...)
	case *Node_GroupingFunc:
		each(visit, v.GroupingFunc.GetArgs()...)
	case *Node_WindowDef:
		windowChildren(v.WindowDef, visit)
	default:
		reflectChildren(n.ProtoReflect(), visit)
	}
}

func each(visit func(*Node), nodes ...*Node) {
	for _, n := range nodes {
		if n != nil {
			visit(n)
		}
	}
}

func funcChildren(f *FuncCall, visit func(*Node)) {
	each(visit, f.GetArgs()...)
	each(visit, f.GetAggOrder()...)
	each(visit, f.GetAggFilter())
	if f.GetOver() != nil {
		windowChildren(f.GetOver(), visit)
	}
}

func windowChildren(w *WindowDef, visit func(*Node)) {
	each(visit, w.GetPartitionClause()...)
	each(visit, w.GetOrderClause()...)
	each(visit, w.GetStartOffset(), w.GetEndOffset())
}

// reflectChildren visits the Nodes below a message of a rare kind (JSON and
// XML constructors), in the order of its fields.
func reflectChildren(m protoreflect.Message, visit func(*Node)) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if fd.Kind() != protoreflect.MessageKind || !m.Has(fd) {
			continue
		}
		if !fd.IsList() {
			reflectChild(m.Get(fd).Message(), visit)
			continue
		}
		list := m.Get(fd).List()
		for j := range list.Len() {
			reflectChild(list.Get(j).Message(), visit)
		}
	}
}

func reflectChild(m protoreflect.Message, visit func(*Node)) {
	if n, ok := m.Interface().(*Node); ok {
		visit(n)
		return
	}
	reflectChildren(m, visit)
}
