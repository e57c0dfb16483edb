// Package pgretry runs what PostgreSQL wants to be run again.
package pgretry

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

const tries = 5

// Do runs fn until it ends with something else than a serialization failure or
// a deadlock, at most five times.
func Do(ctx context.Context, fn func(ctx context.Context) error) error {
	for try := 1; ; try++ {
		err := fn(ctx)
		if err == nil || try == tries || ctx.Err() != nil || !retryable(err) {
			return err
		}
	}
}

func retryable(err error) bool {
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) {
		return false
	}
	switch pgErr.Code {
	case "40001", "40P01":
		return true
	}
	return false
}
