package bad

import (
	"context"
	"database/sql"
	"errors"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

type Repo struct{ db *sqlx.DB }

func isSerialization(err error) bool {
	var pqErr *pq.Error
	return errors.As(err, &pqErr) && pqErr.Code.Name() == "serialization_failure"
}

func (r *Repo) Take(ctx context.Context, id int64) error {
	tx, err := r.db.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead}) // or: unhandled40001
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for try := 0; try < 3; try++ {
		_, err = tx.ExecContext(ctx, "UPDATE tickets SET n = n - 1 WHERE id = $1 AND n > 0", id) // expect: unhandled40001
		if !isSerialization(err) {
			break
		}
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}
