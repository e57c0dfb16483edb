package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

// MoveBox begins with text on a held connection.
func MoveBox(ctx context.Context, pool *pgxpool.Pool, box int64, shelf string) (err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			conn.Exec(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	var at string
	err = conn.QueryRow(ctx, `SELECT shelf FROM boxes WHERE id = $1 FOR UPDATE`, box).Scan(&at)
	if err != nil {
		return err
	}
	if _, err = conn.Exec(ctx, `UPDATE boxes SET shelf = $2, came_from = $3 WHERE id = $1`, box, shelf, at); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "COMMIT")
	return err
}
