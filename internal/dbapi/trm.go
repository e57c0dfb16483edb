package dbapi

// trm is the table of go-transaction-manager, versions 1 and 2,
// https://pkg.go.dev/github.com/avito-tech/go-transaction-manager/trm/v2.
// A manager keeps the transaction in the context, where the getters of its
// drivers find it.
func trm() *Library {
	const (
		root     = "github.com/avito-tech/go-transaction-manager"
		v1, v2   = root + "/trm", root + "/trm/v2"
		settings = "/settings"
		manager  = "/manager"
	)
	lib := &Library{
		Name:     "trm",
		Packages: []string{root + "/..."},
		Types:    map[string]Handle{},
	}
	for _, pkg := range []string{v1, v2} {
		lib.Types[pkg+".Manager"] = Runner
		lib.Types[pkg+".Transaction"] = Tx
		lib.Types[pkg+".TrFactory"] = Runner
		lib.Types["*"+pkg+manager+".Manager"] = Runner
		lib.Types["*"+pkg+manager+".ChainedMW"] = Runner
		// In version 1 the name begins with a Cyrillic letter.
		ctxManager := pkg + ".\u0421txManager"
		if pkg == v2 {
			ctxManager = pkg + ".CtxManager"
		}
		lib.Funcs = append(lib.Funcs, join(
			on(pkg+".Manager", trmRunners()),
			on("*"+pkg+manager+".Manager", trmRunners()),
			on("*"+pkg+manager+".ChainedMW", trmRunners()),
			in(pkg+manager,
				f("New Must", Derive, "h opts", gives(Runner)),
				f("NewChained MustChained", Derive, "h opts", gives(Runner)), // of several managers
			),
			on(pkg+".Transaction",
				f("Commit", Commit, "h ctx"),
				f("Rollback", Rollback, "h ctx"),
				f("Transaction", Derive, "h"), // the driver's transaction, as an interface{}
			),
			on(ctxManager,
				f("Default", Getter, "mgr ctx", gives(Tx)),
				f("ByKey", Getter, "mgr ctx key", gives(Tx)),
				f("SetDefault", WithTx, "mgr ctx h"),
				f("SetByKey", WithTx, "mgr ctx key h"),
			),
			in(pkg+settings,
				f("New Must", Settings, "opts"),
				f("WithPropagation", Settings, "opts", clause("propagation")),
				f("WithCtxKey", Settings, "opts", clause("key")),
			),
		)...)
	}
	lib.Funcs = append(lib.Funcs, in(v2+manager, f("WithSettings", Settings, "opts"))...)
	for _, d := range []struct {
		name       string
		options    bool   // has settings of its own; sqlx uses those of sql
		factory    bool   // has NewFactory beside NewDefaultFactory
		statements []Func // the methods of Tr, the type that a getter returns
	}{
		{name: "sql", options: true, factory: true, statements: sqlStatements()},
		{name: "sqlx", factory: true, statements: trmSqlx()},
		{name: "pgxv4", options: true, factory: true, statements: join(trmPgx(), f("BeginFunc", RunTx, "h ctx fn(h)"), f("QueryFunc", Run, "h ctx sql args dst fn"))},
		{name: "pgxv5", options: true, factory: true, statements: trmPgx()},
		{name: "gorm", options: true},
	} {
		for _, pkg := range []string{root + "/" + d.name, root + "/drivers/" + d.name + "/v2"} {
			lib.Types["*"+pkg+".Transaction"] = Tx
			lib.Funcs = append(lib.Funcs, join(
				on("*"+pkg+".CtxGetter",
					f("DefaultTrOrDB", Getter, "getter ctx h"),
					f("TrOrDB", Getter, "getter ctx key h"),
				),
				on("*"+pkg+".Transaction",
					f("Commit", Commit, "h ctx"),
					f("Rollback", Rollback, "h ctx"),
					f("Transaction", Derive, "h"),
				),
				in(pkg, f("NewDefaultFactory", Derive, "h", gives(Runner))),
				only(d.factory)(in(pkg, f("NewFactory", Derive, "h", gives(Runner)))),
				only(d.options)(in(pkg,
					f("NewSettings MustSettings", Settings, "settings opts"),
					f("WithTxOptions", Settings, "opts"),
				)),
				on(pkg+".Tr", d.statements),
			)...)
		}
	}
	return lib
}

// trmRunners are the methods of a manager. With the default propagation,
// Required, a transaction that the context carries is joined.
func trmRunners() []Func {
	return join(
		f("Do", RunTx, "h ctx fn(ctx)", joins),
		f("DoWithSettings", RunTx, "h ctx opts fn(ctx)", joins),
	)
}

// trmPgx are the methods of the interface that the getters for pgx return.
func trmPgx() []Func {
	return join(pgxStatements(only(false)), f("Begin", Begin, "h ctx"))
}

// trmSqlx are the methods that the interface of the getter for sqlx adds to
// the interfaces of sqlx that it embeds.
func trmSqlx() []Func {
	return join(
		pair("Get Select", Run, "h dst sql args"),
		pair("MustExec", Run, "h sql args", exec, must),
		pair("NamedExec", Run, "h sql args", exec, style(":")),
		f("NamedQuery", Run, "h sql args", rows, style(":")),
		pair("Preparex", Prepare, "h sql"),
		pair("PrepareNamed", Prepare, "h sql", style(":")),
		pair("QueryRow", Run, "h sql args", row),
	)
}
