package dbapi

// goPg is the table of go-pg, version 10, https://pkg.go.dev/github.com/go-pg/pg/v10.
// A query is a chain that its last call turns into a SELECT, INSERT, UPDATE or
// DELETE of the model; placeholders are filled in by the library. The methods
// of *DB and *Conn are those of a type that both embed.
func goPg() *Library {
	const (
		pkg          = "github.com/go-pg/pg/v10"
		orm          = pkg + "/orm"
		db, conn, tx = "*" + pkg + ".DB", "*" + pkg + ".Conn", "*" + pkg + ".Tx"
		base, stmt   = "*" + pkg + ".baseDB", "*" + pkg + ".Stmt"
		query        = "*" + orm + ".Query"
	)
	derived := join(
		f("WithContext", Derive, "h ctx"),
		f("WithParam", Derive, "h name value"),
		f("WithTimeout", Derive, "h limit"),
	)
	return &Library{
		Name:     "go-pg",
		Packages: []string{pkg, orm},
		Style:    "?",
		Dialect:  "postgres",
		Types: map[string]Handle{
			db: Pool, conn: Session, tx: Tx, stmt: Stmt, base: Flow, query: Flow,
			orm + ".DB": Flow, pkg + ".DBI": Flow,
		},
		Fields: []string{pkg + ".DB.baseDB", pkg + ".Conn.baseDB"},
		NoRows: []string{pkg + ".ErrNoRows"},
		Limits: []string{pkg + ".Options.PoolSize"},
		Hooks:  []string{pkg + ".Options.OnConnect"},
		Funcs: join(
			in(pkg,
				f("Connect", Open, "opts"),
				f("ParseURL", ParseDSN, "dsn"),
				f("Model", Chain, "val", clause("model")), // on no handle until DB gives one
				f("ModelContext", Chain, "ctx val", clause("model")),
			),
			in(orm,
				f("NewQuery", Chain, "h val", clause("model")),
				f("NewQueryContext", Chain, "ctx h val", clause("model")),
			),
			on(base, goPgStatements(),
				f("Prepare", Prepare, "h sql"),
				f("Begin", Begin, "h"),
				f("BeginContext", Begin, "h ctx"),
				f("RunInTransaction", RunTx, "h ctx fn(h)"),
			),
			on(db, derived, f("Conn", Acquire, "h")),
			on(conn, derived),
			on(tx, goPgStatements(),
				f("Prepare", Prepare, "h sql"),
				f("Stmt", Derive, "h stmt", gives(Stmt)),
				f("Begin", Derive, "h"), // the transaction itself
				f("RunInTransaction", RunTx, "h ctx fn(h)"),
				f("Commit", Commit, "h"),
				f("CommitContext", Commit, "h ctx"),
				f("Rollback", Rollback, "h"),
				f("RollbackContext", Rollback, "h ctx"),
				f("Close", Rollback, "h"), // nothing after a commit
				f("CloseContext", Rollback, "h ctx"),
			),
			on(stmt,
				pair("Exec", RunStmt, "h args", exec),
				pair("ExecOne", RunStmt, "h args", exec, checks),
				pair("Query QueryOne", RunStmt, "h dst args"),
			),
			on(orm+".DB", goPgStatements()),
			on(pkg+".DBI", goPgStatements(),
				f("Begin", Begin, "h"),
				f("RunInTransaction", RunTx, "h ctx fn(h)"),
			),
			on(query, goPgClauses(), goPgFinishers()),
			on(orm+".Result", f("RowsAffected", Affected, "from")),
			on(pkg+".Error", f("IntegrityViolation", TestCode, "from", codes("23"))),
		),
	}
}

// goPgStatements are the methods of a handle that run a statement or begin a query.
func goPgStatements() []Func {
	return join(
		pair("Exec", Run, "h sql args", exec),
		pair("ExecOne", Run, "h sql args", exec, checks),
		pair("Query QueryOne", Run, "h dst sql args"),
		f("CopyFrom", Run, "h reader sql args", exec),
		f("CopyTo", Run, "h writer sql args", exec),
		pair("Model", Chain, "h val", clause("model")),
	)
}

// goPgClauses are the methods of a query that add to it.
func goPgClauses() []Func {
	return join(
		f("DB", Chain, "h on", clause("conn")),
		f("Model", Chain, "h val", clause("model")),
		f("Context", Derive, "h ctx"),
		f("Clone", Derive, "h"),
		f("Table", Chain, "h table", clause("table")),
		f("TableExpr", Chain, "h sql args", clause("tableexpr")),
		f("Column", Chain, "h col", clause("column")),
		f("ColumnExpr", Chain, "h sql args", clause("columnexpr")),
		f("ExcludeColumn", Chain, "h col", clause("excludecolumn")),
		f("Distinct", Chain, "h", clause("distinct")),
		f("DistinctOn", Chain, "h sql args", clause("distincton")),
		f("Relation", Chain, "h relation fn", clause("relation")),
		f("Set", Chain, "h sql args", clause("set")),
		f("Value", Chain, "h col sql args", clause("value")),
		f("Where", Chain, "h sql args", clause("where")),
		f("WhereOr", Chain, "h sql args", clause("whereor")),
		f("WhereGroup WhereNotGroup WhereOrGroup WhereOrNotGroup", Chain, "h fn(h)", clause("wheregroup")),
		f("WhereIn WhereInMulti", Chain, "h sql val", clause("scopes")), // more conditions
		f("WhereInOr", Chain, "h sql val", clause("whereor")),
		f("WherePK", Chain, "h", clause("wherepk")),
		f("Deleted AllWithDeleted", Chain, "h", clause("wheredeleted")),
		f("Join", Chain, "h sql args", clause("join")),
		f("JoinOn", Chain, "h sql args", clause("joinon")),
		f("JoinOnOr", Chain, "h sql args", clause("joinonor")),
		f("Group", Chain, "h col", clause("group")),
		f("GroupExpr", Chain, "h sql args", clause("groupexpr")),
		f("Having", Chain, "h sql args", clause("having")),
		f("Order", Chain, "h col", clause("order")),
		f("OrderExpr", Chain, "h sql args", clause("orderexpr")),
		f("Limit", Chain, "h n", clause("limit")),
		f("Offset", Chain, "h n", clause("offset")),
		f("OnConflict", Chain, "h sql args", clause("on")),
		f("Returning", Chain, "h sql args", clause("returning")),
		f("For", Chain, "h sql args", clause("for")),
		f("Apply", Chain, "h fn(h)", clause("apply")),
		f("With WithInsert WithUpdate WithDelete", Chain, "h name other", clause("with")),
		f("WrapWith", Chain, "h name", clause("with")),
		f("Union UnionAll Intersect IntersectAll Except ExceptAll", Chain, "h other", clause("setop")),
	)
}

// goPgFinishers are the methods that run a query. Without arguments the ones
// that read fill the model.
func goPgFinishers() []Func {
	return join(
		f("Select", Finish, "h args", clause("select")),
		f("First", Finish, "h", clause("first")),
		f("Last", Finish, "h", clause("last")),
		f("ForEach", Finish, "h each", clause("foreach")),
		f("Count", Finish, "h", clause("count")),
		f("CountEstimate", Finish, "h n", clause("estimate")),
		f("Exists", Finish, "h", clause("exists")),
		f("SelectAndCount", Finish, "h args", clause("selectandcount")),
		f("SelectAndCountEstimate", Finish, "h n args", clause("selectandcount")),
		f("SelectOrInsert", Finish, "h args", clause("selectorinsert")),
		f("Insert", Finish, "h args", clause("insert"), exec),
		f("Update", Finish, "h args", clause("update"), exec),
		f("UpdateNotZero", Finish, "h args", clause("updatenotzero"), exec),
		f("Delete ForceDelete", Finish, "h args", clause("delete"), exec),
		f("Exec", Run, "h sql args", exec),
		f("ExecOne", Run, "h sql args", exec, checks),
		f("Query QueryOne", Run, "h dst sql args"),
		f("CopyFrom", Run, "h reader sql args", exec),
		f("CopyTo", Run, "h writer sql args", exec),
	)
}
