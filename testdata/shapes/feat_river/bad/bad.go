// Package bad has one function for each feature of River that docs/libraries.md
// lists and no other program shows.
package bad

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
)

// MailArgs are the arguments of a job.
type MailArgs struct {
	ID int64 `json:"id"`
}

// Kind implements [river.JobArgs].
func (MailArgs) Kind() string { return "mail" }

// Inserter is what the store needs of a client.
type Inserter interface {
	Insert(ctx context.Context, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
}

// Store keeps items.
type Store struct {
	pool  *pgxpool.Pool
	river *river.Client[pgx.Tx]
	jobs  Inserter
}

// New returns a store.
func New(ctx context.Context, dsn string) (*Store, error) {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return nil, err
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{})
	if err != nil {
		return nil, err
	}
	return &Store{pool: pool, river: client, jobs: client}, nil
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

// InsertManyFast inserts many jobs on the pool.
func (s *Store) InsertManyFast(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := touch(ctx, tx, id); err != nil {
			return err
		}
		_, err := s.river.InsertManyFast(ctx, []river.InsertManyParams{{Args: MailArgs{ID: id}}}) // expect: poolintx
		return err
	})
}

// enqueue is a helper.
func (s *Store) enqueue(ctx context.Context, id int64) error {
	_, err := s.river.Insert(ctx, MailArgs{ID: id}, nil)
	return err
}

// Helper inserts by a function.
func (s *Store) Helper(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := touch(ctx, tx, id); err != nil {
			return err
		}
		return s.enqueue(ctx, id) // expect: poolintx
	})
}

// Interface inserts by an interface of one's own.
func (s *Store) Interface(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := touch(ctx, tx, id); err != nil {
			return err
		}
		_, err := s.jobs.Insert(ctx, MailArgs{ID: id}, nil) // missed: poolintx
		return err
	})
}

// InsertManyTx inserts jobs in a transaction that has failed.
func (s *Store) InsertManyTx(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id)
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		_, err = s.river.InsertManyTx(ctx, tx, []river.InsertManyParams{{Args: MailArgs{ID: id}}}) // expect: abortedtx
		return err
	})
}

// JobCancel cancels a job on the pool.
func (s *Store) JobCancel(ctx context.Context, id, job int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := touch(ctx, tx, id); err != nil {
			return err
		}
		_, err := s.river.JobCancel(ctx, job) // expect: poolintx
		return err
	})
}

// JobCancelTx cancels it in a transaction that has failed.
func (s *Store) JobCancelTx(ctx context.Context, id, job int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", id)
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		_, err = s.river.JobCancelTx(ctx, tx, job) // expect: abortedtx
		return err
	})
}

// JobGet reads a job on the pool.
func (s *Store) JobGet(ctx context.Context, id, job int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := touch(ctx, tx, id); err != nil {
			return err
		}
		_, err := s.river.JobGet(ctx, job) // expect: poolintx
		return err
	})
}

// JobList lists jobs on the pool.
func (s *Store) JobList(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := touch(ctx, tx, id); err != nil {
			return err
		}
		_, err := s.river.JobList(ctx, river.NewJobListParams().First(10)) // expect: poolintx
		return err
	})
}

// QueuePause pauses a queue on the pool.
func (s *Store) QueuePause(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := touch(ctx, tx, id); err != nil {
			return err
		}
		return s.river.QueuePause(ctx, river.QueueDefault, nil) // expect: poolintx
	})
}

// Safely inserts by the client of the context.
func (s *Store) Safely(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := touch(ctx, tx, id); err != nil {
			return err
		}
		client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
		if err != nil {
			return err
		}
		_, err = client.Insert(ctx, MailArgs{ID: id}, nil) // expect: poolintx
		return err
	})
}

// Funcs are workers that are functions.
func (s *Store) Funcs(workers *river.Workers, url string) {
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, job *river.Job[MailArgs]) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			if err := touch(ctx, tx, job.Args.ID); err != nil {
				return err
			}
			return call(ctx, url) // expect: externalcall
		})
	}))
}

// CompleteWorker completes its job in a transaction that has failed.
type CompleteWorker struct {
	river.WorkerDefaults[MailArgs]
	store *Store
}

// Work implements [river.Worker].
func (w *CompleteWorker) Work(ctx context.Context, job *river.Job[MailArgs]) error {
	return w.store.complete(ctx, job)
}

func (s *Store) complete(ctx context.Context, job *river.Job[MailArgs]) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	_, err = tx.Exec(ctx, "INSERT INTO items (id) VALUES ($1)", job.Args.ID)
	if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
		return err
	}
	if _, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job); err != nil { // expect: abortedtx
		return err
	}
	return tx.Commit(ctx)
}

// CancelWorker gives its job up after any error, also after 40001.
type CancelWorker struct {
	river.WorkerDefaults[MailArgs]
	pool *pgxpool.Pool
}

// Work implements [river.Worker].
func (w *CancelWorker) Work(ctx context.Context, job *river.Job[MailArgs]) error {
	err := pgx.BeginTxFunc(ctx, w.pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error { // missed: unhandled40001
		var n int64
		if err := tx.QueryRow(ctx, "SELECT n FROM items WHERE id = $1", job.Args.ID).Scan(&n); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE items SET n = $1 WHERE id = $2", n-1, job.Args.ID)
		return err
	})
	if err != nil {
		return river.JobCancel(err)
	}
	return nil
}

// TxMiddleware runs each worker with a transaction open.
type TxMiddleware struct {
	river.MiddlewareDefaults
	pool *pgxpool.Pool
}

// Work implements [rivertype.WorkerMiddleware].
func (m *TxMiddleware) Work(ctx context.Context, job *rivertype.JobRow, inner func(context.Context) error) error {
	return pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		if err := touch(ctx, tx, job.ID); err != nil {
			return err
		}
		return inner(ctx) // missed: externalcall
	})
}

// CallWorker calls another system.
type CallWorker struct {
	river.WorkerDefaults[MailArgs]
	url string
}

// Work implements [river.Worker].
func (w *CallWorker) Work(ctx context.Context, _ *river.Job[MailArgs]) error { return call(ctx, w.url) }

// Start runs it below the middleware.
func Start(ctx context.Context, pool *pgxpool.Pool, url string) error {
	workers := river.NewWorkers()
	river.AddWorker(workers, &CallWorker{url: url})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Workers:    workers,
		Middleware: []rivertype.Middleware{&TxMiddleware{pool: pool}},
	})
	if err != nil {
		return err
	}
	return client.Start(ctx)
}
