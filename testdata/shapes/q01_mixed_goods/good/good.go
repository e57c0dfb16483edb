package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"io"
	"net/http"
	"strings"
	"time"
)

type Job struct {
	ID   int64
	Body []byte
}

type Worker struct {
	pool *pgxpool.Pool
	http *http.Client
}

// claim and finish are two transactions, the call is between them.
func (w *Worker) step(ctx context.Context) (bool, error) {
	job, err := w.claim(ctx)
	if err != nil {
		return false, err
	}
	if job == nil {
		return false, nil
	}
	callErr := w.call(ctx, job)
	return true, w.finish(ctx, job, callErr)
}

func (w *Worker) claim(ctx context.Context) (*Job, error) {
	tx, err := w.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	var j Job
	err = tx.QueryRow(ctx, `UPDATE jobs SET state = 'run' WHERE id = (SELECT id FROM jobs WHERE state = 'new' LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id, body`).Scan(&j.ID, &j.Body)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &j, tx.Commit(ctx)
}

func (w *Worker) call(ctx context.Context, j *Job) error {
	resp, err := w.http.Post("https://x", "text/plain", strings.NewReader(string(j.Body)))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (w *Worker) finish(ctx context.Context, j *Job, callErr error) error {
	return pgx.BeginTxFunc(ctx, w.pool, pgx.TxOptions{}, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE jobs SET state = $2 WHERE id = $1`, j.ID, callErr == nil)
		return err
	})
}

func (w *Worker) Run(ctx context.Context) {
	for {
		ok, err := w.step(ctx)
		if err == nil && ok {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
	}
}
