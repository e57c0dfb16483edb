// Package bad runs the queries of a generator in a transaction, through a store.
package bad

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrPoor = errors.New("poor")

type Store interface {
	Querier
	ExecTx(ctx context.Context, fn func(q *Queries) error) error
}

type SQLStore struct {
	*Queries
	pool *pgxpool.Pool
}

func NewStore(pool *pgxpool.Pool) Store { return &SQLStore{Queries: New(pool), pool: pool} }

func (s *SQLStore) ExecTx(ctx context.Context, fn func(q *Queries) error) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	if err := fn(New(tx)); err != nil {
		if rb := tx.Rollback(ctx); rb != nil && !errors.Is(rb, pgx.ErrTxClosed) {
			return errors.Join(err, rb)
		}
		return err
	}
	return tx.Commit(ctx)
}

type Server struct{ store Store }

func NewServer(store Store) *Server { return &Server{store} }

func (s *Server) Transfer(ctx context.Context, from, to, amount int64) error {
	return s.store.ExecTx(ctx, func(q *Queries) error {
		a, err := q.GetAccount(ctx, from)
		if err != nil {
			return err
		}
		if a.Balance < amount {
			return ErrPoor
		}
		err = q.UpdateAccount(ctx, UpdateAccountParams{ID: from, Balance: a.Balance - amount}) // expect: lostupdate
		if err != nil {
			return err
		}
		b, err := q.GetAccount(ctx, to)
		if err != nil {
			return err
		}
		return q.UpdateAccount(ctx, UpdateAccountParams{ID: to, Balance: b.Balance + amount}) // missed: lostupdate
	})
}

func (s *Server) Fee(ctx context.Context, id int64) error {
	a, err := s.store.GetAccount(ctx, id)
	if err != nil {
		return err
	}
	return s.store.UpdateAccount(ctx, UpdateAccountParams{ID: id, Balance: a.Balance - 1}) // expect: lostupdate
}
