package dbapi

// xorm is the table of XORM, https://pkg.go.dev/xorm.io/xorm. A *Session collects
// clauses and runs each statement on the engine's pool until its Begin; from
// there to Commit or Rollback it is the transaction. The methods of an Engine
// begin a session of their own for each statement.
func xorm() *Library {
	const (
		pkg            = "xorm.io/xorm"
		engine, group  = "*" + pkg + ".Engine", "*" + pkg + ".EngineGroup"
		session        = "*" + pkg + ".Session"
		iface, engines = pkg + ".Interface", pkg + ".EngineInterface"
	)
	return &Library{
		Name:     "xorm",
		Packages: []string{pkg},
		Style:    "?", // $1 passes too
		Types:    map[string]Handle{engine: Pool, group: Pool, session: Flow, iface: Flow, engines: Pool},
		Fields:   []string{pkg + ".EngineGroup.Engine"},
		Funcs: join(
			in(pkg,
				f("NewEngine", Open, "driver dsn opts"),
				f("NewEngineWithParams", Open, "driver dsn params"),
				f("NewEngineWithDB", Derive, "driver dsn h", gives(Pool)),
				f("NewEngineGroup", Open, "first second policies"),
			),
			on(engine, xormChains(), xormFinishers(), xormQueries(),
				f("NewSession", Acquire, "h"),
				f("Transaction", RunTx, "h fn(h)"),
				f("Context", Chain, "h ctx", clause("context")),
				f("DB", Derive, "h", gives(Pool)),
				f("SetMaxOpenConns", Limit, "h n"),
				f("Sync Sync2", Migration, "h val"),
			),
			on(group,
				f("NewSession", Acquire, "h"),
				f("Context", Chain, "h ctx", clause("context")),
				f("Master", Derive, "h"),
				f("SetMaxOpenConns", Limit, "h n"),
				f("Query QueryInterface QueryString", Run, "h sql", rows),
				f("Rows", Finish, "h val", clause("rows"), rows),
			),
			on(session, xormChains(), xormFinishers(), xormQueries(),
				f("Begin", Begin, "h"),
				f("BeginTx", Begin, "h opts"),
				f("Commit", Commit, "h"),
				f("Rollback", Rollback, "h"),
				f("Close", Release, "h"), // rolls back what is open
				f("And", Chain, "h sql args", clause("where")),
				f("Or", Chain, "h sql args", clause("or")),
				f("ForUpdate", Chain, "h", clause("forupdate")),
				f("NoVersionCheck", Chain, "h", clause("noversion")),
				f("Context", Derive, "h ctx"),
				f("DB", Derive, "h", gives(Pool)),
				f("Tx", Derive, "h", gives(Tx)),
				f("Engine", Derive, "h", gives(Pool)),
				f("InsertMulti", Finish, "h val", clause("insert"), exec),
				f("GetOrError", Finish, "h dst", clause("get")),
				f("QuerySliceString", Run, "h sql"),
				f("Sync Sync2", Migration, "h val"),
			),
			on(iface, except("Having", xormChains()), xormFinishers(), xormQueries()),
			on(engines, f("NewSession", Acquire, "h"), f("Context", Chain, "h ctx", clause("context"))),
			on("*"+pkg+".Rows",
				f("Next", Next, "from"),
				f("Scan", Scan, "from args"),
				f("Close", CloseRows, "from"),
			),
		),
	}
}

// xormQueries are the methods that run a text: the first of their arguments.
func xormQueries() []Func {
	return join(
		f("Exec", Run, "h sql", exec),
		f("Query QueryInterface QueryString", Run, "h sql"),
	)
}

// xormChains are the methods of engines and sessions that add to a statement.
func xormChains() []Func {
	return join(
		f("SQL", Chain, "h sql args", clause("raw")),
		f("Table", Chain, "h table", clause("table")),
		f("Alias", Chain, "h alias", clause("alias")),
		f("Where", Chain, "h sql args", clause("where")),
		f("ID", Chain, "h val", clause("id")),
		f("In", Chain, "h col args", clause("in")),
		f("NotIn", Chain, "h col args", clause("opaque")),
		f("Select", Chain, "h sql", clause("select")),
		f("Cols", Chain, "h col", clause("cols")),
		f("MustCols UseBool Nullable Omit", Chain, "h col", clause("somecols")),
		f("AllCols", Chain, "h", clause("allcols")),
		f("Distinct", Chain, "h col", clause("distinct")),
		f("Join", Chain, "h kind table sql args", clause("join")),
		f("GroupBy", Chain, "h col", clause("group")),
		f("Having", Chain, "h sql", clause("having")),
		f("OrderBy", Chain, "h col args", clause("order")),
		f("Asc Desc", Chain, "h col", clause("order")),
		f("Limit", Chain, "h n offset", clause("limit")),
		f("Incr Decr", Chain, "h col args", clause("set")),
		f("SetExpr", Chain, "h col val", clause("set")),
		f("Unscoped", Chain, "h", clause("unscoped")),
		f("NoAutoCondition", Chain, "h off", clause("noauto")),
	)
}

// xormFinishers are the methods that run what a session has collected; fields
// of a bean that are not zero are conditions too.
func xormFinishers() []Func {
	return join(
		f("Get", Finish, "h dst", clause("get")),
		f("Exist", Finish, "h val", clause("exists")),
		f("Find FindAndCount", Finish, "h dst args", clause("find")),
		f("Iterate", Finish, "h val each", clause("find")),
		f("Rows", Finish, "h val", clause("rows"), rows),
		f("Count", Finish, "h val", clause("count")),
		f("Sum SumInt", Finish, "h val col", clause("sum")),
		f("Sums SumsInt", Finish, "h val col", clause("sum")),
		f("Insert InsertOne", Finish, "h val", clause("insert"), exec),
		f("Update", Finish, "h val args", clause("update"), exec),
		f("Delete", Finish, "h val", clause("delete"), exec),
	)
}
