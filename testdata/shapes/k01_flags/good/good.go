package good

import (
	"context"
	"database/sql"
	"errors"
	"log"
)

type S struct{ db *sql.DB }

func (s *S) A(ctx context.Context, ids []int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	failed := false
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, "INSERT INTO t (id) VALUES ($1)", id); err != nil {
			log.Println(err)
			failed = true
			break
		}
	}
	if failed {
		_ = tx.Rollback()
		return errors.New("failed")
	}
	return tx.Commit()
}
