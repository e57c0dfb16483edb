// Package gopgshop sells tickets with go-pg.
package gopgshop

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-pg/pg/v10"
	"github.com/go-pg/pg/v10/orm"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Event is a row of events.
type Event struct {
	tableName struct{} `pg:"events,alias:e"`

	ID      int64  `pg:"id,pk"`
	Title   string `pg:"title"`
	Seats   int    `pg:"seats,use_zero"`
	Version int    `pg:"version,use_zero"`
}

// Job is a row of jobs.
type Job struct {
	ID    int64
	Kind  string
	State string `pg:"default:'new'"`
}

// Shop sells tickets.
type Shop struct{ db *pg.DB }

// New returns a shop over the database.
func New(db *pg.DB) *Shop { return &Shop{db: db} }

// An events is a repository, on the pool or in a transaction.
type events struct{ db orm.DB }

func (r events) lock(ctx context.Context, id int) (*Event, error) {
	e := new(Event)
	err := r.db.ModelContext(ctx, e).Where("?TableAlias.id = ?", id).For("UPDATE").Select()
	if err != nil {
		return nil, fmt.Errorf("lock event %d: %w", id, err)
	}
	return e, nil
}

func (r events) get(ctx context.Context, id int) (*Event, error) {
	e := &Event{ID: int64(id)}
	if err := r.db.ModelContext(ctx, e).WherePK().Select(); err != nil {
		return nil, err
	}
	return e, nil
}

func (r events) save(ctx context.Context, e *Event) error {
	_, err := r.db.ModelContext(ctx, e).Column("seats").WherePK().Update()
	return err
}

func (r events) rename(ctx context.Context, id int, title string) error {
	_, err := r.db.ModelContext(ctx, &Event{}).Set("title = ?", title).Where("id = ?", id).Update()
	return err
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	repo := events{s.db}
	e, err := repo.lock(ctx, id) // want "row lock"
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	e.Seats -= n
	return repo.save(ctx, e)
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		repo := events{tx}
		e, err := repo.lock(ctx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return repo.save(ctx, e)
	})
}

func note(ctx context.Context, db pg.DBI, kind string) error {
	_, err := db.ModelContext(ctx, &Job{Kind: kind}).Insert()
	return err
}

// Rename notes the mail to send on the database, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.db.BeginContext(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Close() }()
	if err := note(ctx, s.db, "renamed "+title); err != nil { // want "transaction"
		return err
	}
	if err := (events{tx}).rename(ctx, id, title); err != nil {
		return err
	}
	return tx.Commit()
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.db.BeginContext(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Close() }()
	if err := note(ctx, tx, "renamed "+title); err != nil {
		return err
	}
	if err := (events{tx}).rename(ctx, id, title); err != nil {
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

func (r events) raiseVersion(ctx context.Context, id int) error {
	_, err := r.db.ModelContext(ctx, (*Event)(nil)).Set("version = version + 1").Where("id = ?", id).Update()
	return err
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		if err := (events{tx}).raiseVersion(ctx, id); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.db.RunInTransaction(ctx, func(tx *pg.Tx) error { return events{tx}.raiseVersion(ctx, id) })
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if _, err := s.db.ExecContext(ctx, "SET statement_timeout = ?", 5000); err != nil { // want "session"
		return 0, err
	}
	return s.db.ModelContext(ctx, (*Event)(nil)).Count()
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		if _, err := tx.ExecContext(ctx, "SET LOCAL statement_timeout = ?", 5000); err != nil {
			return err
		}
		n, err = tx.ModelContext(ctx, (*Event)(nil)).Count()
		return err
	})
	return n, err
}

const setSerializable = "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE" // go-pg has no option for it

func sell(ctx context.Context, tx *pg.Tx, id, n int) error {
	var seats int
	if err := tx.ModelContext(ctx, (*Event)(nil)).Column("seats").Where("id = ?", id).Select(&seats); err != nil {
		return err
	}
	if seats < n {
		return ErrSoldOut
	}
	_, err := tx.ModelContext(ctx, (*Event)(nil)).Set("seats = ?", seats-n).Where("id = ?", id).Update()
	return err
}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		if _, err := tx.ExecContext(ctx, setSerializable); err != nil { // want "40001"
			return err
		}
		return sell(ctx, tx, id, n)
	})
}

func hasCode(err error, code string) bool {
	pgErr, ok := err.(pg.Error)
	return ok && pgErr.Field('C') == code
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
			if _, err := tx.ExecContext(ctx, setSerializable); err != nil {
				return err
			}
			return sell(ctx, tx, id, n)
		})
		if hasCode(err, "40001") {
			continue
		}
		return err
	}
}

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	e := &Event{ID: int64(id), Title: title, Version: version + 1}
	_, err := s.db.ModelContext(ctx, e). // want "row"
						Column("title", "version").
						WherePK().
						Where("version = ?", version).
						Update()
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	e := &Event{ID: int64(id), Title: title, Version: version + 1}
	res, err := s.db.ModelContext(ctx, e).
		Column("title", "version").
		WherePK().
		Where("version = ?", version).
		Update()
	if err != nil {
		return err
	}
	if res.RowsAffected() == 0 {
		return ErrChanged
	}
	return nil
}

func next(ctx context.Context, tx *pg.Tx, lock string) (*Job, error) {
	job := new(Job)
	err := tx.ModelContext(ctx, job).Where("state = ?", "new").Order("id ASC").Limit(1).For(lock).Select()
	return job, err
}

func take(ctx context.Context, tx *pg.Tx, job *Job) error {
	job.State = "taken"
	_, err := tx.ModelContext(ctx, job).Set("state = ?state").WherePK().Update()
	return err
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		job, err := next(ctx, tx, "UPDATE") // want "SKIP LOCKED"
		if err != nil {
			return err
		}
		kind = job.Kind
		return take(ctx, tx, job)
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		job, err := next(ctx, tx, "UPDATE SKIP LOCKED")
		if err != nil {
			return err
		}
		kind = job.Kind
		return take(ctx, tx, job)
	})
	return kind, err
}

// Book reads the seats and saves what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		repo := events{tx}
		e, err := repo.get(ctx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return repo.save(ctx, e) // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		repo := events{tx}
		e, err := repo.lock(ctx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return repo.save(ctx, e)
	})
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		if _, err := tx.ModelContext(ctx, &Event{Title: title}).Insert(); err != nil {
			pgErr, ok := err.(pg.Error)
			if !ok || !pgErr.IntegrityViolation() {
				return err
			}
		}
		return note(ctx, tx, "poster of "+title) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		if _, err := tx.ModelContext(ctx, &Event{Title: title}).OnConflict("(title) DO NOTHING").Insert(); err != nil {
			return err
		}
		return note(ctx, tx, "poster of "+title)
	})
}

const sweeping = 4711

func sweep(ctx context.Context, db orm.DB) error {
	_, err := db.ModelContext(ctx, (*Job)(nil)).Where("state = ?", "done").Delete()
	return err
}

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_lock(?)", sweeping); err != nil { // want "advisory lock"
			return err
		}
		return sweep(ctx, tx)
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(?)", sweeping); err != nil {
			return err
		}
		return sweep(ctx, tx)
	})
}

func clear(ctx context.Context, db orm.DB) error {
	if _, err := db.ExecContext(ctx, "LOCK TABLE jobs IN EXCLUSIVE MODE"); err != nil {
		return err
	}
	_, err := db.ModelContext(ctx, (*Job)(nil)).Where("state = 'taken'").Delete()
	return err
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	return clear(ctx, s.db) // want "outside a transaction"
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error { return clear(ctx, tx) })
}

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	_, err := s.db.ModelContext(ctx, (*Event)(nil)).Set("seats = seats + ?", n).Where("id = ?", id).Update()
	return err
}

// Reserve takes seats in one statement, which gives the row back if there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) (*Event, error) {
	e := &Event{ID: int64(id)}
	res, err := s.db.ModelContext(ctx, e).Set("seats = seats - ?", n).WherePK().Where("seats >= ?", n).Returning("*").Update()
	if err != nil {
		return nil, err
	}
	if res.RowsReturned() == 0 {
		return nil, ErrSoldOut
	}
	return e, nil
}

// Open creates the event, or raises the seats of the one that is there.
func (s *Shop) Open(ctx context.Context, title string, seats int) error {
	_, err := s.db.ModelContext(ctx, &Event{Title: title, Seats: seats}).
		OnConflict("(title) DO UPDATE").
		Set("seats = e.seats + EXCLUDED.seats").
		Insert()
	return err
}

// Find returns the event of that title, which it adds if there is none.
func (s *Shop) Find(ctx context.Context, title string) (*Event, error) {
	e := &Event{Title: title}
	_, err := s.db.ModelContext(ctx, e).Where("title = ?title").OnConflict("DO NOTHING").SelectOrInsert()
	return e, err
}

// Take locks and writes in one statement, which is a transaction by itself.
func (s *Shop) Take(ctx context.Context) (string, error) {
	job := new(Job)
	_, err := s.db.ModelContext(ctx, job).
		Set("state = ?", "taken").
		Where("id = (?)", s.db.Model((*Job)(nil)).Column("id").Where("state = ?", "new").Order("id ASC").Limit(1).For("UPDATE SKIP LOCKED")).
		Returning("*").
		Update()
	return job.Kind, err
}

// Close closes an event that it has locked by a text, in a transaction that is
// begun by hand.
func (s *Shop) Close(ctx context.Context, id int) (err error) {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
			return
		}
		err = tx.Commit()
	}()
	e := new(Event)
	if _, err := tx.QueryOneContext(ctx, e, "SELECT * FROM events WHERE id = ? FOR UPDATE", id); err != nil {
		return err
	}
	e.Seats = min(e.Seats, 0)
	_, err = tx.ModelContext(ctx, e).WherePK().Update()
	return err
}

// AddEach adds what can be added, each after a savepoint.
func (s *Shop) AddEach(ctx context.Context, titles []string) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		for _, title := range titles {
			if _, err := tx.ExecContext(ctx, "SAVEPOINT event"); err != nil {
				return err
			}
			if _, err := tx.ModelContext(ctx, &Event{Title: title}).Insert(); err != nil {
				if _, err := tx.ExecContext(ctx, "ROLLBACK TO SAVEPOINT event"); err != nil {
					return err
				}
			}
		}
		return note(ctx, tx, "posters")
	})
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) (err error) {
	conn := s.db.Conn()
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(?)", sweeping); err != nil {
		return err
	}
	defer func() {
		_, uerr := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(?)", sweeping)
		err = errors.Join(err, uerr)
	}()
	return sweep(ctx, conn)
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.Open(ctx, "gala", 10); err != nil {
		return err
	}
	return announce(ctx, url)
}
