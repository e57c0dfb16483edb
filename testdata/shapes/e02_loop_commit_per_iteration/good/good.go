package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
)

func Run(ctx context.Context, pool *pgxpool.Pool, client *http.Client, ids []int64) error {
	for _, id := range ids {
		tx, err := pool.Begin(ctx)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE a SET b = 1 WHERE id = $1`, id); err != nil {
			tx.Rollback(ctx)
			return err
		}
		if err := tx.Commit(ctx); err != nil {
			return err
		}
		resp, err := client.Get("https://x")
		if err != nil {
			return err
		}
		resp.Body.Close()
		if _, err := pool.Exec(ctx, `UPDATE a SET b = 2 WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return nil
}
