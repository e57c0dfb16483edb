// Package devices keeps what devices report: sqlx, and a transaction that
// travels in the context.
package devices

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jmoiron/sqlx"

	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/devices/txctx"
)

// Report is what a device says.
type Report struct {
	Device string
	Level  int
}

// Registry keeps the last report of each device.
type Registry struct{ db *sqlx.DB }

// NewRegistry returns a registry over the database.
func NewRegistry(db *sqlx.DB) *Registry { return &Registry{db: db} }

func (r *Registry) add(ctx context.Context, report Report) error {
	_, err := txctx.From(ctx, r.db).ExecContext(ctx, `INSERT INTO devices (name, level) VALUES ($1, $2)`, report.Device, report.Level)
	return err
}

func (r *Registry) update(ctx context.Context, report Report) (int64, error) {
	result, err := txctx.From(ctx, r.db).ExecContext(ctx, `UPDATE devices SET level = $2 WHERE name = $1`, report.Device, report.Level)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (r *Registry) count(ctx context.Context) error {
	_, err := txctx.From(ctx, r.db).ExecContext(ctx, `UPDATE counters SET reports = reports + 1`)
	return err
}

// Keep inserts, and updates if it cannot: too late in a transaction.
func (r *Registry) Keep(ctx context.Context, report Report) error {
	return txctx.Do(ctx, r.db, func(ctx context.Context) error {
		err := r.add(ctx, report)
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code == "23505" {
			_, err = r.update(ctx, report) // want "25P02"
		}
		if err != nil {
			return err
		}
		return r.count(ctx)
	})
}

// KeepEither lets PostgreSQL do the one or the other.
//
//proof:fixes (*Registry).Keep
func (r *Registry) KeepEither(ctx context.Context, report Report) error {
	return txctx.Do(ctx, r.db, func(ctx context.Context) error {
		_, err := txctx.From(ctx, r.db).ExecContext(ctx, `
			INSERT INTO devices (name, level) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET level = excluded.level`, report.Device, report.Level)
		if err != nil {
			return err
		}
		return r.count(ctx)
	})
}

// KeepOutside is right as well: without a transaction each statement is on its
// own.
func (r *Registry) KeepOutside(ctx context.Context, report Report) error {
	err := r.add(ctx, report)
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23505" {
		_, err = r.update(ctx, report)
	}
	if err != nil {
		return err
	}
	return r.count(ctx)
}

// Level is right as well: a device without a report is no error of
// PostgreSQL's.
func (r *Registry) Level(ctx context.Context, device string) (level int, err error) {
	err = txctx.Do(ctx, r.db, func(ctx context.Context) error {
		err := txctx.From(ctx, r.db).GetContext(ctx, &level, `SELECT level FROM devices WHERE name = $1`, device)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		return r.count(ctx)
	})
	return level, err
}
