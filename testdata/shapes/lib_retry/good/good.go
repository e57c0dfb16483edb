// Package good runs whole transactions again with libraries that retry.
package good

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/avast/retry-go/v4"
	backoff4 "github.com/cenkalti/backoff/v4"
	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	goretry "github.com/sethvargo/go-retry"
)

type Store struct {
	pool *pgxpool.Pool
	db   *sql.DB
}

func New(pool *pgxpool.Pool, db *sql.DB) *Store { return &Store{pool, db} }

func conflict(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (pgErr.Code == "40001" || pgErr.Code == "40P01")
}

var serializable = pgx.TxOptions{IsoLevel: pgx.Serializable}

func (s *Store) take(ctx context.Context, id int64) error {
	return pgx.BeginTxFunc(ctx, s.pool, serializable, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE stock SET n = n - 1 WHERE id = $1", id)
		return err
	})
}

func (s *Store) takeSQL(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE stock SET n = n - 1 WHERE id = $1", id); err != nil {
		return err
	}
	return tx.Commit()
}

// Avast asks a predicate.
func (s *Store) Avast(ctx context.Context, id int64) error {
	return retry.Do(func() error { return s.take(ctx, id) }, retry.Context(ctx), retry.RetryIf(conflict), retry.Attempts(5))
}

// Any retries after any error.
func (s *Store) Any(ctx context.Context, id int64) error {
	return retry.Do(func() error { return s.takeSQL(ctx, id) }, retry.Attempts(5))
}

// Data has a result.
func (s *Store) Data(ctx context.Context, id int64) (int64, error) {
	return retry.DoWithData(func() (int64, error) { return id, s.take(ctx, id) }, retry.RetryIf(conflict))
}

// Backoff4 gives up at once on everything else.
func (s *Store) Backoff4(ctx context.Context, id int64) error {
	operation := func() error {
		err := s.takeSQL(ctx, id)
		if err != nil && !conflict(err) {
			return backoff4.Permanent(err)
		}
		return err
	}
	return backoff4.Retry(operation, backoff4.WithContext(backoff4.NewExponentialBackOff(), ctx))
}

func (s *Store) Backoff5(ctx context.Context, id int64) error {
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := s.take(ctx, id)
		if err != nil && !conflict(err) {
			return struct{}{}, backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithMaxTries(5))
	return err
}

// GoRetry marks what is worth another try.
func (s *Store) GoRetry(ctx context.Context, id int64) error {
	return goretry.Do(ctx, goretry.WithMaxRetries(5, goretry.NewExponential(10*time.Millisecond)), func(ctx context.Context) error {
		if err := s.take(ctx, id); conflict(err) {
			return goretry.RetryableError(err)
		} else if err != nil {
			return err
		}
		return nil
	})
}
