package good

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// steps are the migrations, the oldest first.
var steps = []string{
	`CREATE TABLE IF NOT EXISTS chain_blocks (
		number bigint NOT NULL PRIMARY KEY,
		hash text NOT NULL
	)`,
	`CREATE TABLE chain_forks (id serial PRIMARY KEY, name text NOT NULL)`,
	`CREATE UNIQUE INDEX chain_forks_name ON chain_forks (name)`,
}

func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	for _, step := range steps {
		if _, err := pool.Exec(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// Index is called for a block again and again; the primary key keeps out what
// two of them insert at a time.
func Index(ctx context.Context, pool *pgxpool.Pool, number int64, hash string) error {
	var found string
	err := pool.QueryRow(ctx, `SELECT hash FROM chain_blocks WHERE number = $1`, number).Scan(&found)
	if err == nil {
		return nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	_, err = pool.Exec(ctx, `INSERT INTO chain_blocks (number, hash) VALUES ($1, $2)`, number, hash)
	return err
}

func Fork(ctx context.Context, pool *pgxpool.Pool, name string) error {
	var id int64
	err := pool.QueryRow(ctx, `SELECT id FROM chain_forks WHERE name = $1`, name).Scan(&id)
	if err == nil {
		return nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	_, err = pool.Exec(ctx, `INSERT INTO chain_forks (name) VALUES ($1)`, name)
	return err
}
