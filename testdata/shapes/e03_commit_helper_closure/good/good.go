package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"time"
)

func begin(ctx context.Context, pool *pgxpool.Pool) (pgx.Tx, func(error) error, error) {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	return tx, func(err error) error {
		if err != nil {
			tx.Rollback(ctx)
			return err
		}
		return tx.Commit(ctx)
	}, nil
}

func Run(ctx context.Context, pool *pgxpool.Pool) error {
	tx, done, err := begin(ctx, pool)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE a SET b = 1`)
	if err = done(err); err != nil {
		return err
	}
	time.Sleep(time.Second)
	_, err = pool.Exec(ctx, `UPDATE a SET b = 2`)
	return err
}
