package bad

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Worker struct {
	pool *pgxpool.Pool
	name string
}

// Reserve marks a batch with the worker's name, and reads it back.
func (w *Worker) Reserve(ctx context.Context) ([]int64, error) {
	tag, err := w.pool.Exec(ctx, reserve, w.name) // expect: skiplocked
	if err != nil || tag.RowsAffected() == 0 {
		return nil, err
	}
	rows, err := w.pool.Query(ctx, `SELECT id FROM thumbnails WHERE reserved_by = $1 AND made_at IS NULL`, w.name)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

const reserve = "UPDATE thumbnails SET reserved_by = $1, reserved_at = now() WHERE id IN (" +
	"SELECT id FROM thumbnails WHERE made_at IS NULL AND reserved_at IS NULL ORDER BY id LIMIT 20 FOR UPDATE)"
