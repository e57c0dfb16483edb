package dbapi

// upper is the table of upper/db, version 4, https://upper.io/v4. A Session is
// the pool or a transaction. A locking clause is written by a function that is
// given to Amend, so the texts of its builders are left unknown.
func upper() *Library {
	const (
		pkg     = "github.com/upper/db/v4"
		adapter = pkg + "/adapter/postgresql"
		session = pkg + ".Session"
		sql     = pkg + ".SQL"
		table   = pkg + ".Collection"
		result  = pkg + ".Result"
	)
	lib := &Library{
		Name:     "upper",
		Packages: []string{pkg, adapter},
		Style:    "?",
		Types:    map[string]Handle{session: Flow, sql: Flow, table: Flow, result: Flow},
		NoRows:   []string{pkg + ".ErrNoMoreRows"},
		Funcs: join(
			in(pkg, f("Open", Open, "adapter settings")),
			in(adapter,
				f("Open", Open, "settings"),
				f("New", Derive, "h", gives(Pool)),
				f("NewTx", Derive, "h"),
			),
			on(session,
				f("Tx", RunTx, "h fn(h)"),
				f("TxContext", RunTx, "h ctx fn(h) opts"),
				f("WithContext", Derive, "h ctx"),
				f("SQL", Derive, "h"),
				f("Collection", Chain, "h table", clause("table")),
				f("Save", Finish, "h val", clause("save"), exec),
				f("Get", Finish, "h dst args", clause("get")),
				f("Delete", Finish, "h val", clause("delete"), exec),
			),
			on(sql,
				pair("Exec", Run, "h sql args", exec),
				pair("Query", Run, "h sql args", rows),
				pair("QueryRow", Run, "h sql args", row),
				pair("Prepare", Prepare, "h sql"),
				pair("Iterator", Run, "h sql args"),
				f("Select", Chain, "h args", clause("select")),
				f("SelectFrom", Chain, "h args", clause("select")),
				f("InsertInto", Chain, "h table", clause("insert")),
				f("Update", Chain, "h table", clause("update")),
				f("DeleteFrom", Chain, "h table", clause("delete")),
			),
			on(table,
				f("Find", Chain, "h args", clause("find")),
				f("Session", Derive, "h"),
				f("Insert", Finish, "h val", clause("insert"), exec),
				f("InsertReturning", Finish, "h val", clause("insert"), exec),
				f("UpdateReturning", Finish, "h val", clause("update"), exec),
				f("Count", Finish, "h", clause("count")),
				f("Exists", Finish, "h", clause("exists")),
				f("Truncate", Finish, "h", clause("truncate"), exec),
			),
			on(result,
				f("Limit Offset", Chain, "h n", clause("limit")),
				f("OrderBy Select And GroupBy", Chain, "h args", clause("find")),
				f("One", Finish, "h dst", clause("one")),
				f("All", Finish, "h dst", clause("all")),
				f("Next", Finish, "h dst", clause("next")),
				f("Count", Finish, "h", clause("count")),
				f("Exists", Finish, "h", clause("exists")),
				f("Update", Finish, "h val", clause("update"), exec),
				f("Delete", Finish, "h", clause("delete"), exec),
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

// upperBuilders adds the builders, each of which returns itself.
func upperBuilders(lib *Library, pkg string) {
	for name, methods := range map[string]string{
		"Selector": "Columns From Distinct Where And GroupBy OrderBy Join FullJoin CrossJoin RightJoin LeftJoin Using On",
		"Inserter": "Columns Values Returning",
		"Updater":  "Set Where And",
		"Deleter":  "Where And",
	} {
		typ := pkg + "." + name
		lib.Types[typ] = Flow
		lib.Funcs = append(lib.Funcs, on(typ,
			f(methods, Chain, "h args", clause("add")),
			f("Amend", Chain, "h fn", clause("opaque")),
		)...)
		if name != "Inserter" {
			lib.Funcs = append(lib.Funcs, on(typ, f("Limit", Chain, "h n", clause("limit")))...)
		}
	}
	for _, name := range []string{"ResultMapper", "SQLExecer", "SQLGetter"} {
		lib.Types[pkg+"."+name] = Flow
	}
}
