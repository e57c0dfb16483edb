package good

import (
	"context"
	"errors"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type S struct{ pool *pgxpool.Pool }

func (s *S) serial(ctx context.Context, fn func(pgx.Tx) error) error {
	for {
		err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, fn)
		var pe *pgconn.PgError
		if errors.As(err, &pe) && pe.Code == "40001" {
			continue
		}
		return err
	}
}

type NotFound struct{ ID int64 }

func (e *NotFound) Error() string { return fmt.Sprint("no row ", e.ID) }

type dbError struct {
	op  string
	err error
}

func (e *dbError) Error() string { return e.op + ": " + e.err.Error() }
func (e *dbError) Unwrap() error { return e.err }

func (s *S) A(ctx context.Context, id int64) error {
	return s.serial(ctx, func(tx pgx.Tx) error {
		var n int
		err := tx.QueryRow(ctx, "SELECT n FROM a WHERE id = $1", id).Scan(&n)
		if errors.Is(err, pgx.ErrNoRows) {
			return &NotFound{id}
		}
		if err != nil {
			return &dbError{"read", err}
		}
		_, err = tx.Exec(ctx, "UPDATE a SET n = $2 WHERE id = $1", id, n+1)
		var pe *pgconn.PgError
		if errors.As(err, &pe) && pe.Code == "23514" {
			return fmt.Errorf("too much: %s", pe.ConstraintName)
		}
		return err
	})
}

// B has a savepoint for what may fail.
func (s *S) B(ctx context.Context, id int64) error {
	return s.serial(ctx, func(tx pgx.Tx) error {
		err := pgx.BeginFunc(ctx, tx, func(sp pgx.Tx) error {
			_, err := sp.Exec(ctx, "INSERT INTO seen (id) VALUES ($1)", id)
			return err
		})
		var pe *pgconn.PgError
		if err != nil && !(errors.As(err, &pe) && pe.Code == "23505") {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE a SET n = n + 1 WHERE id = $1", id)
		return err
	})
}
