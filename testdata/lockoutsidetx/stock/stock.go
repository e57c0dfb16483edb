// Package stock books goods out of a warehouse: database/sql, with helpers
// that take whatever can run a statement.
package stock

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrShort says that the shelf does not hold that many.
var ErrShort = errors.New("not enough on the shelf")

// DBTX is what *sql.DB, *sql.Conn and *sql.Tx have in common.
type DBTX interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Warehouse keeps shelves.
type Warehouse struct{ db *sql.DB }

// NewWarehouse returns a warehouse over the database.
func NewWarehouse(db *sql.DB) *Warehouse { return &Warehouse{db: db} }

// lockShelf returns how many of the item the shelf holds, and keeps others
// from changing that for the rest of the transaction.
func lockShelf(ctx context.Context, q DBTX, item string) (n int, err error) {
	err = q.QueryRowContext(ctx, `SELECT quantity FROM shelves WHERE item = $1 FOR NO KEY UPDATE`, item).Scan(&n)
	return n, err
}

func setShelf(ctx context.Context, q DBTX, item string, n int) error {
	_, err := q.ExecContext(ctx, `UPDATE shelves SET quantity = $2 WHERE item = $1`, item, n)
	return err
}

// Take books n items out. There is no rest of the transaction: the helper got
// the pool.
func (w *Warehouse) Take(ctx context.Context, item string, n int) error {
	have, err := lockShelf(ctx, w.db, item) // want "row lock"
	if err != nil {
		return fmt.Errorf("lock %s: %w", item, err)
	}
	if have < n {
		return ErrShort
	}
	return setShelf(ctx, w.db, item, have-n)
}

// TakeInTx books n items out under the lock.
//
//proof:fixes (*Warehouse).Take
func (w *Warehouse) TakeInTx(ctx context.Context, item string, n int) (err error) {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	have, err := lockShelf(ctx, tx, item)
	if err != nil {
		return fmt.Errorf("lock %s: %w", item, err)
	}
	if have < n {
		return ErrShort
	}
	if err := setShelf(ctx, tx, item, have-n); err != nil {
		return err
	}
	return tx.Commit()
}
