package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"time"
)

func begin(ctx context.Context, pool *pgxpool.Pool) (pgx.Tx, func(*error), error) {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	return tx, func(perr *error) {
		if *perr != nil {
			tx.Rollback(ctx)
			return
		}
		*perr = tx.Commit(ctx)
	}, nil
}

func Run(ctx context.Context, pool *pgxpool.Pool) (err error) {
	tx, done, err := begin(ctx, pool)
	if err != nil {
		return err
	}
	defer done(&err)
	if _, err = tx.Exec(ctx, `UPDATE a SET b = 1`); err != nil {
		return err
	}
	time.Sleep(time.Second) // expect: externalcall
	return nil
}
