package dbapi

// goqu is the table of goqu, version 9, https://doug-martin.github.io/goqu.
// Datasets do not change: each method returns another.
func goqu() *Library {
	const (
		pkg                = "github.com/doug-martin/goqu/v9"
		db, tx             = "*" + pkg + ".Database", "*" + pkg + ".TxDatabase"
		sel, ins, upd, del = "*" + pkg + ".SelectDataset", "*" + pkg + ".InsertDataset", "*" + pkg + ".UpdateDataset", "*" + pkg + ".DeleteDataset"
		executor           = pkg + "/exec.QueryExecutor"
		scanner            = pkg + "/exec.Scanner"
		dialect            = pkg + ".DialectWrapper"
	)
	return &Library{
		Name:     "goqu",
		Packages: []string{pkg, pkg + "/exec", pkg + "/exp"},
		Style:    "?",
		Types: map[string]Handle{
			db: Pool, tx: Tx, pkg + ".SQLDatabase": Pool, pkg + ".SQLTx": Tx,
			sel: Flow, ins: Flow, upd: Flow, del: Flow, executor: Flow, dialect: Flow,
		},
		Builders: []string{sel, ins, upd, del},
		Fields:   []string{pkg + ".Database.Db", pkg + ".TxDatabase.Tx"},
		Funcs: join(
			in(pkg,
				f("New", Derive, "dialect h", gives(Pool)),
				f("NewTx", Derive, "dialect h"),
				f("From", Chain, "table", clause("from")),
				f("Select", Chain, "col", clause("select")),
				f("Update Insert Delete", Chain, "table", clause("from")),
				f("Dialect", Chain, "dialect", clause("dialect")),
				f("L Literal", Text, "sql args", clause("expr")),
			),
			on(dialect, goquStarts(), f("DB", Derive, "dialect h", gives(Pool))),
			on(db, goquStarts(), goquStatements(),
				f("Begin", Begin, "h"),
				f("BeginTx", Begin, "h ctx opts"),
				f("WithTx", RunTx, "h fn(h)"),
			),
			on(tx, goquStarts(), goquStatements(),
				f("Commit", Commit, "h"),
				f("Rollback", Rollback, "h"),
				f("Wrap", Commit, "h fn"), // runs fn, then commits or rolls back
			),
			on(sel, goquRange(), goquOfAll(), goquScans(),
				f("From", Chain, "h table", clause("from")),
				f("Select SelectDistinct SelectAppend", Chain, "h col", clause("select")),
				f("Distinct", Chain, "h col", clause("distinct")),
				f("Join InnerJoin FullOuterJoin RightOuterJoin LeftOuterJoin FullJoin RightJoin LeftJoin", Chain, "h other condition", clause("join")),
				f("CrossJoin NaturalJoin NaturalLeftJoin NaturalRightJoin NaturalFullJoin", Chain, "h other", clause("join")),
				f("ForUpdate", Chain, "h opts args", clause("for update")),
				f("ForNoKeyUpdate", Chain, "h opts args", clause("for no key update")),
				f("ForShare", Chain, "h opts args", clause("for share")),
				f("ForKeyShare", Chain, "h opts args", clause("for key share")),
				f("GroupBy GroupByAppend", Chain, "h col", clause("groupby")),
				f("Having", Chain, "h args", clause("having")),
				f("Offset", Chain, "h n", clause("offset")),
				f("ClearOffset ClearSelect", Chain, "h", clause("clear")),
				f("As", Chain, "h alias", clause("as")),
				f("FromSelf CompoundFromSelf", Chain, "h", clause("opaque")),
				f("Union UnionAll Intersect IntersectAll", Chain, "h other", clause("opaque")),
				f("Update Delete Insert", Chain, "h", clause("convert")),
				pair("Count", Finish, "h", clause("count")),
				pair("Pluck", Finish, "h dst col", clause("pluck")),
			),
			on(upd, goquRange(), goquOfAll(),
				f("Table", Chain, "h table", clause("from")),
				f("From", Chain, "h other", clause("join")),
				f("Set", Chain, "h val", clause("set")),
				f("Returning", Chain, "h col", clause("returning")),
			),
			on(del, goquRange(), goquOfAll(),
				f("From", Chain, "h table", clause("from")),
				f("Returning", Chain, "h col", clause("returning")),
			),
			on(ins, goquOfAll(),
				f("Into", Chain, "h table", clause("from")),
				f("Cols ColsAppend", Chain, "h col", clause("columns")),
				f("Vals", Chain, "h args", clause("values")),
				f("Rows", Chain, "h args", clause("rows")),
				f("FromQuery", Chain, "h other", clause("insertselect")),
				f("OnConflict", Chain, "h other", clause("onconflict")),
				f("Returning", Chain, "h col", clause("returning")),
			),
			on(executor, goquScans(),
				pair("Exec", Finish, "h", clause("exec"), exec),
				pair("Query", Finish, "h", clause("query"), rows),
				pair("Scanner", Finish, "h", clause("query"), rows),
				f("ToSQL", Text, "h", clause("tosql")),
			),
			on(pkg+".SQLDatabase", goquInterface(), f("Begin", Begin, "h"), f("BeginTx", Begin, "h ctx opts")),
			on(pkg+".SQLTx", goquInterface(), f("Commit", Commit, "h"), f("Rollback", Rollback, "h")),
			on(scanner,
				f("Next", Next, "from"),
				f("Close", CloseRows, "from"),
				f("ScanStruct ScanVal", Scan, "from dst"),
				f("ScanStructs ScanVals", Collect, "from dst"),
			),
		),
	}
}

// goquStarts are the methods that begin a dataset.
func goquStarts() []Func {
	return join(
		f("From", Chain, "h table", clause("from")),
		f("Select", Chain, "h col", clause("select")),
		f("Update Insert Delete", Chain, "h table", clause("from")),
	)
}

// goquStatements are the methods that take a text.
func goquStatements() []Func {
	return join(
		pair("Exec", Run, "h sql args", exec, style("$")),
		pair("Query", Run, "h sql args", rows, style("$")),
		pair("QueryRow", Run, "h sql args", row, style("$")),
		pair("Prepare", Prepare, "h sql"),
		pair("ScanStructs ScanStruct ScanVals ScanVal", Run, "h dst sql args", style("$")),
	)
}

// goquInterface are the methods of the interfaces of database/sql's handles.
func goquInterface() []Func {
	return join(
		f("ExecContext", Run, "h ctx sql args", exec, style("$")),
		f("QueryContext", Run, "h ctx sql args", rows, style("$")),
		f("QueryRowContext", Run, "h ctx sql args", row, style("$")),
		f("PrepareContext", Prepare, "h ctx sql"),
	)
}

// goquOfAll are the methods of all datasets.
func goquOfAll() []Func {
	return join(
		f("With WithRecursive", Chain, "h name other", clause("with")),
		f("Prepared", Derive, "h prepared"),
		f("WithDialect SetDialect", Derive, "h dialect"),
		f("SetError", Derive, "h err"),
		f("Executor", Chain, "h", clause("executor")),
		f("ToSQL", Text, "h", clause("tosql")),
	)
}

// goquRange are the methods that choose rows.
func goquRange() []Func {
	return join(
		f("Where", Chain, "h args", clause("where")),
		f("ClearWhere", Chain, "h", clause("opaque")),
		f("Order OrderAppend OrderPrepend", Chain, "h col", clause("order")),
		f("Limit", Chain, "h n", clause("limit")),
		f("ClearLimit ClearOrder LimitAll", Chain, "h", clause("clear")),
	)
}

// goquScans are the methods that run a dataset and read its rows.
func goquScans() []Func {
	return pair("ScanStructs ScanStruct ScanVals ScanVal", Finish, "h dst", clause("scan"))
}
