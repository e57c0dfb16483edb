package dbapi

// gorm is the table of GORM, https://gorm.io/docs. A *gorm.DB is a pool, a
// session or a transaction, and a chain of clauses at the same time.
func gorm() *Library {
	const (
		pkg = "gorm.io/gorm"
		db  = "*" + pkg + ".DB"
	)
	// The interfaces of the generic API, https://gorm.io/docs/the_generics_way.html.
	const (
		start  = pkg + ".Interface"
		create = pkg + ".CreateInterface"
		chain  = pkg + ".ChainInterface"
		finish = pkg + ".ExecInterface"
		update = pkg + ".SetUpdateOnlyInterface"
		upsert = pkg + ".SetCreateOrUpdateInterface"
	)
	return &Library{
		Name:     "gorm",
		Packages: []string{pkg, pkg + "/clause"},
		Style:    "gorm",
		Types: map[string]Handle{
			db: Flow, "*" + pkg + ".Association": Flow, pkg + ".ConnPool": Flow,
			start: Flow, create: Flow, chain: Flow, finish: Flow, update: Flow, upsert: Flow,
		},
		Fields: []string{pkg + ".Statement.DB", pkg + ".Statement.ConnPool"},
		NoRows: []string{pkg + ".ErrRecordNotFound"},
		Codes: map[string]string{ // of Config.TranslateError
			pkg + ".ErrDuplicatedKey":           "23505",
			pkg + ".ErrForeignKeyViolated":      "23503",
			pkg + ".ErrCheckConstraintViolated": "23514",
		},
		Funcs: join(
			in(pkg,
				f("Open", Open, "dialector opts"),
				f("Expr", Text, "sql args", clause("expr")),
				f("G", Chain, "h args", clause("generic")),
				f("Scan", Collect, "from db mode"),
			),
			on(db,
				f("WithContext", Derive, "h ctx"),
				f("Session", Derive, "h config", clause("session")), // NewDB drops the clauses
				f("Debug", Derive, "h"),
				f("DB", Derive, "h", gives(Pool)),

				f("Transaction", RunTx, "h fn(h) opts"),
				f("Begin", Begin, "h opts"),
				f("Commit", Commit, "h"),
				f("Rollback", Rollback, "h"),
				f("SavePoint", Savepoint, "h name"),
				f("RollbackTo", RollbackTo, "h name"),
				f("Connection", RunSession, "h fn(h)"),

				gormChains(),
				f("Model", Chain, "h val", clause("model")),
				f("Clauses", Chain, "h args", clause("clauses")),
				f("Scopes", Chain, "h fn(h)", clause("scopes")),
				f("Unscoped", Chain, "h", clause("unscoped")),
				f("Select", Chain, "h sql args", clause("select")),
				f("Joins", Chain, "h sql args", clause("joins")),
				f("InnerJoins", Chain, "h sql args", clause("innerjoins")),
				f("Preload", Chain, "h association args", clause("preload")),
				f("Attrs", Chain, "h val", clause("attrs")),
				f("Assign", Chain, "h val", clause("assign")),
				f("Raw", Chain, "h sql args", clause("raw")),
				f("Set InstanceSet", Chain, "h key value", clause("set")),
				f("Association", Chain, "h col", clause("association")),

				f("First", Finish, "h dst args", clause("first")),
				f("Take", Finish, "h dst args", clause("take")),
				f("Last", Finish, "h dst args", clause("last")),
				f("Find", Finish, "h dst args", clause("find")),
				f("FindInBatches", Finish, "h dst n fn(h)", clause("findinbatches")),
				f("Scan", Finish, "h dst", clause("scan")),
				f("Row", Finish, "h", clause("row"), row),
				f("Rows", Finish, "h", clause("rows"), rows),
				f("Pluck", Finish, "h col dst", clause("pluck")),
				f("Count", Finish, "h dst", clause("count")),
				f("FirstOrInit", Finish, "h dst args", clause("firstorinit")),
				f("FirstOrCreate", Finish, "h dst args", clause("firstorcreate")),

				f("Create", Finish, "h val", clause("create"), exec),
				f("CreateInBatches", Finish, "h val n", clause("create"), exec),
				f("Save", Finish, "h val", clause("save"), exec),
				f("Update", Finish, "h col val", clause("update"), exec),
				f("Updates", Finish, "h val", clause("updates"), exec),
				f("UpdateColumn", Finish, "h col val", clause("updatecolumn"), exec),
				f("UpdateColumns", Finish, "h val", clause("updatecolumns"), exec),
				f("Delete", Finish, "h val args", clause("delete"), exec),

				f("Exec", Run, "h sql args", exec),
				f("ScanRows", Scan, "db from dst"),
				f("ToSQL", Text, "h fn(h)", clause("dryrun")), // nothing in the function is run
				f("AutoMigrate", Migration, "h val"),
			),
			on("*"+pkg+".Association",
				f("Find", Finish, "h dst args", clause("association.find")),
				f("Append", Finish, "h val", clause("association.append"), exec),
				f("Replace", Finish, "h val", clause("association.replace"), exec),
				f("Delete", Finish, "h val", clause("association.delete"), exec),
				f("Clear", Finish, "h", clause("association.clear"), exec),
				f("Count", Finish, "h", clause("association.count")),
				f("Unscoped", Chain, "h", clause("unscoped")),
			),
			on(start,
				f("Raw", Chain, "h sql args", clause("raw")),
				f("Exec", Run, "h ctx sql args", exec),
			),
			on(create, gormGenericChains(),
				f("Create", Finish, "h ctx val", clause("create"), exec),
				f("CreateInBatches", Finish, "h ctx val n", clause("create"), exec),
			),
			on(chain, gormGenericChains()),
			on(finish,
				f("First", Finish, "h ctx", clause("first")),
				f("Take", Finish, "h ctx", clause("take")),
				f("Last", Finish, "h ctx", clause("last")),
				f("Find", Finish, "h ctx", clause("find")),
				f("FindInBatches", Finish, "h ctx n fn", clause("findinbatches")),
				f("Scan", Finish, "h ctx dst", clause("scan")),
				f("Row", Finish, "h ctx", clause("row"), row),
				f("Rows", Finish, "h ctx", clause("rows"), rows),
			),
			on(update, f("Update", Finish, "h ctx", clause("update"), exec)),
			on(upsert,
				f("Create", Finish, "h ctx", clause("create"), exec),
				f("Update", Finish, "h ctx", clause("update"), exec),
			),
			on(pkg+".Rows",
				f("Scan", Scan, "from args"),
				f("Next", Next, "from"),
				f("Close", CloseRows, "from"),
			),
			on(pkg+".ConnPool", sqlStatementsContext()),
			on(pkg+".ConnPoolBeginner", f("BeginTx", Begin, "h ctx opts")),
			on(pkg+".TxBeginner", f("BeginTx", Begin, "h ctx opts")),
			on(pkg+".TxCommitter", f("Commit", Commit, "h"), f("Rollback", Rollback, "h")),
		),
	}
}

// gormChains are the clauses that both APIs of GORM have in the same form.
func gormChains() []Func {
	return join(
		f("Table", Chain, "h table args", clause("table")),
		f("Where", Chain, "h sql args", clause("where")),
		f("Or", Chain, "h sql args", clause("or")),
		f("Not", Chain, "h sql args", clause("not")),
		f("Having", Chain, "h sql args", clause("having")),
		f("Group", Chain, "h col", clause("group")),
		f("Order", Chain, "h sql", clause("order")),
		f("Limit", Chain, "h n", clause("limit")),
		f("Offset", Chain, "h n", clause("offset")),
		f("Distinct", Chain, "h args", clause("distinct")),
		f("Omit", Chain, "h col", clause("omit")),
		f("MapColumns", Chain, "h map", clause("mapcolumns")),
	)
}

// gormGenericChains are the methods of ChainInterface and CreateInterface.
func gormGenericChains() []Func {
	return join(gormChains(),
		f("Select", Chain, "h sql args", clause("select")),
		f("Joins", Chain, "h target fn", clause("joins")),
		f("Preload", Chain, "h association fn", clause("preload")),
		f("Set", Chain, "h val", clause("set")),
		f("Count", Finish, "h ctx col", clause("count")),
		f("Update", Finish, "h ctx col val", clause("update"), exec),
		f("Updates", Finish, "h ctx val", clause("updates"), exec),
		f("Delete", Finish, "h ctx", clause("delete"), exec),
	)
}
