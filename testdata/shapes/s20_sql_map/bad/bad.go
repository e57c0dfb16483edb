package bad

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5/pgxpool"
)

var roles = map[string]string{
	"reader": "SET ROLE app_reader",
	"writer": "SET ROLE app_writer",
}

type Gate struct{ pool *pgxpool.Pool }

func (g *Gate) Become(ctx context.Context, kind string) error {
	q, ok := roles[kind]
	if !ok {
		return errors.New("no such role")
	}
	_, err := g.pool.Exec(ctx, q) // expect: sessionset
	return err
}
