package bad

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
	if _, err := db.ExecContext(ctx, "set lock_timeout to '5s'"); err != nil { // expect: sessionset
		return err
	}
	_, err := db.ExecContext(ctx, fmt.Sprintf("ALTER TABLE %s ADD COLUMN IF NOT EXISTS %s %s", table, column, typ))
	return err
}
