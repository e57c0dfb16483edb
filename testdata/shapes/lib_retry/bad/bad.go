// Package bad retries with libraries, and not what PostgreSQL asks to be run
// again: the whole transaction, when the code is 40001.
package bad

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"time"

	"github.com/avast/retry-go/v4"
	backoff4 "github.com/cenkalti/backoff/v4"
	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	goretry "github.com/sethvargo/go-retry"
)

type Store struct {
	pool *pgxpool.Pool
	db   *sql.DB
}

func New(pool *pgxpool.Pool, db *sql.DB) *Store { return &Store{pool, db} }

var serializable = pgx.TxOptions{IsoLevel: pgx.Serializable}

const take = "UPDATE stock SET n = n - 1 WHERE id = $1"

// Statement retries one statement in the transaction: from the second try on it
// gets 25P02.
func (s *Store) Statement(ctx context.Context, id int64) error {
	return pgx.BeginTxFunc(ctx, s.pool, serializable, func(tx pgx.Tx) error {
		return retry.Do(func() error { // expect: unhandled40001
			_, err := tx.Exec(ctx, take, id)
			return err
		}, retry.Attempts(3))
	})
}

// Commit retries the commit alone.
func (s *Store) Commit(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) // expect: unhandled40001
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, take, id); err != nil {
		return err
	}
	return backoff4.Retry(tx.Commit, backoff4.NewExponentialBackOff())
}

// Network retries what the network did, and 40001 is something else.
func (s *Store) Network(ctx context.Context, id int64) error {
	return retry.Do(func() error {
		return pgx.BeginTxFunc(ctx, s.pool, serializable, func(tx pgx.Tx) error { // missed: unhandled40001
			_, err := tx.Exec(ctx, take, id)
			return err
		})
	}, retry.RetryIf(func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }))
}

// Marked retries what is marked, and marks nothing of the database's.
func (s *Store) Marked(ctx context.Context, id int64) error {
	return goretry.Do(ctx, goretry.WithMaxRetries(3, goretry.NewConstant(time.Millisecond)), func(ctx context.Context) error {
		err := pgx.BeginTxFunc(ctx, s.pool, serializable, func(tx pgx.Tx) error { // missed: unhandled40001
			_, err := tx.Exec(ctx, take, id)
			return err
		})
		if netErr := net.Error(nil); errors.As(err, &netErr) {
			return goretry.RetryableError(err)
		}
		return err
	})
}

// Once gives up at the first error.
func (s *Store) Once(ctx context.Context, id int64) error {
	_, err := backoff.Retry(ctx, func() (bool, error) {
		err := pgx.BeginTxFunc(ctx, s.pool, serializable, func(tx pgx.Tx) error { // missed: unhandled40001
			_, err := tx.Exec(ctx, take, id)
			return err
		})
		if err != nil {
			return false, backoff.Permanent(err)
		}
		return true, nil
	})
	return err
}
