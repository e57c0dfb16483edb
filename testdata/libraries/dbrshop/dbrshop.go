// Package dbrshop sells tickets with dbr.
package dbrshop

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/gocraft/dbr/v2"
	"github.com/gocraft/dbr/v2/dialect"
	"github.com/jackc/pgx/v5/pgconn"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

const (
	eventsTable = "events"
	jobsTable   = "jobs"
)

// Event is a row of events.
type Event struct {
	ID      int    `db:"id"`
	Title   string `db:"title"`
	Seats   int    `db:"seats"`
	Version int    `db:"version"`
}

type job struct {
	ID   int    `db:"id"`
	Kind string `db:"kind"`
}

// Shop sells tickets.
type Shop struct{ sess *dbr.Session }

// New returns a shop over the database.
func New(db *sql.DB) *Shop {
	conn := &dbr.Connection{DB: db, Dialect: dialect.PostgreSQL, EventReceiver: &dbr.NullEventReceiver{}}
	return &Shop{sess: conn.NewSession(nil)}
}

// inTx runs fn in a transaction.
func (s *Shop) inTx(ctx context.Context, fn func(tx dbr.SessionRunner) error) error {
	tx, err := s.sess.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// get reads an event, on the database or in a transaction.
func get(ctx context.Context, db dbr.SessionRunner, id int) (e Event, err error) {
	err = db.Select("id", "title", "seats", "version").
		From(eventsTable).
		Where(dbr.Eq("id", id)).
		LoadOneContext(ctx, &e)
	return e, err
}

// getLocked is called in a transaction.
func getLocked(ctx context.Context, tx dbr.SessionRunner, id int) (*Event, error) {
	var e Event
	err := tx.Select("*").
		From(eventsTable).
		Where("id = ?", id).
		Suffix("FOR UPDATE").
		LoadOneContext(ctx, &e)
	if err != nil {
		return nil, err
	}
	return &e, nil
}

func saveSeats(ctx context.Context, db dbr.SessionRunner, id, seats int) error {
	_, err := db.Update(eventsTable).
		Set("seats", seats).
		Where(dbr.Eq("id", id)).
		ExecContext(ctx)
	return err
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	var e Event
	stmt := s.sess.Select("id", "seats").From(eventsTable).Where(dbr.Eq("id", id))
	stmt.Suffix("FOR UPDATE")
	if err := stmt.LoadOneContext(ctx, &e); err != nil { // want "row lock"
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	return saveSeats(ctx, s.sess, id, e.Seats-n)
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.inTx(ctx, func(tx dbr.SessionRunner) error {
		var e Event
		stmt := tx.Select("id", "seats").From(eventsTable).Where(dbr.Eq("id", id))
		stmt.Suffix("FOR UPDATE")
		if err := stmt.LoadOneContext(ctx, &e); err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		return saveSeats(ctx, tx, id, e.Seats-n)
	})
}

// Rename notes the mail to send on the session, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.sess.Begin()
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	if _, err := s.sess.InsertInto(jobsTable).Pair("kind", "renamed "+title).ExecContext(ctx); err != nil { // want "transaction"
		return err
	}
	if _, err := tx.Update(eventsTable).Set("title", title).Where("id = ?", id).ExecContext(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.sess.Begin()
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	if _, err := tx.InsertInto(jobsTable).Pair("kind", "renamed "+title).ExecContext(ctx); err != nil {
		return err
	}
	if _, err := tx.Update(eventsTable).Set("title", title).Where("id = ?", id).ExecContext(ctx); err != nil {
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

func touch(ctx context.Context, db dbr.SessionRunner, id int) error {
	_, err := db.Update(eventsTable).IncrBy("version", 1).Where(dbr.Eq("id", id)).ExecContext(ctx)
	return err
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.inTx(ctx, func(tx dbr.SessionRunner) error {
		if err := touch(ctx, tx, id); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.inTx(ctx, func(tx dbr.SessionRunner) error {
		return touch(ctx, tx, id)
	})
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (n int, err error) {
	if _, err := s.sess.ExecContext(ctx, "SET statement_timeout = '5s'"); err != nil { // want "session"
		return 0, err
	}
	err = s.sess.Select("count(*)").From(eventsTable).LoadOneContext(ctx, &n)
	return n, err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	tx, err := s.sess.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.RollbackUnlessCommitted()
	if _, err := tx.ExecContext(ctx, "SET LOCAL statement_timeout = '5s'"); err != nil {
		return 0, err
	}
	if err := tx.Select("count(*)").From(eventsTable).LoadOneContext(ctx, &n); err != nil {
		return 0, err
	}
	return n, tx.Commit()
}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	tx, err := s.sess.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) // want "40001"
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	if err := sell(ctx, tx, id, n); err != nil {
		return err
	}
	return tx.Commit()
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.try(ctx, id, n)
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

func (s *Shop) try(ctx context.Context, id, n int) error {
	tx, err := s.sess.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	if err := sell(ctx, tx, id, n); err != nil {
		return err
	}
	return tx.Commit()
}

func sell(ctx context.Context, tx dbr.SessionRunner, id, n int) error {
	e, err := get(ctx, tx, id)
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	return saveSeats(ctx, tx, id, e.Seats-n)
}

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	_, err := s.sess.Update(eventsTable). // want "row"
						Where(dbr.Eq("id", id)).
						Where(dbr.Eq("version", version)).
						Set("title", title).
						Set("version", version+1).
						ExecContext(ctx)
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	res, err := s.sess.Update(eventsTable).
		Where(dbr.Eq("id", id)).
		Where(dbr.Eq("version", version)).
		Set("title", title).
		Set("version", version+1).
		ExecContext(ctx)
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
	err = s.inTx(ctx, func(tx dbr.SessionRunner) error {
		var j job
		err := tx.Select("id", "kind"). // want "SKIP LOCKED"
						From(jobsTable).
						Where(dbr.Eq("state", "new")).
						OrderAsc("id").
						Limit(1).
						Suffix("FOR UPDATE").
						LoadOneContext(ctx, &j)
		if err != nil {
			return err
		}
		kind = j.Kind
		_, err = tx.Update(jobsTable).Set("state", "taken").Where(dbr.Eq("id", j.ID)).ExecContext(ctx)
		return err
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, func(tx dbr.SessionRunner) error {
		var j job
		err := tx.Select("id", "kind").
			From(jobsTable).
			Where(dbr.Eq("state", "new")).
			OrderAsc("id").
			Limit(1).
			Suffix("FOR UPDATE SKIP LOCKED").
			LoadOneContext(ctx, &j)
		if err != nil {
			return err
		}
		kind = j.Kind
		_, err = tx.Update(jobsTable).Set("state", "taken").Where(dbr.Eq("id", j.ID)).ExecContext(ctx)
		return err
	})
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.inTx(ctx, func(tx dbr.SessionRunner) error {
		e, err := get(ctx, tx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		return saveSeats(ctx, tx, id, e.Seats-n) // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.inTx(ctx, func(tx dbr.SessionRunner) error {
		e, err := getLocked(ctx, tx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		return saveSeats(ctx, tx, id, e.Seats-n)
	})
}

func askForPoster(ctx context.Context, db dbr.SessionRunner, title string) error {
	_, err := db.InsertInto(jobsTable).Columns("kind").Values("poster of " + title).ExecContext(ctx)
	return err
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.inTx(ctx, func(tx dbr.SessionRunner) error {
		e := Event{Title: title}
		_, err := tx.InsertInto(eventsTable).Columns("title", "seats").Record(&e).ExecContext(ctx)
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		return askForPoster(ctx, tx, title) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.inTx(ctx, func(tx dbr.SessionRunner) error {
		_, err := tx.InsertBySql("INSERT INTO events (title, seats) VALUES (?, 0) ON CONFLICT (title) DO NOTHING", title).ExecContext(ctx)
		if err != nil {
			return err
		}
		return askForPoster(ctx, tx, title)
	})
}

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.inTx(ctx, func(tx dbr.SessionRunner) error {
		var none string
		err := tx.SelectBySql("SELECT pg_advisory_lock(?)", 4711).LoadOneContext(ctx, &none) // want "advisory lock"
		if err != nil {
			return err
		}
		_, err = tx.DeleteFrom(jobsTable).Where(dbr.Eq("state", "done")).ExecContext(ctx)
		return err
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.inTx(ctx, func(tx dbr.SessionRunner) error {
		var none string
		err := tx.SelectBySql("SELECT pg_advisory_xact_lock(?)", 4711).LoadOneContext(ctx, &none)
		if err != nil {
			return err
		}
		_, err = tx.DeleteFrom(jobsTable).Where(dbr.Eq("state", "done")).ExecContext(ctx)
		return err
	})
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	if _, err := s.sess.UpdateBySql("LOCK TABLE jobs IN EXCLUSIVE MODE").ExecContext(ctx); err != nil { // want "outside a transaction"
		return err
	}
	_, err := s.sess.DeleteFrom(jobsTable).Where(dbr.Eq("state", "taken")).ExecContext(ctx)
	return err
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.inTx(ctx, func(tx dbr.SessionRunner) error {
		if _, err := tx.UpdateBySql("LOCK TABLE jobs IN EXCLUSIVE MODE").ExecContext(ctx); err != nil {
			return err
		}
		_, err := tx.DeleteFrom(jobsTable).Where(dbr.Eq("state", "taken")).ExecContext(ctx)
		return err
	})
}

// What follows is right.

// Close closes an event that it has locked.
func (s *Shop) Close(ctx context.Context, id int) error {
	tx, err := s.sess.Begin()
	if err != nil {
		return err
	}
	defer tx.RollbackUnlessCommitted()
	e, err := getLocked(ctx, tx, id)
	if err != nil {
		return err
	}
	if e.Seats > 0 {
		if err := saveSeats(ctx, tx, id, 0); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	e, err := get(ctx, s.sess, id)
	if err != nil {
		return err
	}
	_, err = s.sess.Update(eventsTable).IncrBy("seats", n).Set("version", dbr.Expr("version + 1")).Where("id = ?", e.ID).ExecContext(ctx)
	return err
}

// Reserve writes what it has made of the seats where they are still the same.
func (s *Shop) Reserve(ctx context.Context, id, n int) error {
	e, err := get(ctx, s.sess, id)
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	res, err := s.sess.Update(eventsTable).
		Set("seats", e.Seats-n).
		Where(dbr.And(dbr.Eq("id", id), dbr.Eq("seats", e.Seats))).
		ExecContext(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrChanged, err)
	}
	return nil
}

// Take locks and writes in one statement, which is a transaction by itself.
func (s *Shop) Take(ctx context.Context) (kinds []string, err error) {
	next := dbr.Select("id").From(jobsTable).Where(dbr.Eq("state", "new")).Limit(1).Suffix("FOR UPDATE SKIP LOCKED")
	err = s.sess.Update(jobsTable).
		Set("state", "taken").
		Where("id = ?", next).
		Returning("kind").
		LoadContext(ctx, &kinds)
	return kinds, err
}

// A Search is what Find looks for.
type Search struct {
	Title string
	Seats int
	IDs   []int
}

// Find puts a statement together of what it is asked for.
func (s *Shop) Find(ctx context.Context, q Search) ([]Event, error) {
	stmt := s.sess.Select("e.*").
		From(dbr.I(eventsTable).As("e")).
		LeftJoin(dbr.I(jobsTable).As("j"), "j.kind = e.title")
	if q.Title != "" {
		stmt.Where(dbr.Like("e.title", q.Title+"%"))
	}
	if q.Seats > 0 {
		stmt = stmt.Where(dbr.Or(dbr.Gte("e.seats", q.Seats), dbr.Neq("e.version", 0)))
	}
	if len(q.IDs) > 0 {
		stmt.Where("e.id IN ?", q.IDs)
	}
	var events []Event
	_, err := stmt.OrderDesc("e.id").LoadContext(ctx, &events)
	return events, err
}

// Greet announces the shop after its transaction, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.AddOnce(ctx, "gala"); err != nil {
		return err
	}
	return announce(ctx, url)
}
