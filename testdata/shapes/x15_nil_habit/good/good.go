// Package good has services that are given a transaction or nil, and hand it on
// to a store that they do not see.
package good

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"
)

type Store interface {
	Status(ctx context.Context, id int64, tx pgx.Tx) (string, error)
	SetStatus(ctx context.Context, id int64, status string, tx pgx.Tx) error
}

type Monitor struct{ store Store }

func New(store Store) *Monitor { return &Monitor{store} }

func send(id int64) error {
	resp, err := http.Get("https://chain.example/send")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Add is called with nil by all who have no transaction.
func (m *Monitor) Add(ctx context.Context, id int64, tx pgx.Tx) error {
	if err := m.store.SetStatus(ctx, id, "new", tx); err != nil {
		return err
	}
	return send(id)
}

func (m *Monitor) AddAll(ctx context.Context, ids []int64) error {
	for _, id := range ids {
		if err := m.Add(ctx, id, nil); err != nil {
			return err
		}
	}
	return nil
}

type handler func(id int64, tx pgx.Tx)

// Pending calls the handler with what it is given itself.
func (m *Monitor) Pending(ctx context.Context, ids []int64, handle handler, tx pgx.Tx) error {
	for _, id := range ids {
		status, err := m.store.Status(ctx, id, tx)
		if err != nil {
			return err
		}
		if status == "new" {
			handle(id, tx)
		}
	}
	return nil
}

func (m *Monitor) Resend(ctx context.Context, ids []int64) error {
	return m.Pending(ctx, ids, func(id int64, tx pgx.Tx) { _ = send(id) }, nil)
}
