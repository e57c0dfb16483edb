package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
	"log"
)

type Runner struct {
	q *Queries
}

func NewRunner(pool *pgxpool.Pool) *Runner { return &Runner{q: New(pool)} }

func (r *Runner) Run(ctx context.Context, key int64, job func(context.Context) error) error {
	ok, err := r.q.TryLock(ctx, key) // expect: advisorypool
	if err != nil || !ok {
		return err
	}
	defer func() {
		if ok, err := r.q.Unlock(ctx, key); err != nil || !ok { // also: advisorypool
			log.Println("unlock", ok, err)
		}
	}()
	return job(ctx)
}
