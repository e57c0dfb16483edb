// Package bad takes the position after the last one.
package bad

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
)

type Board struct{ pool *pgxpool.Pool }

func (b *Board) Add(ctx context.Context, list int64, title string) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		var last *int
		if err := tx.QueryRow(ctx, `SELECT MAX(position) FROM cards WHERE list_id = $1`, list).Scan(&last); err != nil {
			return err
		}
		next := 1
		if last != nil {
			next = *last + 1
		}
		_, err := tx.Exec(ctx, `INSERT INTO cards (list_id, position, title) VALUES ($1, $2, $3)`, list, next, title) // expect: lostupdate
		return err
	})
}

type Tasks struct{ db *sqlx.DB }

func (t *Tasks) maxNumber(ctx context.Context, project int64) (int64, error) {
	var n sql.NullInt64
	err := t.db.QueryRowContext(ctx, "SELECT max(number) FROM tasks WHERE project_id = $1", project).Scan(&n)
	return n.Int64, err
}

func (t *Tasks) Create(ctx context.Context, project int64, title string) error {
	n, err := t.maxNumber(ctx, project)
	if err != nil {
		return err
	}
	_, err = t.db.ExecContext(ctx, "INSERT INTO tasks (project_id, number, title) VALUES ($1, $2, $3)", project, n+1, title) // expect: lostupdate
	return err
}

func (t *Tasks) CreateCounted(ctx context.Context, project int64, title string) error {
	var n int
	if err := t.db.GetContext(ctx, &n, "SELECT count(*) FROM tasks WHERE project_id = $1", project); err != nil {
		return err
	}
	_, err := t.db.ExecContext(ctx, "INSERT INTO tasks (project_id, number, title) VALUES ($1, $2, $3)", project, n+1, title) // expect: lostupdate
	return err
}
