// Package bad has a store whose methods take a transaction or nil, and that is
// its pool.
package bad

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

type Store struct{ *pgxpool.Pool }

func New(pool *pgxpool.Pool) *Store { return &Store{pool} }

func (s *Store) on(tx pgx.Tx) querier {
	var q querier = s
	if tx != nil {
		q = tx
	}
	return q
}

func (s *Store) lock(ctx context.Context, id int64, tx pgx.Tx) (n int, err error) {
	err = s.on(tx).QueryRow(ctx, "SELECT n FROM stock WHERE id = $1 FOR UPDATE", id).Scan(&n)
	return n, err
}

func (s *Store) log(ctx context.Context, what string, tx pgx.Tx) error {
	_, err := s.on(tx).Exec(ctx, "INSERT INTO log (what) VALUES ($1)", what)
	return err
}

func (s *Store) logTwice(ctx context.Context, what string, tx pgx.Tx) error {
	if err := s.log(ctx, what, tx); err != nil {
		return err
	}
	return s.log(ctx, what+" again", tx)
}

func (s *Store) Take(ctx context.Context, id int64) error {
	n, err := s.lock(ctx, id, nil) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	_, err = s.Exec(ctx, "UPDATE stock SET n = $2 WHERE id = $1", id, n-1) // also: lostupdate
	return err
}

func (s *Store) Bring(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE stock SET n = n + 1 WHERE id = $1", id); err != nil {
			return err
		}
		return s.logTwice(ctx, "brought", nil) // expect: poolintx
	})
}
