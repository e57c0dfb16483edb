package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

type Parcels struct{}

func (Parcels) Due(ctx context.Context, tx pgx.Tx, n int) ([]int64, error) {
	rows, err := tx.Query(ctx, `SELECT id FROM parcels WHERE dispatched_at IS NULL AND due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE`, n)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

func (Parcels) Dispatched(ctx context.Context, tx pgx.Tx, ids []int64) error {
	_, err := tx.Exec(ctx, `UPDATE parcels SET dispatched_at = now() WHERE id = ANY($1)`, ids)
	return err
}
