package good

import (
	"context"
	"database/sql"
	"log"
)

type Item struct {
	SKU string
	Qty int
}

type Loader struct{ db *sql.DB }

func (l *Loader) Load(ctx context.Context, items []Item) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	failed := 0
	for _, it := range items {
		if _, err := tx.ExecContext(ctx, "SAVEPOINT item"); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO items (sku, qty) VALUES ($1, $2)", it.SKU, it.Qty); err != nil {
			log.Printf("item %s: %v", it.SKU, err)
			failed++
			if _, err := tx.ExecContext(ctx, "ROLLBACK TO SAVEPOINT item"); err != nil {
				return err
			}
			continue
		}
		if _, err := tx.ExecContext(ctx, "RELEASE SAVEPOINT item"); err != nil {
			return err
		}
	}
	log.Printf("%d failed", failed)
	return tx.Commit()
}

// Each item in its own transaction.
func (l *Loader) LoadEach(ctx context.Context, items []Item) {
	for _, it := range items {
		tx, err := l.db.BeginTx(ctx, nil)
		if err != nil {
			return
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO items (sku, qty) VALUES ($1, $2)", it.SKU, it.Qty); err != nil {
			log.Printf("item %s: %v", it.SKU, err)
			tx.Rollback()
			continue
		}
		if err := tx.Commit(); err != nil {
			log.Println(err)
		}
	}
}
