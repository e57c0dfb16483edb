package bad

import (
	"context"

	"github.com/uptrace/bun"
)

type Message struct {
	ID      int64 `bun:",pk"`
	Queue   string
	TakenBy string
}

func Receive(ctx context.Context, db *bun.DB, queue, consumer string) (*Message, error) {
	var m Message
	err := db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		err := tx.NewSelect().Model(&m).Where("queue = ?", queue).Where("taken_by IS NULL").Order("id ASC").Limit(1).For("UPDATE").Scan(ctx) // expect: skiplocked
		if err != nil {
			return err
		}
		_, err = tx.NewUpdate().Model(&m).Set("taken_by = ?", consumer).Where("id = ?", m.ID).Exec(ctx)
		return err
	})
	return &m, err
}
