package good

import (
	"context"
	"database/sql/driver"
	"errors"
	"github.com/jmoiron/sqlx"
)

// Renumber locks on the session and unlocks after the transaction.
func Renumber(ctx context.Context, db *sqlx.DB, board int64) (err error) {
	conn, err := db.Connx(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", board); err != nil {
		return err
	}
	defer func() {
		if _, e := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", board); e != nil {
			err = errors.Join(err, e, conn.Raw(func(any) error { return driver.ErrBadConn }))
		}
	}()
	tx, err := conn.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE cards c SET pos = n.pos FROM (SELECT id, row_number() OVER (ORDER BY pos) AS pos FROM cards WHERE board_id = $1) n WHERE n.id = c.id", board); err != nil {
		return err
	}
	return tx.Commit()
}
