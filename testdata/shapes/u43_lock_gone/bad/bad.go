// Package bad locks in a transaction that is over when the row is written.
package bad

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrPoor = errors.New("poor")

type Wallets struct{ pool *pgxpool.Pool }

func (w *Wallets) Spend(ctx context.Context, id, n int64) error {
	var has int64
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `SELECT coins FROM wallets WHERE id = $1 FOR UPDATE`, id).Scan(&has)
	})
	if err != nil {
		return err
	}
	if has < n {
		return ErrPoor
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE wallets SET coins = $2 WHERE id = $1`, id, has-n) // expect: lostupdate
		return err
	})
}

// SpendRead reads before the transaction, in which it only writes.
func (w *Wallets) SpendRead(ctx context.Context, id, n int64) error {
	var has int64
	if err := w.pool.QueryRow(ctx, `SELECT coins FROM wallets WHERE id = $1`, id).Scan(&has); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE wallets SET coins = $2 WHERE id = $1`, id, has-n); err != nil { // expect: lostupdate
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO spendings (wallet_id, coins) VALUES ($1, $2)`, id, n)
		return err
	})
}
