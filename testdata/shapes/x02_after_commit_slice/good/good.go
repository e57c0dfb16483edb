package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"log/slog"
	"net/http"
)

type unit struct {
	tx    pgx.Tx
	after []func(context.Context) error
}

func (u *unit) onCommit(f func(context.Context) error) { u.after = append(u.after, f) }

type Shop struct {
	pool *pgxpool.Pool
	hc   *http.Client
}

func (s *Shop) inTx(ctx context.Context, fn func(*unit) error) error {
	u := &unit{}
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		u.tx = tx
		return fn(u)
	})
	if err != nil {
		return err
	}
	for _, f := range u.after {
		if err := f(ctx); err != nil {
			slog.Error("after commit", "err", err)
		}
	}
	return nil
}

func (s *Shop) ping(ctx context.Context) error {
	req, _ := http.NewRequestWithContext(ctx, "GET", "http://erp/hook", nil)
	resp, err := s.hc.Do(req)
	if err == nil {
		resp.Body.Close()
	}
	return err
}

func (s *Shop) Buy(ctx context.Context, id int64) error {
	return s.inTx(ctx, func(u *unit) error {
		if _, err := u.tx.Exec(ctx, "UPDATE goods SET n = n - 1 WHERE id = $1", id); err != nil {
			return err
		}
		u.onCommit(s.ping)
		u.onCommit(func(ctx context.Context) error { return s.ping(ctx) })
		return nil
	})
}
