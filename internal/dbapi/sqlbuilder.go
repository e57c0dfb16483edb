package dbapi

// sqlbuilder is the table of go-sqlbuilder, https://pkg.go.dev/github.com/huandu/go-sqlbuilder.
// Its builders change in place, also where the result of a call is not used; it
// makes texts and runs none.
func sqlbuilder() *Library {
	const (
		pkg                       = "github.com/huandu/go-sqlbuilder"
		sel, ins, upd, del, union = "*" + pkg + ".SelectBuilder", "*" + pkg + ".InsertBuilder", "*" + pkg + ".UpdateBuilder", "*" + pkg + ".DeleteBuilder", "*" + pkg + ".UnionBuilder"
		structs                   = "*" + pkg + ".Struct"
	)
	return &Library{
		Name:     "go-sqlbuilder",
		Packages: []string{pkg},
		Style:    "?", // $ in the flavor of PostgreSQL
		Types:    map[string]Handle{sel: Flow, ins: Flow, upd: Flow, del: Flow, union: Flow},
		Builders: []string{sel, ins, upd, del, union},
		InPlace:  true,
		Funcs: join(
			in(pkg,
				f("NewSelectBuilder NewInsertBuilder NewUpdateBuilder NewDeleteBuilder", Chain, "", clause("start")),
				f("NewUnionBuilder", Chain, "", clause("opaque")),
				f("Union UnionAll", Chain, "args", clause("opaque")),
				f("Select", Chain, "col", clause("select")),
				f("Update", Chain, "table", clause("update")),
				f("DeleteFrom", Chain, "table", clause("delete")),
				f("InsertInto", Chain, "table", clause("insert")),
				f("InsertIgnoreInto ReplaceInto", Chain, "table", clause("opaque")),
			),
			on(pkg+".Flavor",
				f("NewSelectBuilder NewInsertBuilder NewUpdateBuilder NewDeleteBuilder", Chain, "flavor", clause("start")),
				f("NewUnionBuilder", Chain, "flavor", clause("opaque")),
			),
			on(structs,
				f("SelectFrom", Chain, "struct table", clause("select")),
				f("SelectFromForTag", Chain, "struct table tag", clause("select")),
				f("Update", Chain, "struct table val", clause("update")),
				f("UpdateForTag", Chain, "struct table tag val", clause("update")),
				f("InsertInto", Chain, "struct table args", clause("insert")),
				f("InsertIntoForTag", Chain, "struct table tag args", clause("insert")),
				f("InsertIgnoreInto ReplaceInto", Chain, "struct table args", clause("opaque")),
				f("InsertIgnoreIntoForTag ReplaceIntoForTag", Chain, "struct table tag args", clause("opaque")),
				f("DeleteFrom", Chain, "struct table", clause("delete")),
			),
			on(sel, sqlbuilderAll(), sqlbuilderRange(),
				f("Select SelectMore", Chain, "h col", clause("select")),
				f("Distinct", Chain, "h", clause("distinct")),
				f("From", Chain, "h table", clause("from")),
				f("Join", Chain, "h table args", clause("join")),
				f("JoinWithOption", Chain, "h option table args", clause("join")),
				f("Having", Chain, "h args", clause("having")),
				f("GroupBy", Chain, "h col", clause("groupby")),
				f("Offset", Chain, "h n", clause("offset")),
				f("ForUpdate", Chain, "h table", clause("for update")),
				f("ForShare", Chain, "h table", clause("for share")),
				f("SkipLocked", Chain, "h", clause("skip locked")),
				f("NoWait", Chain, "h", clause("nowait")),
			),
			on(upd, sqlbuilderAll(), sqlbuilderRange(),
				f("Update", Chain, "h table", clause("update")),
				f("Set SetMore", Chain, "h args", clause("set")),
				f("From", Chain, "h table", clause("join")),
				f("Returning", Chain, "h col", clause("returning")),
			),
			on(del, sqlbuilderAll(), sqlbuilderRange(),
				f("DeleteFrom", Chain, "h table", clause("delete")),
				f("Using", Chain, "h table", clause("join")),
				f("Returning", Chain, "h col", clause("returning")),
			),
			on(ins, sqlbuilderAll(),
				f("InsertInto", Chain, "h table", clause("insert")),
				f("InsertIgnoreInto ReplaceInto", Chain, "h table", clause("opaque")),
				f("Cols", Chain, "h col", clause("columns")),
				f("Values", Chain, "h args", clause("values")),
				f("Select", Chain, "h col", clause("insertselect")),
				f("Returning", Chain, "h col", clause("returning")),
			),
			on(union, sqlbuilderAll(),
				f("Union UnionAll", Chain, "h args", clause("opaque")),
				f("OrderBy", Chain, "h col", clause("order")),
				f("OrderByAsc OrderByDesc", Chain, "h col", clause("order")),
				f("Asc Desc", Chain, "h", clause("direction")),
				f("Limit Offset", Chain, "h n", clause("limit")),
			),
		),
	}
}

// sqlbuilderAll are the methods of all builders.
func sqlbuilderAll() []Func {
	return join(
		f("Clone", Derive, "h"),
		f("SQL", Chain, "h sql", clause("sql")),
		f("Build", Text, "h", clause("tosql")),
		f("BuildWithFlavor", Text, "h flavor args", clause("tosql")),
	)
}

// sqlbuilderRange are the methods that choose rows.
func sqlbuilderRange() []Func {
	return join(
		f("With", Chain, "h other", clause("with")),
		f("Where", Chain, "h args", clause("where")),
		f("AddWhereClause", Chain, "h other", clause("opaque")),
		f("OrderBy", Chain, "h col", clause("order")),
		f("OrderByAsc OrderByDesc", Chain, "h col", clause("order")),
		f("Asc Desc", Chain, "h", clause("direction")),
		f("Limit", Chain, "h n", clause("limit")),
	)
}
