package good

import (
	"context"
	"database/sql"
	"errors"
	"github.com/lib/pq"
)

type S struct{ db *sql.DB }

func (s *S) C(ctx context.Context) error {
again:
	err := s.work(ctx)
	var pe *pq.Error
	if errors.As(err, &pe) && pe.Code.Class() == "40" {
		goto again
	}
	return err
}

func (s *S) work(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE a SET n = n + 1"); err != nil {
		return err
	}
	return tx.Commit()
}
