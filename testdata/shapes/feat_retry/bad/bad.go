// Package bad has one function for each feature of the libraries that run a
// function again that docs/libraries.md lists.
package bad

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/avast/retry-go/v4"
	backoff4 "github.com/cenkalti/backoff/v4"
	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	goretry "github.com/sethvargo/go-retry"
)

var serializable = pgx.TxOptions{IsoLevel: pgx.Serializable}

func take(ctx context.Context, tx pgx.Tx, id int64) error {
	var n int64
	if err := tx.QueryRow(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n-1)
	return err
}

func again(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "40001"
}

func duplicate(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505"
}

// RetryIf tries again, but on other errors.
func RetryIf(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return retry.Do(func() error {
		return pgx.BeginTxFunc(ctx, pool, serializable, func(tx pgx.Tx) error { return take(ctx, tx, id) }) // missed: unhandled40001
	}, retry.RetryIf(duplicate), retry.Attempts(3))
}

// Unrecoverable ends the tries with the error that should be tried again.
func Unrecoverable(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return retry.Do(func() error {
		err := pgx.BeginTxFunc(ctx, pool, serializable, func(tx pgx.Tx) error { return take(ctx, tx, id) })
		if err != nil {
			return retry.Unrecoverable(err) // missed: unhandled40001
		}
		return nil
	})
}

// Inside tries one statement again in a transaction, which is aborted.
func Inside(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return pgx.BeginTxFunc(ctx, pool, serializable, func(tx pgx.Tx) error { // or: unhandled40001
		return retry.Do(func() error { return take(ctx, tx, id) }) // expect: unhandled40001
	})
}

// Lost is an error whose code the predicate cannot see.
func Lost(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return retry.Do(func() error {
		err := pgx.BeginTxFunc(ctx, pool, serializable, func(tx pgx.Tx) error { return take(ctx, tx, id) })
		if err != nil {
			return fmt.Errorf("take: %v", err) // expect: unhandled40001
		}
		return nil
	}, retry.RetryIf(again))
}

// DoWithData is the one with a result.
func DoWithData(ctx context.Context, pool *pgxpool.Pool, id int64) (int, error) {
	return retry.DoWithData(func() (int, error) {
		return 1, pgx.BeginTxFunc(ctx, pool, serializable, func(tx pgx.Tx) error { return take(ctx, tx, id) }) // missed: unhandled40001
	}, retry.RetryIf(duplicate))
}

// Permanent ends the tries of backoff v4.
func Permanent(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return backoff4.Retry(func() error {
		err := pgx.BeginTxFunc(ctx, pool, serializable, func(tx pgx.Tx) error { return take(ctx, tx, id) })
		if err != nil {
			return backoff4.Permanent(err) // missed: unhandled40001
		}
		return nil
	}, backoff4.NewExponentialBackOff())
}

// Inside4 tries in a transaction.
func Inside4(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return pgx.BeginTxFunc(ctx, pool, serializable, func(tx pgx.Tx) error { // or: unhandled40001
		return backoff4.Retry(func() error { return take(ctx, tx, id) }, backoff4.WithMaxRetries(backoff4.NewExponentialBackOff(), 3)) // expect: unhandled40001
	})
}

// Permanent5 ends the tries of backoff v5.
func Permanent5(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	_, err := backoff.Retry(ctx, func() (int, error) {
		err := pgx.BeginTxFunc(ctx, pool, serializable, func(tx pgx.Tx) error { return take(ctx, tx, id) })
		if err != nil {
			return 0, backoff.Permanent(err) // missed: unhandled40001
		}
		return 1, nil
	}, backoff.WithBackOff(backoff.NewExponentialBackOff()))
	return err
}

// Unmarked is an error that go-retry does not try again.
func Unmarked(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return goretry.Do(ctx, goretry.NewExponential(time.Second), func(ctx context.Context) error {
		return pgx.BeginTxFunc(ctx, pool, serializable, func(tx pgx.Tx) error { return take(ctx, tx, id) }) // missed: unhandled40001
	})
}
