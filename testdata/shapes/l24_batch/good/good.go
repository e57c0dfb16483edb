package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Sync sends lock and write in one batch, which PostgreSQL runs as one transaction.
func Sync(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	b := &pgx.Batch{}
	b.Queue(`SELECT 1 FROM docs WHERE id = $1 FOR UPDATE`, id)
	b.Queue(`UPDATE doc_lines SET rev = rev + 1 WHERE doc_id = $1`, id)
	b.Queue(`UPDATE docs SET rev = rev + 1 WHERE id = $1`, id)
	return pool.SendBatch(ctx, b).Close()
}
