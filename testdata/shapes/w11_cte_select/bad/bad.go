package bad

import (
	"context"

	"github.com/jmoiron/sqlx"
)

type Delivery struct {
	ID  int64  `db:"id"`
	URL string `db:"url"`
}

type Deliveries struct{ db *sqlx.DB }

func (d *Deliveries) Claim(ctx context.Context, n int) (out []Delivery, err error) {
	err = d.db.SelectContext(ctx, &out, claim, n) // expect: skiplocked
	return out, err
}

const claim = `
		WITH due AS (
			SELECT id FROM webhook_deliveries
			WHERE status IN ('new', 'retry') AND next_attempt_at <= now()
			ORDER BY next_attempt_at
			LIMIT $1
			FOR UPDATE
		), claimed AS (
			UPDATE webhook_deliveries w SET status = 'sending' FROM due WHERE w.id = due.id RETURNING w.id, w.url
		)
		SELECT id, url FROM claimed ORDER BY id`
