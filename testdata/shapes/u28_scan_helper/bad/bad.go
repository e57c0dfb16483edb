// Package bad scans with a helper, over an interface of rows.
package bad

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

const stockColumns = "sku, on_hand, reserved"

type Warehouse struct{ db *sql.DB }

func (w *Warehouse) Reserve(ctx context.Context, sku string, n int) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()

	s, err := scanStock(tx.QueryRowContext(ctx, "SELECT "+stockColumns+" FROM stock WHERE sku = $1", sku))
	if err != nil {
		return err
	}
	if s.OnHand-s.Reserved < n {
		return fmt.Errorf("only %d of %s left", s.OnHand-s.Reserved, sku)
	}
	s.Reserved += n
	if _, err := tx.ExecContext(ctx, "UPDATE stock SET reserved = $1 WHERE sku = $2", s.Reserved, s.SKU); err != nil { // expect: lostupdate
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
	_, err = w.db.ExecContext(ctx, "UPDATE stock SET reserved = reserved - $1, on_hand = on_hand - $1 WHERE sku = $2", n, sku) // expect: lostupdate
	return err
}
