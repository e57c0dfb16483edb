package lock

import (
	"context"
	"database/sql"
	"errors"
)

// A beginner begins transactions, with whatever lock they need.
type beginner interface {
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// Lock lets one worker of a kind work at a time.
type Lock struct {
	DB   *sql.DB
	Kind int
}

func (l *Lock) BeginTx(ctx context.Context) (*sql.Tx, error) { return l.begin(ctx, l.DB) }

func (l *Lock) begin(ctx context.Context, b beginner) (*sql.Tx, error) {
	tx, err := b.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", l.Kind); err != nil {
		Rollback(tx)
		return nil, err
	}
	return tx, nil
}

// Conn is a session on which one worker holds its lock for good.
type Conn struct {
	lock *Lock
	conn *sql.Conn
}

func (c *Conn) BeginTx(ctx context.Context) (*sql.Tx, error) { return c.lock.begin(ctx, c.conn) }

// Rollback rolls back what has not been committed.
func Rollback(tx *sql.Tx) {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		panic(err)
	}
}
