package bad

import (
	"context"
	"database/sql"
)

type Guard struct{ db *sql.DB }

func Open(dsn string) (*Guard, error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(1)
	return &Guard{db: db}, nil
}

func (g *Guard) Do(ctx context.Context, fn func() error) error {
	if _, err := g.db.ExecContext(ctx, "SELECT pg_advisory_lock(5)"); err != nil { // expect: advisorypool
		return err
	}
	defer g.db.ExecContext(ctx, "SELECT pg_advisory_unlock(5)") // also: advisorypool
	return fn()
}
