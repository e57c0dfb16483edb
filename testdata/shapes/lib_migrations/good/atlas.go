package good

import (
	"context"
	"database/sql"

	"ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/postgres"
)

// Atlas migrates with Atlas as a library, on a pool that it keeps to itself.
func Atlas(ctx context.Context, dsn, dir string) error {
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, setting := range []string{"SET lock_timeout = '5s'", "SET statement_timeout = 0", "SELECT pg_advisory_lock(7)"} {
		if _, err := db.ExecContext(ctx, setting); err != nil {
			return err
		}
	}
	drv, err := postgres.Open(db)
	if err != nil {
		return err
	}
	files, err := migrate.NewLocalDir(dir)
	if err != nil {
		return err
	}
	ex, err := migrate.NewExecutor(drv, files, migrate.NopRevisionReadWriter{})
	if err != nil {
		return err
	}
	return ex.ExecuteN(ctx, 0)
}
