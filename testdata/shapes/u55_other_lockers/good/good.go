// Package good holds a lock that a file of its own declares, around a function.
package good

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Locks interface {
	WithLock(ctx context.Context, key string, fn func(ctx context.Context) error) error
}

type Games struct {
	pool  *pgxpool.Pool
	locks Locks
}

func (g *Games) Move(ctx context.Context, id string, n int) error {
	return g.locks.WithLock(ctx, "game:"+id, func(ctx context.Context) error {
		var turn int
		if err := g.pool.QueryRow(ctx, `SELECT turn FROM games WHERE id = $1`, id).Scan(&turn); err != nil {
			return err
		}
		_, err := g.pool.Exec(ctx, `UPDATE games SET turn = $2 WHERE id = $1`, id, turn+n)
		return err
	})
}
