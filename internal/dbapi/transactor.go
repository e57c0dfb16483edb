package dbapi

// transactor is the table of Transactor, https://pkg.go.dev/github.com/Thiht/transactor.
// It keeps the transaction in the context, where a DBGetter, a function, finds
// it; the getter returns the pool where there is none. A transaction in a
// transaction is a savepoint, or an error, as the program has chosen.
func transactor() *Library {
	const pkg = "github.com/Thiht/transactor"
	lib := &Library{
		Name:     "transactor",
		Packages: []string{pkg + "/..."},
		Style:    "$",
		Types:    map[string]Handle{pkg + ".Transactor": Runner, pkg + "/stdlib.DB": Flow},
		Funcs: join(
			on(pkg+".Transactor", f("WithinTransaction", RunTx, "h ctx fn(ctx)")),
			in(pkg+"/stdlib",
				f("NewTransactor", Derive, "h strategy", gives(Runner)),
				f("DBGetter", Getter, "ctx", gives(Pool)),
			),
			on(pkg+"/stdlib.DB", sqlStatements()),
		),
	}
	// Modules of their own, with the same functions.
	for _, driver := range []string{"/pgx", "/sqlx"} {
		lib.Funcs = append(lib.Funcs, in(pkg+driver,
			f("NewTransactor NewTransactorFromPool", Derive, "h", gives(Runner)),
			f("DBGetter", Getter, "ctx", gives(Pool)),
		)...)
		lib.Funcs = append(lib.Funcs, on("*"+pkg+driver+".Transactor", f("WithinTransaction", RunTx, "h ctx fn(ctx)"))...)
	}
	return lib
}
