package bad

import (
	"context"
	"github.com/jmoiron/sqlx"
)

// Renumber unlocks at the end only.
func Renumber(ctx context.Context, db *sqlx.DB, board int64) error {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_lock($1)", board); err != nil { // expect: advisorypool
		return err
	}
	var ids []int64
	if err := tx.SelectContext(ctx, &ids, "SELECT id FROM cards WHERE board_id = $1 ORDER BY pos", board); err != nil {
		return err // or: advisorypool
	}
	for i, id := range ids {
		if _, err := tx.ExecContext(ctx, "UPDATE cards SET pos = $2 WHERE id = $1", id, i); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", board); err != nil {
		return err
	}
	return tx.Commit()
}
