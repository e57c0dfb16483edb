package bad

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"log"
)

var ErrConflict = errors.New("conflict")

type Store struct{ pool *pgxpool.Pool }

// Rename tells its caller of the conflict, and nobody tries again.
func (s *Store) Rename(ctx context.Context, id int64, name string) error {
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable}) // expect: unhandled40001
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "UPDATE things SET name = $2 WHERE id = $1", id, name); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func main2(ctx context.Context, s *Store) {
	if err := s.Rename(ctx, 1, "x"); err != nil {
		log.Println("rename failed:", err)
	}
}
