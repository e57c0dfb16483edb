package bad

import (
	"context"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
)

type Unit struct {
	tx    pgx.Tx
	after []func()
}

func (u *Unit) AfterCommit(f func()) { u.after = append(u.after, f) }

func InTx(ctx context.Context, pool *pgxpool.Pool, fn func(*Unit) error) error {
	u := &Unit{}
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		u.tx = tx
		return fn(u)
	})
	if err != nil {
		return err
	}
	for _, f := range u.after {
		f()
	}
	return nil
}

func notify(id int64) { http.Get(fmt.Sprint("https://x/", id)) }

func Run(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return InTx(ctx, pool, func(u *Unit) error {
		if _, err := u.tx.Exec(ctx, `UPDATE a SET b = 1 WHERE id = $1`, id); err != nil {
			return err
		}
		notify(id) // expect: externalcall
		return nil
	})
}
