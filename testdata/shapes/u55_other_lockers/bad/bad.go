// Package bad holds a connection, which is not a lock.
package bad

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Games struct{ pool *pgxpool.Pool }

func (g *Games) Move(ctx context.Context, id string, n int) error {
	conn, err := g.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var turn int
	if err := conn.QueryRow(ctx, `SELECT turn FROM games WHERE id = $1`, id).Scan(&turn); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, `UPDATE games SET turn = $2 WHERE id = $1`, id, turn+n) // expect: lostupdate
	return err
}
