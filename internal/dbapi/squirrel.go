package dbapi

// squirrel is the table of squirrel, https://pkg.go.dev/github.com/Masterminds/squirrel.
// Its builders make the text; it runs on the handle given to RunWith or is
// taken out with ToSql.
func squirrel() *Library {
	const (
		pkg                = "github.com/Masterminds/squirrel"
		sel, ins, upd, del = pkg + ".SelectBuilder", pkg + ".InsertBuilder", pkg + ".UpdateBuilder", pkg + ".DeleteBuilder"
		start              = pkg + ".StatementBuilderType"
	)
	return &Library{
		Name:     "squirrel",
		Packages: []string{pkg},
		Style:    "?", // $ after PlaceholderFormat(Dollar)
		Types:    map[string]Handle{sel: Flow, ins: Flow, upd: Flow, del: Flow, start: Flow},
		Builders: []string{sel, ins, upd, del},
		Funcs: join(
			in(pkg,
				f("Select", Chain, "col", clause("select")),
				f("Insert", Chain, "table", clause("insert")),
				f("Replace", Chain, "table", clause("replace")),
				f("Update", Chain, "table", clause("update")),
				f("Delete", Chain, "table", clause("delete")),
				f("Expr", Text, "sql args", clause("expr")),
				f("ExecWith", Finish, "h on", clause("exec"), exec),
				f("ExecContextWith", Finish, "ctx h on", clause("exec"), exec),
				f("QueryWith", Finish, "h on", clause("query"), rows),
				f("QueryContextWith", Finish, "ctx h on", clause("query"), rows),
				f("QueryRowWith", Finish, "h on", clause("queryrow"), row),
				f("QueryRowContextWith", Finish, "ctx h on", clause("queryrow"), row),
				f("WrapStdSql WrapStdSqlCtx NewStmtCache NewStmtCacher NewStmtCacheProxy", Derive, "h"),
			),
			on(start,
				f("Select", Chain, "h col", clause("select")),
				f("Insert", Chain, "h table", clause("insert")),
				f("Replace", Chain, "h table", clause("replace")),
				f("Update", Chain, "h table", clause("update")),
				f("Delete", Chain, "h table", clause("delete")),
				f("Where", Chain, "h sql args", clause("where")),
				f("PlaceholderFormat", Chain, "h format", clause("placeholderformat")),
				f("RunWith", Chain, "h on", clause("runwith")),
			),
			on(sel, squirrelBuilder(), squirrelOne(), squirrelRange(),
				f("Columns", Chain, "h col", clause("columns")),
				f("Column", Chain, "h sql args", clause("column")),
				f("RemoveColumns", Chain, "h", clause("removecolumns")),
				f("Distinct", Chain, "h", clause("distinct")),
				f("Options", Chain, "h sql", clause("options")),
				f("From", Chain, "h table", clause("from")),
				f("FromSelect", Chain, "h other alias", clause("fromselect")),
				f("Join", Chain, "h sql args", clause("join")),
				f("InnerJoin", Chain, "h sql args", clause("innerjoin")),
				f("LeftJoin", Chain, "h sql args", clause("leftjoin")),
				f("RightJoin", Chain, "h sql args", clause("rightjoin")),
				f("CrossJoin", Chain, "h sql args", clause("crossjoin")),
				f("JoinClause", Chain, "h sql args", clause("joinclause")),
				f("GroupBy", Chain, "h col", clause("groupby")),
				f("Having", Chain, "h sql args", clause("having")),
				f("OrderByClause", Chain, "h sql args", clause("orderbyclause")),
				f("RemoveLimit", Chain, "h", clause("removelimit")),
				f("RemoveOffset", Chain, "h", clause("removeoffset")),
			),
			on(ins, squirrelBuilder(), squirrelOne(),
				f("Into", Chain, "h table", clause("into")),
				f("Columns", Chain, "h col", clause("columns")),
				f("Values", Chain, "h args", clause("values")),
				f("SetMap", Chain, "h val", clause("setmap")),
				f("Select", Chain, "h other", clause("insertselect")),
				f("Options", Chain, "h sql", clause("options")),
			),
			on(upd, squirrelBuilder(), squirrelOne(), squirrelRange(),
				f("Table", Chain, "h table", clause("table")),
				f("Set", Chain, "h col val", clause("set")),
				f("SetMap", Chain, "h val", clause("setmap")),
				f("From", Chain, "h table", clause("from")),
				f("FromSelect", Chain, "h other alias", clause("fromselect")),
			),
			on(del, squirrelBuilder(), squirrelRange(),
				f("From", Chain, "h table", clause("from")),
			),
			on(pkg+".Sqlizer", f("ToSql", Text, "h", clause("tosql"))),
			on(pkg+".RowScanner", f("Scan", Scan, "from args")),
			on("*"+pkg+".Row", f("Scan", Scan, "from args")),

			// The interfaces of the runners.
			on(pkg+".Execer", f("Exec", Run, "h sql args", exec)),
			on(pkg+".ExecerContext", f("ExecContext", Run, "h ctx sql args", exec)),
			on(pkg+".Queryer", f("Query", Run, "h sql args", rows)),
			on(pkg+".QueryerContext", f("QueryContext", Run, "h ctx sql args", rows)),
			on(pkg+".QueryRower", f("QueryRow", Run, "h sql args", row)),
			on(pkg+".QueryRowerContext", f("QueryRowContext", Run, "h ctx sql args", row)),
		),
	}
}

// squirrelBuilder are the methods of all builders.
func squirrelBuilder() []Func {
	return join(
		f("Prefix", Chain, "h sql args", clause("prefix")),
		f("PrefixExpr", Chain, "h sql", clause("prefix")),
		f("Suffix", Chain, "h sql args", clause("suffix")),
		f("SuffixExpr", Chain, "h sql", clause("suffix")),
		f("PlaceholderFormat", Chain, "h format", clause("placeholderformat")),
		f("RunWith", Chain, "h on", clause("runwith")),
		f("ToSql MustSql", Text, "h", clause("tosql")),
		pair("Exec", Finish, "h", clause("exec"), exec),
		pair("Query", Finish, "h", clause("query"), rows),
		f("QueryRowContext", Finish, "h ctx", clause("queryrow"), row),
		f("ScanContext", Finish, "h ctx args", clause("scan")),
	)
}

// squirrelOne are the methods for one row that DeleteBuilder does not have.
func squirrelOne() []Func {
	return join(
		f("QueryRow", Finish, "h", clause("queryrow"), row),
		f("Scan", Finish, "h args", clause("scan")),
	)
}

// squirrelRange are the methods that choose rows.
func squirrelRange() []Func {
	return join(
		f("Where", Chain, "h sql args", clause("where")),
		f("OrderBy", Chain, "h sql", clause("orderby")),
		f("Limit", Chain, "h n", clause("limit")),
		f("Offset", Chain, "h n", clause("offset")),
	)
}
