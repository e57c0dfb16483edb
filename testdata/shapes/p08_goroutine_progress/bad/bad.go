package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"
	"net/http"
)

func Run(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		g, ctx := errgroup.WithContext(ctx)
		g.Go(func() error {
			_, err := http.Get("https://x")
			return err
		})
		g.Go(func() error {
			_, err := http.Get("https://y")
			return err
		})
		if err := g.Wait(); err != nil { // expect: externalcall
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE a SET b = 2`)
		return err
	})
}
