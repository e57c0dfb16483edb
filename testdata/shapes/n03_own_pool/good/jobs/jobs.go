// Package jobs keeps the program's own books.
package jobs

import (
	"context"
	"database/sql"
)

type Files struct{ db *sql.DB }

func New(db *sql.DB) *Files { return &Files{db: db} }

func (f *Files) Count(ctx context.Context) (n int, err error) {
	err = f.db.QueryRowContext(ctx, `SELECT count(*) FROM files`).Scan(&n)
	return n, err
}
