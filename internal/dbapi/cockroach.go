package dbapi

// cockroach is the table of cockroach-go,
// https://pkg.go.dev/github.com/cockroachdb/cockroach-go/v2/crdb: transactions
// that are tried again on 40001. Between the tries it goes back to a savepoint,
// which PostgreSQL takes for the same transaction, with the same snapshot. Its
// functions that begin none are in the table of [retry].
func cockroach() *Library {
	const pkg = "github.com/cockroachdb/cockroach-go/v2/crdb"
	serialization := retries("40001")
	return &Library{
		Name:     "cockroach-go",
		Packages: []string{pkg + "/..."},
		Style:    "$",
		Funcs: join(
			in(pkg,
				f("ExecuteTx", RunTx, "ctx h opts fn(h)", serialization),
				f("WithMaxRetries", CtxDerive, "ctx n"),
			),
			in(pkg+"/crdbpgx", f("ExecuteTx", RunTx, "ctx h opts fn(h)", serialization)),
			in(pkg+"/crdbpgxv5", f("ExecuteTx", RunTx, "ctx h opts fn(h)", serialization)),
			in(pkg+"/crdbgorm", f("ExecuteTx", RunTx, "ctx h opts fn(h)", serialization)),
			in(pkg+"/crdbsqlx", f("ExecuteTx", RunTx, "ctx h opts fn(h)", serialization)),
		),
	}
}
