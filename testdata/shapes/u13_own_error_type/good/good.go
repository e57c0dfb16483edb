package good

import (
	"context"
	"errors"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrConflict = errors.New("conflict")

type Store struct{ pool *pgxpool.Pool }

func mapErr(err error) error {
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		switch pe.Code {
		case "40001", "40P01":
			return ErrConflict
		case "23505":
			return fmt.Errorf("duplicate: %s", pe.Detail)
		}
	}
	return err
}

func (s *Store) once(ctx context.Context, fn func(context.Context, pgx.Tx) error) error {
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable})
	if err != nil {
		return mapErr(err)
	}
	defer tx.Rollback(ctx)
	if err := fn(ctx, tx); err != nil {
		return mapErr(err)
	}
	return mapErr(tx.Commit(ctx))
}

func (s *Store) Run(ctx context.Context, fn func(context.Context, pgx.Tx) error) error {
	for i := 0; i < 3; i++ {
		err := s.once(ctx, fn)
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return ErrConflict
}

func (s *Store) Rename(ctx context.Context, id int64, name string) error {
	return s.Run(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE things SET name = $2 WHERE id = $1", id, name)
		return err
	})
}
