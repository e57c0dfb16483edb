package good

import (
	"context"
	"errors"
	"github.com/uptrace/bun"
)

type Seat struct {
	ID    int64 `bun:",pk"`
	Owner string
}

type Hall struct{ db *bun.DB }

func (h *Hall) Take(ctx context.Context, id int64, who string) error {
	return h.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		seat, err := lockSeat(ctx, tx, id)
		if err != nil {
			return err
		}
		if seat.Owner != "" {
			return errors.New("taken")
		}
		seat.Owner = who
		_, err = tx.NewUpdate().Model(seat).Column("owner").WherePK().Exec(ctx)
		return err
	})
}

func lockSeat(ctx context.Context, db bun.IDB, id int64) (*Seat, error) {
	seat := new(Seat)
	return seat, db.NewSelect().Model(seat).Where("id = ?", id).For("UPDATE").Scan(ctx)
}
