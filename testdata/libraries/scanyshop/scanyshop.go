// Package scanyshop sells tickets with scany's pgxscan.
package scanyshop

import (
	"context"
	"errors"
	"net/http"

	"github.com/georgysavva/scany/v2/pgxscan"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
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

// A querier is a pool, a connection or a transaction.
type querier interface {
	pgxscan.Querier
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

func lockEvent(ctx context.Context, db querier, id int64) (e event, err error) {
	err = pgxscan.Get(ctx, db, &e, `SELECT id, title, seats, version FROM events WHERE id = $1 FOR UPDATE`, id)
	return e, err
}

func getEvent(ctx context.Context, db querier, id int64) (e event, err error) {
	err = pgxscan.Get(ctx, db, &e, `SELECT id, title, seats, version FROM events WHERE id = $1`, id)
	return e, err
}

func countEvents(ctx context.Context, db querier) (n int64, err error) {
	err = pgxscan.Get(ctx, db, &n, `SELECT count(*) FROM events`)
	return n, err
}

func setSeats(ctx context.Context, db querier, id, seats int64) error {
	_, err := db.Exec(ctx, `UPDATE events SET seats = $2 WHERE id = $1`, id, seats)
	return err
}

func addSeats(ctx context.Context, db querier, id, n int64) error {
	_, err := db.Exec(ctx, `UPDATE events SET seats = seats + $2 WHERE id = $1`, id, n)
	return err
}

func setTitle(ctx context.Context, db querier, id int64, title string) error {
	_, err := db.Exec(ctx, `UPDATE events SET title = $2 WHERE id = $1`, id, title)
	return err
}

func raiseVersion(ctx context.Context, db querier, id int64) error {
	_, err := db.Exec(ctx, `UPDATE events SET version = version + 1 WHERE id = $1`, id)
	return err
}

func insertEvent(ctx context.Context, db querier, title string) error {
	_, err := db.Exec(ctx, `INSERT INTO events (title, seats) VALUES ($1, 10)`, title)
	return err
}

func insertEventOnce(ctx context.Context, db querier, title string) error {
	_, err := db.Exec(ctx, `INSERT INTO events (title, seats) VALUES ($1, 10) ON CONFLICT (title) DO NOTHING`, title)
	return err
}

func insertJob(ctx context.Context, db querier, kind string) error {
	_, err := db.Exec(ctx, `INSERT INTO jobs (kind) VALUES ($1)`, kind)
	return err
}

func takeJob(ctx context.Context, db querier, id int64) error {
	_, err := db.Exec(ctx, `UPDATE jobs SET state = 'taken' WHERE id = $1`, id)
	return err
}

func deleteJobs(ctx context.Context, db querier, state string) error {
	_, err := db.Exec(ctx, `DELETE FROM jobs WHERE state = $1`, state)
	return err
}

func lockSweep(ctx context.Context, db querier, key int64) error {
	_, err := db.Exec(ctx, `SELECT pg_advisory_lock($1)`, key)
	return err
}

func lockSweepInTx(ctx context.Context, db querier, key int64) error {
	_, err := db.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, key)
	return err
}

func unlockSweep(ctx context.Context, db querier, key int64) error {
	_, err := db.Exec(ctx, `SELECT pg_advisory_unlock($1)`, key)
	return err
}

func limitTime(ctx context.Context, db querier, value string) error {
	_, err := db.Exec(ctx, `SELECT set_config('statement_timeout', $1, false)`, value)
	return err
}

func limitTimeInTx(ctx context.Context, db querier, value string) error {
	_, err := db.Exec(ctx, `SELECT set_config('statement_timeout', $1, true)`, value)
	return err
}

func lockJobs(ctx context.Context, db querier) error {
	_, err := db.Exec(ctx, `LOCK TABLE jobs IN EXCLUSIVE MODE`)
	return err
}

func saveTitleChecked(ctx context.Context, db querier, id, version int64, title string) (int64, error) {
	tag, err := db.Exec(ctx, `UPDATE events SET title = $3, version = version + 1 WHERE id = $1 AND version = $2`, id, version, title)
	return tag.RowsAffected(), err
}

func reserveSeats(ctx context.Context, db querier, id, n int64) (int64, error) {
	tag, err := db.Exec(ctx, `UPDATE events SET seats = seats - $2 WHERE id = $1 AND seats >= $2`, id, n)
	return tag.RowsAffected(), err
}

// Shop sells tickets.
type Shop struct {
	pool *pgxpool.Pool
}

// New returns a shop over the database.
func New(pool *pgxpool.Pool) *Shop { return &Shop{pool: pool} }

func (s *Shop) inTx(ctx context.Context, opts pgx.TxOptions, fn func(tx pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, s.pool, opts, fn)
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	e, err := lockEvent(ctx, s.pool, int64(id)) // want "row lock"
	if err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	return setSeats(ctx, s.pool, e.ID, e.Seats-int64(n))
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		e, err := lockEvent(ctx, tx, int64(id))
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		return setSeats(ctx, tx, e.ID, e.Seats-int64(n))
	})
}

// Rename notes the mail to send on the pool, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if err := insertJob(ctx, s.pool, "renamed "+title); err != nil { // want "transaction"
		return err
	}
	if err := setTitle(ctx, tx, int64(id), title); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if err := insertJob(ctx, tx, "renamed "+title); err != nil {
		return err
	}
	if err := setTitle(ctx, tx, int64(id), title); err != nil {
		return err
	}
	return tx.Commit(ctx)
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
	return s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := raiseVersion(ctx, tx, int64(id)); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error { return raiseVersion(ctx, tx, int64(id)) })
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if err := limitTime(ctx, s.pool, "5s"); err != nil { // want "session"
		return 0, err
	}
	n, err := countEvents(ctx, s.pool)
	return int(n), err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := limitTimeInTx(ctx, tx, "5s"); err != nil {
			return err
		}
		count, err := countEvents(ctx, tx)
		n = int(count)
		return err
	})
	return n, err
}

func sell(ctx context.Context, tx pgx.Tx, id, n int) error {
	e, err := getEvent(ctx, tx, int64(id))
	if err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	return setSeats(ctx, tx, e.ID, e.Seats-int64(n))
}

// Sell sells under pgx.TxOptions{IsoLevel: pgx.Serializable}IZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return s.inTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error { return sell(ctx, tx, id, n) }) // want "40001"
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.inTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(tx pgx.Tx) error { return sell(ctx, tx, id, n) })
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

// Save writes the title if the version is the one that was read, and does not
// say whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	_, err := s.pool.Exec(ctx, `UPDATE events SET title = $3, version = version + 1 WHERE id = $1 AND version = $2`, id, version, title) // want "row"
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	n, err := saveTitleChecked(ctx, s.pool, int64(id), int64(version), title)
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
	err = s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var job job
		err := pgxscan.Get(ctx, tx, &job, `SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE`) // want "SKIP LOCKED"
		if err != nil {
			return err
		}
		kind = job.Kind
		return takeJob(ctx, tx, job.ID)
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var job job
		err := pgxscan.Get(ctx, tx, &job, `SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`)
		if err != nil {
			return err
		}
		kind = job.Kind
		return takeJob(ctx, tx, job.ID)
	})
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		e, err := getEvent(ctx, tx, int64(id))
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		return setSeats(ctx, tx, e.ID, e.Seats-int64(n)) // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		e, err := lockEvent(ctx, tx, int64(id))
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		return setSeats(ctx, tx, e.ID, e.Seats-int64(n))
	})
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		err := insertEvent(ctx, tx, title)
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		return insertJob(ctx, tx, "poster of "+title) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := insertEventOnce(ctx, tx, title); err != nil {
			return err
		}
		return insertJob(ctx, tx, "poster of "+title)
	})
}

const sweeping = 4711

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := lockSweep(ctx, tx, sweeping); err != nil { // want "advisory lock"
			return err
		}
		return deleteJobs(ctx, tx, "done")
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := lockSweepInTx(ctx, tx, sweeping); err != nil {
			return err
		}
		return deleteJobs(ctx, tx, "done")
	})
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	if err := lockJobs(ctx, s.pool); err != nil { // want "outside a transaction"
		return err
	}
	return deleteJobs(ctx, s.pool, "taken")
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := lockJobs(ctx, tx); err != nil {
			return err
		}
		return deleteJobs(ctx, tx, "taken")
	})
}

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	return addSeats(ctx, s.pool, int64(id), int64(n))
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) error {
	changed, err := reserveSeats(ctx, s.pool, int64(id), int64(n))
	if err == nil && changed != 1 {
		err = ErrSoldOut
	}
	return err
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) (err error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if err := lockSweep(ctx, conn, sweeping); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlockSweep(context.WithoutCancel(ctx), conn, sweeping)) }()
	return deleteJobs(ctx, conn, "done")
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := insertEventOnce(ctx, s.pool, "gala"); err != nil {
		return err
	}
	return announce(ctx, url)
}

// Titles reads all rows of a query at once.
func (s *Shop) Titles(ctx context.Context) (titles []string, err error) {
	err = pgxscan.Select(ctx, s.pool, &titles, `SELECT title FROM events ORDER BY title`)
	return titles, err
}
