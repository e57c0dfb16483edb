package store

import (
	"context"
	"database/sql"
)

type Accounts struct{ DB *sql.DB }

func (a *Accounts) Lock(ctx context.Context, id int64) (int64, error) {
	var cents int64
	err := a.DB.QueryRowContext(ctx, "SELECT cents FROM accounts WHERE id = $1 FOR NO KEY UPDATE", id).Scan(&cents) // also: lockoutsidetx
	return cents, err
}

func (a *Accounts) Log(ctx context.Context, id int64) error {
	_, err := a.DB.ExecContext(ctx, "INSERT INTO account_log (account) VALUES ($1)", id)
	return err
}
