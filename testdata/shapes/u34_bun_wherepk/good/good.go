// Package good locks, or sets a state, with bun.
package good

import (
	"context"

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
	return j.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		job := &Job{ID: id}
		if err := tx.NewSelect().Model(job).WherePK().For("NO KEY UPDATE").Scan(ctx); err != nil {
			return err
		}
		job.Attempts++
		_, err := tx.NewUpdate().Model(job).Column("attempts").WherePK().Exec(ctx)
		return err
	})
}

// Done sets a state whatever it was.
func (j *Jobs) Done(ctx context.Context, id int64) error {
	job := &Job{ID: id}
	if err := j.db.NewSelect().Model(job).WherePK().Scan(ctx); err != nil {
		return err
	}
	job.State = "done"
	_, err := j.db.NewUpdate().Model(job).Column("state").WherePK().Exec(ctx)
	return err
}
