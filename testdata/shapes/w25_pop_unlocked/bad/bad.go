package bad

import (
	"context"

	"github.com/jmoiron/sqlx"
)

type Item struct {
	ID      int64  `db:"id"`
	Payload []byte `db:"payload"`
}

func Pop(ctx context.Context, db *sqlx.DB) (*Item, error) {
	var it Item
	if err := db.GetContext(ctx, &it, `SELECT id, payload FROM message_queue ORDER BY id LIMIT 1`); err != nil { // expect: skiplocked
		return nil, err
	}
	if _, err := db.ExecContext(ctx, `DELETE FROM message_queue WHERE id = $1`, it.ID); err != nil {
		return nil, err
	}
	return &it, nil
}
