package bad

import (
	"context"

	"github.com/jmoiron/sqlx"
)

type Inbox struct{ db *sqlx.DB }

type Letter struct {
	ID   int64  `db:"id"`
	Body string `db:"body"`
}

func (i *Inbox) Take(ctx context.Context, handle func(Letter) error) error {
	tx, err := i.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var letters []Letter
	if err := tx.SelectContext(ctx, &letters, `SELECT id, body FROM inbox WHERE handled IS NOT TRUE ORDER BY id LIMIT 10 FOR UPDATE`); err != nil { // expect: skiplocked
		return err
	}
	for _, l := range letters {
		if err := handle(l); err != nil {
			return err
		}
		if _, err := tx.NamedExecContext(ctx, `DELETE FROM inbox WHERE id = :id`, l); err != nil {
			return err
		}
	}
	return tx.Commit()
}
