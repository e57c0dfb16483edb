package outbox

import (
	"context"
	"database/sql"
)

// A Publisher takes a message; the one of this library writes it into a table.
type Publisher interface {
	Publish(ctx context.Context, topic string, body []byte) error
}

type Orders struct {
	db  *sql.DB
	pub Publisher
}

func (o *Orders) Close(ctx context.Context, id int64) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE orders SET closed = true WHERE id = $1", id); err != nil {
		return err
	}
	if err := o.pub.Publish(ctx, "orders", []byte("closed")); err != nil {
		return err
	}
	return tx.Commit()
}
