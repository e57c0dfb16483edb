package dbapi

import "strconv"

// pgxV4 and pgxV5 are the tables of the two major versions in use,
// https://pkg.go.dev/github.com/jackc/pgx/v5.
func pgxV4() *Library { return pgx(4) }
func pgxV5() *Library { return pgx(5) }

// pgx is the table of a major version of pgx. Version 4 begins transactions
// with functions in methods, has QueryFunc, and keeps pgconn in a module of its own.
func pgx(major int) *Library {
	var (
		pkg    = "github.com/jackc/pgx/v" + strconv.Itoa(major)
		pool   = pkg + "/pgxpool"
		std    = pkg + "/stdlib"
		pgconn = pkg + "/pgconn"

		// v4 and v5 choose the rows that only one of them has.
		v4, v5 = only(major == 4), only(major == 5)
	)
	if major == 4 {
		pgconn = "github.com/jackc/pgconn"
	}
	lib := &Library{
		Name:     "pgx" + strconv.Itoa(major),
		Packages: []string{pkg, pool, std, pgconn},
		Style:    "$", // @name where the arguments are pgx.NamedArgs
		Dialect:  "postgres",
		Types: map[string]Handle{
			"*" + pool + ".Pool":     Pool,
			"*" + pool + ".Conn":     Session,
			"*" + pool + ".Tx":       Tx,
			"*" + pkg + ".Conn":      Session,
			pkg + ".Tx":              Tx,
			"*" + std + ".Conn":      Session,
			"*" + pgconn + ".PgConn": Session,
		},
		NoRows:   []string{pkg + ".ErrNoRows"},
		SQLState: []string{pgconn + ".PgError.Code", pgconn + ".PgError.SQLState"},
		Limits:   []string{pool + ".Config.MaxConns"},
		Options: []Options{{
			Type:      pkg + ".TxOptions",
			Isolation: "IsoLevel",
			Levels: map[string]string{
				`"serializable"`:     "serializable",
				`"repeatable read"`:  "repeatable read",
				`"read committed"`:   "read committed",
				`"read uncommitted"`: "read uncommitted",
			},
			ReadOnly: "AccessMode", ReadOnlyValue: `"read only"`,
		}},
		Hooks: []string{
			pool + ".Config.BeforeConnect",
			pool + ".Config.AfterConnect",
			pool + ".Config.BeforeAcquire",
			pool + ".Config.AfterRelease",
			pgconn + ".Config.ValidateConnect",
			pgconn + ".Config.AfterConnect",
		},
		Funcs: join(
			in(pkg,
				f("Connect", Connect, "ctx dsn"),
				f("ConnectConfig", Connect, "ctx config"),
				f("ParseConfig", ParseDSN, "dsn"),
				v5(f("ConnectWithOptions", Connect, "ctx dsn opts")),
				v5(f("ParseConfigWithOptions", ParseDSN, "dsn config")),
				v5(f("BeginFunc", RunTx, "ctx h fn(h)")),
				v5(f("BeginTxFunc", RunTx, "ctx h opts fn(h)")),
				v5(f("CollectRows CollectOneRow CollectExactlyOneRow", Collect, "from fn")),
				v5(f("AppendRows", Collect, "dst from fn")),
				v5(f("ForEachRow", Collect, "from args fn")),
			),
			on("*"+pkg+".Conn", pgxStatements(v4),
				f("Begin", Begin, "h ctx"),
				f("BeginTx", Begin, "h ctx opts"),
				v4(f("BeginFunc", RunTx, "h ctx fn(h)")),
				v4(f("BeginTxFunc", RunTx, "h ctx opts fn(h)")),
				f("Prepare", Prepare, "h ctx stmt sql"),
				f("Close", Destroy, "h ctx"),
				f("PgConn", Derive, "h"),
				f("WaitForNotification", Listen, "h ctx"),
			),
			on(pkg+".Tx", pgxTx(v4)),
			on("*"+pool+".Tx", pgxTx(v4)),
			on("*"+pool+".Pool", pgxStatements(v4),
				f("Begin", Begin, "h ctx"),
				f("BeginTx", Begin, "h ctx opts"),
				v4(f("BeginFunc", RunTx, "h ctx fn(h)")),
				v4(f("BeginTxFunc", RunTx, "h ctx opts fn(h)")),
				f("Acquire", Acquire, "h ctx"),
				f("AcquireAllIdle", Acquire, "h ctx"), // a slice of sessions
				f("AcquireFunc", RunSession, "h ctx fn(h)"),
			),
			on("*"+pool+".Conn", pgxStatements(v4),
				f("Begin", Begin, "h ctx"),
				f("BeginTx", Begin, "h ctx opts"),
				v4(f("BeginFunc", RunTx, "h ctx fn(h)")),
				v4(f("BeginTxFunc", RunTx, "h ctx opts fn(h)")),
				f("Conn", Derive, "h"),
				f("Release", Release, "h"),
				f("Hijack", Destroy, "h", gives(Session)),
			),
			in(pool,
				f("ParseConfig", ParseDSN, "dsn"),
				v4(f("Connect", Open, "ctx dsn")),
				v4(f("ConnectConfig", Open, "ctx config")),
				v5(f("New", Open, "ctx dsn")),
				v5(f("NewWithConfig", Open, "ctx config")),
			),
			on("*"+pkg+".Batch",
				f("Queue", Queue, "batch sql args"),
				v5(f("BeginTx", Queue, "batch opts")), // queues BEGIN; BatchResults.Tx is the transaction
			),
			on(pkg+".BatchResults",
				f("Exec", Receive, "from", exec),
				f("Query", Receive, "from", rows),
				f("QueryRow", Receive, "from", row),
				v4(f("QueryFunc", Receive, "from dst fn")),
				v5(f("Tx", Receive, "from", gives(Tx))),
				f("Close", CloseRows, "from"),
			),
			on(pkg+".Row", f("Scan", Scan, "from args")),
			on(pkg+".Rows",
				f("Scan", Scan, "from args"),
				f("Values", Scan, "from"),
				f("Next", Next, "from"),
				f("Close", CloseRows, "from"),
				v5(f("Conn", Derive, "h")),
			),
			v5(join(
				on(pkg+".CollectableRow", f("Scan", Scan, "from args"), f("Values", Scan, "from")),
				in(pkg, f("RowTo RowToAddrOf RowToMap RowToStructByName RowToStructByNameLax RowToStructByPos "+
					"RowToAddrOfStructByName RowToAddrOfStructByNameLax RowToAddrOfStructByPos", Scan, "from")),
				on(pgconn+".CommandTag", f("RowsAffected", Affected, "from")),
			)),
			v4(on(pgconn+".CommandTag", f("RowsAffected", Affected, "from"))),
			pgxStdlib(std, v4, v5),
			pgxConn(pgconn, v5),
		),
	}
	if major == 5 {
		lib.Options[0].Begin = "BeginQuery"
		lib.Hooks = append(lib.Hooks, pool+".Config.PrepareConn", pool+".Config.BeforeClose")
	}
	return lib
}

// only returns a function that keeps its rows if the condition holds.
func only(keep bool) func([]Func) []Func {
	return func(rows []Func) []Func {
		if keep {
			return rows
		}
		return nil
	}
}

// pgxStatements are the methods of pgx's pools, connections and transactions
// that run statements.
func pgxStatements(v4 func([]Func) []Func) []Func {
	return join(
		f("Exec", Run, "h ctx sql args", exec),
		f("Query", Run, "h ctx sql args", rows),
		f("QueryRow", Run, "h ctx sql args", row),
		v4(f("QueryFunc", Run, "h ctx sql args dst fn")),
		f("SendBatch", SendBatch, "h ctx batch"),
		f("CopyFrom", Run, "h ctx table col val", exec), // COPY table (columns) FROM STDIN
	)
}

// pgxTx are the methods of pgx.Tx and *pgxpool.Tx.
func pgxTx(v4 func([]Func) []Func) []Func {
	return join(pgxStatements(v4),
		f("Begin", Begin, "h ctx"),
		v4(f("BeginFunc", RunTx, "h ctx fn(h)")),
		f("Prepare", Prepare, "h ctx stmt sql"),
		f("Conn", Derive, "h"),
		f("Commit", Commit, "h ctx"),
		f("Rollback", Rollback, "h ctx"),
	)
}

// pgxStdlib is the driver for database/sql.
func pgxStdlib(std string, v4, v5 func([]Func) []Func) []Func {
	return join(
		in(std,
			f("OpenDB", Open, "config opts"),
			v5(f("OpenDBFromPool", Derive, "h opts", gives(Pool))),
			v5(f("GetPoolConnector", Derive, "h opts", gives(Pool))),
			v4(f("AcquireConn", Acquire, "h")),
			v4(f("ReleaseConn", Release, "pool h")),
			f("OptionBeforeConnect OptionAfterConnect OptionResetSession", Hook, "fn(ctx,h)"),
		),
		on("*"+std+".Conn",
			f("Conn", Derive, "h"),
			f("ExecContext", Run, "h ctx sql args", exec),
			f("QueryContext", Run, "h ctx sql args", rows),
			pair("Prepare", Prepare, "h sql"),
			f("Begin", Begin, "h"),
			f("BeginTx", Begin, "h ctx opts"),
			f("Close", Destroy, "h"),
		),
	)
}

// pgxConn is the low-level connection.
func pgxConn(pgconn string, v5 func([]Func) []Func) []Func {
	return join(
		in(pgconn,
			f("Connect", Connect, "ctx dsn"),
			f("ConnectConfig", Connect, "ctx config"),
			f("ParseConfig", ParseDSN, "dsn"),
			f("SafeToRetry", TestCode, "from", codes("08")), // nothing was sent: no SQLSTATE
		),
		on("*"+pgconn+".PgConn",
			f("Exec", Run, "h ctx sql", rows), // several statements in one text
			f("ExecParams", Run, "h ctx sql args", rows),
			f("ExecPrepared", RunStmt, "h ctx stmt args", rows),
			f("ExecBatch", SendBatch, "h ctx batch"),
			f("Prepare", Prepare, "h ctx stmt sql"),
			f("CopyTo", Run, "h ctx writer sql", exec),
			f("CopyFrom", Run, "h ctx reader sql", exec),
			f("WaitForNotification", Listen, "h ctx"),
			f("Close", Destroy, "h ctx"),
			f("Hijack", Destroy, "h"),
		),
		on("*"+pgconn+".Batch",
			f("ExecParams", Queue, "batch sql args"),
			f("ExecPrepared", Queue, "batch stmt args"),
		),
		on("*"+pgconn+".MultiResultReader",
			f("NextResult", Next, "from"),
			f("ReadAll", Collect, "from"),
			f("Close", CloseRows, "from"),
		),
		on("*"+pgconn+".ResultReader",
			f("NextRow", Next, "from"),
			f("Values", Scan, "from"),
			f("Read", Collect, "from"),
			f("Close", CloseRows, "from"),
		),
		v5(on("*"+pgconn+".PgConn",
			f("ExecStatement", RunStmt, "h ctx stmt args", rows),
			f("StartPipeline", Derive, "h ctx"),
		)),
		v5(on("*"+pgconn+".Batch", f("ExecStatement", Queue, "batch stmt args"))),
		v5(on("*"+pgconn+".Pipeline",
			f("SendQueryParams", Run, "h sql args"),
			f("SendQueryPrepared SendQueryStatement", RunStmt, "h stmt args"),
			f("SendPrepare", Prepare, "h stmt sql", gives(NoHandle)),
		)),
	)
}
