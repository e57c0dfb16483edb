package good

import (
	"context"

	"github.com/jmoiron/sqlx"
)

type Transcode struct {
	ID     string `db:"id"`
	Status string `db:"status"`
}

type UnitOfWork struct{ tx *sqlx.Tx }

func (u *UnitOfWork) Transcodes() *TranscodeRepo { return &TranscodeRepo{tx: u.tx} }

type TranscodeRepo struct{ tx *sqlx.Tx }

func (r *TranscodeRepo) Waiting(ctx context.Context, limit int) (list []Transcode, err error) {
	const q = `SELECT id, status FROM transcodes WHERE status = $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED`
	err = r.tx.SelectContext(ctx, &list, q, "waiting", limit)
	return list, err
}

func (r *TranscodeRepo) Update(ctx context.Context, t Transcode) error {
	_, err := r.tx.NamedExecContext(ctx, `UPDATE transcodes SET status = :status WHERE id = :id`, t)
	return err
}

func Within(ctx context.Context, db *sqlx.DB, fn func(*UnitOfWork) error) error {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(&UnitOfWork{tx: tx}); err != nil {
		return err
	}
	return tx.Commit()
}

func Start(ctx context.Context, db *sqlx.DB) error {
	return Within(ctx, db, func(u *UnitOfWork) error {
		list, err := u.Transcodes().Waiting(ctx, 5)
		if err != nil {
			return err
		}
		for _, t := range list {
			t.Status = "running"
			if err := u.Transcodes().Update(ctx, t); err != nil {
				return err
			}
		}
		return nil
	})
}
