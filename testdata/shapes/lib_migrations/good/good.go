// Package good runs migrations with the tools that are made for it. Their settings
// and locks are on sessions of their own.
package good

import (
	"context"
	"database/sql"
	"embed"
	"errors"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database/postgres"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	tern "github.com/jackc/tern/v2/migrate"
	"github.com/pressly/goose/v3"
)

//go:embed *.go
var files embed.FS

func init() {
	goose.AddMigrationContext(up, down)
	goose.AddMigrationNoTxContext(upOutside, downOutside)
}

// up is run in a transaction of the tool's.
func up(ctx context.Context, tx *sql.Tx) error {
	for _, stmt := range []string{
		"SET lock_timeout = '5s'",
		"SET search_path TO shop",
		"SELECT pg_advisory_lock(7)",
		"LOCK TABLE events IN ACCESS EXCLUSIVE MODE",
		"ALTER TABLE events ADD COLUMN seats bigint",
	} {
		if _, err := tx.ExecContext(ctx, stmt); err != nil {
			return err
		}
	}
	return nil
}

func down(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "ALTER TABLE events DROP COLUMN seats")
	return err
}

// upOutside is given the pool of the tool, which nobody else uses.
func upOutside(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, "SET statement_timeout = 0"); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "CREATE INDEX CONCURRENTLY events_seats ON events (seats)")
	return err
}

func downOutside(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "DROP INDEX CONCURRENTLY events_seats")
	return err
}

// Goose migrates at the start of a program.
func Goose(ctx context.Context, db *sql.DB) error {
	goose.SetBaseFS(files)
	if err := goose.SetDialect("postgres"); err != nil {
		return err
	}
	return goose.UpContext(ctx, db, ".")
}

// Provider migrates with a provider.
func Provider(ctx context.Context, db *sql.DB) error {
	p, err := goose.NewProvider(goose.DialectPostgres, db, files)
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}

// Migrate migrates with golang-migrate, which locks by itself.
func Migrate(db *sql.DB) error {
	driver, err := postgres.WithInstance(db, &postgres.Config{})
	if err != nil {
		return err
	}
	source, err := iofs.New(files, ".")
	if err != nil {
		return err
	}
	m, err := migrate.NewWithInstance("iofs", source, "postgres", driver)
	if err != nil {
		return err
	}
	if err := m.Up(); err != nil && !errors.Is(err, migrate.ErrNoChange) {
		return err
	}
	return nil
}

// Tern migrates on a connection of its own, under a lock that the connection's end
// releases.
func Tern(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "SET lock_timeout = '5s'"); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(7)"); err != nil {
		return err
	}
	m, err := tern.NewMigrator(ctx, conn, "public.schema_version")
	if err != nil {
		return err
	}
	if err := m.LoadMigrations(files); err != nil {
		return err
	}
	return m.Migrate(ctx)
}
