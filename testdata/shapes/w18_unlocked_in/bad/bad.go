package bad

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const claim = `
	UPDATE uploads SET claimed_by = $1, claimed_at = now()
	WHERE id IN (SELECT id FROM uploads WHERE claimed_at IS NULL ORDER BY id LIMIT $2)
	RETURNING id`

func Claim(ctx context.Context, pool *pgxpool.Pool, worker string, n int) ([]int64, error) {
	rows, err := pool.Query(ctx, claim, worker, n) // expect: skiplocked
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
