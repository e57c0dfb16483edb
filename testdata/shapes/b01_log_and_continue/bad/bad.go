package bad

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
		if _, err := tx.ExecContext(ctx, "INSERT INTO items (sku, qty) VALUES ($1, $2)", it.SKU, it.Qty); err != nil { // expect: abortedtx
			log.Printf("item %s: %v", it.SKU, err) // or: abortedtx
			failed++
			continue // or: abortedtx
		}
	}
	log.Printf("%d failed", failed)
	return tx.Commit() // or: abortedtx
}
