// Package bad locks outside of the transaction that reads and writes, and asks
// for a level that is the default.
package bad

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrPoor = errors.New("poor")

type Card struct {
	ID    int64
	Cents int64
}

type DB struct{ pool *pgxpool.Pool }

func (d *DB) Do(ctx context.Context, level pgx.TxIsoLevel, fn func(tx pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, d.pool, pgx.TxOptions{IsoLevel: level}, fn)
}

func get(ctx context.Context, tx pgx.Tx, id int64) (*Card, error) {
	card := &Card{}
	err := tx.QueryRow(ctx, `SELECT id, cents FROM cards WHERE id = $1`, id).Scan(&card.ID, &card.Cents)
	return card, err
}

func save(ctx context.Context, tx pgx.Tx, card *Card) error {
	_, err := tx.Exec(ctx, `UPDATE cards SET cents = $1 WHERE id = $2`, card.Cents, card.ID)
	return err
}

func (d *DB) Charge(ctx context.Context, id, n int64) error {
	return d.Do(ctx, pgx.ReadCommitted, func(tx pgx.Tx) error {
		c, err := get(ctx, tx, id)
		if err != nil {
			return err
		}
		if c.Cents < n {
			return ErrPoor
		}
		c.Cents -= n
		return save(ctx, tx, c) // expect: lostupdate
	})
}
