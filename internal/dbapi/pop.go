package dbapi

// pop is the table of Pop, version 6, https://pkg.go.dev/github.com/gobuffalo/pop/v6,
// and of the fork that the services of Ory use. A *Connection is the pool or a
// transaction; a *Query changes in place.
func pop() *Library {
	lib := &Library{Name: "pop", Style: "?", Types: map[string]Handle{}, InPlace: true}
	for _, pkg := range []string{"github.com/gobuffalo/pop/v6", "github.com/ory/pop/v6"} {
		conn, query, tx := "*"+pkg+".Connection", "*"+pkg+".Query", "*"+pkg+".Tx"
		lib.Packages = append(lib.Packages, pkg)
		lib.Types[conn], lib.Types[query], lib.Types[tx] = Flow, Flow, Tx
		lib.Builders = append(lib.Builders, query)
		lib.Fields = append(lib.Fields, pkg+".Tx.Tx", pkg+".Connection.Store")
		lib.Presence = append(lib.Presence, pkg+".Connection.TX")
		lib.Limits = append(lib.Limits, pkg+".ConnectionDetails.Pool")
		lib.Funcs = append(lib.Funcs, popFuncs(pkg, conn, query)...)
	}
	return lib
}

// popFuncs are the functions of one of the two.
func popFuncs(pkg, conn, query string) []Func {
	return join(
		in(pkg,
			f("Connect", Open, "environment"),
			f("NewConnection", Open, "details"),
			f("Q", Chain, "h", clause("query")),
		),
		on(conn, popChains(), popReads(),
			f("WithContext", Derive, "h ctx"),
			f("Eager", Derive, "h fields"),
			f("Q", Chain, "h", clause("query")),
			f("Transaction", RunTx, "h fn(h)", joins),
			f("Rollback", RunTx, "h fn(h)", undone),
			f("NewTransaction", Begin, "h"),
			f("NewTransactionContext", Begin, "h ctx"),
			f("NewTransactionContextOptions", Begin, "h ctx opts"),

			f("Create ValidateAndCreate", Finish, "h val col", clause("create"), exec),
			f("Update ValidateAndUpdate", Finish, "h val col", clause("update"), exec),
			f("Save ValidateAndSave", Finish, "h val col", clause("save"), exec),
			f("UpdateColumns", Finish, "h val col", clause("updatecolumns"), exec),
			f("Destroy", Finish, "h val", clause("destroy"), exec),
			f("Reload", Finish, "h dst", clause("reload")),
			f("Load", Finish, "h dst fields", clause("load")),
			f("Count", Finish, "h val", clause("count")),
			f("TruncateAll", Finish, "h", clause("truncate"), exec),
		),
		on(query, popChains(), popReads(),
			f("Eager", Chain, "h fields", clause("eager")),
			f("Join LeftJoin RightJoin LeftOuterJoin RightOuterJoin InnerJoin", Chain, "h table sql args", clause("join")),
			f("GroupBy", Chain, "h col more", clause("group")),
			f("Having", Chain, "h sql args", clause("having")),
			f("Exec", Finish, "h", clause("exec"), uncounted),
			f("ExecWithCount", Finish, "h", clause("exec"), exec),
			f("Exists", Finish, "h val", clause("exists")),
			f("Delete", Finish, "h val", clause("delete"), uncounted),
			f("UpdateQuery", Finish, "h val col", clause("updatequery"), exec),
		),
		on(pkg+".Query",
			f("Count", Finish, "h val", clause("count")),
			f("CountByField", Finish, "h val col", clause("count")),
			f("ToSQL", Text, "h model col", clause("tosql")),
		),
		on(pkg+".store",
			pair("Exec", Run, "h sql args", exec, style("$")),
			pair("NamedExec", Run, "h sql args", exec, style(":")),
			pair("Select Get", Run, "h dst sql args", style("$")),
			pair("NamedQuery", Run, "h sql args", rows, style(":")),
		),
		on("*"+pkg+".Tx",
			f("NamedQueryContext", Run, "h ctx sql args", rows, style(":")),
			f("Transaction", Derive, "h"), // the transaction itself
			f("TransactionContext", Derive, "h ctx"),
			f("TransactionContextOptions", Derive, "h ctx opts"),
		),
	)
}

// popChains are the methods of connections and queries that add to a query.
func popChains() []Func {
	return join(
		f("RawQuery", Chain, "h sql args", clause("raw")),
		f("Where", Chain, "h sql args", clause("where")),
		f("Select", Chain, "h col", clause("column")),
		f("Order", Chain, "h sql args", clause("order")),
		f("Limit", Chain, "h n", clause("limit")),
		f("Paginate", Chain, "h n per", clause("limit")),
		f("PaginateFromParams", Chain, "h params", clause("limit")),
		f("Scope", Chain, "h fn(h)", clause("scopes")),
		f("EagerPreload", Chain, "h fields", clause("eager")),
		f("BelongsTo", Chain, "h val", clause("opaque")),
		f("BelongsToAs", Chain, "h val name", clause("opaque")),
		f("BelongsToThrough", Chain, "h val through", clause("opaque")),
	)
}

// popReads are the methods that read into a model, or a slice of them.
func popReads() []Func {
	return join(
		f("All", Finish, "h dst", clause("all")),
		f("First", Finish, "h dst", clause("first")),
		f("Last", Finish, "h dst", clause("last")),
		f("Find", Finish, "h dst key", clause("find")),
	)
}
