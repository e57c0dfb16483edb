package pg

import (
	"context"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x11_interceptor_with_tx/good/wallet"
)

type Store struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

func New(pool *pgxpool.Pool) *Store { return &Store{pool, trmpgx.DefaultCtxGetter} }

func (s *Store) Lock(ctx context.Context, id int64) (w wallet.Wallet, err error) {
	row := s.getter.DefaultTrOrDB(ctx, s.pool).QueryRow(ctx, "SELECT id, cents FROM wallets WHERE id = $1 FOR NO KEY UPDATE", id)
	return w, row.Scan(&w.ID, &w.Cents)
}

func (s *Store) Save(ctx context.Context, w wallet.Wallet) error {
	_, err := s.getter.DefaultTrOrDB(ctx, s.pool).Exec(ctx, "UPDATE wallets SET cents = $2 WHERE id = $1", w.ID, w.Cents)
	return err
}
