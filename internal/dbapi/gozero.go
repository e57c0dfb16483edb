package dbapi

import "strings"

// goZero is the table of the stores of go-zero,
// https://pkg.go.dev/github.com/zeromicro/go-zero/core/stores/sqlx. A SqlConn is the
// pool, or what NewSqlConnFromSession makes of the session of a transaction; a
// CachedConn is a SqlConn with a cache before it. Rows are read into structs by
// their db tags, and always closed.
func goZero() *Library {
	const (
		stores       = "github.com/zeromicro/go-zero/core/stores"
		pkg          = stores + "/sqlx"
		conn, sess   = pkg + ".SqlConn", pkg + ".Session"
		stmt, cached = pkg + ".StmtSession", stores + "/sqlc.CachedConn"
	)
	return &Library{
		Name:     "go-zero",
		Packages: []string{pkg, stores + "/sqlc", stores + "/postgres"},
		Style:    "$",
		Types:    map[string]Handle{conn: Flow, sess: Flow, cached: Flow, stmt: Stmt},
		NoRows:   []string{pkg + ".ErrNotFound", stores + "/sqlc.ErrNotFound"},
		Funcs: join(
			in(pkg,
				f("NewSqlConn", Open, "driver dsn opts"),
				f("NewConn MustNewConn", Open, "config opts"),
				f("NewSqlConnFromDB", Derive, "h opts"),
				f("NewSqlConnFromSession", Derive, "h"),
				f("NewSessionFromTx", Derive, "h"),
			),
			in(stores+"/postgres", f("New", Open, "dsn opts")),
			in(stores+"/sqlc", f("NewConn NewConnWithCache NewNodeConn", Derive, "h cache")),
			on(conn,
				f("RawDB", Derive, "h", gives(Pool)),
				f("Transact", RunTx, "h fn(h)"),
				f("TransactCtx", RunTx, "h ctx fn(ctx,h)"),
			),
			on(sess,
				goZeroPair("Exec", Run, "h sql args", exec),
				goZeroPair("QueryRow QueryRowPartial QueryRows QueryRowsPartial", Run, "h dst sql args"),
				goZeroPair("Prepare", Prepare, "h sql"),
			),
			on(stmt,
				goZeroPair("Exec", RunStmt, "h args", exec),
				goZeroPair("QueryRow QueryRowPartial QueryRows QueryRowsPartial", RunStmt, "h dst args"),
			),
			on(cached,
				f("WithSession", Derive, "other h"),
				f("Transact", RunTx, "h fn(h)"),
				f("TransactCtx", RunTx, "h ctx fn(ctx,h)"),
				f("Exec", RunOn, "h fn(h) keys"),
				f("ExecCtx", RunOn, "h ctx fn(ctx,h) keys"),
				f("QueryRow", RunOn, "h dst key fn(h)"),
				f("QueryRowCtx", RunOn, "h ctx dst key fn(ctx,h)"),
				f("QueryRowIndex", RunOn, "h dst key keyer fn(h)"),
				f("QueryRowIndexCtx", RunOn, "h ctx dst key keyer fn(ctx,h)"),
				goZeroPair("ExecNoCache", Run, "h sql args", exec),
				goZeroPair("QueryRowNoCache QueryRowPartialNoCache QueryRowsNoCache QueryRowsPartialNoCache", Run, "h dst sql args"),
			),
		),
	}
}

// goZeroPair is [pair] with the ending that go-zero gives its methods.
func goZeroPair(names string, role Role, layout string, mods ...mod) []Func {
	out := pair(names, role, layout, mods...)
	for i := range out {
		if name, ok := strings.CutSuffix(out[i].Name, "Context"); ok {
			out[i].Name = name + "Ctx"
		}
	}
	return out
}
