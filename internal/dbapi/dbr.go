package dbapi

// dbr is the table of dbr, version 2, https://pkg.go.dev/github.com/gocraft/dbr/v2.
// A *Session is the pool; statements are built on it or on a *Tx. The types
// embed those of database/sql. A statement in the making changes in place.
func dbr() *Library {
	const (
		pkg           = "github.com/gocraft/dbr/v2"
		conn, session = "*" + pkg + ".Connection", "*" + pkg + ".Session"
		tx, runner    = "*" + pkg + ".Tx", pkg + ".SessionRunner"
		sel, ins      = "*" + pkg + ".SelectStmt", "*" + pkg + ".InsertStmt"
		upd, del      = "*" + pkg + ".UpdateStmt", "*" + pkg + ".DeleteStmt"
	)
	return &Library{
		Name:     "dbr",
		Packages: []string{pkg},
		Style:    "?",
		Types:    map[string]Handle{conn: Pool, session: Pool, tx: Tx, runner: Flow, sel: Flow, ins: Flow, upd: Flow, del: Flow},
		Builders: []string{sel, ins, upd, del},
		InPlace:  true,
		Fields:   []string{pkg + ".Session.Connection", pkg + ".Connection.DB", pkg + ".Tx.Tx"},
		NoRows:   []string{pkg + ".ErrNotFound"},
		Funcs: join(
			in(pkg,
				f("Open", Open, "driver dsn log"),
				f("Load", Collect, "from dst"),
				f("Expr", Text, "sql args", clause("expr")),
				f("Select", Chain, "col", clause("select")),
				f("InsertInto", Chain, "table", clause("insert")),
				f("Update", Chain, "table", clause("update")),
				f("DeleteFrom", Chain, "table", clause("delete")),
				f("SelectBySql InsertBySql UpdateBySql DeleteBySql", Chain, "sql args", clause("raw")),
			),
			on(conn, f("NewSession", Derive, "h log")),
			on(session, dbrQueries(), f("Begin", Begin, "h"), f("BeginTx", Begin, "h ctx opts")),
			on(tx, dbrQueries(),
				f("Commit", Commit, "h"),
				f("Rollback RollbackUnlessCommitted", Rollback, "h"),
			),
			on(runner, dbrQueries()),
			on(sel,
				f("From", Chain, "h table", clause("from")),
				f("Where", Chain, "h sql args", clause("where")),
				f("Suffix", Chain, "h sql args", clause("suffix")),
				f("Distinct", Chain, "h", clause("distinct")),
				f("Having", Chain, "h sql args", clause("having")),
				f("GroupBy", Chain, "h col", clause("group")),
				f("OrderBy OrderAsc OrderDesc", Chain, "h col", clause("order")),
				f("OrderDir", Chain, "h col asc", clause("order")),
				f("Limit", Chain, "h n", clause("limit")),
				f("Offset", Chain, "h n", clause("offset")),
				f("Paginate", Chain, "h page n", clause("limit")),
				f("Comment", Chain, "h text", clause("comment")),
				f("Join", Chain, "h table sql hints", clause("join")),
				f("LeftJoin", Chain, "h table sql hints", clause("left join")),
				f("RightJoin", Chain, "h table sql hints", clause("right join")),
				f("FullJoin", Chain, "h table sql hints", clause("full join")),
				f("IndexHint", Chain, "h args", clause("opaque")),
				pair("Load", Finish, "h dst", clause("load")),
				pair("LoadOne", Finish, "h dst", clause("loadone")),
				dbrScalars(),
				f("Rows Iterate", Finish, "h", clause("rows"), rows),
				f("RowsContext IterateContext", Finish, "h ctx", clause("rows"), rows),
			),
			on(ins,
				f("Columns", Chain, "h col", clause("columns")),
				f("Values", Chain, "h args", clause("values")),
				f("Record", Chain, "h val", clause("record")),
				f("Pair", Chain, "h col val", clause("pair")),
				f("Returning", Chain, "h col", clause("returning")),
				f("Ignore", Chain, "h", clause("ignore")),
				f("Comment", Chain, "h text", clause("comment")),
				dbrWrites(),
			),
			on(upd,
				f("Set", Chain, "h col val", clause("set")),
				f("SetMap", Chain, "h val", clause("setmap")),
				f("IncrBy", Chain, "h col val", clause("incr")),
				f("DecrBy", Chain, "h col val", clause("decr")),
				f("IndexHint", Chain, "h args", clause("opaque")),
				f("Where", Chain, "h sql args", clause("where")),
				f("Returning", Chain, "h col", clause("returning")),
				f("Limit", Chain, "h n", clause("limit")),
				f("Comment", Chain, "h text", clause("comment")),
				dbrWrites(),
			),
			on(del,
				f("Where", Chain, "h sql args", clause("where")),
				f("Limit", Chain, "h n", clause("limit")),
				f("Comment", Chain, "h text", clause("comment")),
				f("Exec", Finish, "h", clause("exec"), exec),
				f("ExecContext", Finish, "h ctx", clause("exec"), exec),
			),
		),
	}
}

// dbrQueries are the methods of sessions and transactions that begin a statement.
func dbrQueries() []Func {
	return join(
		f("Select", Chain, "h col", clause("select")),
		f("InsertInto", Chain, "h table", clause("insert")),
		f("Update", Chain, "h table", clause("update")),
		f("DeleteFrom", Chain, "h table", clause("delete")),
		f("SelectBySql InsertBySql UpdateBySql DeleteBySql", Chain, "h sql args", clause("raw")),
	)
}

// dbrWrites run a statement; Load reads what it returns.
func dbrWrites() []Func {
	return join(
		f("Exec", Finish, "h", clause("exec"), exec),
		f("ExecContext", Finish, "h ctx", clause("exec"), exec),
		pair("Load", Finish, "h dst", clause("exec"), exec),
	)
}

// dbrScalars read one column.
func dbrScalars() []Func {
	names := "ReturnInt64 ReturnInt64s ReturnString ReturnStrings ReturnUint64 ReturnUint64s"
	return join(f(names, Finish, "h", clause("scalar")), f(contextNames(names), Finish, "h ctx", clause("scalar")))
}
