// Package good adds interest to locked rows, or in SQL.
package good

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type account struct {
	ID      int64
	Balance int64
}

type Bank struct{ pool *pgxpool.Pool }

func (b *Bank) Accrue(ctx context.Context, percent int64) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id, balance FROM accounts WHERE closed_at IS NULL ORDER BY id FOR NO KEY UPDATE`)
		if err != nil {
			return err
		}
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[account])
		if err != nil {
			return err
		}
		for _, a := range all {
			if _, err := tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, a.ID, a.Balance*(100+percent)/100); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *Bank) AccrueInSQL(ctx context.Context, percent int64) error {
	rows, err := b.pool.Query(ctx, `SELECT id, balance FROM accounts`)
	if err != nil {
		return err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[account])
	if err != nil {
		return err
	}
	for _, a := range all {
		if a.Balance == 0 {
			continue
		}
		if _, err := b.pool.Exec(ctx, `UPDATE accounts SET balance = balance * (100 + $2) / 100 WHERE id = $1`, a.ID, percent); err != nil {
			return err
		}
	}
	return nil
}
