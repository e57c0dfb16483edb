package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

func MoveBox(ctx context.Context, pool *pgxpool.Pool, box int64, shelf string) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var at string
	// One connection, but still autocommit.
	err = conn.QueryRow(ctx, `SELECT shelf FROM boxes WHERE id = $1 FOR UPDATE`, box).Scan(&at) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	if at == shelf {
		return nil
	}
	_, err = conn.Exec(ctx, `UPDATE boxes SET shelf = $2, came_from = $3 WHERE id = $1`, box, shelf, at) // also: lostupdate
	return err
}
