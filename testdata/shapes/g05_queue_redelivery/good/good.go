package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"log/slog"
)

type job struct {
	id  int64
	run func(context.Context) error
}

type Worker struct {
	pool *pgxpool.Pool
	jobs chan job
}

// Loop puts a job that met a conflict back into the queue.
func (w *Worker) Loop(ctx context.Context) {
	for j := range w.jobs {
		if err := w.handle(ctx, j.id); err != nil {
			var pe *pgconn.PgError
			if errors.As(err, &pe) && pe.Code == "40001" {
				w.jobs <- j
				continue
			}
			slog.Error("job", "err", err)
		}
	}
}

func (w *Worker) handle(ctx context.Context, id int64) error {
	return pgx.BeginTxFunc(ctx, w.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE jobs SET done = true WHERE id = $1", id)
		return err
	})
}
