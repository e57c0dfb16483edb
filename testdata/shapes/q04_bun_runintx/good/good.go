package good

import (
	"context"
	"github.com/uptrace/bun"
)

type Row struct {
	bun.BaseModel `bun:"table:rows"`
	ID            int64
}

type Repo struct{ db bun.IDB }

func (r Repo) With(tx bun.IDB) Repo { return Repo{db: tx} }

func (r Repo) find(ctx context.Context, id int64) (*Row, error) {
	row := new(Row)
	return row, r.db.NewSelect().Model(row).Where("id = ?", id).Scan(ctx)
}

func (r Repo) Run(ctx context.Context, id int64) error {
	return r.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		row, err := r.With(tx).find(ctx, id)
		if err != nil {
			return err
		}
		_, err = tx.NewUpdate().Model(row).WherePK().Exec(ctx)
		return err
	})
}
