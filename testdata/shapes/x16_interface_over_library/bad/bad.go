// Package bad sends what an interface hides, with a transaction open.
package bad

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x16_interface_over_library/bad/hook"
)

// A roundTripper is implemented by a type that only passes calls on.
type roundTripper interface {
	Do(*http.Request) (*http.Response, error)
}

type Service struct {
	pool  *pgxpool.Pool
	hooks *hook.Client
	trip  roundTripper
}

func New(pool *pgxpool.Pool) *Service {
	d := hook.NewClient()
	return &Service{pool: pool, hooks: hook.New(d), trip: &hook.Tracing{Next: d}}
}

func (s *Service) Deliver(ctx context.Context, id int64, url string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE deliveries SET tries = tries + 1 WHERE id = $1`, id); err != nil {
			return err
		}
		if err := s.hooks.Ping(url); err != nil { // expect: externalcall
			return err
		}
		return s.hooks.Call(ctx, url) // expect: externalcall
	})
}

func (s *Service) Forward(ctx context.Context, id int64, req *http.Request) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		resp, err := s.trip.Do(req) // expect: externalcall
		if err != nil {
			return err
		}
		if err := resp.Body.Close(); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE deliveries SET done = true WHERE id = $1`, id)
		return err
	})
}
