// Package postgres stores wallets.
package postgres

import (
	"context"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/wallets"
)

// Wallets implements [wallets.Repository].
type Wallets struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

var _ wallets.Repository = (*Wallets)(nil)

// New returns a repository over the pool.
func New(pool *pgxpool.Pool) *Wallets {
	return &Wallets{pool: pool, getter: trmpgx.DefaultCtxGetter}
}

func (r *Wallets) db(ctx context.Context) trmpgx.Tr { return r.getter.DefaultTrOrDB(ctx, r.pool) }

type walletRow struct {
	ID     int64 `db:"id"`
	Points int64 `db:"points"`
}

func (r walletRow) toDomain() *wallets.Wallet { return &wallets.Wallet{ID: r.ID, Points: r.Points} }

func (r *Wallets) one(ctx context.Context, query string, id int64) (*wallets.Wallet, error) {
	rows, err := r.db(ctx).Query(ctx, query, id)
	if err != nil {
		return nil, err
	}
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[walletRow])
	if err != nil {
		return nil, err
	}
	return row.toDomain(), nil
}

// Get implements [wallets.Repository].
func (r *Wallets) Get(ctx context.Context, id int64) (*wallets.Wallet, error) {
	return r.one(ctx, `SELECT id, points FROM wallets WHERE id = $1`, id)
}

// GetForUpdate implements [wallets.Repository].
func (r *Wallets) GetForUpdate(ctx context.Context, id int64) (*wallets.Wallet, error) {
	return r.one(ctx, `SELECT id, points FROM wallets WHERE id = $1 FOR NO KEY UPDATE`, id)
}

// Save implements [wallets.Repository].
func (r *Wallets) Save(ctx context.Context, w *wallets.Wallet) error {
	_, err := r.db(ctx).Exec(ctx, `UPDATE wallets SET points = $2 WHERE id = $1`, w.ID, w.Points)
	return err
}

// Take implements [wallets.Repository].
func (r *Wallets) Take(ctx context.Context, id, n int64) (taken bool, err error) {
	tag, err := r.db(ctx).Exec(ctx, `UPDATE wallets SET points = points - $2 WHERE id = $1 AND points >= $2`, id, n)
	return tag.RowsAffected() == 1, err
}
