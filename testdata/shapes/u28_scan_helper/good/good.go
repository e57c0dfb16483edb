// Package good scans with a helper, and locks, or restates what it tested.
package good

import (
	"context"
	"database/sql"
	"fmt"
)

type scanner interface {
	Scan(dest ...any) error
}

type Stock struct {
	SKU      string
	OnHand   int
	Reserved int
}

func scanStock(row scanner) (*Stock, error) {
	var s Stock
	if err := row.Scan(&s.SKU, &s.OnHand, &s.Reserved); err != nil {
		return nil, fmt.Errorf("scan stock: %w", err)
	}
	return &s, nil
}

const (
	stockColumns = "sku, on_hand, reserved"
	lockStock    = "SELECT " + stockColumns + " FROM stock WHERE sku = $1 FOR NO KEY UPDATE"
)

type Warehouse struct{ db *sql.DB }

func (w *Warehouse) Reserve(ctx context.Context, sku string, n int) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()

	s, err := scanStock(tx.QueryRowContext(ctx, lockStock, sku))
	if err != nil {
		return err
	}
	if s.OnHand-s.Reserved < n {
		return fmt.Errorf("only %d of %s left", s.OnHand-s.Reserved, sku)
	}
	s.Reserved += n
	if _, err := tx.ExecContext(ctx, "UPDATE stock SET reserved = $1 WHERE sku = $2", s.Reserved, s.SKU); err != nil {
		return err
	}
	return tx.Commit()
}

func (w *Warehouse) Ship(ctx context.Context, sku string, n int) error {
	s, err := scanStock(w.db.QueryRowContext(ctx, "SELECT "+stockColumns+" FROM stock WHERE sku = $1", sku))
	if err != nil {
		return err
	}
	if s.Reserved < n {
		return fmt.Errorf("%d were never reserved", n)
	}
	res, err := w.db.ExecContext(ctx, "UPDATE stock SET reserved = reserved - $1, on_hand = on_hand - $1 WHERE sku = $2 AND reserved >= $1", n, sku)
	if err != nil {
		return err
	}
	if k, err := res.RowsAffected(); err != nil || k == 0 {
		return fmt.Errorf("%d are not reserved any more: %w", n, err)
	}
	return nil
}
