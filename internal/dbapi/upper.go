package dbapi

// upper is the table of upper/db, version 4, https://upper.io/v4. A Session is
// the pool or a transaction. Each call on a builder or a result returns another.
func upper() *Library {
	const (
		pkg     = "github.com/upper/db/v4"
		adapter = pkg + "/adapter/"
		session = pkg + ".Session"
		sql     = pkg + ".SQL"
		table   = pkg + ".Collection"
		result  = pkg + ".Result"
	)
	lib := &Library{
		Name:     "upper",
		Packages: []string{pkg, adapter + "..."},
		Style:    "?",
		Types:    map[string]Handle{session: Flow, sql: Flow, table: Flow, result: Flow},
		NoRows:   []string{pkg + ".ErrNoMoreRows"},
		Funcs: join(
			in(pkg,
				f("Open", Open, "adapter settings"),
				f("Raw", Text, "sql args", clause("expr")),
			),
			upperAdapter(adapter+"postgresql", ""),
			upperAdapter(adapter+"cockroachdb", ""),
			upperAdapter(adapter+"mysql", "mysql"),
			upperAdapter(adapter+"mssql", "sqlserver"),
			upperAdapter(adapter+"sqlite", "sqlite"),
			on(session,
				f("Tx", RunTx, "h fn(h)", apart),
				f("TxContext", RunTx, "h ctx fn(h) opts", apart),
				f("WithContext", Derive, "h ctx"),
				f("SQL", Derive, "h"),
				f("Collection", Chain, "h table", clause("table")),
				f("Save", Finish, "h val", clause("save"), exec),
				f("Get", Finish, "h dst args", clause("get")),
				f("Delete", Finish, "h val", clause("deleterecord"), exec),
			),
			on(sql,
				pair("Exec", Run, "h sql args", exec),
				pair("Query", Run, "h sql args", rows),
				pair("QueryRow", Run, "h sql args", row),
				pair("Prepare", Prepare, "h sql"),
				pair("Iterator", Run, "h sql args"),
				f("Select", Chain, "h col", clause("select")),
				f("SelectFrom", Chain, "h table", clause("selectfrom")),
				f("InsertInto", Chain, "h table", clause("insert")),
				f("Update", Chain, "h table", clause("update")),
				f("DeleteFrom", Chain, "h table", clause("delete")),
			),
			on(table,
				f("Find", Chain, "h args", clause("find")),
				f("Session", Derive, "h"),
				f("Insert", Finish, "h val", clause("insertrow"), exec),
				f("InsertReturning", Finish, "h val", clause("insertrow"), exec),
				f("UpdateReturning", Finish, "h val", clause("updaterow"), exec),
				f("Count", Finish, "h", clause("count")),
				f("Exists", Finish, "h", clause("hastable")),
				f("Truncate", Finish, "h", clause("truncate"), exec),
			),
			on(result,
				f("Limit", Chain, "h n", clause("limit")),
				f("Offset", Chain, "h n", clause("offset")),
				f("Select", Chain, "h col", clause("columns")),
				f("OrderBy", Chain, "h col", clause("order")),
				f("GroupBy", Chain, "h col", clause("group")),
				f("And", Chain, "h args", clause("where")),
				f("Paginate Page Cursor NextPage PrevPage", Chain, "h page", clause("page")),
				f("One", Finish, "h dst", clause("resultone")),
				f("All", Finish, "h dst", clause("all")),
				f("Next", Finish, "h dst", clause("all")),
				f("Count TotalEntries", Finish, "h", clause("count")),
				f("Exists", Finish, "h", clause("exists")),
				f("Update", Finish, "h val", clause("updateresult"), uncounted),
				f("Delete", Finish, "h", clause("deleteresult"), uncounted),
			),
			on(pkg+".ResultMapper", // of selectors
				f("One", Finish, "h dst", clause("one")),
				f("All", Finish, "h dst", clause("all")),
			),
			on(pkg+".SQLExecer", f("Exec", Finish, "h", clause("exec"), exec), f("ExecContext", Finish, "h ctx", clause("exec"), exec)),
			on(pkg+".SQLGetter",
				f("Query", Finish, "h", clause("rows"), rows),
				f("QueryContext", Finish, "h ctx", clause("rows"), rows),
				f("QueryRow", Finish, "h", clause("row"), row),
				f("QueryRowContext", Finish, "h ctx", clause("row"), row),
			),
		),
	}
	upperBuilders(lib, pkg)
	return lib
}

// upperAdapter are the functions of the adapter of a database system.
func upperAdapter(pkg, name string) []Func {
	return in(pkg,
		f("Open", Open, "settings", system(name)),
		f("New", Derive, "h", gives(Pool), system(name)),
		f("NewTx", Derive, "h"),
	)
}

// upperBuilders adds the builders.
func upperBuilders(lib *Library, pkg string) {
	where := f("Where And", Chain, "h args", clause("where"))
	for name, methods := range map[string][]Func{
		"Selector": join(where,
			f("From", Chain, "h table", clause("from")),
			f("Columns", Chain, "h col", clause("columns")),
			f("Distinct", Chain, "h col", clause("distinct")),
			f("GroupBy", Chain, "h col", clause("group")),
			f("OrderBy", Chain, "h col", clause("order")),
			f("Join FullJoin CrossJoin RightJoin LeftJoin", Chain, "h table", clause("join")),
			f("Using", Chain, "h col", clause("on")),
			f("On", Chain, "h args", clause("on")),
			f("Offset", Chain, "h n", clause("offset")),
		),
		"Inserter": join(
			f("Columns", Chain, "h col", clause("columns")),
			f("Values", Chain, "h args", clause("values")),
			f("Returning", Chain, "h col", clause("returning")),
		),
		"Updater": join(where, f("Set", Chain, "h args", clause("set"))),
		"Deleter": where,
	} {
		typ := pkg + "." + name
		lib.Types[typ] = Flow
		lib.Builders = append(lib.Builders, typ)
		lib.Funcs = append(lib.Funcs, on(typ, join(methods), f("Amend", Chain, "h fn", clause("amend")))...)
		if name != "Inserter" {
			lib.Funcs = append(lib.Funcs, on(typ, f("Limit", Chain, "h n", clause("limit")))...)
		}
	}
	for _, name := range []string{"ResultMapper", "SQLExecer", "SQLGetter"} {
		lib.Types[pkg+"."+name] = Flow
	}
}
