package dbapi

import "strconv"

// databaseSQL is the table of database/sql, https://pkg.go.dev/database/sql.
func databaseSQL() *Library {
	const (
		db, conn, tx, stmt = "*database/sql.DB", "*database/sql.Conn", "*database/sql.Tx", "*database/sql.Stmt"
	)
	return &Library{
		Name:     "database/sql",
		Packages: []string{"database/sql"},
		Style:    "$",
		Types:    map[string]Handle{db: Pool, conn: Session, tx: Tx, stmt: Stmt},
		NoRows:   []string{"database/sql.ErrNoRows"},
		Options: []Options{{
			Type:      "database/sql.TxOptions",
			Isolation: "Isolation",
			Levels:    sqlLevels(),
			ReadOnly:  "ReadOnly", ReadOnlyValue: "true",
		}},
		Funcs: join(
			in("database/sql",
				f("Open", Open, "driver dsn"),
				f("OpenDB", Open, "connector"),
			),
			on(db, sqlStatements(),
				f("Begin", Begin, "h"),
				f("BeginTx", Begin, "h ctx opts"),
				f("Conn", Acquire, "h ctx"),
				f("SetMaxOpenConns", Limit, "h n"),
			),
			on(conn, sqlStatementsContext(),
				f("BeginTx", Begin, "h ctx opts"),
				f("Close", Release, "h"),
				f("Raw", Raw, "h fn"),
			),
			on(tx, sqlStatements(),
				f("Commit", Commit, "h"),
				f("Rollback", Rollback, "h"),
				pair("Stmt", Derive, "h stmt", gives(Stmt)), // the statement, on this transaction
			),
			on(stmt,
				pair("Exec", RunStmt, "h args", exec),
				pair("Query", RunStmt, "h args", rows),
				pair("QueryRow", RunStmt, "h args", row),
			),
			on("*database/sql.Row", f("Scan", Scan, "from args")),
			on("*database/sql.Rows",
				f("Scan", Scan, "from args"),
				f("Next NextResultSet", Next, "from"),
				f("Close", CloseRows, "from"),
			),
			on("database/sql.Result", f("RowsAffected", Affected, "from")),
		),
	}
}

// sqlLevels are the constants of sql.IsolationLevel. PostgreSQL's drivers
// refuse the levels that PostgreSQL does not have.
func sqlLevels() map[string]string {
	levels := map[string]string{}
	for i, name := range []string{"", "read uncommitted", "read committed", "write committed", "repeatable read", "snapshot", "serializable", "linearizable"} {
		levels[strconv.Itoa(i)] = name
	}
	return levels
}

// sqlStatements are the methods of *sql.DB and *sql.Tx that take a statement.
func sqlStatements() []Func {
	return join(
		pair("Exec", Run, "h sql args", exec),
		pair("Query", Run, "h sql args", rows),
		pair("QueryRow", Run, "h sql args", row),
		pair("Prepare", Prepare, "h sql"),
	)
}

// sqlStatementsContext are the forms that take a context.
func sqlStatementsContext() []Func {
	return join(
		f("ExecContext", Run, "h ctx sql args", exec),
		f("QueryContext", Run, "h ctx sql args", rows),
		f("QueryRowContext", Run, "h ctx sql args", row),
		f("PrepareContext", Prepare, "h ctx sql"),
	)
}
