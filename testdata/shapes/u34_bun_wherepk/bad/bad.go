// Package bad selects and updates a model by its key, with bun.
package bad

import (
	"context"
	"database/sql"

	"github.com/uptrace/bun"
)

type Job struct {
	bun.BaseModel `bun:"table:jobs"`

	ID       int64 `bun:",pk"`
	Attempts int
	State    string
}

type Jobs struct{ db *bun.DB }

func (j *Jobs) Retry(ctx context.Context, id int64) error {
	return j.db.RunInTx(ctx, &sql.TxOptions{}, func(ctx context.Context, tx bun.Tx) error {
		job := &Job{ID: id}
		if err := tx.NewSelect().Model(job).WherePK().Scan(ctx); err != nil {
			return err
		}
		job.Attempts++
		_, err := tx.NewUpdate().Model(job).Column("attempts").WherePK().Exec(ctx) // expect: lostupdate
		return err
	})
}

func (j *Jobs) Fail(ctx context.Context, id int64) error {
	job := new(Job)
	if err := j.db.NewSelect().Model(job).Where("id = ?", id).Scan(ctx); err != nil {
		return err
	}
	_, err := j.db.NewUpdate().Model((*Job)(nil)).Set("attempts = ?", job.Attempts+1).Where("id = ?", id).Exec(ctx) // expect: lostupdate
	return err
}
