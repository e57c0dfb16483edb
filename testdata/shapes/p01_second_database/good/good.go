package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Sync struct {
	main    *pgxpool.Pool
	legacy  *pgxpool.Pool
	replica *pgxpool.Pool
}

func (s *Sync) Move(ctx context.Context, id int64) error {
	tx, err := s.main.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := s.legacy.Exec(ctx, `DELETE FROM a WHERE id = $1`, id); err != nil {
		return err
	}
	var n int
	if err := s.replica.QueryRow(ctx, `SELECT count(*) FROM a`).Scan(&n); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE a SET moved = true WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
