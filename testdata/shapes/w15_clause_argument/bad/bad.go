package bad

import (
	"context"
	"database/sql"
)

type Store struct{ db *sql.DB }

func next(ctx context.Context, tx *sql.Tx, lock string) (id int64, err error) {
	err = tx.QueryRowContext(ctx, "SELECT id FROM imports WHERE state = 'new' ORDER BY id LIMIT 1 "+lock).Scan(&id)
	return id, err
}

func (s *Store) Claim(ctx context.Context) (id int64, err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	id, err = next(ctx, tx, "FOR UPDATE") // expect: skiplocked
	if err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE imports SET state = 'busy' WHERE id = $1", id); err != nil {
		return 0, err
	}
	return id, tx.Commit()
}
