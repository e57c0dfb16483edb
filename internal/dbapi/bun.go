package dbapi

// bun is the table of Bun, https://bun.uptrace.dev/guide. Queries are chains
// that begin on a handle; placeholders are filled in by the library. Queries
// that define tables (NewCreateTable and the like) are left out.
func bun() *Library {
	const (
		pkg                  = "github.com/uptrace/bun"
		db, conn, tx         = "*" + pkg + ".DB", pkg + ".Conn", pkg + ".Tx"
		sel, ins, upd, del   = "*" + pkg + ".SelectQuery", "*" + pkg + ".InsertQuery", "*" + pkg + ".UpdateQuery", "*" + pkg + ".DeleteQuery"
		raw, values          = "*" + pkg + ".RawQuery", "*" + pkg + ".ValuesQuery"
		builder, base, merge = pkg + ".QueryBuilder", "*" + pkg + ".baseQuery", "*" + pkg + ".MergeQuery"
	)
	return &Library{
		Name:     "bun",
		Packages: []string{pkg, pkg + "/..."},
		Style:    "?",
		Builders: []string{sel, ins, upd, del, raw},
		InPlace:  true,
		Types: map[string]Handle{
			db: Pool, conn: Session, "*" + conn: Session, tx: Tx, "*" + tx: Tx,
			pkg + ".Stmt": Stmt,
			sel:           Flow, ins: Flow, upd: Flow, del: Flow, raw: Flow, merge: Flow, values: Flow, builder: Flow,
		},
		Fields: []string{pkg + ".DB.DB", pkg + ".Conn.Conn", pkg + ".Tx.Tx", pkg + ".Stmt.Stmt"},
		Funcs: join(
			in(pkg,
				f("NewDB", Derive, "h dialect opts", gives(Pool)),
				f("NewSelectQuery", Chain, "h", clause("select")),
				f("NewInsertQuery", Chain, "h", clause("insert")),
				f("NewUpdateQuery", Chain, "h", clause("update")),
				f("NewDeleteQuery", Chain, "h", clause("delete")),
				f("NewRawQuery", Chain, "h sql args", clause("raw")),
			),
			on(db, sqlStatements(), bunQueries(),
				f("Begin", Begin, "h"),
				f("BeginTx", Begin, "h ctx opts"),
				f("RunInTx", RunTx, "h ctx opts fn(ctx,h)"),
				f("Conn", Acquire, "h ctx"),
				f("WithNamedArg", Derive, "h name value"),
				f("ScanRow", Scan, "db ctx from args"),
				f("ScanRows", Collect, "db ctx from args"),
			),
			on(conn, bunQueries(),
				f("ExecContext", Run, "h ctx sql args", exec),
				f("QueryContext", Run, "h ctx sql args", rows),
				f("QueryRowContext", Run, "h ctx sql args", row),
				f("BeginTx", Begin, "h ctx opts"),
				f("RunInTx", RunTx, "h ctx opts fn(ctx,h)"),
			),
			on(tx, bunQueries(),
				pair("Exec", Run, "h sql args", exec),
				pair("Query", Run, "h sql args", rows),
				pair("QueryRow", Run, "h sql args", row),
				f("Begin", Begin, "h"),
				f("BeginTx", Begin, "h ctx opts"),
				f("RunInTx", RunTx, "h ctx opts fn(ctx,h)"),
				f("Commit", Commit, "h"),
				f("Rollback", Rollback, "h"),
			),
			// What the values of the interfaces run on is known only where the value is.
			on(pkg+".IDB", bunQueries(),
				f("BeginTx", Begin, "h ctx opts"),
				f("RunInTx", RunTx, "h ctx opts fn(ctx,h)"),
			),
			on(pkg+".IConn",
				f("ExecContext", Run, "h ctx sql args", exec),
				f("QueryContext", Run, "h ctx sql args", rows),
				f("QueryRowContext", Run, "h ctx sql args", row),
			),
			on(base, except("NewMerge", bunSubqueries())), // on the same handle
			on(sel, bunCommon(), bunSource(), bunWhere(), bunRead(),
				f("Column", Chain, "h col", clause("column")),
				f("ColumnExpr", Chain, "h sql args", clause("columnexpr")),
				f("ExcludeColumn", Chain, "h col", clause("excludecolumn")),
				f("Distinct", Chain, "h", clause("distinct")),
				f("DistinctOn", Chain, "h sql args", clause("distincton")),
				f("For", Chain, "h sql args", clause("for")),
				f("Group", Chain, "h col", clause("group")),
				f("GroupExpr", Chain, "h sql args", clause("groupexpr")),
				f("Having", Chain, "h sql args", clause("having")),
				f("Join", Chain, "h sql args", clause("join")),
				f("JoinOn", Chain, "h sql args", clause("joinon")),
				f("JoinOnOr", Chain, "h sql args", clause("joinonor")),
				f("Relation", Chain, "h relation fn", clause("relation")),
				f("RelationWithOpts", Chain, "h relation opts", clause("relation")),
				f("Limit", Chain, "h n", clause("limit")),
				f("Offset", Chain, "h n", clause("offset")),
				f("Order", Chain, "h col", clause("order")),
				f("OrderExpr", Chain, "h sql args", clause("orderexpr")),
				f("OrderBy", Chain, "h col direction", clause("orderby")),
				f("Union UnionAll Intersect IntersectAll Except ExceptAll", Chain, "h other", clause("setop")),
				f("Clone", Derive, "h"),
				f("Count", Finish, "h ctx", clause("count")),
				f("Exists", Finish, "h ctx", clause("exists")),
				f("ScanAndCount", Finish, "h ctx args", clause("scanandcount")),
				f("Rows", Finish, "h ctx", clause("rows"), rows),
			),
			on(ins, bunCommon(), bunSource(), bunWrite(),
				f("Column", Chain, "h col", clause("column")),
				f("ColumnExpr", Chain, "h sql args", clause("columnexpr")),
				f("ExcludeColumn", Chain, "h col", clause("excludecolumn")),
				f("Value", Chain, "h col sql args", clause("value")),
				f("SetValues", Chain, "h val", clause("setvalues")),
				f("On", Chain, "h sql args", clause("on")), // CONFLICT (…) DO …
				f("Set", Chain, "h sql args", clause("set")),
				f("Where", Chain, "h sql args", clause("where")),
				f("WhereOr", Chain, "h sql args", clause("whereor")),
				f("Ignore", Chain, "h", clause("ignore")), // ON CONFLICT DO NOTHING
				f("Replace", Chain, "h", clause("replace")),
			),
			on(upd, bunCommon(), bunSource(), bunWhere(), bunWrite(),
				f("Column", Chain, "h col", clause("column")),
				f("ExcludeColumn", Chain, "h col", clause("excludecolumn")),
				f("Set", Chain, "h sql args", clause("set")),
				f("SetColumn", Chain, "h col sql args", clause("setcolumn")),
				f("Value", Chain, "h col sql args", clause("value")),
				f("Join", Chain, "h sql args", clause("join")),
				f("JoinOn", Chain, "h sql args", clause("joinon")),
				f("JoinOnOr", Chain, "h sql args", clause("joinonor")),
				f("OmitZero", Chain, "h", clause("omitzero")),
				f("Bulk", Chain, "h", clause("bulk")),
				f("Limit", Chain, "h n", clause("limit")),
				f("Order", Chain, "h col", clause("order")),
				f("OrderExpr", Chain, "h sql args", clause("orderexpr")),
			),
			on(del, bunCommon(), bunSource(), bunWhere(), bunWrite(),
				f("ForceDelete", Chain, "h", clause("forcedelete")),
				f("Limit", Chain, "h n", clause("limit")),
				f("Order", Chain, "h col", clause("order")),
				f("OrderExpr", Chain, "h sql args", clause("orderexpr")),
			),
			on(raw, bunRead(),
				f("Comment", Chain, "h comment", clause("comment")),
				f("Conn", Chain, "h on", clause("conn")),
			),
			on(merge, bunCommon(),
				f("Model", Chain, "h val", clause("model")),
				f("TableExpr", Chain, "h sql args", clause("tableexpr")),
				f("ModelTableExpr", Chain, "h sql args", clause("modeltableexpr")),
				f("Using", Chain, "h sql args", clause("using")),
				f("On", Chain, "h sql args", clause("on")),
				f("When", Chain, "h sql args", clause("when")),
				f("WhenInsert", Chain, "h sql fn", clause("when")),
				f("WhenUpdate", Chain, "h sql fn", clause("when")),
				f("WhenDelete", Chain, "h sql", clause("when")),
				f("Returning", Chain, "h sql args", clause("returning")),
				f("Exec", Finish, "h ctx args", clause("exec"), exec),
			),
			on(builder,
				f("Where", Chain, "h sql args", clause("where")),
				f("WhereOr", Chain, "h sql args", clause("whereor")),
				f("WhereGroup", Chain, "h sep fn(h)", clause("wheregroup")),
				f("WherePK", Chain, "h col", clause("wherepk")),
				f("WhereDeleted WhereAllWithDeleted", Chain, "h", clause("wheredeleted")),
				f("Unwrap", Derive, "h"),
			),
		),
	}
}

// bunQueries are the methods of a handle that begin a query.
func bunQueries() []Func { return bunBegins(Chain) }

// bunSubqueries are the methods of a query that begin another.
func bunSubqueries() []Func { return bunBegins(Derive) }

func bunBegins(role Role) []Func {
	return join(
		f("NewSelect", role, "h", clause("select")),
		f("NewInsert", role, "h", clause("insert")),
		f("NewUpdate", role, "h", clause("update")),
		f("NewDelete", role, "h", clause("delete")),
		f("NewMerge", role, "h", clause("merge")),
		f("NewRaw", role, "h sql args", clause("raw")),
		f("NewValues", role, "h val", clause("values")),
	)
}

// bunCommon are the methods of all queries but raw ones.
func bunCommon() []Func {
	return join(
		f("Apply", Chain, "h fn(h)", clause("apply")),
		f("Comment", Chain, "h comment", clause("comment")),
		f("Conn", Chain, "h on", clause("conn")),
		f("With", Chain, "h name other", clause("with")),
		f("WithRecursive", Chain, "h name other", clause("with")),
	)
}

// bunSource are the methods that name the model or the table.
func bunSource() []Func {
	return join(
		f("Model", Chain, "h val", clause("model")),
		f("Table", Chain, "h table", clause("table")),
		f("TableExpr", Chain, "h sql args", clause("tableexpr")),
		f("ModelTableExpr", Chain, "h sql args", clause("modeltableexpr")),
	)
}

// bunWhere are the conditions.
func bunWhere() []Func {
	return join(
		f("ApplyQueryBuilder", Chain, "h fn(h)", clause("apply")),
		f("QueryBuilder", Derive, "h"),
		f("Where", Chain, "h sql args", clause("where")),
		f("WhereOr", Chain, "h sql args", clause("whereor")),
		f("WhereGroup", Chain, "h sep fn(h)", clause("wheregroup")),
		f("WherePK", Chain, "h col", clause("wherepk")),
		f("WhereDeleted WhereAllWithDeleted", Chain, "h", clause("wheredeleted")),
	)
}

// bunRead are the methods that run a query; without arguments Scan reads into the model.
func bunRead() []Func {
	return join(
		f("Exec", Finish, "h ctx args", clause("exec"), exec),
		f("Scan", Finish, "h ctx args", clause("scan")),
	)
}

// bunWrite are RETURNING and the methods that run a query that writes.
func bunWrite() []Func {
	return join(bunRead(), f("Returning", Chain, "h sql args", clause("returning")))
}
