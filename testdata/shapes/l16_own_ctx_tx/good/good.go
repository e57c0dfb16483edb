package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
	"strconv"
)

type txKey struct{}

type DBTX interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

type Store struct{ pool *pgxpool.Pool }

func (s *Store) WithTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		return fn(context.WithValue(ctx, txKey{}, tx))
	})
}

func (s *Store) db(ctx context.Context) DBTX {
	if tx, ok := ctx.Value(txKey{}).(pgx.Tx); ok {
		return tx
	}
	return s.pool
}

func (s *Store) LockLoan(ctx context.Context, id int64) (state string, err error) {
	err = s.db(ctx).QueryRow(ctx, `SELECT state FROM loans WHERE id = $1 FOR UPDATE`, id).Scan(&state)
	return state, err
}

func (s *Store) CloseLoan(ctx context.Context, id int64) error {
	_, err := s.db(ctx).Exec(ctx, `UPDATE loans SET state = 'closed' WHERE id = $1`, id)
	return err
}

func Handler(s *Store) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.ParseInt(r.PathValue("loan"), 10, 64)
		err := s.WithTx(r.Context(), func(ctx context.Context) error {
			state, err := s.LockLoan(ctx, id)
			if err != nil {
				return err
			}
			if state != "open" {
				return errors.New("not open")
			}
			return s.CloseLoan(ctx, id)
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
}
