package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Runner struct {
	pool *pgxpool.Pool
}

func NewRunner(pool *pgxpool.Pool) *Runner { return &Runner{pool: pool} }

func (r *Runner) Run(ctx context.Context, key int64, job func(context.Context) error) error {
	conn, err := r.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	q := New(conn)
	ok, err := q.TryLock(ctx, key)
	if err != nil || !ok {
		return err
	}
	defer func() {
		clean := context.WithoutCancel(ctx)
		if ok, err := q.Unlock(clean, key); err != nil || !ok {
			conn.Conn().Close(clean)
		}
	}()
	return job(ctx)
}
