// Package bad has one function for each feature of gue that docs/libraries.md lists
// and no other program shows.
package bad

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/oklog/ulid/v2"
	"github.com/vgarvardt/gue/v5"
	"github.com/vgarvardt/gue/v5/adapter"
	"github.com/vgarvardt/gue/v5/adapter/libpq"
	"github.com/vgarvardt/gue/v5/adapter/pgxv5"
)

// Store keeps items.
type Store struct {
	pool *pgxpool.Pool
	gue  *gue.Client
	jobs adapter.ConnPool
}

// New returns a store.
func New(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return nil, err
	}
	jobs := pgxv5.NewConnPool(pool)
	client, err := gue.NewClient(jobs)
	if err != nil {
		return nil, err
	}
	return &Store{pool: pool, gue: client, jobs: jobs}, nil
}

func touch(ctx context.Context, tx pgx.Tx, id int64) error {
	_, err := tx.Exec(ctx, "UPDATE items SET n = n + 1 WHERE id = $1", id)
	return err
}

func call(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// EnqueueBatch queues jobs on the pool.
func (s *Store) EnqueueBatch(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := touch(ctx, tx, id); err != nil {
			return err
		}
		return s.gue.EnqueueBatch(ctx, []*gue.Job{{Type: "mail"}, {Type: "ship"}}) // expect: poolintx
	})
}

// EnqueueWithID queues a job with an ID on the pool.
func (s *Store) EnqueueWithID(ctx context.Context, id int64, job ulid.ULID) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := touch(ctx, tx, id); err != nil {
			return err
		}
		return s.gue.EnqueueWithID(ctx, &gue.Job{Type: "mail"}, job) // expect: poolintx
	})
}

// EnqueueBatchTx queues jobs in a transaction that has failed.
func (s *Store) EnqueueBatchTx(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id)
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		return s.gue.EnqueueBatchTx(ctx, []*gue.Job{{Type: "mail"}}, pgxv5.NewTx(tx)) // expect: abortedtx
	})
}

// LibPQ queues a job of a client over database/sql.
func LibPQ(ctx context.Context, db *sql.DB, id int64) error {
	client, err := gue.NewClient(libpq.NewConnPool(db))
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, "UPDATE items SET n = n + 1 WHERE id = $1", id); err != nil {
		return err
	}
	if err := client.Enqueue(ctx, &gue.Job{Type: "mail"}); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// Adapter is a transaction of gue's own adapter.
func (s *Store) Adapter(ctx context.Context, id int64) error {
	tx, err := s.jobs.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, "UPDATE items SET n = n + 1 WHERE id = $1", id); err != nil {
		return err
	}
	if _, err := s.jobs.Exec(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit(ctx)
}

// AdapterRow locks a row by the adapter's pool.
func (s *Store) AdapterRow(ctx context.Context, id int64) error {
	var n int64
	if err := s.jobs.QueryRow(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	_, err := s.jobs.Exec(ctx, "UPDATE items SET n = 0 WHERE id = $1", id)
	return err
}

// AdapterConn is a connection that the adapter's pool lends.
func (s *Store) AdapterConn(ctx context.Context) error {
	conn, err := s.jobs.Acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Release() }()
	_, err = conn.Exec(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// Beside writes on the pool after it has written in the job's transaction.
func (s *Store) Beside(ctx context.Context, job *gue.Job) error {
	if _, err := job.Tx().Exec(ctx, "UPDATE items SET n = n + 1 WHERE id = 1"); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, "INSERT INTO tags (item_id) VALUES (1)") // expect: poolintx
	return err
}

// Unused writes on the pool, while gue holds a transaction for the job.
func (s *Store) Unused(ctx context.Context, _ *gue.Job) error {
	_, err := s.pool.Exec(ctx, "INSERT INTO tags (item_id) VALUES (1)") // missed: poolintx
	return err
}

// Failed goes on in the job's transaction after a statement that has failed.
func (s *Store) Failed(ctx context.Context, job *gue.Job) error {
	_, err := job.Tx().Exec(ctx, "INSERT INTO items (id) VALUES (1)")
	if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
		return err
	}
	_, err = job.Tx().Exec(ctx, "INSERT INTO tags (item_id) VALUES (1)") // expect: abortedtx
	return err
}

// Deleted calls another system when the job is deleted, and not done.
func (s *Store) Deleted(ctx context.Context, job *gue.Job, url string) error {
	if err := job.Delete(ctx); err != nil {
		return err
	}
	return call(ctx, url) // expect: externalcall
}

// LockJob works a job by hand.
func (s *Store) LockJob(ctx context.Context, url string) error {
	job, err := s.gue.LockJob(ctx, "mail")
	if err != nil || job == nil {
		return err
	}
	defer func() { _ = job.Done(ctx) }()
	if err := call(ctx, url); err != nil { // expect: externalcall
		return err
	}
	return job.Delete(ctx)
}

// LockJobByID works one that it knows.
func (s *Store) LockJobByID(ctx context.Context, id ulid.ULID, url string) error {
	job, err := s.gue.LockJobByID(ctx, id)
	if err != nil {
		return err
	}
	defer func() { _ = job.Done(ctx) }()
	if err := call(ctx, url); err != nil { // expect: externalcall
		return err
	}
	return job.Delete(ctx)
}

// Work is a map of functions.
func (s *Store) Work(url string) (*gue.Worker, error) {
	return gue.NewWorker(s.gue, gue.WorkMap{
		"mail": func(ctx context.Context, job *gue.Job) error {
			if _, err := job.Tx().Exec(ctx, "UPDATE items SET n = n + 1 WHERE id = 1"); err != nil {
				return err
			}
			return call(ctx, url) // expect: externalcall
		},
	})
}

// Hooks are called while the job is locked.
func (s *Store) Hooks(work gue.WorkMap, url string) (*gue.Worker, error) {
	return gue.NewWorker(s.gue, work, gue.WithWorkerHooksJobLocked(func(ctx context.Context, job *gue.Job, _ error) {
		if _, err := job.Tx().Exec(ctx, "UPDATE items SET n = n + 1 WHERE id = 1"); err != nil {
			return
		}
		_ = call(ctx, url) // missed: externalcall
	}))
}
