// Package good runs serializable transactions again, by the libraries for it.
package good

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

func take(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error {
		var n int64
		if err := tx.QueryRow(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
			return fmt.Errorf("read %d: %w", id, err)
		}
		_, err := tx.Exec(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n-1)
		return err
	})
}

func again(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

// Do tries on every error.
func Do(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return retry.Do(func() error { return take(ctx, pool, id) }, retry.Attempts(5))
}

// RetryIf tries on the code.
func RetryIf(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return retry.Do(func() error { return take(ctx, pool, id) }, retry.RetryIf(again), retry.LastErrorOnly(true))
}

// Unrecoverable ends the tries on other errors.
func Unrecoverable(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return retry.Do(func() error {
		err := take(ctx, pool, id)
		if err != nil && !again(err) {
			return retry.Unrecoverable(err)
		}
		return err
	})
}

// Permanent ends the tries of backoff v4 on other errors.
func Permanent(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return backoff4.Retry(func() error {
		err := take(ctx, pool, id)
		if err != nil && !again(err) {
			return backoff4.Permanent(err)
		}
		return err
	}, backoff4.WithContext(backoff4.NewExponentialBackOff(), ctx))
}

// Permanent5 ends those of v5.
func Permanent5(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	_, err := backoff.Retry(ctx, func() (int, error) {
		err := take(ctx, pool, id)
		if err != nil && !again(err) {
			return 0, backoff.Permanent(err)
		}
		return 1, err
	})
	return err
}

// Retryable marks the error that go-retry tries again.
func Retryable(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return goretry.Do(ctx, goretry.WithMaxRetries(4, goretry.NewFibonacci(time.Second)), func(ctx context.Context) error {
		err := take(ctx, pool, id)
		if again(err) {
			return goretry.RetryableError(err)
		}
		return err
	})
}
