// Package bad adds interest to all accounts, one row after another.
package bad

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
		rows, err := tx.Query(ctx, `SELECT id, balance FROM accounts WHERE closed_at IS NULL`)
		if err != nil {
			return err
		}
		defer rows.Close()
		var all []account
		for rows.Next() {
			var a account
			if err := rows.Scan(&a.ID, &a.Balance); err != nil {
				return err
			}
			all = append(all, a)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for _, a := range all {
			interest := a.Balance * percent / 100
			if _, err := tx.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, a.ID, a.Balance+interest); err != nil { // expect: lostupdate
				return err
			}
		}
		return nil
	})
}

func (b *Bank) AccrueCollected(ctx context.Context, percent int64) error {
	rows, err := b.pool.Query(ctx, `SELECT id, balance FROM accounts`)
	if err != nil {
		return err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[account])
	if err != nil {
		return err
	}
	for i := range all {
		all[i].Balance += all[i].Balance * percent / 100
	}
	for _, a := range all {
		if _, err := b.pool.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, a.ID, a.Balance); err != nil { // expect: lostupdate
			return err
		}
	}
	return nil
}
