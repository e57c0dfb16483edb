package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Repo struct{ pool *pgxpool.Pool }

type q interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

func (r *Repo) Log(ctx context.Context, tx pgx.Tx, msg string) error {
	var db q = r.pool
	if tx != nil {
		db = tx
	}
	_, err := db.Exec(ctx, `INSERT INTO log VALUES ($1)`, msg)
	return err
}

func (r *Repo) Run(ctx context.Context) error {
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE a SET b = 1`); err != nil {
			return err
		}
		return r.Log(ctx, nil, "done") // expect: poolintx
	})
}
