// Package good reads once for a quick answer, and again with a lock.
package good

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrPoor = errors.New("poor")

type Wallets struct{ pool, replica *pgxpool.Pool }

func (w *Wallets) Spend(ctx context.Context, id, n int64) error {
	var has int64
	if err := w.replica.QueryRow(ctx, `SELECT coins FROM wallets WHERE id = $1`, id).Scan(&has); err != nil {
		return err
	}
	if has < n {
		return ErrPoor
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT coins FROM wallets WHERE id = $1 FOR UPDATE`, id).Scan(&has); err != nil {
			return err
		}
		if has < n {
			return ErrPoor
		}
		_, err := tx.Exec(ctx, `UPDATE wallets SET coins = $2 WHERE id = $1`, id, has-n)
		return err
	})
}
