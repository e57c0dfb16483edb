package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
)

func Run(ctx context.Context, pool *pgxpool.Pool, client *http.Client, ids []int64) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := tx.Exec(ctx, `UPDATE a SET b = 1 WHERE id = $1`, id); err != nil {
			tx.Rollback(ctx)
			return err
		}
		resp, err := client.Get("https://x") // expect: externalcall
		if err != nil {
			tx.Rollback(ctx)
			return err
		}
		resp.Body.Close()
	}
	return tx.Commit(ctx)
}
