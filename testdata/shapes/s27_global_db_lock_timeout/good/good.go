package good

import (
	"context"
	"database/sql"
	"fmt"
	_ "github.com/lib/pq"
)

var db *sql.DB

func Init(dsn string) (err error) {
	db, err = sql.Open("postgres", dsn)
	return err
}

func AddColumn(ctx context.Context, table, column, typ string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "set local lock_timeout to '5s'"); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("ALTER TABLE %s ADD COLUMN IF NOT EXISTS %s %s", table, column, typ)); err != nil {
		return err
	}
	return tx.Commit()
}
