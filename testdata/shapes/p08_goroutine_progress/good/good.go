package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"
	"net/http"
	"time"
)

func Run(ctx context.Context, pool *pgxpool.Pool) error {
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		_, err := http.Get("https://x")
		return err
	})
	g.Go(func() error {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-gctx.Done():
				return gctx.Err()
			case <-tick.C:
				if _, err := pool.Exec(gctx, `UPDATE progress SET at = now()`); err != nil {
					return err
				}
			}
		}
	})
	if err := g.Wait(); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE a SET b = 2`)
		return err
	})
}
