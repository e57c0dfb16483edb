// Package popshop sells tickets with Pop.
package popshop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"

	"github.com/gobuffalo/pop/v6"
	"github.com/jackc/pgx/v5/pgconn"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Event is a row of events.
type Event struct {
	ID      int    `json:"id" db:"id"`
	Title   string `json:"title" db:"title"`
	Seats   int    `json:"seats" db:"seats"`
	Version int    `json:"version" db:"version"`
}

// TableName names the table.
func (Event) TableName() string { return "events" }

// Job is a row of jobs, which is the name that Pop gives it.
type Job struct {
	ID    int    `db:"id"`
	Kind  string `db:"kind"`
	State string `db:"state"`
}

// NewJob returns a job that nobody has.
func NewJob(kind string) *Job { return &Job{Kind: kind, State: "new"} }

// Shop sells tickets.
type Shop struct{ db *pop.Connection }

// New returns a shop over the database.
func New(db *pop.Connection) *Shop { return &Shop{db: db} }

// FindEvent reads an event, on the database or in a transaction.
func FindEvent(tx *pop.Connection, id int) (*Event, error) {
	e := &Event{}
	if err := tx.Q().Where("id = ?", id).First(e); err != nil {
		return nil, fmt.Errorf("find event %d: %w", id, err)
	}
	return e, nil
}

// FindEventForUpdate locks it too.
func FindEventForUpdate(tx *pop.Connection, id int) (*Event, error) {
	e := &Event{}
	// Pop has no way to ask for a lock.
	if err := tx.RawQuery(fmt.Sprintf("SELECT * FROM %q WHERE id = ? LIMIT 1 FOR UPDATE", e.TableName()), id).First(e); err != nil {
		return nil, fmt.Errorf("find event %d: %w", id, err)
	}
	return e, nil
}

// Take takes seats and writes how many are left.
func (e *Event) Take(tx *pop.Connection, n int) error {
	if e.Seats < n {
		return ErrSoldOut
	}
	e.Seats -= n
	return tx.UpdateColumns(e, "seats")
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	db := s.db.WithContext(ctx)
	e, err := FindEventForUpdate(db, id) // want "row lock"
	if err != nil {
		return err
	}
	return e.Take(db, n)
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		e, err := FindEventForUpdate(tx, id)
		if err != nil {
			return err
		}
		return e.Take(tx, n)
	})
}

// Rename notes the mail to send on the database, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	db := s.db.WithContext(ctx)
	return db.Transaction(func(tx *pop.Connection) error {
		if err := db.Create(NewJob("renamed " + title)); err != nil { // want "transaction"
			return err
		}
		e := &Event{ID: id, Title: title}
		return tx.UpdateColumns(e, "title")
	})
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	db := s.db.WithContext(ctx)
	return db.Transaction(func(tx *pop.Connection) error {
		if err := tx.Create(NewJob("renamed " + title)); err != nil {
			return err
		}
		e := &Event{ID: id, Title: title}
		return tx.UpdateColumns(e, "title")
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

func raiseVersion(tx *pop.Connection, id int) error {
	return tx.RawQuery("UPDATE events SET version = version + 1 WHERE id = ?", id).Exec()
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
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
	err := s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error { return raiseVersion(tx, id) })
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	db := s.db.WithContext(ctx)
	if err := db.RawQuery("SET statement_timeout = '5s'").Exec(); err != nil { // want "session"
		return 0, err
	}
	return db.Count(&Event{})
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		if err := tx.RawQuery("SET LOCAL statement_timeout = '5s'").Exec(); err != nil {
			return err
		}
		n, err = tx.Count(&Event{})
		return err
	})
	return n, err
}

// transaction runs fn in a transaction with options, which Pop's Transaction has
// none of.
func transaction(ctx context.Context, conn *pop.Connection, opts *sql.TxOptions, fn func(tx *pop.Connection) error) error {
	tx, err := conn.NewTransactionContextOptions(ctx, opts)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.TX.Rollback())
	}
	return tx.TX.Commit()
}

var serializable = &sql.TxOptions{Isolation: sql.LevelSerializable}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return transaction(ctx, s.db, serializable, func(tx *pop.Connection) error { // want "40001"
		e, err := FindEvent(tx, id)
		if err != nil {
			return err
		}
		return e.Take(tx, n)
	})
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := transaction(ctx, s.db, serializable, func(tx *pop.Connection) error {
			e, err := FindEvent(tx, id)
			if err != nil {
				return err
			}
			return e.Take(tx, n)
		})
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

const saveTitle = "UPDATE events SET title = ?, version = version + 1 WHERE id = ? AND version = ?"

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	return s.db.WithContext(ctx).RawQuery(saveTitle, title, id, version).Exec() // want "row"
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	count, err := s.db.WithContext(ctx).RawQuery(saveTitle, title, id, version).ExecWithCount()
	if err != nil {
		return err
	}
	if count == 0 {
		return ErrChanged
	}
	return nil
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		job := &Job{}
		if err := tx.RawQuery("SELECT * FROM jobs WHERE state = ? ORDER BY id LIMIT 1 FOR UPDATE", "new").First(job); err != nil { // want "SKIP LOCKED"
			return err
		}
		kind, job.State = job.Kind, "taken"
		return tx.Update(job)
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		job := &Job{}
		if err := tx.RawQuery("SELECT * FROM jobs WHERE state = ? ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED", "new").First(job); err != nil {
			return err
		}
		kind, job.State = job.Kind, "taken"
		return tx.Update(job)
	})
	return kind, err
}

// Book reads the seats and saves the row that it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		var e Event
		if err := tx.Find(&e, id); err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return tx.Save(&e) // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		e, err := FindEventForUpdate(tx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return tx.Save(e)
	})
}

func isDuplicate(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		err := tx.Create(&Event{Title: title})
		if err != nil && !isDuplicate(err) {
			return err
		}
		return tx.Create(NewJob("poster of " + title)) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		if err := tx.RawQuery("INSERT INTO events (title, seats) VALUES (?, 0) ON CONFLICT DO NOTHING", title).Exec(); err != nil {
			return err
		}
		return tx.Create(NewJob("poster of " + title))
	})
}

const sweeping = 4711

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		if err := tx.RawQuery("SELECT pg_advisory_lock(?)", sweeping).Exec(); err != nil { // want "advisory lock"
			return err
		}
		return tx.Where("state = ?", "done").Delete(&Job{})
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		if err := tx.RawQuery("SELECT pg_advisory_xact_lock(?)", sweeping).Exec(); err != nil {
			return err
		}
		return tx.Where("state = ?", "done").Delete(&Job{})
	})
}

func clearJobs(tx *pop.Connection) error {
	if err := tx.RawQuery("LOCK TABLE jobs IN EXCLUSIVE MODE").Exec(); err != nil {
		return err
	}
	return tx.Q().Where("state = ?", "taken").Delete(&Job{})
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
	return s.db.WithContext(ctx).Transaction(clearJobs)
}

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	return s.db.WithContext(ctx).RawQuery("UPDATE events SET seats = seats + ? WHERE id = ?", n, id).Exec()
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) (*Event, error) {
	e := &Event{}
	err := s.db.WithContext(ctx).RawQuery("UPDATE events SET seats = seats - ? WHERE id = ? AND seats >= ? RETURNING *", n, id, n).First(e)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrSoldOut
	}
	return e, err
}

// Entitle writes the title alone: it is none that was read.
func (s *Shop) Entitle(ctx context.Context, id int, title string) error {
	db := s.db.WithContext(ctx)
	e, err := FindEvent(db, id)
	if err != nil {
		return err
	}
	e.Title = title
	return db.UpdateColumns(e, "title")
}

// Retitle leaves the columns out that somebody else may write.
func (s *Shop) Retitle(ctx context.Context, id int, title string) error {
	db := s.db.WithContext(ctx)
	var e Event
	if err := db.Find(&e, id); err != nil {
		return err
	}
	e.Title = title
	return db.Update(&e, "seats", "version")
}

// CloseAll closes events that it has locked, in the order of their keys.
func (s *Shop) CloseAll(ctx context.Context, from int) error {
	return s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		var all []Event
		if err := tx.RawQuery("SELECT * FROM events WHERE id >= ? ORDER BY id FOR UPDATE", from).All(&all); err != nil {
			return err
		}
		for i := range all {
			all[i].Seats = 0
			if err := tx.Update(&all[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func onSale(q *pop.Query) *pop.Query { return q.Where("seats > 0") }

// OnSale lists events, a page at a time.
func (s *Shop) OnSale(ctx context.Context, title string, page int) (all []Event, err error) {
	q := s.db.WithContext(ctx).Scope(onSale).Order("id")
	if title != "" {
		q = q.Where("title = ?", title)
	}
	q.Paginate(page, 20)
	err = q.All(&all)
	return all, err
}

// Move moves seats from one event to another in the transaction that is open, if
// one is: Transaction in a transaction is the same.
func (s *Shop) Move(ctx context.Context, from, to, n int) error {
	return s.db.WithContext(ctx).Transaction(func(tx *pop.Connection) error {
		err := tx.Transaction(func(tx *pop.Connection) error {
			e, err := FindEventForUpdate(tx, from)
			if err != nil {
				return err
			}
			return e.Take(tx, n)
		})
		if err != nil {
			return err
		}
		return tx.RawQuery("UPDATE events SET seats = seats + ? WHERE id = ?", n, to).Exec()
	})
}

// Open creates the event, or raises the seats of the one that is there.
func (s *Shop) Open(ctx context.Context, title string, seats int) error {
	return s.db.WithContext(ctx).RawQuery(`INSERT INTO events (title, seats) VALUES (?, ?)
		ON CONFLICT (title) DO UPDATE SET seats = events.seats + EXCLUDED.seats`, title, seats).Exec()
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.Open(ctx, "gala", 10); err != nil {
		return err
	}
	return announce(ctx, url)
}
