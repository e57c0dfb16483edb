package good

import (
	"context"
	"database/sql"
	"errors"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/g04_generic_retry_struct/good/rt"
)

type S struct{ db *sqlx.DB }

var policy = rt.Policy{Max: 4, Again: func(err error) bool {
	var pe *pq.Error
	return errors.As(err, &pe) && (pe.Code == "40001" || pe.Code == "40P01")
}}

func (s *S) D(ctx context.Context, id int64) (int64, error) {
	return rt.Do(ctx, policy, func(ctx context.Context) (n int64, err error) {
		tx, err := s.db.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
		if err != nil {
			return 0, err
		}
		defer tx.Rollback()
		if err := tx.GetContext(ctx, &n, "UPDATE a SET n = n + 1 WHERE id = $1 RETURNING n", id); err != nil {
			return 0, err
		}
		return n, tx.Commit()
	})
}
