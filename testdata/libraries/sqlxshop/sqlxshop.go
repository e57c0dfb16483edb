// Package sqlxshop sells tickets with sqlx.
package sqlxshop

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jmoiron/sqlx"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Event is a row of events.
type Event struct {
	ID      int    `db:"id"`
	Title   string `db:"title"`
	Seats   int    `db:"seats"`
	Version int    `db:"version"`
}

// Shop sells tickets.
type Shop struct{ db *sqlx.DB }

// New returns a shop over the database.
func New(db *sqlx.DB) *Shop { return &Shop{db: db} }

// withTx runs fn in a transaction.
func withTx(ctx context.Context, db *sqlx.DB, opts *sql.TxOptions, fn func(tx *sqlx.Tx) error) (err error) {
	tx, err := db.BeginTxx(ctx, opts)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

const (
	selectEvent = `SELECT id, title, seats, version FROM events WHERE id = ?`
	lockEvent   = selectEvent + ` FOR UPDATE`
	saveSeats   = `UPDATE events SET seats = :seats WHERE id = :id`
)

// get reads an event, on the database or in a transaction.
func get(ctx context.Context, db sqlx.ExtContext, query string, id int) (*Event, error) {
	var e Event
	if err := sqlx.GetContext(ctx, db, &e, db.Rebind(query), id); err != nil {
		return nil, err
	}
	return &e, nil
}

func save(ctx context.Context, db sqlx.ExtContext, e *Event) error {
	_, err := sqlx.NamedExecContext(ctx, db, saveSeats, e)
	return err
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	e, err := get(ctx, s.db, lockEvent, id) // want "row lock"
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	e.Seats -= n
	return save(ctx, s.db, e)
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return withTx(ctx, s.db, nil, func(tx *sqlx.Tx) error {
		e, err := get(ctx, tx, lockEvent, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return save(ctx, tx, e)
	})
}

// Rename notes the mail to send on the database, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.db.Beginx()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := s.db.NamedExecContext(ctx, `INSERT INTO jobs (kind) VALUES (:kind)`, map[string]any{"kind": "renamed " + title}); err != nil { // want "transaction"
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE events SET title = $1 WHERE id = $2`, title, id); err != nil {
		return err
	}
	return tx.Commit()
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.db.Beginx()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.NamedExecContext(ctx, `INSERT INTO jobs (kind) VALUES (:kind)`, map[string]any{"kind": "renamed " + title}); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE events SET title = $1 WHERE id = $2`, title, id); err != nil {
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

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	tx := s.db.MustBegin()
	defer func() { _ = tx.Rollback() }()
	tx.MustExecContext(ctx, `UPDATE events SET version = version + 1 WHERE id = $1`, id)
	if err := announce(ctx, url); err != nil { // want "transaction"
		return err
	}
	return tx.Commit()
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	tx := s.db.MustBegin()
	defer func() { _ = tx.Rollback() }()
	tx.MustExecContext(ctx, `UPDATE events SET version = version + 1 WHERE id = $1`, id)
	if err := tx.Commit(); err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (n int, err error) {
	if _, err := s.db.ExecContext(ctx, `SET statement_timeout = '5s'`); err != nil { // want "session"
		return 0, err
	}
	err = s.db.GetContext(ctx, &n, `SELECT count(*) FROM events`)
	return n, err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = withTx(ctx, s.db, &sql.TxOptions{ReadOnly: true}, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = '5s'`); err != nil {
			return err
		}
		return tx.GetContext(ctx, &n, `SELECT count(*) FROM events`)
	})
	return n, err
}

func sell(ctx context.Context, tx *sqlx.Tx, id, n int) error {
	e, err := get(ctx, tx, selectEvent, id)
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	e.Seats -= n
	return save(ctx, tx, e)
}

var serializable = &sql.TxOptions{Isolation: sql.LevelSerializable}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return withTx(ctx, s.db, serializable, func(tx *sqlx.Tx) error { return sell(ctx, tx, id, n) }) // want "40001"
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := withTx(ctx, s.db, serializable, func(tx *sqlx.Tx) error { return sell(ctx, tx, id, n) })
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

const saveTitle = `UPDATE events SET title = :title, version = version + 1 WHERE id = :id AND version = :version`

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	_, err := s.db.NamedExecContext(ctx, saveTitle, Event{ID: id, Version: version, Title: title}) // want "row"
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	res, err := s.db.NamedExecContext(ctx, saveTitle, Event{ID: id, Version: version, Title: title})
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrChanged, err)
	}
	return nil
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = withTx(ctx, s.db, nil, func(tx *sqlx.Tx) error {
		var job struct {
			ID   int
			Kind string
		}
		if err := tx.QueryRowxContext(ctx, `SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE`).StructScan(&job); err != nil { // want "SKIP LOCKED"
			return err
		}
		kind = job.Kind
		_, err := tx.ExecContext(ctx, `UPDATE jobs SET state = 'taken' WHERE id = $1`, job.ID)
		return err
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = withTx(ctx, s.db, nil, func(tx *sqlx.Tx) error {
		var job struct {
			ID   int
			Kind string
		}
		if err := tx.QueryRowxContext(ctx, `SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`).StructScan(&job); err != nil {
			return err
		}
		kind = job.Kind
		_, err := tx.ExecContext(ctx, `UPDATE jobs SET state = 'taken' WHERE id = $1`, job.ID)
		return err
	})
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return withTx(ctx, s.db, nil, func(tx *sqlx.Tx) error {
		e, err := get(ctx, tx, selectEvent, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return save(ctx, tx, e) // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return withTx(ctx, s.db, nil, func(tx *sqlx.Tx) error {
		e, err := get(ctx, tx, lockEvent, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return save(ctx, tx, e)
	})
}

func note(ctx context.Context, tx *sqlx.Tx, kind string) error {
	stmt, err := tx.PreparexContext(ctx, `INSERT INTO jobs (kind) VALUES ($1)`)
	if err != nil {
		return err
	}
	_, err = stmt.ExecContext(ctx, kind)
	return errors.Join(err, stmt.Close())
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return withTx(ctx, s.db, nil, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO events (title, seats) VALUES ($1, 0)`, title)
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO jobs (kind) VALUES ($1)`, "poster of "+title) // want "25P02"
		return err
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return withTx(ctx, s.db, nil, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO events (title, seats) VALUES ($1, 0) ON CONFLICT DO NOTHING`, title); err != nil {
			return err
		}
		return note(ctx, tx, "poster of "+title)
	})
}

const sweeping = 4711

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return withTx(ctx, s.db, nil, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, sweeping); err != nil { // want "advisory lock"
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM jobs WHERE state = 'done'`)
		return err
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return withTx(ctx, s.db, nil, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, sweeping); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM jobs WHERE state = 'done'`)
		return err
	})
}

func clearJobs(ctx context.Context, db sqlx.ExecerContext) error {
	if _, err := db.ExecContext(ctx, `LOCK TABLE jobs IN EXCLUSIVE MODE`); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `DELETE FROM jobs WHERE state = 'taken'`)
	return err
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	return clearJobs(ctx, s.db) // want "outside a transaction"
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return withTx(ctx, s.db, nil, func(tx *sqlx.Tx) error { return clearJobs(ctx, tx) })
}

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	_, err := s.db.NamedExecContext(ctx, `UPDATE events SET seats = seats + :n WHERE id = :id`, map[string]any{"n": n, "id": id})
	return err
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) (left int, err error) {
	err = s.db.GetContext(ctx, &left, `UPDATE events SET seats = seats - $2 WHERE id = $1 AND seats >= $2 RETURNING seats`, id, n)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrSoldOut
	}
	return left, err
}

// CloseAll closes events that it has locked, in the order of their keys.
func (s *Shop) CloseAll(ctx context.Context, ids []int) error {
	return withTx(ctx, s.db, nil, func(tx *sqlx.Tx) error {
		query, args, err := sqlx.In(`SELECT id, title, seats, version FROM events WHERE id IN (?) ORDER BY id FOR UPDATE`, ids)
		if err != nil {
			return err
		}
		var all []Event
		if err := tx.SelectContext(ctx, &all, tx.Rebind(query), args...); err != nil {
			return err
		}
		for _, e := range all {
			e.Seats = min(e.Seats, 0)
			if err := save(ctx, tx, &e); err != nil {
				return err
			}
		}
		return nil
	})
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) (err error) {
	conn, err := s.db.Connx(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var locked bool
	if err := conn.GetContext(ctx, &locked, `SELECT pg_try_advisory_lock($1)`, sweeping); err != nil || !locked {
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
	if _, err := s.db.ExecContext(ctx, `INSERT INTO events (title, seats) VALUES ('gala', 10) ON CONFLICT (title) DO NOTHING`); err != nil {
		return err
	}
	return announce(ctx, url)
}
