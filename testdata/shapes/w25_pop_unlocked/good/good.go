package good

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"
)

type Item struct {
	ID      int64  `db:"id"`
	Payload []byte `db:"payload"`
}

func Pop(ctx context.Context, db *sqlx.DB) (*Item, error) {
	var it Item
	if err := db.GetContext(ctx, &it, `SELECT id, payload FROM message_queue ORDER BY id LIMIT 1`); err != nil {
		return nil, err
	}
	res, err := db.ExecContext(ctx, `DELETE FROM message_queue WHERE id = $1`, it.ID)
	if err != nil {
		return nil, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return nil, errors.Join(err, errors.New("somebody was faster"))
	}
	return &it, nil
}
