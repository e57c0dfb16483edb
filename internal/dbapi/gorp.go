package dbapi

// gorpV3 is the table of gorp, version 3, https://pkg.go.dev/github.com/go-gorp/gorp/v3.
// Texts are passed on to database/sql as they are. Get, Insert, Update and Delete
// read and write whole rows of the tables that the program has mapped types to.
// Update and Delete write by the key, and where there is a version they return an
// error if it is not the row's.
func gorpV3() *Library {
	const (
		pkg    = "github.com/go-gorp/gorp/v3"
		db, tx = "*" + pkg + ".DbMap", "*" + pkg + ".Transaction"
		either = pkg + ".SqlExecutor"
	)
	return &Library{
		Name:     "gorp",
		Packages: []string{pkg},
		Style:    "$",
		Types:    map[string]Handle{db: Pool, tx: Tx, either: Flow},
		Fields:   []string{pkg + ".DbMap.Db"},
		Funcs: join(
			in(pkg,
				f("SelectInt SelectNullInt SelectFloat SelectNullFloat SelectStr SelectNullStr", Run, "h sql args"),
				f("SelectOne", Run, "dbmap h dst sql args"),
			),
			on(db, gorpStatements(),
				f("Begin", Begin, "h"),
				f("Prepare", Prepare, "h sql"),
				f("UpdateColumns", Finish, "h col val", clause("update"), exec, checks),
				f("CreateTables CreateTablesIfNotExists DropTables DropTablesIfExists TruncateTables", Migration, "h"),
			),
			on(tx, gorpStatements(),
				f("Prepare", Prepare, "h sql"),
				f("UpdateColumns", Finish, "h col val", clause("update"), exec, checks),
				f("Commit", Commit, "h"),
				f("Rollback", Rollback, "h"),
				f("Savepoint", Savepoint, "h name"),
				f("RollbackToSavepoint", RollbackTo, "h name"),
			),
			on(either, gorpStatements()),
		),
	}
}

// gorpStatements are the methods that pools and transactions share.
func gorpStatements() []Func {
	return join(
		f("WithContext", Derive, "h ctx"),
		f("Exec", Run, "h sql args", exec),
		f("Query", Run, "h sql args", rows),
		f("QueryRow", Run, "h sql args", row),
		f("Select SelectOne", Run, "h dst sql args"),
		f("SelectInt SelectNullInt SelectFloat SelectNullFloat SelectStr SelectNullStr", Run, "h sql args"),
		f("Get", Finish, "h val args", clause("get")),
		f("Insert", Finish, "h val", clause("insert"), exec),
		f("Update", Finish, "h val", clause("update"), exec, checks),
		f("Delete", Finish, "h val", clause("delete"), exec, checks),
	)
}
