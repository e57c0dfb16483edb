package bad

import (
	"context"
	"database/sql"
	"fmt"
	"github.com/lib/pq"
)

type Repo struct {
	db     *sql.DB
	schema string
}

// New pings and chooses the schema once, on one connection of many.
func New(ctx context.Context, dsn, schema string) (*Repo, error) {
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		return nil, err
	}
	if err := db.PingContext(ctx); err != nil {
		return nil, err
	}
	r := &Repo{db: db, schema: schema}
	if schema != "" {
		if _, err := r.db.ExecContext(ctx, "SET search_path TO "+pq.QuoteIdentifier(schema)); err != nil { // expect: sessionset
			return nil, fmt.Errorf("search path: %w", err)
		}
	}
	return r, nil
}

func (r *Repo) Users(ctx context.Context) (n int, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT count(*) FROM users").Scan(&n)
	return n, err
}
