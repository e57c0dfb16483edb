package dbapi

// ent is the table of the part of ent that generated code calls,
// https://pkg.go.dev/entgo.io/ent/dialect/sql. The generated client, its
// transactions and its builders are the user's own code.
func ent() *Library {
	const (
		pkg    = "entgo.io/ent/dialect"
		sql    = pkg + "/sql"
		driver = "*" + sql + ".Driver"
		sel    = "*" + sql + ".Selector"
	)
	return &Library{
		Name:     "ent",
		Packages: []string{pkg, sql},
		Style:    "$",
		Types: map[string]Handle{
			driver: Pool, pkg + ".Driver": Flow, "*" + pkg + ".DebugDriver": Flow,
			pkg + ".Tx": Tx, "*" + pkg + ".DebugTx": Tx, "*" + sql + ".Tx": Tx,
			pkg + ".ExecQuerier": Flow, sql + ".ExecQuerier": Flow, sql + ".Conn": Flow,
		},
		Fields: []string{sql + ".Driver.Conn", sql + ".Tx.Conn", sql + ".Conn.ExecQuerier", pkg + ".DebugDriver.Driver", pkg + ".DebugTx.Tx"},
		Funcs: join(
			in(pkg, f("Debug DebugWithContext", Derive, "h logger"), f("NopTx", Derive, "h")),
			in(sql,
				f("Open", Open, "dialect dsn"),
				f("OpenDB", Derive, "dialect h", gives(Pool)),
				f("NewDriver", Derive, "dialect h"),
				f("WithVar", CtxDerive, "ctx name value"), // SET for the statements under the context, RESET after them
			),
			on(driver, f("Tx", Begin, "h ctx"), f("BeginTx", Begin, "h ctx opts")),
			on(sql+".Driver", f("DB", Derive, "h", gives(Pool))),
			on(pkg+".Driver", f("Tx", Begin, "h ctx")),
			on("*"+pkg+".DebugDriver", f("Tx", Begin, "h ctx"), f("BeginTx", Begin, "h ctx opts"), entStatements(), entContextStatements()),
			on("*"+pkg+".DebugTx", f("Commit", Commit, "h"), f("Rollback", Rollback, "h"), entStatements(), entContextStatements()),
			on("database/sql/driver.Tx", f("Commit", Commit, "h"), f("Rollback", Rollback, "h")), // embedded in dialect.Tx
			on(pkg+".ExecQuerier", entStatements()),
			on(sql+".Conn", entStatements()),
			on(sql+".ExecQuerier", entContextStatements()),
			on(sel,
				f("For", Chain, "h strength opts", clause("for")),
				f("ForUpdate", Chain, "h opts", clause("forupdate")),
				f("ForShare", Chain, "h opts", clause("forshare")),
			),
			in(sql+"/sqlgraph",
				f("IsConstraintError", TestCode, "from", codes("23")),
				f("IsUniqueConstraintError", TestCode, "from", codes("23505")),
				f("IsForeignKeyConstraintError", TestCode, "from", codes("23503")),
				f("IsCheckConstraintError", TestCode, "from", codes("23514")),
			),
			in(sql,
				f("WithLockAction", Settings, "opts", clause("lockaction")),
				f("WithLockClause", Settings, "opts", clause("lockclause")),
				f("WithLockTables", Settings, "opts", clause("locktables")),
			),
		),
	}
}

// entStatements take their arguments as one slice; the result goes into the
// last argument, a *sql.Result or a *sql.Rows that stays open.
func entStatements() []Func {
	return join(
		f("Exec", Run, "h ctx sql args dst", exec),
		f("Query", Run, "h ctx sql args dst", rows),
	)
}

// entContextStatements are those of database/sql.
func entContextStatements() []Func {
	return join(
		f("ExecContext", Run, "h ctx sql args", exec),
		f("QueryContext", Run, "h ctx sql args", rows),
	)
}
