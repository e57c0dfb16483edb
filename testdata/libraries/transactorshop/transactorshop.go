// Package transactorshop sells tickets with Transactor, which keeps the transaction
// in the context.
package transactorshop

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/Thiht/transactor"
	"github.com/Thiht/transactor/stdlib"
	"github.com/jackc/pgx/v5/pgconn"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// An event is a row of events.
type event struct {
	ID      int64
	Title   string
	Seats   int64
	Version int64
}

// A job is a row of jobs.
type job struct {
	ID   int64
	Kind string
}

// A store runs its statements in the transaction of the context, if there is one.
type store struct{ db stdlib.DBGetter }

func (st store) lockEvent(ctx context.Context, id int64) (e event, err error) {
	err = st.db(ctx).QueryRowContext(ctx, `SELECT id, title, seats, version FROM events WHERE id = $1 FOR UPDATE`, id).Scan(&e.ID, &e.Title, &e.Seats, &e.Version)
	return e, err
}

func (st store) getEvent(ctx context.Context, id int64) (e event, err error) {
	err = st.db(ctx).QueryRowContext(ctx, `SELECT id, title, seats, version FROM events WHERE id = $1`, id).Scan(&e.ID, &e.Title, &e.Seats, &e.Version)
	return e, err
}

func (st store) countEvents(ctx context.Context) (n int64, err error) {
	err = st.db(ctx).QueryRowContext(ctx, `SELECT count(*) FROM events`).Scan(&n)
	return n, err
}

func (st store) setSeats(ctx context.Context, id, seats int64) error {
	_, err := st.db(ctx).ExecContext(ctx, `UPDATE events SET seats = $2 WHERE id = $1`, id, seats)
	return err
}

func (st store) addSeats(ctx context.Context, id, n int64) error {
	_, err := st.db(ctx).ExecContext(ctx, `UPDATE events SET seats = seats + $2 WHERE id = $1`, id, n)
	return err
}

func (st store) setTitle(ctx context.Context, id int64, title string) error {
	_, err := st.db(ctx).ExecContext(ctx, `UPDATE events SET title = $2 WHERE id = $1`, id, title)
	return err
}

func (st store) raiseVersion(ctx context.Context, id int64) error {
	_, err := st.db(ctx).ExecContext(ctx, `UPDATE events SET version = version + 1 WHERE id = $1`, id)
	return err
}

func (st store) insertEvent(ctx context.Context, title string) error {
	_, err := st.db(ctx).ExecContext(ctx, `INSERT INTO events (title, seats) VALUES ($1, 10)`, title)
	return err
}

func (st store) insertEventOnce(ctx context.Context, title string) error {
	_, err := st.db(ctx).ExecContext(ctx, `INSERT INTO events (title, seats) VALUES ($1, 10) ON CONFLICT (title) DO NOTHING`, title)
	return err
}

func (st store) insertJob(ctx context.Context, kind string) error {
	_, err := st.db(ctx).ExecContext(ctx, `INSERT INTO jobs (kind) VALUES ($1)`, kind)
	return err
}

func (st store) takeJob(ctx context.Context, id int64) error {
	_, err := st.db(ctx).ExecContext(ctx, `UPDATE jobs SET state = 'taken' WHERE id = $1`, id)
	return err
}

func (st store) deleteJobs(ctx context.Context, state string) error {
	_, err := st.db(ctx).ExecContext(ctx, `DELETE FROM jobs WHERE state = $1`, state)
	return err
}

func (st store) lockSweep(ctx context.Context, key int64) error {
	_, err := st.db(ctx).ExecContext(ctx, `SELECT pg_advisory_lock($1)`, key)
	return err
}

func (st store) lockSweepInTx(ctx context.Context, key int64) error {
	_, err := st.db(ctx).ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, key)
	return err
}

func (st store) limitTimeInTx(ctx context.Context, value string) error {
	_, err := st.db(ctx).ExecContext(ctx, `SELECT set_config('statement_timeout', $1, true)`, value)
	return err
}

func (st store) lockJobs(ctx context.Context) error {
	_, err := st.db(ctx).ExecContext(ctx, `LOCK TABLE jobs IN EXCLUSIVE MODE`)
	return err
}

func (st store) saveTitleChecked(ctx context.Context, id, version int64, title string) (int64, error) {
	res, err := st.db(ctx).ExecContext(ctx, `UPDATE events SET title = $3, version = version + 1 WHERE id = $1 AND version = $2`, id, version, title)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (st store) reserveSeats(ctx context.Context, id, n int64) (int64, error) {
	res, err := st.db(ctx).ExecContext(ctx, `UPDATE events SET seats = seats - $2 WHERE id = $1 AND seats >= $2`, id, n)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Shop sells tickets.
type Shop struct {
	pool *sql.DB
	tx   transactor.Transactor
	st   store
}

// New returns a shop over the database.
func New(pool *sql.DB) *Shop {
	tx, getter := stdlib.NewTransactor(pool, stdlib.NestedTransactionsSavepoints)
	return &Shop{pool: pool, tx: tx, st: store{db: getter}}
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	e, err := s.st.lockEvent(ctx, int64(id)) // want "row lock"
	if err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	return s.st.setSeats(ctx, e.ID, e.Seats-int64(n))
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		e, err := s.st.lockEvent(ctx, int64(id))
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		return s.st.setSeats(ctx, e.ID, e.Seats-int64(n))
	})
}

// Rename notes the mail to send with the context of the request, which carries no
// transaction.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	return s.tx.WithinTransaction(ctx, func(txCtx context.Context) error {
		if err := s.st.insertJob(ctx, "renamed "+title); err != nil { // want "transaction"
			return err
		}
		return s.st.setTitle(txCtx, int64(id), title)
	})
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if err := s.st.insertJob(ctx, "renamed "+title); err != nil {
			return err
		}
		return s.st.setTitle(ctx, int64(id), title)
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

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if err := s.st.raiseVersion(ctx, int64(id)); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.tx.WithinTransaction(ctx, func(ctx context.Context) error { return s.st.raiseVersion(ctx, int64(id)) })
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if _, err := s.pool.ExecContext(ctx, `SET statement_timeout = '5s'`); err != nil { // want "session"
		return 0, err
	}
	n, err := s.st.countEvents(ctx)
	return int(n), err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if err := s.st.limitTimeInTx(ctx, "5s"); err != nil {
			return err
		}
		count, err := s.st.countEvents(ctx)
		n = int(count)
		return err
	})
	return n, err
}

func (s *Shop) sell(ctx context.Context, id, n int) error {
	e, err := s.st.getEvent(ctx, int64(id))
	if err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	return s.st.setSeats(ctx, e.ID, e.Seats-int64(n))
}

func (s *Shop) sellSerializable(ctx context.Context, id, n int) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if _, err := s.st.db(ctx).ExecContext(ctx, `SET TRANSACTION ISOLATION LEVEL SERIALIZABLE`); err != nil {
			return err
		}
		return s.sell(ctx, id, n)
	})
}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if _, err := s.st.db(ctx).ExecContext(ctx, `SET TRANSACTION ISOLATION LEVEL SERIALIZABLE`); err != nil { // want "40001"
			return err
		}
		return s.sell(ctx, id, n)
	})
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.sellSerializable(ctx, id, n)
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

// Save writes the title if the version is the one that was read, and does not
// say whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	_, err := s.st.db(ctx).ExecContext(ctx, `UPDATE events SET title = $3, version = version + 1 WHERE id = $1 AND version = $2`, id, version, title) // want "row"
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	n, err := s.st.saveTitleChecked(ctx, int64(id), int64(version), title)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrChanged
	}
	return nil
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		var job job
		err := s.st.db(ctx).QueryRowContext(ctx, `SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE`).Scan(&job.ID, &job.Kind) // want "SKIP LOCKED"
		if err != nil {
			return err
		}
		kind = job.Kind
		return s.st.takeJob(ctx, job.ID)
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		var job job
		err := s.st.db(ctx).QueryRowContext(ctx, `SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`).Scan(&job.ID, &job.Kind)
		if err != nil {
			return err
		}
		kind = job.Kind
		return s.st.takeJob(ctx, job.ID)
	})
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		e, err := s.st.getEvent(ctx, int64(id))
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		return s.st.setSeats(ctx, e.ID, e.Seats-int64(n)) // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		e, err := s.st.lockEvent(ctx, int64(id))
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		return s.st.setSeats(ctx, e.ID, e.Seats-int64(n))
	})
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		err := s.st.insertEvent(ctx, title)
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		return s.st.insertJob(ctx, "poster of "+title) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if err := s.st.insertEventOnce(ctx, title); err != nil {
			return err
		}
		return s.st.insertJob(ctx, "poster of "+title)
	})
}

const sweeping = 4711

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if err := s.st.lockSweep(ctx, sweeping); err != nil { // want "advisory lock"
			return err
		}
		return s.st.deleteJobs(ctx, "done")
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if err := s.st.lockSweepInTx(ctx, sweeping); err != nil {
			return err
		}
		return s.st.deleteJobs(ctx, "done")
	})
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	if err := s.st.lockJobs(ctx); err != nil { // want "outside a transaction"
		return err
	}
	return s.st.deleteJobs(ctx, "taken")
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if err := s.st.lockJobs(ctx); err != nil {
			return err
		}
		return s.st.deleteJobs(ctx, "taken")
	})
}

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	return s.st.addSeats(ctx, int64(id), int64(n))
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) error {
	changed, err := s.st.reserveSeats(ctx, int64(id), int64(n))
	if err == nil && changed != 1 {
		err = ErrSoldOut
	}
	return err
}

// Move moves seats: what it calls in its transaction is in a transaction in it, a
// savepoint.
func (s *Shop) Move(ctx context.Context, from, to, n int) error {
	return s.tx.WithinTransaction(ctx, func(ctx context.Context) error {
		if err := s.BookLocked(ctx, from, n); err != nil {
			return err
		}
		return s.st.addSeats(ctx, int64(to), int64(n))
	})
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.st.insertEventOnce(ctx, "gala"); err != nil {
		return err
	}
	return announce(ctx, url)
}
