// Package bunshop sells tickets with Bun.
package bunshop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/uptrace/bun"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Event is a row of events.
type Event struct {
	bun.BaseModel `bun:"table:events,alias:e"`

	ID      int64  `bun:"id,pk,autoincrement"`
	Title   string `bun:"title,notnull,unique"`
	Seats   int    `bun:"seats,notnull"`
	Version int    `bun:"version,notnull"`
}

// Job is a row of jobs.
type Job struct {
	bun.BaseModel `bun:"table:jobs"`

	ID    int64 `bun:",pk,autoincrement"`
	Kind  string
	State string `bun:",nullzero,default:'new'"`
}

// Shop sells tickets.
type Shop struct{ db *bun.DB }

// New returns a shop over the database.
func New(db *bun.DB) *Shop { return &Shop{db: db} }

// lock runs on the database or in a transaction.
func lock(ctx context.Context, db bun.IDB, id int) (*Event, error) {
	e := new(Event)
	err := db.NewSelect().Model(e).Where("e.id = ?", id).For("UPDATE").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock event %d: %w", id, err)
	}
	return e, nil
}

func get(ctx context.Context, db bun.IDB, id int) (*Event, error) {
	e := &Event{ID: int64(id)}
	err := db.NewSelect().Model(e).WherePK().Scan(ctx)
	return e, err
}

func save(ctx context.Context, db bun.IDB, e *Event) error {
	_, err := db.NewUpdate().Model(e).Column("seats").WherePK().Exec(ctx)
	return err
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	e, err := lock(ctx, s.db, id) // want "row lock"
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
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		e, err := lock(ctx, tx, id)
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

func note(ctx context.Context, db bun.IDB, kind string) error {
	_, err := db.NewInsert().Model(&Job{Kind: kind}).Exec(ctx)
	return err
}

// Rename notes the mail to send on the database, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := note(ctx, s.db, "renamed "+title); err != nil { // want "transaction"
		return err
	}
	if _, err := tx.NewUpdate().Model((*Event)(nil)).Set("title = ?", title).Where("id = ?", id).Exec(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := note(ctx, tx, "renamed "+title); err != nil {
		return err
	}
	if _, err := tx.NewUpdate().Model((*Event)(nil)).Set("title = ?", title).Where("id = ?", id).Exec(ctx); err != nil {
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

func raiseVersion(ctx context.Context, db bun.IDB, id int) error {
	_, err := db.NewUpdate().Table("events").Set("version = version + 1").Where("id = ?", id).Exec(ctx)
	return err
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.db.RunInTx(ctx, &sql.TxOptions{}, func(ctx context.Context, tx bun.Tx) error {
		if err := raiseVersion(ctx, tx, id); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.db.RunInTx(ctx, &sql.TxOptions{}, func(ctx context.Context, tx bun.Tx) error { return raiseVersion(ctx, tx, id) })
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if _, err := s.db.NewRaw("SET statement_timeout = '5s'").Exec(ctx); err != nil { // want "session"
		return 0, err
	}
	n, err := s.db.NewSelect().Model((*Event)(nil)).Count(ctx)
	return int(n), err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.db.RunInTx(ctx, &sql.TxOptions{ReadOnly: true}, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewRaw("SET LOCAL statement_timeout = '5s'").Exec(ctx); err != nil {
			return err
		}
		count, err := tx.NewSelect().Model((*Event)(nil)).Count(ctx)
		n = int(count)
		return err
	})
	return n, err
}

func sell(id, n int) func(context.Context, bun.Tx) error {
	return func(ctx context.Context, tx bun.Tx) error {
		var seats int
		if err := tx.NewSelect().Model((*Event)(nil)).Column("seats").Where("id = ?", id).Scan(ctx, &seats); err != nil {
			return err
		}
		if seats < n {
			return ErrSoldOut
		}
		_, err := tx.NewUpdate().Model((*Event)(nil)).Set("seats = ?", seats-n).Where("id = ?", id).Exec(ctx)
		return err
	}
}

var serializable = &sql.TxOptions{Isolation: sql.LevelSerializable}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return s.db.RunInTx(ctx, serializable, sell(id, n)) // want "40001"
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.db.RunInTx(ctx, serializable, sell(id, n))
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	_, err := s.db.NewUpdate(). // want "row"
					Model((*Event)(nil)).
					Set("title = ?", title).
					Set("version = version + 1").
					Where("id = ?", id).
					Where("version = ?", version).
					Exec(ctx)
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	res, err := s.db.NewUpdate().
		Model((*Event)(nil)).
		Set("title = ?", title).
		Set("version = version + 1").
		Where("id = ?", id).
		Where("version = ?", version).
		Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrChanged, err)
	}
	return nil
}

func next(ctx context.Context, tx bun.Tx, strength string) (*Job, error) {
	job := new(Job)
	err := tx.NewSelect().Model(job).Where("state = ?", "new").OrderExpr("id ASC").Limit(1).For(strength).Scan(ctx)
	return job, err
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		job, err := next(ctx, tx, "UPDATE") // want "SKIP LOCKED"
		if err != nil {
			return err
		}
		kind = job.Kind
		_, err = tx.NewUpdate().Model(job).Set("state = ?", "taken").WherePK().Exec(ctx)
		return err
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		job, err := next(ctx, tx, "UPDATE SKIP LOCKED")
		if err != nil {
			return err
		}
		kind = job.Kind
		_, err = tx.NewUpdate().Model(job).Set("state = ?", "taken").WherePK().Exec(ctx)
		return err
	})
	return kind, err
}

// Book reads the seats and saves what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		e, err := get(ctx, tx, id)
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
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		e, err := lock(ctx, tx, id)
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

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&Event{Title: title}).Exec(ctx)
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		return note(ctx, tx, "poster of "+title) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewInsert().Model(&Event{Title: title}).On("CONFLICT (title) DO NOTHING").Exec(ctx); err != nil {
			return err
		}
		return note(ctx, tx, "poster of "+title)
	})
}

const sweeping = 4711

func sweep(ctx context.Context, db bun.IDB) error {
	_, err := db.NewDelete().Model((*Job)(nil)).Where("state = ?", "done").Exec(ctx)
	return err
}

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
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
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(?)", sweeping); err != nil {
			return err
		}
		return sweep(ctx, tx)
	})
}

func clear(ctx context.Context, db bun.IDB) error {
	if _, err := db.ExecContext(ctx, "LOCK TABLE jobs IN EXCLUSIVE MODE"); err != nil {
		return err
	}
	_, err := db.NewDelete().Table("jobs").Where("state = 'taken'").Exec(ctx)
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
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return clear(ctx, tx) })
}

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	_, err := s.db.NewUpdate().Model((*Event)(nil)).Set("seats = seats + ?", n).Where("id = ?", id).Exec(ctx)
	return err
}

// Reserve takes seats in one statement, which gives the row back if there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) (*Event, error) {
	e := new(Event)
	_, err := s.db.NewUpdate().Model(e).Set("seats = seats - ?", n).Where("id = ?", id).Where("seats >= ?", n).Returning("*").Exec(ctx)
	if err != nil {
		return nil, err
	}
	if e.ID == 0 {
		return nil, ErrSoldOut
	}
	return e, nil
}

// Open creates the event, or raises the seats of the one that is there.
func (s *Shop) Open(ctx context.Context, title string, seats int) error {
	_, err := s.db.NewInsert().Model(&Event{Title: title, Seats: seats}).
		On("CONFLICT (title) DO UPDATE").Set("seats = e.seats + EXCLUDED.seats").Exec(ctx)
	return err
}

// Take locks and writes in one statement, which is a transaction by itself.
func (s *Shop) Take(ctx context.Context) (kind string, err error) {
	next := s.db.NewSelect().Model((*Job)(nil)).Column("id").Where("state = 'new'").Limit(1).For("UPDATE SKIP LOCKED")
	err = s.db.NewUpdate().Model((*Job)(nil)).Set("state = 'taken'").Where("id = (?)", next).Returning("kind").Scan(ctx, &kind)
	return kind, err
}

// AddEach adds what can be added: RunInTx of a transaction is a savepoint.
func (s *Shop) AddEach(ctx context.Context, titles []string) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		for _, title := range titles {
			err := tx.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
				_, err := tx.NewInsert().Model(&Event{Title: title}).Exec(ctx)
				return err
			})
			if err != nil {
				continue
			}
		}
		return note(ctx, tx, "posters")
	})
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) (err error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
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
