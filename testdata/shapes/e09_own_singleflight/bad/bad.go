package bad

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"
)

// Rates asks for each rate once, whoever wants it.
type Rates struct {
	pool  *pgxpool.Pool
	group singleflight.Group
	ask   func(context.Context, string) (float64, error)
}

func (r *Rates) Set(ctx context.Context, code string) error {
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		rate, err, _ := r.group.Do(code, func() (any, error) { // expect: externalcall
			return r.ask(ctx, code)
		})
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE rates SET rate = $2 WHERE code = $1`, code, rate)
		return err
	})
}
