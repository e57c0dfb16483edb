package dbapi

// jet is the table of Jet for PostgreSQL, version 2,
// https://github.com/go-jet/jet/wiki. Tables and columns are generated; a
// statement is given the handle when it is run.
func jet() *Library {
	const (
		root               = "github.com/go-jet/jet/v2"
		pkg                = root + "/postgres"
		sel, ins, upd, del = pkg + ".SelectStatement", pkg + ".InsertStatement", pkg + ".UpdateStatement", pkg + ".DeleteStatement"
		statement          = root + "/internal/jet.Statement"
	)
	return &Library{
		Name:     "go-jet",
		Packages: []string{pkg, root + "/qrm"},
		Style:    "?",
		Types:    map[string]Handle{sel: Flow, ins: Flow, upd: Flow, del: Flow, pkg + ".Statement": Flow, statement: Flow},
		NoRows:   []string{root + "/qrm.ErrNoRows"},
		Funcs: join(
			in(pkg, f("SELECT", Chain, "col cols", clause("select"))),
			on(pkg+".readableTable", f("SELECT", Chain, "table col cols", clause("select"))),
			on(pkg+".writableTable",
				f("INSERT", Chain, "table args", clause("insert")),
				f("UPDATE", Chain, "table args", clause("update")),
				f("DELETE", Chain, "table", clause("delete")),
			),
			on(sel,
				f("DISTINCT GROUP_BY", Chain, "h cols", clause("groupby")),
				f("FROM", Chain, "h table", clause("from")),
				f("WHERE", Chain, "h val", clause("where")),
				f("HAVING", Chain, "h condition", clause("having")),
				f("ORDER_BY", Chain, "h cols", clause("order")),
				f("LIMIT", Chain, "h n", clause("limit")),
				f("OFFSET", Chain, "h n", clause("offset")),
				f("OFFSET_e", Chain, "h offset", clause("offset")),
				f("FOR", Chain, "h val", clause("for")),
				f("UNION UNION_ALL INTERSECT INTERSECT_ALL EXCEPT EXCEPT_ALL", Chain, "h other", clause("opaque")),
			),
			on(ins,
				f("VALUES", Chain, "h val args", clause("values")),
				f("MODEL MODELS", Chain, "h val", clause("model")),
				f("QUERY", Chain, "h other", clause("insertselect")),
				f("ON_CONFLICT", Chain, "h cols", clause("onconflict")),
				f("RETURNING", Chain, "h cols", clause("returning")),
			),
			on(pkg+".onConflict",
				f("WHERE", Chain, "h condition", clause("onconflict")),
				f("ON_CONSTRAINT", Chain, "h name", clause("onconflict")),
			),
			on(pkg+".conflictTarget",
				f("DO_NOTHING", Chain, "h", clause("onconflict")),
				f("DO_UPDATE", Chain, "h action", clause("onconflict")),
			),
			on(upd,
				f("SET", Chain, "h val args", clause("set")),
				f("MODEL", Chain, "h val", clause("model")),
				f("FROM", Chain, "h other", clause("using")),
				f("WHERE", Chain, "h val", clause("where")),
				f("RETURNING", Chain, "h cols", clause("returning")),
			),
			on(del,
				f("USING", Chain, "h other", clause("using")),
				f("WHERE", Chain, "h val", clause("where")),
				f("RETURNING", Chain, "h cols", clause("returning")),
			),
			// What runs the statement is the handle, and the statement is the chain.
			on(statement,
				f("Query", Finish, "on h dst", clause("scan")),
				f("QueryContext", Finish, "on ctx h dst", clause("scan")),
				f("Exec", Finish, "on h", clause("exec"), exec),
				f("ExecContext", Finish, "on ctx h", clause("exec"), exec),
				f("Rows", Finish, "on ctx h", clause("rows"), rows),
				f("Sql", Text, "h", clause("tosql")),
			),
			on(root+"/qrm.Queryable", f("QueryContext", Run, "h ctx sql args", rows, style("$"))),
			on(root+"/qrm.Executable", f("ExecContext", Run, "h ctx sql args", exec, style("$"))),
		),
	}
}
