// Package gueshop sells tickets, and leaves to jobs of gue what can be done later.
package gueshop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/vgarvardt/gue/v5"
	"github.com/vgarvardt/gue/v5/adapter"
	"github.com/vgarvardt/gue/v5/adapter/pgxv5"
)

// ErrSoldOut is returned when there are not enough seats.
var ErrSoldOut = errors.New("sold out")

// What jobs do.
const (
	Mail         = "mail"
	Publish      = "publish"
	PublishAfter = "publish after"
	Sell         = "sell"
	SellLocked   = "sell locked"
	Sweep        = "sweep"
	SweepInTx    = "sweep in tx"
	Move         = "move"
	MoveInTx     = "move in tx"
	Total        = "total"
	TotalLocal   = "total local"
	Thank        = "thank"
)

// Args are the arguments of all jobs.
type Args struct {
	Event   int    `json:"event"`
	To      int    `json:"to,omitempty"`
	Seats   int    `json:"seats,omitempty"`
	URL     string `json:"url,omitempty"`
	Subject string `json:"subject,omitempty"`
}

// Shop sells tickets.
type Shop struct {
	pool *pgxpool.Pool
	gue  *gue.Client
}

// New returns a shop over the pool.
func New(pool *pgxpool.Pool) (*Shop, error) {
	client, err := gue.NewClient(pgxv5.NewConnPool(pool))
	if err != nil {
		return nil, fmt.Errorf("gue: %w", err)
	}
	return &Shop{pool: pool, gue: client}, nil
}

// Worker returns what runs the shop's jobs.
func (s *Shop) Worker() (*gue.Worker, error) {
	return gue.NewWorker(s.gue, gue.WorkMap{
		Mail:         s.mail,
		Publish:      s.Publish,
		PublishAfter: s.PublishAfter,
		Sell:         s.Sell,
		SellLocked:   s.SellLocked,
		Sweep:        s.Sweep,
		SweepInTx:    s.SweepInTx,
		Move:         s.Move,
		MoveInTx:     s.MoveInTx,
		Total:        s.Total,
		TotalLocal:   s.TotalLocal,
		Thank:        s.thank,
	})
}

func newJob(what string, args Args) (*gue.Job, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	return &gue.Job{Type: what, Args: raw}, nil
}

func argsOf(raw []byte) (args Args, err error) {
	err = json.Unmarshal(raw, &args)
	return args, err
}

// Ask puts a job into the queue.
func (s *Shop) Ask(ctx context.Context, what string, args Args) error {
	job, err := newJob(what, args)
	if err != nil {
		return err
	}
	return s.enqueue(ctx, job)
}

func (s *Shop) enqueue(ctx context.Context, job *gue.Job) error { return s.gue.Enqueue(ctx, job) }

const (
	selectSeats = `SELECT seats FROM events WHERE id = $1`
	lockSeats   = selectSeats + ` FOR UPDATE`
	setSeats    = `UPDATE events SET seats = $2 WHERE id = $1`
)

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	var seats int
	if err := s.pool.QueryRow(ctx, lockSeats, id).Scan(&seats); err != nil { // want "row lock"
		return err
	}
	if seats < n {
		return ErrSoldOut
	}
	if _, err := s.pool.Exec(ctx, setSeats, id, seats-n); err != nil {
		return err
	}
	return s.Ask(ctx, Mail, Args{Subject: "your tickets"})
}

// BuyInTx locks it until the seats are written, and the job is in the queue.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var seats int
		if err := tx.QueryRow(ctx, lockSeats, id).Scan(&seats); err != nil {
			return err
		}
		if seats < n {
			return ErrSoldOut
		}
		if _, err := tx.Exec(ctx, setSeats, id, seats-n); err != nil {
			return err
		}
		job, err := newJob(Mail, Args{Subject: "your tickets"})
		if err != nil {
			return err
		}
		return s.gue.EnqueueTx(ctx, job, pgxv5.NewTx(tx))
	})
}

// Rename puts the job into the queue by the pool: it can run before the title is
// committed, and stays if it is not.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if err := s.Ask(ctx, Mail, Args{Subject: "renamed " + title}); err != nil { // want "transaction"
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE events SET title = $2 WHERE id = $1`, id, title); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// RenameInTx puts it there in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	job, err := newJob(Mail, Args{Subject: "renamed " + title})
	if err != nil {
		return err
	}
	if err := s.gue.EnqueueTx(ctx, job, pgxv5.NewTx(tx)); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE events SET title = $2 WHERE id = $1`, id, title); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func exists(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

// Add adds an event, which may be there, and a job for its poster. The job cannot
// be queued if the event was there.
func (s *Shop) Add(ctx context.Context, title string) error {
	job, err := newJob(Mail, Args{Subject: "poster of " + title})
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO events (title, seats) VALUES ($1, 0)`, title); err != nil && !exists(err) {
			return err
		}
		return s.gue.EnqueueTx(ctx, job, pgxv5.NewTx(tx)) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	job, err := newJob(Mail, Args{Subject: "poster of " + title})
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO events (title, seats) VALUES ($1, 0) ON CONFLICT DO NOTHING`, title); err != nil {
			return err
		}
		return s.gue.EnqueueTx(ctx, job, pgxv5.NewTx(tx))
	})
}

func announce(ctx context.Context, url string) error {
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

const raiseVersion = `UPDATE events SET version = version + 1 WHERE id = $1`

// Publish tells the partner in the transaction that gue holds for the job, in which
// the event is locked.
func (s *Shop) Publish(ctx context.Context, job *gue.Job) error {
	args, err := argsOf(job.Args)
	if err != nil {
		return err
	}
	if _, err := job.Tx().Exec(ctx, raiseVersion, args.Event); err != nil {
		return err
	}
	return announce(ctx, args.URL) // want "transaction"
}

// PublishAfter ends the job, and with it the transaction, before it tells the
// partner: at most once.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, job *gue.Job) error {
	args, err := argsOf(job.Args)
	if err != nil {
		return err
	}
	if _, err := job.Tx().Exec(ctx, raiseVersion, args.Event); err != nil {
		return err
	}
	if err := job.Delete(ctx); err != nil {
		return err
	}
	if err := job.Done(ctx); err != nil {
		return err
	}
	return announce(ctx, args.URL)
}

// Sell reads the seats and writes what it has made of them. Two workers run jobs.
func (s *Shop) Sell(ctx context.Context, job *gue.Job) error {
	args, err := argsOf(job.Args)
	if err != nil {
		return err
	}
	var seats int
	if err := job.Tx().QueryRow(ctx, selectSeats, args.Event).Scan(&seats); err != nil {
		return err
	}
	if seats < args.Seats {
		return ErrSoldOut
	}
	_, err = job.Tx().Exec(ctx, setSeats, args.Event, seats-args.Seats) // want "lost update"
	return err
}

// SellLocked locks the row before.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellLocked(ctx context.Context, job *gue.Job) error {
	args, err := argsOf(job.Args)
	if err != nil {
		return err
	}
	var seats int
	if err := job.Tx().QueryRow(ctx, lockSeats, args.Event).Scan(&seats); err != nil {
		return err
	}
	if seats < args.Seats {
		return ErrSoldOut
	}
	_, err = job.Tx().Exec(ctx, setSeats, args.Event, seats-args.Seats)
	return err
}

// Sweep forgets what is done. The lock is the session's, which outlives the job.
func (s *Shop) Sweep(ctx context.Context, job *gue.Job) error {
	tx := job.Tx()
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_lock(4711)`); err != nil { // want "advisory lock"
		return err
	}
	_, err := tx.Exec(ctx, `DELETE FROM jobs WHERE state = 'done'`)
	return err
}

// SweepInTx does so under a lock that ends with the job.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context, job *gue.Job) error {
	tx := job.Tx()
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(4711)`); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `DELETE FROM jobs WHERE state = 'done'`)
	return err
}

func move(ctx context.Context, tx pgx.Tx, args Args) error {
	var left int
	err := tx.QueryRow(ctx, `UPDATE events SET seats = seats - $2 WHERE id = $1 AND seats >= $2 RETURNING seats`, args.Event, args.Seats).Scan(&left)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE events SET seats = seats + $2 WHERE id = $1`, args.To, args.Seats)
	return err
}

// Move moves seats in a transaction of its own: gue would commit, with the job's
// error, what was done in the job's. It puts its follow-up into the queue beside it.
func (s *Shop) Move(ctx context.Context, job *gue.Job) error {
	args, err := argsOf(job.Args)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.Ask(ctx, Mail, Args{Subject: "moved"}); err != nil { // want "transaction"
			return err
		}
		return move(ctx, tx, args)
	})
}

// MoveInTx puts it there in the transaction.
//
//proof:fixes (*Shop).Move
func (s *Shop) MoveInTx(ctx context.Context, job *gue.Job) error {
	args, err := argsOf(job.Args)
	if err != nil {
		return err
	}
	mail, err := newJob(Mail, Args{Subject: "moved"})
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.gue.EnqueueTx(ctx, mail, pgxv5.NewTx(tx)); err != nil {
			return err
		}
		return move(ctx, tx, args)
	})
}

// Total gives the count five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context, job *gue.Job) error {
	if _, err := job.Tx().Exec(ctx, `SET statement_timeout = '5s'`); err != nil { // want "session"
		return err
	}
	_, err := job.Tx().Exec(ctx, `INSERT INTO jobs (kind) SELECT count(*) || ' events' FROM events`)
	return err
}

// TotalLocal gives them to the job's transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context, job *gue.Job) error {
	if _, err := job.Tx().Exec(ctx, `SET LOCAL statement_timeout = '5s'`); err != nil {
		return err
	}
	_, err := job.Tx().Exec(ctx, `INSERT INTO jobs (kind) SELECT count(*) || ' events' FROM events`)
	return err
}

// What follows is right.

// mail does its work on the pool, and sends nothing.
func (s *Shop) mail(ctx context.Context, job *gue.Job) error {
	args, err := argsOf(job.Args)
	if err != nil {
		return err
	}
	_, err = s.pool.Exec(ctx, `INSERT INTO jobs (kind) VALUES ($1)`, "sent "+args.Subject)
	return err
}

// thank sends first what may be sent twice, with the job ended.
func (s *Shop) thank(ctx context.Context, job *gue.Job) error {
	args, err := argsOf(job.Args)
	if err != nil {
		return err
	}
	if err := errors.Join(job.Delete(ctx), job.Done(ctx)); err != nil {
		return err
	}
	return announce(ctx, args.URL)
}

// Remind asks for one mail, and needs no transaction.
func (s *Shop) Remind(ctx context.Context, subject string) error {
	return s.Ask(ctx, Mail, Args{Subject: subject})
}

// Restock adds seats in the statement itself, and asks for its mail after the
// transaction.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE events SET seats = seats + $2 WHERE id = $1`, id, n)
		return err
	})
	if err != nil {
		return err
	}
	return s.Ask(ctx, Mail, Args{Subject: "new seats"})
}

// Withdraw takes the event away, and asks for mails in the same transaction, by
// gue's own adapter.
func (s *Shop) Withdraw(ctx context.Context, pool adapter.ConnPool, id int) error {
	job, err := newJob(Mail, Args{Subject: "withdrawn"})
	if err != nil {
		return err
	}
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, `DELETE FROM events WHERE id = $1`, id); err != nil {
		return err
	}
	if err := s.gue.EnqueueBatchTx(ctx, []*gue.Job{job}, tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Next works one job by hand: it tells the partner when the job is done.
func (s *Shop) Next(ctx context.Context, queue string) error {
	job, err := s.gue.LockJob(ctx, queue)
	if err != nil || job == nil {
		return err
	}
	args, err := argsOf(job.Args)
	if err != nil {
		return errors.Join(err, job.Done(ctx))
	}
	if _, err := job.Tx().Exec(ctx, raiseVersion, args.Event); err != nil {
		return errors.Join(err, job.Done(ctx))
	}
	if err := job.Delete(ctx); err != nil {
		return errors.Join(err, job.Done(ctx))
	}
	if err := job.Done(ctx); err != nil {
		return err
	}
	return announce(ctx, args.URL)
}
