// Package rivershop sells tickets, and leaves to jobs of River what can be done
// later.
package rivershop

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// ErrSoldOut is returned when there are not enough seats.
var ErrSoldOut = errors.New("sold out")

// MailArgs are the arguments of a job that sends a mail.
type MailArgs struct {
	Subject string `json:"subject"`
}

// Kind implements [river.JobArgs].
func (MailArgs) Kind() string { return "mail" }

// PublishArgs are the arguments of a job that tells a partner of an event.
type PublishArgs struct {
	EventID int    `json:"event_id"`
	URL     string `json:"url"`
}

// Kind implements [river.JobArgs].
func (PublishArgs) Kind() string { return "publish" }

// SellArgs are the arguments of a job that takes seats.
type SellArgs struct {
	EventID int `json:"event_id"`
	Seats   int `json:"seats"`
}

// Kind implements [river.JobArgs].
func (SellArgs) Kind() string { return "sell" }

// SweepArgs are the arguments of a job that forgets what is done.
type SweepArgs struct{}

// Kind implements [river.JobArgs].
func (SweepArgs) Kind() string { return "sweep" }

// Shop sells tickets.
type Shop struct {
	pool  *pgxpool.Pool
	river *river.Client[pgx.Tx]
}

// New returns a shop over the pool, which inserts jobs and runs none.
func New(pool *pgxpool.Pool) (*Shop, error) {
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{})
	if err != nil {
		return nil, fmt.Errorf("river: %w", err)
	}
	return &Shop{pool: pool, river: client}, nil
}

// Workers returns what runs the shop's jobs.
func (s *Shop) Workers() *river.Workers {
	workers := river.NewWorkers()
	river.AddWorker(workers, &PublishWorker{pool: s.pool})
	river.AddWorker(workers, &SellWorker{pool: s.pool})
	river.AddWorker(workers, &SweepWorker{pool: s.pool})
	return workers
}

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
	_, err := s.river.Insert(ctx, MailArgs{Subject: "your tickets"}, nil)
	return err
}

// BuyInTx locks it until the seats are written, and the job is inserted.
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
		_, err := s.river.InsertTx(ctx, tx, MailArgs{Subject: "your tickets"}, nil)
		return err
	})
}

// Rename inserts the jobs on the client's pool: they can run before the title is
// committed, and stay if it is not.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := s.river.InsertMany(ctx, mails(title)); err != nil { // want "transaction"
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE events SET title = $2 WHERE id = $1`, id, title); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// RenameInTx inserts them in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := s.river.InsertManyTx(ctx, tx, mails(title)); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE events SET title = $2 WHERE id = $1`, id, title); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func mails(title string) []river.InsertManyParams {
	return []river.InsertManyParams{
		{Args: MailArgs{Subject: "renamed " + title}},
		{Args: MailArgs{Subject: "renamed for press " + title}, InsertOpts: &river.InsertOpts{Queue: "press"}},
	}
}

func exists(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

// Add adds an event, which may be there, and a job for its poster. The job cannot
// be inserted if the event was there.
func (s *Shop) Add(ctx context.Context, title string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO events (title, seats) VALUES ($1, 0)`, title); err != nil && !exists(err) {
			return err
		}
		_, err := s.river.InsertTx(ctx, tx, MailArgs{Subject: "poster of " + title}, nil) // want "25P02"
		return err
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO events (title, seats) VALUES ($1, 0) ON CONFLICT DO NOTHING`, title); err != nil {
			return err
		}
		_, err := s.river.InsertTx(ctx, tx, MailArgs{Subject: "poster of " + title}, nil)
		return err
	})
}

const saveTitle = `UPDATE events SET title = $3, version = version + 1 WHERE id = $1 AND version = $2`

// Save writes the title if the version is the one that was read, does not look
// whether it was, and has a mail sent about it.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, saveTitle, id, version, title); err != nil { // want "row"
			return err
		}
		_, err := s.river.InsertTx(ctx, tx, MailArgs{Subject: "saved " + title}, nil)
		return err
	})
}

// ErrChanged is returned when somebody else has changed the event.
var ErrChanged = errors.New("somebody else has changed the event")

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, saveTitle, id, version, title)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return ErrChanged
		}
		_, err = s.river.InsertTx(ctx, tx, MailArgs{Subject: "saved " + title}, nil)
		return err
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

// PublishWorker tells the partner while the event is locked.
type PublishWorker struct {
	river.WorkerDefaults[PublishArgs]
	pool *pgxpool.Pool
}

// Work implements [river.Worker].
func (w *PublishWorker) Work(ctx context.Context, job *river.Job[PublishArgs]) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE events SET version = version + 1 WHERE id = $1`, job.Args.EventID); err != nil {
			return err
		}
		return announce(ctx, job.Args.URL) // want "transaction"
	})
}

// PublishAfterWorker tells the partner after the commit. River runs it again if
// that fails.
type PublishAfterWorker struct {
	river.WorkerDefaults[PublishArgs]
	pool *pgxpool.Pool
}

// NewPublishAfterWorker returns a worker over the shop's pool.
func (s *Shop) NewPublishAfterWorker() *PublishAfterWorker { return &PublishAfterWorker{pool: s.pool} }

// Work implements [river.Worker].
//
//proof:fixes (*PublishWorker).Work
func (w *PublishAfterWorker) Work(ctx context.Context, job *river.Job[PublishArgs]) error {
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE events SET version = version + 1 WHERE id = $1`, job.Args.EventID)
		return err
	})
	if err != nil {
		return err
	}
	return announce(ctx, job.Args.URL)
}

// NewPublishWorker returns a worker over the shop's pool.
func (s *Shop) NewPublishWorker() *PublishWorker { return &PublishWorker{pool: s.pool} }

// SellWorker takes seats.
type SellWorker struct {
	river.WorkerDefaults[SellArgs]
	pool *pgxpool.Pool
}

// NewSellWorker returns a worker over the shop's pool.
func (s *Shop) NewSellWorker() *SellWorker { return &SellWorker{pool: s.pool} }

// Work implements [river.Worker]: it reads the seats and writes what it has made of
// them. Two jobs run at a time.
func (w *SellWorker) Work(ctx context.Context, job *river.Job[SellArgs]) error {
	tx, err := w.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	var seats int
	if err := tx.QueryRow(ctx, selectSeats, job.Args.EventID).Scan(&seats); err != nil {
		return err
	}
	if seats < job.Args.Seats {
		return river.JobCancel(ErrSoldOut)
	}
	if _, err := tx.Exec(ctx, setSeats, job.Args.EventID, seats-job.Args.Seats); err != nil { // want "lost update"
		return err
	}
	return tx.Commit(ctx)
}

// SellLockedWorker locks the row before.
type SellLockedWorker struct {
	river.WorkerDefaults[SellArgs]
	pool *pgxpool.Pool
}

// NewSellLockedWorker returns a worker over the shop's pool.
func (s *Shop) NewSellLockedWorker() *SellLockedWorker { return &SellLockedWorker{pool: s.pool} }

// Work implements [river.Worker].
//
//proof:fixes (*SellWorker).Work
func (w *SellLockedWorker) Work(ctx context.Context, job *river.Job[SellArgs]) error {
	tx, err := w.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	var seats int
	if err := tx.QueryRow(ctx, lockSeats, job.Args.EventID).Scan(&seats); err != nil {
		return err
	}
	if seats < job.Args.Seats {
		return river.JobCancel(ErrSoldOut)
	}
	if _, err := tx.Exec(ctx, setSeats, job.Args.EventID, seats-job.Args.Seats); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// SweepWorker forgets what is done, with a lock that keeps other processes from
// doing so. The lock stays with a connection of the pool.
type SweepWorker struct {
	river.WorkerDefaults[SweepArgs]
	pool *pgxpool.Pool
}

// NewSweepWorker returns a worker over the shop's pool.
func (s *Shop) NewSweepWorker() *SweepWorker { return &SweepWorker{pool: s.pool} }

// Work implements [river.Worker].
func (w *SweepWorker) Work(ctx context.Context, _ *river.Job[SweepArgs]) error {
	var locked bool
	if err := w.pool.QueryRow(ctx, `SELECT pg_try_advisory_lock(4711)`).Scan(&locked); err != nil || !locked { // want "advisory lock"
		return err
	}
	_, err := w.pool.Exec(ctx, `DELETE FROM jobs WHERE state = 'done'`)
	return err
}

// SweepInTxWorker does so under a lock that ends with the transaction.
type SweepInTxWorker struct {
	river.WorkerDefaults[SweepArgs]
	pool *pgxpool.Pool
}

// NewSweepInTxWorker returns a worker over the shop's pool.
func (s *Shop) NewSweepInTxWorker() *SweepInTxWorker { return &SweepInTxWorker{pool: s.pool} }

// Work implements [river.Worker].
//
//proof:fixes (*SweepWorker).Work
func (w *SweepInTxWorker) Work(ctx context.Context, _ *river.Job[SweepArgs]) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		var locked bool
		if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(4711)`).Scan(&locked); err != nil || !locked {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM jobs WHERE state = 'done'`)
		return err
	})
}

// MoveArgs are the arguments of a job that moves seats.
type MoveArgs struct {
	From, To, Seats int
}

// Kind implements [river.JobArgs].
func (MoveArgs) Kind() string { return "move" }

// MoveWorker inserts its follow-up on the client of the context, while its own
// transaction is open.
type MoveWorker struct {
	river.WorkerDefaults[MoveArgs]
	pool *pgxpool.Pool
}

// NewMoveWorker returns a worker over the shop's pool.
func (s *Shop) NewMoveWorker() *MoveWorker { return &MoveWorker{pool: s.pool} }

// Work implements [river.Worker].
func (w *MoveWorker) Work(ctx context.Context, job *river.Job[MoveArgs]) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		client := river.ClientFromContext[pgx.Tx](ctx)
		if _, err := client.Insert(ctx, MailArgs{Subject: "moved"}, nil); err != nil { // want "transaction"
			return err
		}
		return move(ctx, tx, job.Args)
	})
}

func move(ctx context.Context, tx pgx.Tx, args MoveArgs) error {
	var left int
	err := tx.QueryRow(ctx, `UPDATE events SET seats = seats - $2 WHERE id = $1 AND seats >= $2 RETURNING seats`, args.From, args.Seats).Scan(&left)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE events SET seats = seats + $2 WHERE id = $1`, args.To, args.Seats)
	return err
}

// MoveInTxWorker inserts it in the transaction.
type MoveInTxWorker struct {
	river.WorkerDefaults[MoveArgs]
	pool *pgxpool.Pool
}

// NewMoveInTxWorker returns a worker over the shop's pool.
func (s *Shop) NewMoveInTxWorker() *MoveInTxWorker { return &MoveInTxWorker{pool: s.pool} }

// Work implements [river.Worker].
//
//proof:fixes (*MoveWorker).Work
func (w *MoveInTxWorker) Work(ctx context.Context, job *river.Job[MoveArgs]) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		client := river.ClientFromContext[pgx.Tx](ctx)
		if _, err := client.InsertTx(ctx, tx, MailArgs{Subject: "moved"}, nil); err != nil {
			return err
		}
		return move(ctx, tx, job.Args)
	})
}

// Client returns the client, for the contexts of workers.
func (s *Shop) Client() *river.Client[pgx.Tx] { return s.river }

// What follows is right.

// Remind inserts one job, and needs no transaction.
func (s *Shop) Remind(ctx context.Context, subject string) error {
	_, err := s.river.Insert(ctx, MailArgs{Subject: subject}, &river.InsertOpts{MaxAttempts: 3})
	return err
}

// Restock adds seats in the statement itself, and its job after the transaction.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, `UPDATE events SET seats = seats + $2 WHERE id = $1`, id, n); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	_, err = s.river.Insert(ctx, MailArgs{Subject: "new seats"}, nil)
	return err
}

// Withdraw cancels the event's jobs with the event.
func (s *Shop) Withdraw(ctx context.Context, id int, jobs []int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		for _, job := range jobs {
			if _, err := s.river.JobCancelTx(ctx, tx, job); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `DELETE FROM events WHERE id = $1`, id)
		return err
	})
}

// CountArgs are the arguments of a job that counts.
type CountArgs struct{}

// Kind implements [river.JobArgs].
func (CountArgs) Kind() string { return "count" }

// CountWorker completes its job in the transaction of its work.
type CountWorker struct {
	river.WorkerDefaults[CountArgs]
	pool *pgxpool.Pool
}

// Work implements [river.Worker].
func (w *CountWorker) Work(ctx context.Context, job *river.Job[CountArgs]) error {
	tx, err := w.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, `INSERT INTO jobs (kind) SELECT 'count of ' || count(*) FROM events`); err != nil {
		return err
	}
	if _, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// AuditArgs are the arguments of a job that adds the seats up.
type AuditArgs struct{}

// Kind implements [river.JobArgs].
func (AuditArgs) Kind() string { return "audit" }

// AuditWorker works in a SERIALIZABLE transaction. River runs a job again whose
// worker returns an error, this one too.
type AuditWorker struct {
	river.WorkerDefaults[AuditArgs]
	pool *pgxpool.Pool
}

// Work implements [river.Worker].
func (w *AuditWorker) Work(ctx context.Context, _ *river.Job[AuditArgs]) error {
	return pgx.BeginTxFunc(ctx, w.pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error {
		var seats int
		if err := tx.QueryRow(ctx, `SELECT sum(seats) FROM events`).Scan(&seats); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO jobs (kind) VALUES ($1)`, fmt.Sprintf("%d seats", seats))
		return err
	})
}

// MailWorker sends a mail, and holds no transaction.
type MailWorker struct {
	river.WorkerDefaults[MailArgs]
	pool *pgxpool.Pool
	url  string
}

// Work implements [river.Worker].
func (w *MailWorker) Work(ctx context.Context, job *river.Job[MailArgs]) error {
	if err := announce(ctx, w.url+"?subject="+job.Args.Subject); err != nil {
		return river.JobSnooze(0)
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO jobs (kind) VALUES ('sent')`)
	return err
}
