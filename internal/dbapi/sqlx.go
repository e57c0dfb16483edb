package dbapi

// sqlx is the table of sqlx, https://pkg.go.dev/github.com/jmoiron/sqlx. Its
// types embed those of database/sql: Exec, Query, Commit and the like are
// database/sql's methods, called on the embedded field.
func sqlx() *Library {
	const (
		pkg                = "github.com/jmoiron/sqlx"
		db, conn, tx       = "*" + pkg + ".DB", "*" + pkg + ".Conn", "*" + pkg + ".Tx"
		stmt, named        = "*" + pkg + ".Stmt", "*" + pkg + ".NamedStmt"
		colon              = ":"
		rowsType, rowTypes = "*" + pkg + ".Rows", "*" + pkg + ".Row"
	)
	statements := join(
		pair("Queryx", Run, "h sql args", rows),
		pair("QueryRowx", Run, "h sql args", row),
		pair("Get Select", Run, "h dst sql args"),
		pair("MustExec", Run, "h sql args", exec, must),
		pair("NamedExec", Run, "h sql args", exec, style(colon)),
		pair("Preparex", Prepare, "h sql"),
		pair("PrepareNamed", Prepare, "h sql", style(colon)),
		f("NamedQuery", Run, "h sql args", rows, style(colon)),
	)
	return &Library{
		Name:     "sqlx",
		Packages: []string{pkg},
		Style:    "$", // ? where the text goes through Rebind
		Types:    map[string]Handle{db: Pool, conn: Session, tx: Tx, stmt: Stmt, named: Stmt},
		Fields:   []string{pkg + ".DB.DB", pkg + ".Conn.Conn", pkg + ".Tx.Tx", pkg + ".Stmt.Stmt", pkg + ".NamedStmt.Stmt"},
		Funcs: join(
			in(pkg,
				f("Open MustOpen Connect MustConnect", Open, "driver dsn"),
				f("ConnectContext", Open, "ctx driver dsn"),
				f("NewDb", Derive, "h driver", gives(Pool)),

				pairFunc("Get Select", Run, "h dst sql args"),
				pairFunc("MustExec", Run, "h sql args", exec, must),
				pairFunc("NamedExec", Run, "h sql args", exec, style(colon)),
				pairFunc("NamedQuery", Run, "h sql args", rows, style(colon)),
				pairFunc("Preparex", Prepare, "h sql"),

				f("StructScan", Collect, "from dst"),
				f("MapScan", Scan, "from dst"),
				f("SliceScan", Scan, "from"),

				f("Rebind", Text, "bindtype sql", clause("rebind")),
				f("In", Text, "sql args", clause("in")),
				f("Named", Text, "sql args", clause("named"), style(colon)),
				f("BindNamed", Text, "bindtype sql args", clause("named"), style(colon)),
			),
			on(db, statements,
				f("NamedQueryContext", Run, "h ctx sql args", rows, style(colon)),
				f("Beginx MustBegin", Begin, "h"),
				f("BeginTxx MustBeginTx", Begin, "h ctx opts"),
				f("Connx", Acquire, "h ctx"),
				f("Unsafe", Derive, "h"),
				f("Rebind", Text, "db sql", clause("rebind")),
				f("BindNamed", Text, "db sql args", clause("named"), style(colon)),
			),
			on(tx, statements,
				f("Unsafe", Derive, "h"),
				pair("Stmtx NamedStmt", Derive, "h stmt", gives(Stmt)),
				f("Rebind", Text, "db sql", clause("rebind")),
				f("BindNamed", Text, "db sql args", clause("named"), style(colon)),
			),
			on(conn,
				f("QueryxContext", Run, "h ctx sql args", rows),
				f("QueryRowxContext", Run, "h ctx sql args", row),
				f("GetContext SelectContext", Run, "h ctx dst sql args"),
				f("PreparexContext", Prepare, "h ctx sql"),
				f("BeginTxx", Begin, "h ctx opts"),
				f("Rebind", Text, "db sql", clause("rebind")),
			),
			on(stmt,
				pair("Get Select", RunStmt, "h dst args"),
				pair("MustExec", RunStmt, "h args", exec, must),
				pair("Queryx", RunStmt, "h args", rows),
				pair("QueryRowx", RunStmt, "h args", row),
				f("Unsafe", Derive, "h"),
			),
			on(named,
				pair("Get Select", RunStmt, "h dst args"),
				pair("Exec", RunStmt, "h args", exec),
				pair("MustExec", RunStmt, "h args", exec, must),
				pair("Query Queryx", RunStmt, "h args", rows),
				pair("QueryRow QueryRowx", RunStmt, "h args", row),
				f("Unsafe", Derive, "h"),
			),
			on(rowsType, f("StructScan MapScan", Scan, "from dst"), f("SliceScan", Scan, "from")),
			on(rowTypes, f("Scan", Scan, "from args"), f("StructScan MapScan", Scan, "from dst"), f("SliceScan", Scan, "from")),
			on(pkg+".ColScanner", f("Scan", Scan, "from args")),

			// The interfaces that the package's functions take. What their values
			// run on is known only where the value is.
			on(pkg+".Queryer",
				f("Query Queryx", Run, "h sql args", rows),
				f("QueryRowx", Run, "h sql args", row)),
			on(pkg+".QueryerContext",
				f("QueryContext QueryxContext", Run, "h ctx sql args", rows),
				f("QueryRowxContext", Run, "h ctx sql args", row)),
			on(pkg+".Execer", f("Exec", Run, "h sql args", exec)),
			on(pkg+".ExecerContext", f("ExecContext", Run, "h ctx sql args", exec)),
			on(pkg+".Preparer", f("Prepare", Prepare, "h sql")),
			on(pkg+".PreparerContext", f("PrepareContext", Prepare, "h ctx sql")),
		),
	}
}
