package good

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func InTx[T any](ctx context.Context, pool *pgxpool.Pool, fn func(pgx.Tx) (T, error)) (out T, err error) {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return out, err
	}
	defer tx.Rollback(ctx)
	if out, err = fn(tx); err != nil {
		return out, err
	}
	return out, tx.Commit(ctx)
}

type Step struct {
	ID  int64
	Cmd string
}

func NextStep(ctx context.Context, pool *pgxpool.Pool, agent string) (*Step, error) {
	return InTx(ctx, pool, func(tx pgx.Tx) (*Step, error) {
		rows, err := tx.Query(ctx, `
			SELECT s.id, s.cmd
			FROM steps s JOIN pipelines p ON p.id = s.pipeline_id
			WHERE s.status = 'pending' AND NOT p.paused
			ORDER BY p.priority DESC, s.id
			LIMIT 1
			FOR UPDATE OF s SKIP LOCKED`)
		if err != nil {
			return nil, err
		}
		step, err := pgx.CollectOneRow(rows, pgx.RowToAddrOfStructByPos[Step])
		if err != nil {
			return nil, err
		}
		_, err = tx.Exec(ctx, `UPDATE steps SET status = 'running', agent = $2 WHERE id = $1`, step.ID, agent)
		return step, err
	})
}
