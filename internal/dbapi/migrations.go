package dbapi

// migrationTools is the name of the table of migration tools.
const migrationTools = "migrations"

// migrations is the table of the tools that run migrations, each on a session
// of its own: https://pressly.github.io/goose,
// https://github.com/golang-migrate/migrate, https://github.com/jackc/tern,
// https://github.com/go-gormigrate/gormigrate,
// https://bun.uptrace.dev/guide/migrations.html.
func migrations() *Library {
	const (
		goose      = "github.com/pressly/goose/v3"
		migrate    = "github.com/golang-migrate/migrate/v4"
		tern       = "github.com/jackc/tern/v2/migrate"
		gormigrate = "github.com/go-gormigrate/gormigrate/v2"
		bun        = "github.com/uptrace/bun/migrate"
	)
	return &Library{
		Name: migrationTools,
		Packages: []string{
			goose + "/...", migrate + "/...", "github.com/jackc/tern/...", gormigrate + "/...", bun + "/...",
			"github.com/rubenv/sql-migrate/...", "github.com/amacneil/dbmate/...", "ariga.io/atlas/...", "ariga.io/atlas-go-sdk/...",
			"github.com/go-pg/migrations/...", "github.com/lopezator/migrator/...", "github.com/GuiaBolso/darwin/...",
			"github.com/maragudk/migrate/...", "maragu.dev/migrate/...", "entgo.io/ent/dialect/sql/schema/...",
		},
		Style: "$",
		Funcs: join(
			in(goose,
				f("AddMigration AddMigrationNoTx", Migration, "fn(h) down"),
				f("AddMigrationContext AddMigrationNoTxContext", Migration, "fn(ctx,h) down"),
				f("AddNamedMigration AddNamedMigrationNoTx", Migration, "name fn(h) down"),
				f("AddNamedMigrationContext AddNamedMigrationNoTxContext", Migration, "name fn(ctx,h) down"),
				pairFunc("Up UpByOne Down Redo Reset", Migration, "h dir opts"),
				pairFunc("UpTo DownTo", Migration, "h dir n opts"),
				f("OpenDBWithDriver", Open, "driver dsn"),
			),
			on("*"+goose+".Provider", f("Up UpByOne Down", Migration, "p ctx"), f("UpTo DownTo", Migration, "p ctx n")),
			on("*"+migrate+".Migrate", f("Up Down Drop", Migration, "m"), f("Steps Force", Migration, "m n")),
			on("*"+tern+".Migrator", f("Migrate", Migration, "m ctx"), f("MigrateTo", Migration, "m ctx n")),
			in(tern, f("LockExecTx", Run, "ctx h sql", exec)),
			on("*"+gormigrate+".Gormigrate", f("Migrate RollbackLast", Migration, "m"), f("InitSchema", Migration, "m fn(h)")),
			on("*"+bun+".Migrator", f("Migrate Rollback", Migration, "m ctx opts")),
			on("*"+bun+".Migrations", f("Register MustRegister", Migration, "m fn down")),
		),
	}
}
