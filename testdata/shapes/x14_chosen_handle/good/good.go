// Package good has a store whose methods take a transaction or nil, and that is
// its pool.
package good

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

type Store struct {
	*pgxpool.Pool
	replica *pgxpool.Pool
}

func New(pool, replica *pgxpool.Pool) *Store { return &Store{pool, replica} }

func (s *Store) on(tx pgx.Tx) querier {
	if tx == nil {
		return s
	}
	return tx
}

// near is chosen by something else.
func (s *Store) near(stale bool) querier {
	if stale {
		return s.replica
	}
	return s
}

func (s *Store) lock(ctx context.Context, id int64, tx pgx.Tx) (n int, err error) {
	err = s.on(tx).QueryRow(ctx, "SELECT n FROM stock WHERE id = $1 FOR UPDATE", id).Scan(&n)
	return n, err
}

func (s *Store) set(ctx context.Context, id int64, n int, tx pgx.Tx) error {
	_, err := s.on(tx).Exec(ctx, "UPDATE stock SET n = $2 WHERE id = $1", id, n)
	return err
}

// Take is given its transaction.
func (s *Store) Take(ctx context.Context, id int64, tx pgx.Tx) error {
	n, err := s.lock(ctx, id, tx)
	if err != nil {
		return err
	}
	return s.set(ctx, id, n-1, tx)
}

func (s *Store) TakeOne(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s, func(tx pgx.Tx) error { return s.Take(ctx, id, tx) })
}

// Tell may be called with a transaction or without one.
func (s *Store) Tell(ctx context.Context, id int64, tx pgx.Tx) error {
	if err := s.set(ctx, id, 0, tx); err != nil {
		return err
	}
	resp, err := http.Get("https://partner.example/empty")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (s *Store) TellAlone(ctx context.Context, id int64) error { return s.Tell(ctx, id, nil) }

// Read reads nearby, after the transaction.
func (s *Store) Read(ctx context.Context, id int64, stale bool) (n int, err error) {
	if err := s.TakeOne(ctx, id); err != nil {
		return 0, err
	}
	err = s.near(stale).QueryRow(ctx, "SELECT n FROM stock WHERE id = $1", id).Scan(&n)
	return n, err
}
