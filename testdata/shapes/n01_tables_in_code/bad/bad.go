package bad

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// schema is run when the program starts. Nothing keeps a login from standing
// there twice.
const schema = `
BEGIN;
CREATE TABLE IF NOT EXISTS forum_members (
	id serial PRIMARY KEY,
	login text NOT NULL
);
COMMIT;`

func Start(ctx context.Context, pool *pgxpool.Pool) error {
	_, err := pool.Exec(ctx, schema)
	return err
}

var ErrTaken = errors.New("taken")

func Register(ctx context.Context, pool *pgxpool.Pool, login string) error {
	var id int64
	err := pool.QueryRow(ctx, `SELECT id FROM forum_members WHERE login = $1`, login).Scan(&id)
	if err == nil {
		return ErrTaken
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	_, err = pool.Exec(ctx, `INSERT INTO forum_members (login) VALUES ($1)`, login) // expect: lostupdate
	return err
}
