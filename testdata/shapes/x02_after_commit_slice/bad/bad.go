package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
)

type unit struct {
	tx    pgx.Tx
	after []func(context.Context) error
}

func (u *unit) run(ctx context.Context) error {
	for _, f := range u.after {
		if err := f(ctx); err != nil { // or: externalcall
			return err
		}
	}
	return nil
}

type Shop struct {
	pool *pgxpool.Pool
	hc   *http.Client
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
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	u := &unit{tx: tx}
	if _, err := u.tx.Exec(ctx, "UPDATE goods SET n = n - 1 WHERE id = $1", id); err != nil {
		return err
	}
	u.after = append(u.after, s.ping)
	if err := u.run(ctx); err != nil { // expect: externalcall
		return err
	}
	return tx.Commit(ctx)
}
