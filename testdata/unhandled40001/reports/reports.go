// Package reports reads from one snapshot: transactions that nobody has to run
// again, on pgx and database/sql.
package reports

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Sums are taken from one snapshot.
type Sums struct{ Debit, Credit int64 }

const (
	debit  = `SELECT coalesce(sum(cents), 0) FROM entries WHERE cents < 0`
	credit = `SELECT coalesce(sum(cents), 0) FROM entries WHERE cents > 0`
)

// Snapshot is right: a REPEATABLE READ transaction that only reads meets no
// conflict.
func Snapshot(ctx context.Context, pool *pgxpool.Pool) (s Sums, err error) {
	opts := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, pool, opts, func(tx pgx.Tx) error { return s.read(ctx, tx) })
	return s, err
}

// SnapshotPlain is right: it reads as well, only the option does not say so.
func SnapshotPlain(ctx context.Context, pool *pgxpool.Pool) (s Sums, err error) {
	tx, err := pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		return s, err
	}
	defer tx.Rollback(ctx)
	if err := s.read(ctx, tx); err != nil {
		return s, err
	}
	return s, tx.Commit(ctx)
}

// SnapshotDeferred is right: such a transaction waits for a snapshot in which
// nothing can go wrong.
func SnapshotDeferred(ctx context.Context, pool *pgxpool.Pool) (s Sums, err error) {
	opts := pgx.TxOptions{IsoLevel: pgx.Serializable, AccessMode: pgx.ReadOnly, DeferrableMode: pgx.Deferrable}
	err = pgx.BeginTxFunc(ctx, pool, opts, func(tx pgx.Tx) error { return s.read(ctx, tx) })
	return s, err
}

func (s *Sums) read(ctx context.Context, tx pgx.Tx) error {
	if err := tx.QueryRow(ctx, debit).Scan(&s.Debit); err != nil {
		return err
	}
	return tx.QueryRow(ctx, credit).Scan(&s.Credit)
}

// SnapshotSQL is right: read-only, with database/sql's options.
func SnapshotSQL(ctx context.Context, db *sql.DB) (s Sums, err error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return s, err
	}
	defer tx.Rollback()
	if err := tx.QueryRowContext(ctx, debit).Scan(&s.Debit); err != nil {
		return s, err
	}
	if err := tx.QueryRowContext(ctx, credit).Scan(&s.Credit); err != nil {
		return s, err
	}
	return s, tx.Commit()
}
