// Package seats sells the seats of a hall: pgx on a pool.
package seats

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrTaken says that somebody else has the seat.
var ErrTaken = errors.New("seat is taken")

// Desk sells seats.
type Desk struct{ pool *pgxpool.Pool }

// NewDesk returns a desk over the pool.
func NewDesk(pool *pgxpool.Pool) *Desk { return &Desk{pool: pool} }

const (
	seatForUpdate = `SELECT buyer FROM seats WHERE id = $1 FOR UPDATE`
	setBuyer      = `UPDATE seats SET buyer = $2 WHERE id = $1`
)

// Sell gives the seat to the buyer. The row lock ends with the SELECT, which
// is a transaction of its own.
func (d *Desk) Sell(ctx context.Context, seat int64, buyer string) error {
	var taken *string
	if err := d.pool.QueryRow(ctx, seatForUpdate, seat).Scan(&taken); err != nil { // want "row lock"
		return err
	}
	if taken != nil {
		return ErrTaken
	}
	_, err := d.pool.Exec(ctx, setBuyer, seat, buyer)
	return err
}

// SellInTx holds the row until the buyer is written.
//
//proof:fixes (*Desk).Sell
func (d *Desk) SellInTx(ctx context.Context, seat int64, buyer string) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		var taken *string
		if err := tx.QueryRow(ctx, seatForUpdate, seat).Scan(&taken); err != nil {
			return err
		}
		if taken != nil {
			return ErrTaken
		}
		_, err := tx.Exec(ctx, setBuyer, seat, buyer)
		return err
	})
}

// SellAny sells whichever seat is free. One statement is one transaction: the
// lock of its subselect lives as long as its update.
func (d *Desk) SellAny(ctx context.Context, buyer string) (seat int64, err error) {
	err = d.pool.QueryRow(ctx, `
		UPDATE seats SET buyer = $1
		WHERE id = (SELECT id FROM seats WHERE buyer IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING id`, buyer).Scan(&seat)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrTaken
	}
	return seat, err
}

// SellRow sells n seats, claimed by a common table expression.
func (d *Desk) SellRow(ctx context.Context, n int, buyer string) (sold int64, err error) {
	tag, err := d.pool.Exec(ctx, `
		WITH free AS (
			SELECT id FROM seats WHERE buyer IS NULL ORDER BY id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
		)
		UPDATE seats SET buyer = $2 FROM free WHERE seats.id = free.id`, n, buyer)
	return tag.RowsAffected(), err
}
