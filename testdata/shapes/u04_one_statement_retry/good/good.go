package good

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

type Repo struct{ db *sqlx.DB }

func isSerialization(err error) bool {
	var pqErr *pq.Error
	return errors.As(err, &pqErr) && pqErr.Code.Name() == "serialization_failure"
}

func (r *Repo) Take(ctx context.Context, id int64) error {
	var err error
	for try := 0; try < 3; try++ {
		if err = r.take(ctx, id); err == nil {
			return nil
		}
		if !isSerialization(err) {
			return err
		}
	}
	return fmt.Errorf("giving up: %w", err)
}

func (r *Repo) take(ctx context.Context, id int64) error {
	tx, err := r.db.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err = tx.ExecContext(ctx, "UPDATE tickets SET n = n - 1 WHERE id = $1 AND n > 0", id); err != nil {
		return fmt.Errorf("take ticket %d: %w", id, err)
	}
	return tx.Commit()
}
