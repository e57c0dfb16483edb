package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Sync struct {
	main   *pgxpool.Pool
	legacy *pgxpool.Pool
}

func (s *Sync) Move(ctx context.Context, id int64) error {
	tx, err := s.main.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `UPDATE a SET moved = true WHERE id = $1`, id); err != nil {
		return err
	}
	if _, err := s.main.Exec(ctx, `INSERT INTO moves VALUES ($1)`, id); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit(ctx)
}
