// Package good runs its transactions at a level that the caller gives, or none
// that can be seen.
package good

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type DBTX interface {
	Exec(context.Context, string, ...interface{}) (pgconn.CommandTag, error)
	QueryRow(context.Context, string, ...interface{}) pgx.Row
}

type Queries struct{ db DBTX }

func (q *Queries) Balance(ctx context.Context, id int64) (n int64, err error) {
	err = q.db.QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1`, id).Scan(&n)
	return n, err
}

func (q *Queries) SetBalance(ctx context.Context, id, n int64) error {
	_, err := q.db.Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, n)
	return err
}

type Store struct {
	pool *pgxpool.Pool
	opts pgx.TxOptions
}

func NewStore(pool *pgxpool.Pool, opts pgx.TxOptions) *Store { return &Store{pool, opts} }

func (s *Store) ExecTx(ctx context.Context, fn func(q *Queries) error) error {
	for {
		err := pgx.BeginTxFunc(ctx, s.pool, s.opts, func(tx pgx.Tx) error { return fn(&Queries{tx}) })
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

type Server struct{ store *Store }

func (s *Server) Deposit(ctx context.Context, id, amount int64) error {
	return s.store.ExecTx(ctx, func(q *Queries) error {
		n, err := q.Balance(ctx, id)
		if err != nil {
			return err
		}
		return q.SetBalance(ctx, id, n+amount)
	})
}
