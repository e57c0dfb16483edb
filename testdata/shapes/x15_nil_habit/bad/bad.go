// Package bad passes nil where it has no transaction, and works in one where a
// function is given one.
package bad

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Store interface {
	SetStatus(ctx context.Context, id int64, status string, tx pgx.Tx) error
}

type Scopes interface {
	Do(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) error
}

type Monitor struct {
	pool   *pgxpool.Pool
	store  Store
	scopes Scopes
}

func New(pool *pgxpool.Pool, store Store, scopes Scopes) *Monitor {
	return &Monitor{pool, store, scopes}
}

func (m *Monitor) Reset(ctx context.Context, id int64) error {
	return m.store.SetStatus(ctx, id, "new", nil)
}

func (m *Monitor) Send(ctx context.Context, id int64) error {
	return m.scopes.Do(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := m.store.SetStatus(ctx, id, "sent", tx); err != nil {
			return err
		}
		resp, err := http.Get("https://chain.example/send") // expect: externalcall
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

func (m *Monitor) tell(ctx context.Context, id int64, tx pgx.Tx) error {
	if err := m.store.SetStatus(ctx, id, "told", tx); err != nil {
		return err
	}
	resp, err := http.Get("https://chain.example/tell")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (m *Monitor) Tell(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		return m.tell(ctx, id, tx) // expect: externalcall
	})
}
