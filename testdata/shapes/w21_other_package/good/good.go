package good

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/w21_other_package/good/store"
)

func Send(ctx context.Context, pool *pgxpool.Pool, send func(int64) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		r := store.New(tx)
		id, err := r.Oldest(ctx)
		if err != nil {
			return err
		}
		if err := send(id); err != nil {
			return err
		}
		return r.MarkSent(ctx, id)
	})
}
