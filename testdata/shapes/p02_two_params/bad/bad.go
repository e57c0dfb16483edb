package bad

import (
	"context"
	"database/sql"
)

func Copy(ctx context.Context, db *sql.DB, id int64) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := db.QueryContext(ctx, `SELECT v FROM a WHERE id = $1`, id) // expect: poolintx
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if _, err := tx.ExecContext(ctx, `INSERT INTO b VALUES (1)`); err != nil {
			return err
		}
	}
	return tx.Commit()
}
