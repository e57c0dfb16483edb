package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type App struct {
	rw *pgxpool.Pool
	ro *pgxpool.Pool
}

var audit *pgxpool.Pool

func (a *App) Run(ctx context.Context) error {
	return pgx.BeginFunc(ctx, a.rw, func(tx pgx.Tx) error {
		var n int
		if err := a.ro.QueryRow(ctx, `SELECT count(*) FROM a`).Scan(&n); err != nil {
			return err
		}
		if _, err := audit.Exec(ctx, `INSERT INTO audit VALUES ($1)`, n); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE a SET b = $1`, n)
		return err
	})
}

func Pipe(ctx context.Context, tx pgx.Tx, w *Other) error {
	if err := w.Put(ctx); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE a SET b = 1`)
	return err
}

type Other struct{ stats *pgxpool.Pool }

func (o *Other) Put(ctx context.Context) error {
	_, err := o.stats.Exec(ctx, `INSERT INTO s VALUES (1)`)
	return err
}
