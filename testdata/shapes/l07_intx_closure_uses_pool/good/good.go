package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Shop struct{ pool *pgxpool.Pool }

func (s *Shop) inTx(ctx context.Context, fn func(pgx.Tx) error) error {
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func (s *Shop) Reserve(ctx context.Context, sku string, n int) error {
	return s.inTx(ctx, func(tx pgx.Tx) error {
		var left int
		row := tx.QueryRow(ctx, `SELECT left_over FROM stock WHERE sku = $1 FOR UPDATE`, sku)
		if err := row.Scan(&left); err != nil {
			return err
		}
		if left < n {
			return errors.New("sold out")
		}
		_, err := tx.Exec(ctx, `UPDATE stock SET left_over = $2 WHERE sku = $1`, sku, left-n)
		return err
	})
}
