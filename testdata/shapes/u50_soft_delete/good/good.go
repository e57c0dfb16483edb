// Package good asks in the WHERE for what it has read.
package good

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Lists struct{ pool *pgxpool.Pool }

func (l *Lists) Add(ctx context.Context, id int64, n int) (bool, error) {
	var size int
	err := l.pool.QueryRow(ctx, `SELECT size FROM lists WHERE id = $1 AND deleted_at IS NULL`, id).Scan(&size)
	if err != nil {
		return false, err
	}
	tag, err := l.pool.Exec(ctx, `UPDATE lists SET size = $2, updated_at = now() WHERE id = $1 AND size = $3`, id, size+n, size)
	return tag.RowsAffected() == 1, err
}
