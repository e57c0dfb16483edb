// Package postgres stores badges.
package postgres

import (
	"context"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/badges"
)

// Badges implements [badges.Repository].
type Badges struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

var _ badges.Repository = (*Badges)(nil)

// New returns a repository over the pool.
func New(pool *pgxpool.Pool) *Badges {
	return &Badges{pool: pool, getter: trmpgx.DefaultCtxGetter}
}

func (b *Badges) db(ctx context.Context) trmpgx.Tr { return b.getter.DefaultTrOrDB(ctx, b.pool) }

const badgesLock = 4711

// Serialize implements [badges.Repository].
func (b *Badges) Serialize(ctx context.Context) error {
	_, err := b.db(ctx).Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, badgesLock)
	return err
}

// Last returns the last number, 0 if there is none.
func (b *Badges) Last(ctx context.Context) (n int, err error) {
	err = b.db(ctx).QueryRow(ctx, `SELECT coalesce(max(number), 0) FROM badges`).Scan(&n)
	return n, err
}

// Add stores a badge.
func (b *Badges) Add(ctx context.Context, number int, name string) error {
	_, err := b.db(ctx).Exec(ctx, `INSERT INTO badges (number, name) VALUES ($1, $2)`, number, name)
	return err
}
