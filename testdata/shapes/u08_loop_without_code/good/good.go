package good

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
)

type Quota struct{ db *sql.DB }

type attempt func(ctx context.Context) error

// again runs fn until it is done with.
func again(ctx context.Context, fn attempt) error {
	delay := 5 * time.Millisecond
	for {
		err := fn(ctx)
		if !conflict(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(delay):
			delay *= 2
		}
	}
}

func conflict(err error) bool {
	type coder interface{ SQLState() string }
	for ; err != nil; err = errors.Unwrap(err) {
		if c, ok := err.(coder); ok {
			return strings.HasPrefix(c.SQLState(), "40")
		}
	}
	return false
}

func (q *Quota) Add(ctx context.Context, tenant int64, ids []int64) error {
	for _, id := range ids {
		if err := again(ctx, func(ctx context.Context) error { return q.add(ctx, tenant, id) }); err != nil {
			return err
		}
	}
	return nil
}

func (q *Quota) add(ctx context.Context, tenant, id int64) error {
	tx, err := q.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM members WHERE tenant = $1", tenant).Scan(&n); err != nil {
		return err
	}
	if n >= 10 {
		return errors.New("quota")
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO members (tenant, id) VALUES ($1, $2)", tenant, id); err != nil {
		return err
	}
	return tx.Commit()
}
