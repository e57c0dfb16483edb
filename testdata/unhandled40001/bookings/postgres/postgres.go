// Package postgres stores bookings.
package postgres

import (
	"context"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/bookings"
)

// Bookings implements [bookings.Repository].
type Bookings struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

var _ bookings.Repository = (*Bookings)(nil)

// New returns a repository over the pool.
func New(pool *pgxpool.Pool) *Bookings {
	return &Bookings{pool: pool, getter: trmpgx.DefaultCtxGetter}
}

// Count counts the bookings of the day.
func (b *Bookings) Count(ctx context.Context, day int) (n int, err error) {
	err = b.getter.DefaultTrOrDB(ctx, b.pool).
		QueryRow(ctx, `SELECT count(*) FROM bookings WHERE day = $1`, day).Scan(&n)
	return n, err
}

// Add stores a booking.
func (b *Bookings) Add(ctx context.Context, day int, guest string) error {
	_, err := b.getter.DefaultTrOrDB(ctx, b.pool).
		Exec(ctx, `INSERT INTO bookings (day, guest) VALUES ($1, $2)`, day, guest)
	return err
}
