// Package bad begins a transaction of the level that is the default.
package bad

import (
	"context"
	"database/sql"
)

type Pots struct{ db *sql.DB }

func (p *Pots) Add(ctx context.Context, id, n int64) error {
	tx, err := p.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var v int64
	if err := tx.QueryRowContext(ctx, `SELECT amount FROM pots WHERE id = $1`, id).Scan(&v); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE pots SET amount = $1 WHERE id = $2`, v+n, id); err != nil { // expect: lostupdate
		return err
	}
	return tx.Commit()
}
