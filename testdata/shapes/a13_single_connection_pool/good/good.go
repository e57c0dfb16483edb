package good

import (
	"context"
	"database/sql"
)

type guard struct{ db *sql.DB }

func open(dsn string) (*guard, error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	db.SetConnMaxLifetime(0)
	return &guard{db: db}, nil
}

func (g *guard) do(ctx context.Context, fn func() error) error {
	if _, err := g.db.ExecContext(ctx, "SELECT pg_advisory_lock(5)"); err != nil {
		return err
	}
	defer g.db.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(5)")
	return fn()
}

func Do(ctx context.Context, dsn string, fn func() error) error {
	g, err := open(dsn)
	if err != nil {
		return err
	}
	defer g.db.Close()
	return g.do(ctx, fn)
}
