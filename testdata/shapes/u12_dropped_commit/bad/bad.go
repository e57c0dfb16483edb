package bad

import (
	"context"
	"database/sql"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

type Counter struct{ db *sqlx.DB }

const serializationFailure = pq.ErrorCode("40001")

func (c *Counter) Hit(ctx context.Context, page string) error {
	for {
		err := c.hit(ctx, page)
		if e, ok := err.(*pq.Error); ok && e.Code == serializationFailure {
			continue
		}
		return err
	}
}

func (c *Counter) hit(ctx context.Context, page string) error {
	tx, err := c.db.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return err
	}
	defer tx.Commit() // expect: unhandled40001 // also: txleak // also: abortedtx
	var n int
	if err := tx.GetContext(ctx, &n, "SELECT hits FROM pages WHERE name = $1", page); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE pages SET hits = $2 WHERE name = $1", page, n+1)
	return err
}
