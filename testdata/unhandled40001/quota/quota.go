// Package quota counts what tenants use: database/sql and backoff.
package quota

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrSpent says that the tenant may use no more.
var ErrSpent = errors.New("quota is spent")

// Quota counts in serializable transactions.
type Quota struct{ db *sql.DB }

// New returns a quota over the database.
func New(db *sql.DB) *Quota { return &Quota{db: db} }

// again runs once until it meets no conflict.
func again(ctx context.Context, once func() (int, error)) (int, error) {
	return backoff.Retry(ctx, func() (int, error) {
		n, err := once()
		if e, ok := errors.AsType[*pgconn.PgError](err); err != nil && (!ok || e.Code != "40001") {
			return n, backoff.Permanent(err)
		}
		return n, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(time.Millisecond)), backoff.WithMaxTries(5))
}

func (q *Quota) begin(ctx context.Context) (*sql.Tx, error) {
	return q.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
}

func spend(ctx context.Context, tx *sql.Tx, tenant string, amount int) (left int, err error) {
	if err := tx.QueryRowContext(ctx, `SELECT quota FROM tenants WHERE name = $1`, tenant).Scan(&left); err != nil {
		return 0, err
	}
	if left -= amount; left < 0 {
		return 0, ErrSpent
	}
	_, err = tx.ExecContext(ctx, `UPDATE tenants SET quota = $2 WHERE name = $1`, tenant, left)
	return left, err
}

// storeError is what the package's callers know of the database.
type storeError struct{ reason string }

func (e *storeError) Error() string { return "quota: " + e.reason }

// Spend spends some of the quota. Its error has lost the code before again
// sees it.
func (q *Quota) Spend(ctx context.Context, tenant string, amount int) (int, error) {
	return again(ctx, func() (int, error) {
		tx, err := q.begin(ctx)
		if err != nil {
			return 0, err
		}
		defer tx.Rollback()
		left, err := spend(ctx, tx, tenant, amount)
		if err != nil {
			return 0, errors.New("quota: " + err.Error()) // want "40001"
		}
		return left, tx.Commit()
	})
}

// SpendAgain keeps the code until again has seen it.
//
//proof:fixes (*Quota).Spend
func (q *Quota) SpendAgain(ctx context.Context, tenant string, amount int) (int, error) {
	left, err := again(ctx, func() (int, error) {
		tx, err := q.begin(ctx)
		if err != nil {
			return 0, err
		}
		defer tx.Rollback()
		left, err := spend(ctx, tx, tenant, amount)
		if err != nil {
			return 0, err
		}
		return left, tx.Commit()
	})
	if err != nil {
		return 0, &storeError{err.Error()} // again is done: nobody needs the code
	}
	return left, nil
}

// Reset gives the tenant a new quota. Nobody looks at what the commit says.
func (q *Quota) Reset(ctx context.Context, tenant string, to int) (int, error) {
	return again(ctx, func() (int, error) {
		tx, err := q.begin(ctx)
		if err != nil {
			return 0, err
		}
		defer tx.Rollback()
		if err := reset(ctx, tx, tenant, to); err != nil {
			return 0, err
		}
		_ = tx.Commit() // want "40001"
		return to, nil
	})
}

// ResetAgain hands the commit's error on.
//
//proof:fixes (*Quota).Reset
func (q *Quota) ResetAgain(ctx context.Context, tenant string, to int) (int, error) {
	return again(ctx, func() (int, error) {
		tx, err := q.begin(ctx)
		if err != nil {
			return 0, err
		}
		defer tx.Rollback()
		if err := reset(ctx, tx, tenant, to); err != nil {
			return 0, err
		}
		return to, tx.Commit()
	})
}

// reset gives the tenant what it asks for, as long as all tenants together have
// a hundred at most.
func reset(ctx context.Context, tx *sql.Tx, tenant string, to int) error {
	var others int
	err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(quota), 0) FROM tenants WHERE name <> $1`, tenant).Scan(&others)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE tenants SET quota = $2 WHERE name = $1`, tenant, min(to, 100-others))
	return err
}
