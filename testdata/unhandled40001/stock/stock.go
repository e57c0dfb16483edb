// Package stock takes goods from shelves under REPEATABLE READ: database/sql,
// and a package of the program's own that runs transactions again.
package stock

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/stock/pgretry"
)

// ErrEmpty says that the shelf does not hold that much.
var ErrEmpty = errors.New("not enough on the shelf")

// Warehouse holds shelves.
type Warehouse struct{ db *sql.DB }

// NewWarehouse returns a warehouse over the database.
func NewWarehouse(db *sql.DB) *Warehouse { return &Warehouse{db: db} }

var repeatableRead = &sql.TxOptions{Isolation: sql.LevelRepeatableRead}

func take(ctx context.Context, tx *sql.Tx, item string, n int) error {
	var left int
	err := tx.QueryRowContext(ctx, `UPDATE shelves SET quantity = quantity - $2 WHERE item = $1 RETURNING quantity`, item, n).Scan(&left)
	if err != nil {
		return fmt.Errorf("take %d of %s: %w", n, item, err)
	}
	if left < 0 {
		return ErrEmpty
	}
	return nil
}

// Take takes n of the item. Who has to wait for another that takes from the
// same shelf gets 40001 as soon as that one commits.
func (w *Warehouse) Take(ctx context.Context, item string, n int) error {
	tx, err := w.db.BeginTx(ctx, repeatableRead) // want "40001"
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := take(ctx, tx, item, n); err != nil {
		return err
	}
	return tx.Commit()
}

// TakeAgain has a runner that looks at the code.
//
//proof:fixes (*Warehouse).Take
func (w *Warehouse) TakeAgain(ctx context.Context, item string, n int) error {
	return pgretry.Do(ctx, func(ctx context.Context) error {
		tx, err := w.db.BeginTx(ctx, repeatableRead)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := take(ctx, tx, item, n); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Return puts n of the item back. The runner is there, and never sees the
// code: of the driver's error only the text is left.
func (w *Warehouse) Return(ctx context.Context, item string, n int) error {
	return pgretry.Do(ctx, func(ctx context.Context) error {
		tx, err := w.db.BeginTx(ctx, repeatableRead)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, `UPDATE shelves SET quantity = quantity + $2 WHERE item = $1`, item, n); err != nil {
			return fmt.Errorf("return %d of %s: %v", n, item, err) // want "40001"
		}
		return tx.Commit()
	})
}

// ReturnAgain wraps the error.
//
//proof:fixes (*Warehouse).Return
func (w *Warehouse) ReturnAgain(ctx context.Context, item string, n int) error {
	return pgretry.Do(ctx, func(ctx context.Context) error {
		tx, err := w.db.BeginTx(ctx, repeatableRead)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, `UPDATE shelves SET quantity = quantity + $2 WHERE item = $1`, item, n); err != nil {
			return fmt.Errorf("return %d of %s: %w", n, item, err)
		}
		return tx.Commit()
	})
}
