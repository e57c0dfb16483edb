package bad

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Broker struct {
	pool  *pgxpool.Pool
	table string
}

func (b *Broker) Fetch(ctx context.Context, queue string, max int) ([]int64, error) {
	q := fmt.Sprintf(`
		UPDATE %[1]s SET state = 'active', attempted_at = now()
		WHERE id = ANY(ARRAY(
			SELECT id FROM %[1]s
			WHERE queue = $1 AND state = 'available'
			ORDER BY priority, id
			LIMIT $2
			FOR UPDATE
		))
		RETURNING id`, pgx.Identifier{b.table}.Sanitize())
	rows, err := b.pool.Query(ctx, q, queue, max) // expect: skiplocked
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
