// Package gorpshop sells tickets with gorp.
package gorpshop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"net/http"

	"github.com/go-gorp/gorp/v3"
	"github.com/jackc/pgx/v5/pgconn"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Event is a row of events.
type Event struct {
	ID      int64  `db:"id"`
	Title   string `db:"title"`
	Seats   int64  `db:"seats"`
	Version int64  `db:"version"`
}

// Title is what editors see of a row of events.
type Title struct {
	ID      int64  `db:"id"`
	Text    string `db:"title"`
	Version int64  `db:"version"`
}

// Job is a row of jobs.
type Job struct {
	ID    int64  `db:"id"`
	Kind  string `db:"kind"`
	State string `db:"state"`
}

const newJob = "new"

func initTables(dbm *gorp.DbMap) {
	dbm.AddTableWithName(Event{}, "events").SetKeys(true, "ID")
	dbm.AddTableWithName(Job{}, "jobs").SetKeys(true, "ID")
	titles := dbm.AddTableWithName(Title{}, "events").SetKeys(true, "ID")
	titles.SetVersionCol("Version")
}

// Shop sells tickets.
type Shop struct{ db *gorp.DbMap }

// New returns a shop over the database.
func New(db *sql.DB) *Shop {
	dbm := &gorp.DbMap{Db: db, Dialect: gorp.PostgresDialect{}}
	initTables(dbm)
	return &Shop{db: dbm}
}

// rollbackUnlessCommitted is deferred when a transaction is begun.
func rollbackUnlessCommitted(tx *gorp.Transaction) {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		log.Printf("implicit rollback: %v", err)
	}
}

// insideTransaction runs an action in a transaction.
func insideTransaction(ctx context.Context, dbm *gorp.DbMap, action func(ctx context.Context, tx *gorp.Transaction) error) error {
	tx, err := dbm.Begin()
	if err != nil {
		return err
	}
	defer rollbackUnlessCommitted(tx)
	if err := action(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

const (
	getEvent  = `SELECT * FROM events WHERE id = $1`
	lockEvent = getEvent + ` FOR UPDATE`
)

func findEvent(db gorp.SqlExecutor, query string, id int) (e Event, err error) {
	if err := db.SelectOne(&e, query, id); err != nil {
		return Event{}, fmt.Errorf("find event %d: %w", id, err)
	}
	return e, nil
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	db := s.db.WithContext(ctx)
	e, err := findEvent(db, lockEvent, id) // want "row lock"
	if err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	e.Seats -= int64(n)
	_, err = db.Update(&e)
	return err
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer rollbackUnlessCommitted(tx)
	db := tx.WithContext(ctx)
	e, err := findEvent(db, lockEvent, id)
	if err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	e.Seats -= int64(n)
	if _, err := db.Update(&e); err != nil {
		return err
	}
	return tx.Commit()
}

func setTitle(db gorp.SqlExecutor, id int, title string) error {
	_, err := db.Exec(`UPDATE events SET title = $1 WHERE id = $2`, title, id)
	return err
}

// Rename notes the mail to send on the database, while the transaction is open.
func (s *Shop) Rename(_ context.Context, id int, title string) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer rollbackUnlessCommitted(tx)
	if err := s.db.Insert(&Job{Kind: "renamed " + title, State: newJob}); err != nil { // want "transaction"
		return err
	}
	if err := setTitle(tx, id, title); err != nil {
		return err
	}
	return tx.Commit()
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(_ context.Context, id int, title string) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer rollbackUnlessCommitted(tx)
	if err := tx.Insert(&Job{Kind: "renamed " + title, State: newJob}); err != nil {
		return err
	}
	if err := setTitle(tx, id, title); err != nil {
		return err
	}
	return tx.Commit()
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

func raiseVersion(db gorp.SqlExecutor, id int) error {
	_, err := db.Exec(`UPDATE events SET version = version + 1 WHERE id = $1`, id)
	return err
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return insideTransaction(ctx, s.db, func(ctx context.Context, tx *gorp.Transaction) error {
		if err := raiseVersion(tx, id); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error {
		return raiseVersion(tx, id)
	})
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

const countEvents = `SELECT COUNT(*) FROM events`

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	db := s.db.WithContext(ctx)
	if _, err := db.Exec(`SET statement_timeout = '5s'`); err != nil { // want "session"
		return 0, err
	}
	n, err := db.SelectInt(countEvents)
	return int(n), err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (int, error) {
	var n int64
	err := insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) (err error) {
		if _, err := tx.Exec(`SET LOCAL statement_timeout = '5s'`); err != nil {
			return err
		}
		n, err = tx.SelectInt(countEvents)
		return err
	})
	return int(n), err
}

func sell(tx *gorp.Transaction, id, n int) error {
	var e Event
	if err := tx.SelectOne(&e, getEvent, id); err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	e.Seats -= int64(n)
	_, err := tx.Update(&e)
	return err
}

// serializable is the first statement of a transaction: gorp begins it without
// options.
const serializable = `SET TRANSACTION ISOLATION LEVEL SERIALIZABLE`

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error {
		if _, err := tx.Exec(serializable); err != nil { // want "40001"
			return err
		}
		return sell(tx, id, n)
	})
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error {
			if _, err := tx.Exec(serializable); err != nil {
				return err
			}
			return sell(tx, id, n)
		})
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

const saveTitle = `UPDATE events SET title = :title, version = version + 1 WHERE id = :id AND version = :version`

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(_ context.Context, id, version int, title string) error {
	_, err := s.db.Exec(saveTitle, map[string]any{"id": id, "version": version, "title": title}) // want "row"
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(_ context.Context, id, version int, title string) error {
	result, err := s.db.Exec(saveTitle, map[string]any{"id": id, "version": version, "title": title})
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
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
	err = insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error {
		var job Job
		err := tx.SelectOne(&job, `SELECT * FROM jobs WHERE state = $1 ORDER BY id LIMIT 1 FOR UPDATE`, newJob) // want "SKIP LOCKED"
		if err != nil {
			return err
		}
		kind, job.State = job.Kind, "taken"
		_, err = tx.Update(&job)
		return err
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error {
		var job Job
		err := tx.SelectOne(&job, `SELECT * FROM jobs WHERE state = $1 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`, newJob)
		if err != nil {
			return err
		}
		kind, job.State = job.Kind, "taken"
		_, err = tx.Update(&job)
		return err
	})
	return kind, err
}

// Book reads the seats and writes the row that it has made of them.
func (s *Shop) Book(_ context.Context, id, n int) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer rollbackUnlessCommitted(tx)
	obj, err := tx.Get(Event{}, id)
	if err != nil {
		return err
	}
	if obj == nil {
		return sql.ErrNoRows
	}
	e := obj.(*Event)
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	e.Seats -= int64(n)
	if _, err := tx.Update(e); err != nil { // want "lost update"
		return err
	}
	return tx.Commit()
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(_ context.Context, id, n int) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer rollbackUnlessCommitted(tx)
	e, err := findEvent(tx, lockEvent, id)
	if err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	e.Seats -= int64(n)
	if _, err := tx.Update(&e); err != nil {
		return err
	}
	return tx.Commit()
}

func isDuplicate(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error {
		err := tx.Insert(&Event{Title: title})
		if err != nil && !isDuplicate(err) {
			return err
		}
		return tx.Insert(&Job{Kind: "poster of " + title, State: newJob}) // want "25P02"
	})
}

// AddOnce goes back to where the transaction was before.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error {
		if err := tx.Savepoint("event"); err != nil {
			return err
		}
		if err := tx.Insert(&Event{Title: title}); err != nil {
			if !isDuplicate(err) {
				return err
			}
			if err := tx.RollbackToSavepoint("event"); err != nil {
				return err
			}
		}
		return tx.Insert(&Job{Kind: "poster of " + title, State: newJob})
	})
}

const sweeping = 4711

func forgetJobs(db gorp.SqlExecutor, state string) error {
	_, err := db.Exec(`DELETE FROM jobs WHERE state = $1`, state)
	return err
}

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error {
		if _, err := tx.Exec(`SELECT pg_advisory_lock($1)`, sweeping); err != nil { // want "advisory lock"
			return err
		}
		return forgetJobs(tx, "done")
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error {
		if _, err := tx.Exec(`SELECT pg_advisory_xact_lock($1)`, sweeping); err != nil {
			return err
		}
		return forgetJobs(tx, "done")
	})
}

func clearJobs(db gorp.SqlExecutor) error {
	if _, err := db.Exec(`LOCK TABLE jobs IN EXCLUSIVE MODE`); err != nil {
		return err
	}
	return forgetJobs(db, "taken")
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	return clearJobs(s.db.WithContext(ctx)) // want "outside a transaction"
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error { return clearJobs(tx) })
}

// What follows is right.

// Retitle reads a title and writes it back: gorp compares the version, and
// returns an error where it is another.
func (s *Shop) Retitle(id int, prefix string) error {
	obj, err := s.db.Get(Title{}, id)
	if err != nil || obj == nil {
		return errors.Join(err, sql.ErrNoRows)
	}
	t := obj.(*Title)
	t.Text = prefix + t.Text
	_, err = s.db.Update(t)
	if stale := new(gorp.OptimisticLockError); errors.As(err, stale) {
		return ErrChanged
	}
	return err
}

// Restock adds seats in the statement itself.
func (s *Shop) Restock(id, n int) error {
	_, err := s.db.Exec(`UPDATE events SET seats = seats + $1 WHERE id = $2`, n, id)
	return err
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(id, n int) (left int64, err error) {
	err = s.db.QueryRow(`UPDATE events SET seats = seats - $2 WHERE id = $1 AND seats >= $2 RETURNING seats`, id, n).Scan(&left)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrSoldOut
	}
	return left, err
}

// CloseAll closes events that it has locked, in the order of their keys.
func (s *Shop) CloseAll(ctx context.Context, from int) error {
	return insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error {
		var all []Event
		if _, err := tx.Select(&all, `SELECT * FROM events WHERE id >= $1 ORDER BY id FOR UPDATE`, from); err != nil {
			return err
		}
		for _, e := range all {
			e.Seats = 0
			if _, err := tx.Update(&e); err != nil {
				return err
			}
		}
		return nil
	})
}

// Cancel removes an event, if it is there, with its mails.
func (s *Shop) Cancel(ctx context.Context, id int) error {
	return insideTransaction(ctx, s.db, func(_ context.Context, tx *gorp.Transaction) error {
		obj, err := tx.Get(Event{}, id)
		if err != nil || obj == nil {
			return err
		}
		if _, err := tx.Delete(obj); err != nil {
			return err
		}
		_, err = tx.Exec(`DELETE FROM jobs WHERE kind = $1`, "renamed "+obj.(*Event).Title)
		return err
	})
}

// Open creates the event, or raises the seats of the one that is there.
func (s *Shop) Open(title string, seats int) error {
	_, err := s.db.Exec(`INSERT INTO events (title, seats) VALUES ($1, $2)
		ON CONFLICT (title) DO UPDATE SET seats = events.seats + EXCLUDED.seats`, title, seats)
	return err
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) (err error) {
	conn, err := s.db.Db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var locked bool
	if err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, sweeping).Scan(&locked); err != nil || !locked {
		return err
	}
	defer func() {
		_, uerr := conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, sweeping)
		err = errors.Join(err, uerr)
	}()
	_, err = conn.ExecContext(ctx, `DELETE FROM jobs WHERE state = 'done'`)
	return err
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.Open("gala", 10); err != nil {
		return err
	}
	return announce(ctx, url)
}
