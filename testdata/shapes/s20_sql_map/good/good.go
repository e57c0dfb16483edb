package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var roles = map[string]string{
	"reader": "SET LOCAL ROLE app_reader",
	"writer": "SET LOCAL ROLE app_writer",
}

type Gate struct{ pool *pgxpool.Pool }

func (g *Gate) As(ctx context.Context, kind string, fn func(pgx.Tx) error) error {
	q, ok := roles[kind]
	if !ok {
		return errors.New("no such role")
	}
	return pgx.BeginFunc(ctx, g.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, q); err != nil {
			return err
		}
		return fn(tx)
	})
}
