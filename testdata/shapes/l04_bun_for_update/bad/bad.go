package bad

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
	seat := new(Seat)
	err := h.db.NewSelect().Model(seat).Where("id = ?", id).For("UPDATE").Scan(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	if seat.Owner != "" {
		return errors.New("taken")
	}
	seat.Owner = who
	_, err = h.db.NewUpdate().Model(seat).Column("owner").WherePK().Exec(ctx) // also: lostupdate
	return err
}
