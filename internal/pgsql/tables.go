package pgsql

import "github.com/pgtxvet/pgtxvet/internal/pgsql/pgast"

// advisoryFuncs are the advisory-lock functions (documentation, section
// 9.28.10).
var advisoryFuncs = map[string]AdvisoryCall{
	"pg_advisory_lock":                 {Func: "pg_advisory_lock", Scope: ScopeSession},
	"pg_advisory_lock_shared":          {Func: "pg_advisory_lock_shared", Scope: ScopeSession, Shared: true},
	"pg_advisory_xact_lock":            {Func: "pg_advisory_xact_lock", Scope: ScopeTransaction},
	"pg_advisory_xact_lock_shared":     {Func: "pg_advisory_xact_lock_shared", Scope: ScopeTransaction, Shared: true},
	"pg_try_advisory_lock":             {Func: "pg_try_advisory_lock", Scope: ScopeSession, Try: true},
	"pg_try_advisory_lock_shared":      {Func: "pg_try_advisory_lock_shared", Scope: ScopeSession, Try: true, Shared: true},
	"pg_try_advisory_xact_lock":        {Func: "pg_try_advisory_xact_lock", Scope: ScopeTransaction, Try: true},
	"pg_try_advisory_xact_lock_shared": {Func: "pg_try_advisory_xact_lock_shared", Scope: ScopeTransaction, Try: true, Shared: true},
	"pg_advisory_unlock":               {Func: "pg_advisory_unlock", Scope: ScopeSession, Unlock: true},
	"pg_advisory_unlock_shared":        {Func: "pg_advisory_unlock_shared", Scope: ScopeSession, Unlock: true, Shared: true},
	"pg_advisory_unlock_all":           {Func: "pg_advisory_unlock_all", Scope: ScopeSession, All: true},
}

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// aggregates are PostgreSQL's own aggregate functions (documentation, section
// 9.21).
var aggregates = set(
	"any_value", "array_agg", "avg", "bit_and", "bit_or", "bit_xor", "bool_and", "bool_or", "count", "every",
	"json_agg", "json_agg_strict", "json_object_agg", "json_object_agg_strict", "json_object_agg_unique",
	"jsonb_agg", "jsonb_agg_strict", "jsonb_object_agg", "jsonb_object_agg_strict", "jsonb_object_agg_unique",
	"max", "min", "range_agg", "range_intersect_agg", "string_agg", "sum", "xmlagg",
	"corr", "covar_pop", "covar_samp", "regr_avgx", "regr_avgy", "regr_count", "regr_intercept", "regr_r2",
	"regr_slope", "regr_sxx", "regr_sxy", "regr_syy", "stddev", "stddev_pop", "stddev_samp",
	"variance", "var_pop", "var_samp", "mode", "percentile_cont", "percentile_disc",
)

// setReturning are common set-returning functions, for which PostgreSQL
// rejects a locking clause when they stand in the SELECT list.
var setReturning = set(
	"generate_series", "generate_subscripts", "unnest", "regexp_matches", "regexp_split_to_table", "string_to_table",
	"json_array_elements", "json_array_elements_text", "json_each", "json_each_text", "json_object_keys",
	"jsonb_array_elements", "jsonb_array_elements_text", "jsonb_each", "jsonb_each_text", "jsonb_object_keys",
	"jsonb_path_query",
)

// valueFuncs are the functions that are written without parentheses.
var valueFuncs = map[pgast.SQLValueFunctionOp]string{
	pgast.SVFOP_CURRENT_DATE: "current_date", pgast.SVFOP_CURRENT_TIME: "current_time",
	pgast.SVFOP_CURRENT_TIME_N: "current_time", pgast.SVFOP_CURRENT_TIMESTAMP: "current_timestamp",
	pgast.SVFOP_CURRENT_TIMESTAMP_N: "current_timestamp", pgast.SVFOP_LOCALTIME: "localtime",
	pgast.SVFOP_LOCALTIME_N: "localtime", pgast.SVFOP_LOCALTIMESTAMP: "localtimestamp",
	pgast.SVFOP_LOCALTIMESTAMP_N: "localtimestamp", pgast.SVFOP_CURRENT_ROLE: "current_role",
	pgast.SVFOP_CURRENT_USER: "current_user", pgast.SVFOP_USER: "user", pgast.SVFOP_SESSION_USER: "session_user",
	pgast.SVFOP_CURRENT_CATALOG: "current_catalog", pgast.SVFOP_CURRENT_SCHEMA: "current_schema",
}

// listOps name the operators that have a NOT form, by kind and negation.
var listOps = map[pgast.A_Expr_Kind]map[bool]string{
	pgast.AEXPR_IN:      {false: "IN", true: "NOT IN"},
	pgast.AEXPR_LIKE:    {false: "LIKE", true: "NOT LIKE"},
	pgast.AEXPR_ILIKE:   {false: "ILIKE", true: "NOT ILIKE"},
	pgast.AEXPR_SIMILAR: {false: "SIMILAR TO", true: "NOT SIMILAR TO"},
}

var exprOps = map[pgast.A_Expr_Kind]string{
	pgast.AEXPR_DISTINCT: "IS DISTINCT FROM", pgast.AEXPR_NOT_DISTINCT: "IS NOT DISTINCT FROM",
	pgast.AEXPR_BETWEEN: "BETWEEN", pgast.AEXPR_NOT_BETWEEN: "NOT BETWEEN",
	pgast.AEXPR_BETWEEN_SYM: "BETWEEN SYMMETRIC", pgast.AEXPR_NOT_BETWEEN_SYM: "NOT BETWEEN SYMMETRIC",
}

// mirrored maps an operator to the one that means the same with its operands
// exchanged.
var mirrored = map[string]string{
	"=": "=", "<>": "<>", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<=",
	"IS DISTINCT FROM": "IS DISTINCT FROM", "IS NOT DISTINCT FROM": "IS NOT DISTINCT FROM",
}

// opposite maps an operator to its negation.
var opposite = map[string]string{
	"=": "<>", "<>": "=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
	"IN": "NOT IN", "NOT IN": "IN", "LIKE": "NOT LIKE", "ILIKE": "NOT ILIKE", "ANY": "<> ALL",
	"BETWEEN": "NOT BETWEEN", "NOT BETWEEN": "BETWEEN", "IS NULL": "IS NOT NULL", "IS NOT NULL": "IS NULL",
	"IS DISTINCT FROM": "IS NOT DISTINCT FROM", "IS NOT DISTINCT FROM": "IS DISTINCT FROM",
}

var boolTests = map[pgast.BoolTestType]string{
	pgast.IS_TRUE: "IS TRUE", pgast.IS_NOT_TRUE: "IS NOT TRUE", pgast.IS_FALSE: "IS FALSE",
	pgast.IS_NOT_FALSE: "IS NOT FALSE", pgast.IS_UNKNOWN: "IS UNKNOWN", pgast.IS_NOT_UNKNOWN: "IS NOT UNKNOWN",
}

var transactionKinds = map[pgast.TransactionStmtKind]Kind{
	pgast.TRANS_STMT_BEGIN: Begin, pgast.TRANS_STMT_START: Begin,
	pgast.TRANS_STMT_COMMIT: Commit, pgast.TRANS_STMT_PREPARE: Commit,
	pgast.TRANS_STMT_ROLLBACK: Rollback, pgast.TRANS_STMT_SAVEPOINT: Savepoint,
	pgast.TRANS_STMT_RELEASE: ReleaseSavepoint, pgast.TRANS_STMT_ROLLBACK_TO: RollbackTo,
	// COMMIT PREPARED and ROLLBACK PREPARED end another session's transaction.
	pgast.TRANS_STMT_COMMIT_PREPARED: Other, pgast.TRANS_STMT_ROLLBACK_PREPARED: Other,
}

// lockModes are the table-level lock modes by their number in PostgreSQL's
// lockdefs.h.
var lockModes = [...]string{
	1: "ACCESS SHARE", 2: "ROW SHARE", 3: "ROW EXCLUSIVE", 4: "SHARE UPDATE EXCLUSIVE",
	5: "SHARE", 6: "SHARE ROW EXCLUSIVE", 7: "EXCLUSIVE", 8: "ACCESS EXCLUSIVE",
}

var isolations = map[string]Isolation{
	"read uncommitted": ReadUncommitted, "read committed": ReadCommitted,
	"repeatable read": RepeatableRead, "serializable": Serializable,
}

var strengths = map[pgast.LockClauseStrength]Strength{
	pgast.LCS_FORKEYSHARE: ForKeyShare, pgast.LCS_FORSHARE: ForShare,
	pgast.LCS_FORNOKEYUPDATE: ForNoKeyUpdate, pgast.LCS_FORUPDATE: ForUpdate,
}

var policies = map[pgast.LockWaitPolicy]WaitPolicy{
	pgast.LockWaitSkip: SkipLocked, pgast.LockWaitError: NoWait,
}
