// Package leases runs tasks that workers hold for a time: pgx, with helpers that
// return the command tag.
package leases

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrLost says that another worker has the task.
var ErrLost = errors.New("the lease is lost")

// A Worker is one process that runs tasks.
type Worker struct {
	pool *pgxpool.Pool
	name string
}

// NewWorker returns a worker with a name of its own.
func NewWorker(pool *pgxpool.Pool, name string) *Worker { return &Worker{pool: pool, name: name} }

// finish ends a task that this worker holds, and says whether it held it.
func (w *Worker) finish(ctx context.Context, task int64) (pgconn.CommandTag, error) {
	return w.pool.Exec(ctx, `UPDATE tasks SET state = 'done', done_by = $2 WHERE id = $1 AND locked_by = $2`, task, w.name)
}

// Run does the work and ends the task. It never learns that another worker has
// taken the task over.
func (w *Worker) Run(ctx context.Context, task int64, work func(context.Context) error) error {
	if err := work(ctx); err != nil {
		return err
	}
	_, err := w.finish(ctx, task) // want `UPDATE of tasks changes \(through Worker.finish, leases.go:\d+\): where "locked_by = \$2"`
	return err
}

// RunFenced does the work and ends the task, if it is still this worker's.
//
//proof:fixes (*Worker).Run
func (w *Worker) RunFenced(ctx context.Context, task int64, work func(context.Context) error) error {
	if err := work(ctx); err != nil {
		return err
	}
	tag, err := w.finish(ctx, task)
	switch {
	case err != nil:
		return err
	case tag.RowsAffected() == 0:
		return ErrLost
	}
	return nil
}

// TakeOver takes a task whose lease has run out.
func (w *Worker) TakeOver(ctx context.Context, task int64, d time.Duration) error {
	tag, err := w.pool.Exec(ctx, `UPDATE tasks SET locked_by = $2, locked_until = $3 WHERE id = $1 AND state = 'running' AND locked_until < now()`,
		task, w.name, time.Now().Add(d))
	if err == nil && tag.RowsAffected() == 0 {
		err = ErrLost
	}
	return err
}

// Release gives a task up. Whoever has it, afterwards it is not this worker.
func (w *Worker) Release(ctx context.Context, task int64) error {
	_, err := w.pool.Exec(ctx, `UPDATE tasks SET locked_by = NULL, locked_until = NULL, state = 'queued' WHERE id = $1 AND locked_by = $2`, task, w.name)
	return err
}

// Sweep queues all tasks whose leases have run out, however many there are.
func (w *Worker) Sweep(ctx context.Context) error {
	_, err := w.pool.Exec(ctx, `UPDATE tasks SET state = 'queued' WHERE state = 'running' AND locked_until < now()`)
	return err
}
