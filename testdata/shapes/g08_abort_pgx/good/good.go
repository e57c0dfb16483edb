package good

import (
	"context"
	"encoding/json"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type S struct{ pool *pgxpool.Pool }

type Tx interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Begin(ctx context.Context) (pgx.Tx, error)
}

func savepoint(ctx context.Context, tx pgx.Tx, fn func(pgx.Tx) error) error {
	sp, err := tx.Begin(ctx)
	if err != nil {
		return err
	}
	if err := fn(sp); err != nil {
		_ = sp.Rollback(ctx)
		return err
	}
	return sp.Commit(ctx)
}

func (s *S) A(ctx context.Context, ns []string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var dups int
		for _, n := range ns {
			err := savepoint(ctx, tx, func(tx pgx.Tx) error {
				_, err := tx.Exec(ctx, "INSERT INTO t (n) VALUES ($1)", n)
				return err
			})
			var pe *pgconn.PgError
			if errors.As(err, &pe) && pe.Code == "23505" {
				dups++
				continue
			}
			if err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, "UPDATE stats SET dups = dups + $1", dups)
		return err
	})
}

// only the code around can fail with ErrBad.
var ErrBad = errors.New("bad")

func check(n string) error {
	if n == "" {
		return ErrBad
	}
	return nil
}

func put(ctx context.Context, tx Tx, n string) error {
	if err := check(n); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "INSERT INTO t (n) VALUES ($1)", n)
	return err
}

func (s *S) B(ctx context.Context, ns []string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	for _, n := range ns {
		err := put(ctx, tx, n)
		if err == ErrBad {
			continue
		}
		if err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// a mismatch of types is no failure of the statement.
func (s *S) C(ctx context.Context) (out []int, err error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback(ctx)
	rows, err := tx.Query(ctx, "SELECT n, v FROM t")
	if err != nil {
		return nil, err
	}
	var bad int
	for rows.Next() {
		var n int
		var v []byte
		if err := rows.Scan(&n, &v); err != nil {
			bad++
			continue
		}
		var m map[string]any
		if json.Unmarshal(v, &m) != nil {
			bad++
			continue
		}
		out = append(out, n)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if _, err := tx.Exec(ctx, "UPDATE stats SET bad = $1", bad); err != nil {
		return nil, err
	}
	return out, tx.Commit(ctx)
}
