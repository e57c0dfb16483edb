//go:build !cgo

package pgast

import (
	pg "github.com/sqlc-dev/oliphant"
	"github.com/sqlc-dev/oliphant/parser"
)

// The node types of the grammar in use. A Node_ type is the variant of Node
// that holds the type of that name.
type (
	Node = pg.Node

	A_ArrayExpr             = pg.A_ArrayExpr
	Node_AArrayExpr         = pg.Node_AArrayExpr
	A_Const                 = pg.A_Const
	Node_AConst             = pg.Node_AConst
	A_Expr                  = pg.A_Expr
	Node_AExpr              = pg.Node_AExpr
	A_Indices               = pg.A_Indices
	Node_AIndices           = pg.Node_AIndices
	A_Indirection           = pg.A_Indirection
	Node_AIndirection       = pg.Node_AIndirection
	A_Star                  = pg.A_Star
	Node_AStar              = pg.Node_AStar
	Alias                   = pg.Alias
	Node_Alias              = pg.Node_Alias
	BoolExpr                = pg.BoolExpr
	Node_BoolExpr           = pg.Node_BoolExpr
	BooleanTest             = pg.BooleanTest
	Node_BooleanTest        = pg.Node_BooleanTest
	CallStmt                = pg.CallStmt
	Node_CallStmt           = pg.Node_CallStmt
	CaseExpr                = pg.CaseExpr
	Node_CaseExpr           = pg.Node_CaseExpr
	CaseWhen                = pg.CaseWhen
	Node_CaseWhen           = pg.Node_CaseWhen
	ClosePortalStmt         = pg.ClosePortalStmt
	Node_ClosePortalStmt    = pg.Node_ClosePortalStmt
	CoalesceExpr            = pg.CoalesceExpr
	Node_CoalesceExpr       = pg.Node_CoalesceExpr
	CollateClause           = pg.CollateClause
	Node_CollateClause      = pg.Node_CollateClause
	ColumnRef               = pg.ColumnRef
	Node_ColumnRef          = pg.Node_ColumnRef
	CommonTableExpr         = pg.CommonTableExpr
	Node_CommonTableExpr    = pg.Node_CommonTableExpr
	ConstraintsSetStmt      = pg.ConstraintsSetStmt
	Node_ConstraintsSetStmt = pg.Node_ConstraintsSetStmt
	CopyStmt                = pg.CopyStmt
	Node_CopyStmt           = pg.Node_CopyStmt
	CreateStmt              = pg.CreateStmt
	Node_CreateStmt         = pg.Node_CreateStmt
	CreateTableAsStmt       = pg.CreateTableAsStmt
	Node_CreateTableAsStmt  = pg.Node_CreateTableAsStmt
	CurrentOfExpr           = pg.CurrentOfExpr
	Node_CurrentOfExpr      = pg.Node_CurrentOfExpr
	DeallocateStmt          = pg.DeallocateStmt
	Node_DeallocateStmt     = pg.Node_DeallocateStmt
	DeclareCursorStmt       = pg.DeclareCursorStmt
	Node_DeclareCursorStmt  = pg.Node_DeclareCursorStmt
	DefElem                 = pg.DefElem
	Node_DefElem            = pg.Node_DefElem
	DeleteStmt              = pg.DeleteStmt
	Node_DeleteStmt         = pg.Node_DeleteStmt
	DiscardStmt             = pg.DiscardStmt
	Node_DiscardStmt        = pg.Node_DiscardStmt
	ExecuteStmt             = pg.ExecuteStmt
	Node_ExecuteStmt        = pg.Node_ExecuteStmt
	ExplainStmt             = pg.ExplainStmt
	Node_ExplainStmt        = pg.Node_ExplainStmt
	FetchStmt               = pg.FetchStmt
	Node_FetchStmt          = pg.Node_FetchStmt
	FuncCall                = pg.FuncCall
	Node_FuncCall           = pg.Node_FuncCall
	GroupingFunc            = pg.GroupingFunc
	Node_GroupingFunc       = pg.Node_GroupingFunc
	GroupingSet             = pg.GroupingSet
	Node_GroupingSet        = pg.Node_GroupingSet
	IndexElem               = pg.IndexElem
	Node_IndexElem          = pg.Node_IndexElem
	InsertStmt              = pg.InsertStmt
	Node_InsertStmt         = pg.Node_InsertStmt
	IntoClause              = pg.IntoClause
	Node_IntoClause         = pg.Node_IntoClause
	JoinExpr                = pg.JoinExpr
	Node_JoinExpr           = pg.Node_JoinExpr
	List                    = pg.List
	Node_List               = pg.Node_List
	ListenStmt              = pg.ListenStmt
	Node_ListenStmt         = pg.Node_ListenStmt
	LockStmt                = pg.LockStmt
	Node_LockStmt           = pg.Node_LockStmt
	LockingClause           = pg.LockingClause
	Node_LockingClause      = pg.Node_LockingClause
	MergeStmt               = pg.MergeStmt
	Node_MergeStmt          = pg.Node_MergeStmt
	MergeWhenClause         = pg.MergeWhenClause
	Node_MergeWhenClause    = pg.Node_MergeWhenClause
	MinMaxExpr              = pg.MinMaxExpr
	Node_MinMaxExpr         = pg.Node_MinMaxExpr
	MultiAssignRef          = pg.MultiAssignRef
	Node_MultiAssignRef     = pg.Node_MultiAssignRef
	NamedArgExpr            = pg.NamedArgExpr
	Node_NamedArgExpr       = pg.Node_NamedArgExpr
	NotifyStmt              = pg.NotifyStmt
	Node_NotifyStmt         = pg.Node_NotifyStmt
	NullTest                = pg.NullTest
	Node_NullTest           = pg.Node_NullTest
	OnConflictClause        = pg.OnConflictClause
	Node_OnConflictClause   = pg.Node_OnConflictClause
	ParamRef                = pg.ParamRef
	Node_ParamRef           = pg.Node_ParamRef
	PrepareStmt             = pg.PrepareStmt
	Node_PrepareStmt        = pg.Node_PrepareStmt
	RangeFunction           = pg.RangeFunction
	Node_RangeFunction      = pg.Node_RangeFunction
	RangeSubselect          = pg.RangeSubselect
	Node_RangeSubselect     = pg.Node_RangeSubselect
	RangeTableSample        = pg.RangeTableSample
	Node_RangeTableSample   = pg.Node_RangeTableSample
	RangeVar                = pg.RangeVar
	Node_RangeVar           = pg.Node_RangeVar
	RawStmt                 = pg.RawStmt
	ResTarget               = pg.ResTarget
	Node_ResTarget          = pg.Node_ResTarget
	RowExpr                 = pg.RowExpr
	Node_RowExpr            = pg.Node_RowExpr
	SQLValueFunction        = pg.SQLValueFunction
	Node_SqlvalueFunction   = pg.Node_SqlvalueFunction
	SelectStmt              = pg.SelectStmt
	Node_SelectStmt         = pg.Node_SelectStmt
	SetToDefault            = pg.SetToDefault
	Node_SetToDefault       = pg.Node_SetToDefault
	SortBy                  = pg.SortBy
	Node_SortBy             = pg.Node_SortBy
	SubLink                 = pg.SubLink
	Node_SubLink            = pg.Node_SubLink
	TransactionStmt         = pg.TransactionStmt
	Node_TransactionStmt    = pg.Node_TransactionStmt
	TruncateStmt            = pg.TruncateStmt
	Node_TruncateStmt       = pg.Node_TruncateStmt
	TypeCast                = pg.TypeCast
	Node_TypeCast           = pg.Node_TypeCast
	TypeName                = pg.TypeName
	Node_TypeName           = pg.Node_TypeName
	UnlistenStmt            = pg.UnlistenStmt
	Node_UnlistenStmt       = pg.Node_UnlistenStmt
	UpdateStmt              = pg.UpdateStmt
	Node_UpdateStmt         = pg.Node_UpdateStmt
	VariableSetStmt         = pg.VariableSetStmt
	Node_VariableSetStmt    = pg.Node_VariableSetStmt
	VariableShowStmt        = pg.VariableShowStmt
	Node_VariableShowStmt   = pg.Node_VariableShowStmt
	WindowDef               = pg.WindowDef
	Node_WindowDef          = pg.Node_WindowDef
	WithClause              = pg.WithClause
	Node_WithClause         = pg.Node_WithClause
	Node_String             = pg.Node_String_
	Node_Integer            = pg.Node_Integer
	Node_Float              = pg.Node_Float
	Node_Boolean            = pg.Node_Boolean

	AlterFunctionStmt           = pg.AlterFunctionStmt
	Node_AlterFunctionStmt      = pg.Node_AlterFunctionStmt
	AlterObjectSchemaStmt       = pg.AlterObjectSchemaStmt
	Node_AlterObjectSchemaStmt  = pg.Node_AlterObjectSchemaStmt
	AlterTableCmd               = pg.AlterTableCmd
	Node_AlterTableCmd          = pg.Node_AlterTableCmd
	AlterTableStmt              = pg.AlterTableStmt
	Node_AlterTableStmt         = pg.Node_AlterTableStmt
	ColumnDef                   = pg.ColumnDef
	Node_ColumnDef              = pg.Node_ColumnDef
	Constraint                  = pg.Constraint
	Node_Constraint             = pg.Node_Constraint
	CreateForeignTableStmt      = pg.CreateForeignTableStmt
	Node_CreateForeignTableStmt = pg.Node_CreateForeignTableStmt
	CreateExtensionStmt         = pg.CreateExtensionStmt
	Node_CreateExtensionStmt    = pg.Node_CreateExtensionStmt
	CreateFunctionStmt          = pg.CreateFunctionStmt
	Node_CreateFunctionStmt     = pg.Node_CreateFunctionStmt
	CreateSchemaStmt            = pg.CreateSchemaStmt
	Node_CreateSchemaStmt       = pg.Node_CreateSchemaStmt
	DoStmt                      = pg.DoStmt
	Node_DoStmt                 = pg.Node_DoStmt
	DropStmt                    = pg.DropStmt
	Node_DropStmt               = pg.Node_DropStmt
	IndexStmt                   = pg.IndexStmt
	Node_IndexStmt              = pg.Node_IndexStmt
	ObjectWithArgs              = pg.ObjectWithArgs
	Node_ObjectWithArgs         = pg.Node_ObjectWithArgs
	PartitionCmd                = pg.PartitionCmd
	Node_PartitionCmd           = pg.Node_PartitionCmd
	RenameStmt                  = pg.RenameStmt
	Node_RenameStmt             = pg.Node_RenameStmt
	TableLikeClause             = pg.TableLikeClause
	Node_TableLikeClause        = pg.Node_TableLikeClause
	ViewStmt                    = pg.ViewStmt
	Node_ViewStmt               = pg.Node_ViewStmt

	FunctionParameter      = pg.FunctionParameter
	Node_FunctionParameter = pg.Node_FunctionParameter
	ConstrType             = pg.ConstrType
	AlterTableType         = pg.AlterTableType
	ObjectType             = pg.ObjectType

	A_Const_Ival    = pg.A_Const_Ival
	A_Const_Fval    = pg.A_Const_Fval
	A_Const_Boolval = pg.A_Const_Boolval
	A_Const_Sval    = pg.A_Const_Sval
	A_Const_Bsval   = pg.A_Const_Bsval

	A_Expr_Kind         = pg.A_Expr_Kind
	TransactionStmtKind = pg.TransactionStmtKind
	BoolTestType        = pg.BoolTestType
	OnConflictAction    = pg.OnConflictAction
	LockClauseStrength  = pg.LockClauseStrength
	LockWaitPolicy      = pg.LockWaitPolicy

	SQLValueFunctionOp = pg.SQLValueFunctionOp
)

// The enumeration values in use, named as in PostgreSQL's source without the
// type's name in front.
const (
	AEXPR_OP                     = pg.A_Expr_Kind_AEXPR_OP
	AEXPR_OP_ANY                 = pg.A_Expr_Kind_AEXPR_OP_ANY
	AEXPR_OP_ALL                 = pg.A_Expr_Kind_AEXPR_OP_ALL
	AEXPR_DISTINCT               = pg.A_Expr_Kind_AEXPR_DISTINCT
	AEXPR_NOT_DISTINCT           = pg.A_Expr_Kind_AEXPR_NOT_DISTINCT
	AEXPR_NULLIF                 = pg.A_Expr_Kind_AEXPR_NULLIF
	AEXPR_IN                     = pg.A_Expr_Kind_AEXPR_IN
	AEXPR_LIKE                   = pg.A_Expr_Kind_AEXPR_LIKE
	AEXPR_ILIKE                  = pg.A_Expr_Kind_AEXPR_ILIKE
	AEXPR_SIMILAR                = pg.A_Expr_Kind_AEXPR_SIMILAR
	AEXPR_BETWEEN                = pg.A_Expr_Kind_AEXPR_BETWEEN
	AEXPR_NOT_BETWEEN            = pg.A_Expr_Kind_AEXPR_NOT_BETWEEN
	AEXPR_BETWEEN_SYM            = pg.A_Expr_Kind_AEXPR_BETWEEN_SYM
	AEXPR_NOT_BETWEEN_SYM        = pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM
	AND_EXPR                     = pg.BoolExprType_AND_EXPR
	NOT_EXPR                     = pg.BoolExprType_NOT_EXPR
	IS_NULL                      = pg.NullTestType_IS_NULL
	IS_TRUE                      = pg.BoolTestType_IS_TRUE
	IS_NOT_TRUE                  = pg.BoolTestType_IS_NOT_TRUE
	IS_FALSE                     = pg.BoolTestType_IS_FALSE
	IS_NOT_FALSE                 = pg.BoolTestType_IS_NOT_FALSE
	IS_UNKNOWN                   = pg.BoolTestType_IS_UNKNOWN
	IS_NOT_UNKNOWN               = pg.BoolTestType_IS_NOT_UNKNOWN
	EXISTS_SUBLINK               = pg.SubLinkType_EXISTS_SUBLINK
	ANY_SUBLINK                  = pg.SubLinkType_ANY_SUBLINK
	ALL_SUBLINK                  = pg.SubLinkType_ALL_SUBLINK
	EXPR_SUBLINK                 = pg.SubLinkType_EXPR_SUBLINK
	ARRAY_SUBLINK                = pg.SubLinkType_ARRAY_SUBLINK
	JOIN_LEFT                    = pg.JoinType_JOIN_LEFT
	JOIN_FULL                    = pg.JoinType_JOIN_FULL
	JOIN_RIGHT                   = pg.JoinType_JOIN_RIGHT
	SETOP_UNION                  = pg.SetOperation_SETOP_UNION
	SETOP_INTERSECT              = pg.SetOperation_SETOP_INTERSECT
	SETOP_EXCEPT                 = pg.SetOperation_SETOP_EXCEPT
	ONCONFLICT_NOTHING           = pg.OnConflictAction_ONCONFLICT_NOTHING
	ONCONFLICT_UPDATE            = pg.OnConflictAction_ONCONFLICT_UPDATE
	ONCOMMIT_DROP                = pg.OnCommitAction_ONCOMMIT_DROP
	COERCE_SQL_SYNTAX            = pg.CoercionForm_COERCE_SQL_SYNTAX
	IS_GREATEST                  = pg.MinMaxOp_IS_GREATEST
	OBJECT_TABLE                 = pg.ObjectType_OBJECT_TABLE
	LCS_FORKEYSHARE              = pg.LockClauseStrength_LCS_FORKEYSHARE
	LCS_FORSHARE                 = pg.LockClauseStrength_LCS_FORSHARE
	LCS_FORNOKEYUPDATE           = pg.LockClauseStrength_LCS_FORNOKEYUPDATE
	LCS_FORUPDATE                = pg.LockClauseStrength_LCS_FORUPDATE
	LockWaitSkip                 = pg.LockWaitPolicy_LockWaitSkip
	LockWaitError                = pg.LockWaitPolicy_LockWaitError
	VAR_SET_VALUE                = pg.VariableSetKind_VAR_SET_VALUE
	VAR_SET_DEFAULT              = pg.VariableSetKind_VAR_SET_DEFAULT
	VAR_SET_MULTI                = pg.VariableSetKind_VAR_SET_MULTI
	VAR_RESET                    = pg.VariableSetKind_VAR_RESET
	VAR_RESET_ALL                = pg.VariableSetKind_VAR_RESET_ALL
	TRANS_STMT_BEGIN             = pg.TransactionStmtKind_TRANS_STMT_BEGIN
	TRANS_STMT_START             = pg.TransactionStmtKind_TRANS_STMT_START
	TRANS_STMT_COMMIT            = pg.TransactionStmtKind_TRANS_STMT_COMMIT
	TRANS_STMT_ROLLBACK          = pg.TransactionStmtKind_TRANS_STMT_ROLLBACK
	TRANS_STMT_SAVEPOINT         = pg.TransactionStmtKind_TRANS_STMT_SAVEPOINT
	TRANS_STMT_RELEASE           = pg.TransactionStmtKind_TRANS_STMT_RELEASE
	TRANS_STMT_ROLLBACK_TO       = pg.TransactionStmtKind_TRANS_STMT_ROLLBACK_TO
	TRANS_STMT_PREPARE           = pg.TransactionStmtKind_TRANS_STMT_PREPARE
	TRANS_STMT_COMMIT_PREPARED   = pg.TransactionStmtKind_TRANS_STMT_COMMIT_PREPARED
	TRANS_STMT_ROLLBACK_PREPARED = pg.TransactionStmtKind_TRANS_STMT_ROLLBACK_PREPARED
	CONSTR_ATTR_DEFERRABLE       = pg.ConstrType_CONSTR_ATTR_DEFERRABLE
	OBJECT_TYPE                  = pg.ObjectType_OBJECT_TYPE
	OBJECT_DOMAIN                = pg.ObjectType_OBJECT_DOMAIN
	CONSTR_NOTNULL               = pg.ConstrType_CONSTR_NOTNULL
	CONSTR_DEFAULT               = pg.ConstrType_CONSTR_DEFAULT
	CONSTR_IDENTITY              = pg.ConstrType_CONSTR_IDENTITY
	CONSTR_GENERATED             = pg.ConstrType_CONSTR_GENERATED
	CONSTR_CHECK                 = pg.ConstrType_CONSTR_CHECK
	CONSTR_PRIMARY               = pg.ConstrType_CONSTR_PRIMARY
	CONSTR_UNIQUE                = pg.ConstrType_CONSTR_UNIQUE
	CONSTR_EXCLUSION             = pg.ConstrType_CONSTR_EXCLUSION
	CONSTR_FOREIGN               = pg.ConstrType_CONSTR_FOREIGN
	AT_AddColumn                 = pg.AlterTableType_AT_AddColumn
	AT_AddConstraint             = pg.AlterTableType_AT_AddConstraint
	AT_AddInherit                = pg.AlterTableType_AT_AddInherit
	AT_AlterColumnType           = pg.AlterTableType_AT_AlterColumnType
	AT_AttachPartition           = pg.AlterTableType_AT_AttachPartition
	AT_DetachPartition           = pg.AlterTableType_AT_DetachPartition
	AT_DropColumn                = pg.AlterTableType_AT_DropColumn
	AT_DropConstraint            = pg.AlterTableType_AT_DropConstraint
	AT_DropInherit               = pg.AlterTableType_AT_DropInherit
	AT_DropNotNull               = pg.AlterTableType_AT_DropNotNull
	AT_SetNotNull                = pg.AlterTableType_AT_SetNotNull
	OBJECT_COLUMN                = pg.ObjectType_OBJECT_COLUMN
	OBJECT_FOREIGN_TABLE         = pg.ObjectType_OBJECT_FOREIGN_TABLE
	OBJECT_FUNCTION              = pg.ObjectType_OBJECT_FUNCTION
	OBJECT_INDEX                 = pg.ObjectType_OBJECT_INDEX
	OBJECT_MATVIEW               = pg.ObjectType_OBJECT_MATVIEW
	OBJECT_PROCEDURE             = pg.ObjectType_OBJECT_PROCEDURE
	OBJECT_ROUTINE               = pg.ObjectType_OBJECT_ROUTINE
	OBJECT_SCHEMA                = pg.ObjectType_OBJECT_SCHEMA
	OBJECT_TABCONSTRAINT         = pg.ObjectType_OBJECT_TABCONSTRAINT
	OBJECT_VIEW                  = pg.ObjectType_OBJECT_VIEW
	DROP_CASCADE                 = pg.DropBehavior_DROP_CASCADE
	FUNC_PARAM_OUT               = pg.FunctionParameterMode_FUNC_PARAM_OUT
	FUNC_PARAM_TABLE             = pg.FunctionParameterMode_FUNC_PARAM_TABLE
	SVFOP_CURRENT_DATE           = pg.SQLValueFunctionOp_SVFOP_CURRENT_DATE
	SVFOP_CURRENT_TIME           = pg.SQLValueFunctionOp_SVFOP_CURRENT_TIME
	SVFOP_CURRENT_TIME_N         = pg.SQLValueFunctionOp_SVFOP_CURRENT_TIME_N
	SVFOP_CURRENT_TIMESTAMP      = pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP
	SVFOP_CURRENT_TIMESTAMP_N    = pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP_N
	SVFOP_LOCALTIME              = pg.SQLValueFunctionOp_SVFOP_LOCALTIME
	SVFOP_LOCALTIME_N            = pg.SQLValueFunctionOp_SVFOP_LOCALTIME_N
	SVFOP_LOCALTIMESTAMP         = pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP
	SVFOP_LOCALTIMESTAMP_N       = pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP_N
	SVFOP_CURRENT_ROLE           = pg.SQLValueFunctionOp_SVFOP_CURRENT_ROLE
	SVFOP_CURRENT_USER           = pg.SQLValueFunctionOp_SVFOP_CURRENT_USER
	SVFOP_USER                   = pg.SQLValueFunctionOp_SVFOP_USER
	SVFOP_SESSION_USER           = pg.SQLValueFunctionOp_SVFOP_SESSION_USER
	SVFOP_CURRENT_CATALOG        = pg.SQLValueFunctionOp_SVFOP_CURRENT_CATALOG
	SVFOP_CURRENT_SCHEMA         = pg.SQLValueFunctionOp_SVFOP_CURRENT_SCHEMA
)

// Origin says which server's grammar it is, and in which language it is written.
const Origin = "PostgreSQL 18, in Go"

// Grammar names the grammar in use.
const Grammar = "oliphant"

func parse(text string) ([]*RawStmt, int, error) {
	tree, err := pg.Parse(text)
	if err != nil {
		return nil, cursor(err), err
	}
	return tree.GetStmts(), 0, nil
}

// cursor returns the 1-based character at which the grammar gave up, 0 when unknown.
func cursor(err error) int {
	if e, ok := err.(*parser.Error); ok {
		return e.Cursorpos
	}
	return 0
}

// Returning returns the expressions of the RETURNING clause of a
// data-modifying statement.
func Returning(stmt any) []*Node {
	switch s := stmt.(type) {
	case *InsertStmt:
		return s.GetReturningClause().GetExprs()
	case *UpdateStmt:
		return s.GetReturningClause().GetExprs()
	case *DeleteStmt:
		return s.GetReturningClause().GetExprs()
	case *MergeStmt:
		return s.GetReturningClause().GetExprs()
	}
	return nil
}

// Constructor returns the name of a JSON constructor that is a function call
// for the grammar before PostgreSQL 17, empty for any other node.
func Constructor(n *Node) string {
	switch v := n.GetNode().(type) {
	case *pg.Node_JsonParseExpr:
		return "json"
	case *pg.Node_JsonScalarExpr:
		return "json_scalar"
	case *pg.Node_JsonSerializeExpr:
		return "json_serialize"
	case *pg.Node_JsonFuncExpr:
		return jsonFuncs[v.JsonFuncExpr.GetOp()]
	}
	return ""
}

var jsonFuncs = map[pg.JsonExprOp]string{
	pg.JsonExprOp_JSON_EXISTS_OP: "json_exists",
	pg.JsonExprOp_JSON_QUERY_OP:  "json_query",
	pg.JsonExprOp_JSON_VALUE_OP:  "json_value",
}
