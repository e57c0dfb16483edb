package bad

import (
	"context"
	"errors"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var defaultTx = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadWrite}

type Stock struct{ pool *pgxpool.Pool }

func (s *Stock) Reserve(ctx context.Context, sku string, n int) error {
	return pgx.BeginTxFunc(ctx, s.pool, defaultTx, func(tx pgx.Tx) error { // expect: unhandled40001
		var left int
		if err := tx.QueryRow(ctx, "SELECT left_n FROM stock WHERE sku = $1", sku).Scan(&left); err != nil {
			return fmt.Errorf("read stock: %w", err)
		}
		if left < n {
			return errors.New("sold out")
		}
		_, err := tx.Exec(ctx, "UPDATE stock SET left_n = $2 WHERE sku = $1", sku, left-n)
		return err
	})
}
