// Package uppershop sells tickets with upper/db.
package uppershop

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/upper/db/v4"
	"github.com/upper/db/v4/adapter/postgresql"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Event is a row of events.
type Event struct {
	ID      int    `db:"id,omitempty"`
	Title   string `db:"title"`
	Seats   int    `db:"seats"`
	Version int    `db:"version"`
}

// Job is a row of jobs.
type Job struct {
	ID    int    `db:"id,omitempty"`
	Kind  string `db:"kind"`
	State string `db:"state"`
}

// Store makes a job a record.
func (*Job) Store(sess db.Session) db.Store { return sess.Collection("jobs") }

// Shop sells tickets.
type Shop struct{ sess db.Session }

// New returns a shop over the database.
func New(sqlDB *sql.DB) (*Shop, error) {
	sess, err := postgresql.New(sqlDB)
	if err != nil {
		return nil, err
	}
	return &Shop{sess: sess}, nil
}

// events are the events on the database or in a transaction.
func events(sess db.Session) db.Collection { return sess.Collection("events") }

// get reads an event, on the database or in a transaction.
func get(sess db.Session, id int) (*Event, error) {
	var e Event
	if err := sess.SQL().SelectFrom("events").Where("id", id).One(&e); err != nil {
		return nil, err
	}
	return &e, nil
}

func forUpdate(query string) string { return query + " FOR UPDATE" }

// getLocked is called in a transaction.
func getLocked(tx db.Session, id int) (*Event, error) {
	e := new(Event)
	err := tx.SQL().
		Select("id", "title", "seats", "version").
		From("events").
		Where(db.Cond{"id": id}).
		Amend(forUpdate).
		One(e)
	return e, err
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	sess := s.sess.WithContext(ctx)
	var e Event
	query := sess.SQL().SelectFrom("events").Where("id = ?", id)
	query = query.Amend(func(q string) string { return q + " FOR UPDATE" })
	if err := query.One(&e); err != nil { // want "row lock"
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	return sess.Collection("events").Find("id", id).Update(map[string]any{"seats": e.Seats - n})
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.sess.WithContext(ctx).Tx(func(tx db.Session) error {
		var e Event
		query := tx.SQL().SelectFrom("events").Where("id = ?", id)
		query = query.Amend(func(q string) string { return q + " FOR UPDATE" })
		if err := query.One(&e); err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		return tx.Collection("events").Find("id", id).Update(map[string]any{"seats": e.Seats - n})
	})
}

// Rename notes the mail to send on the shop's session, while the transaction is
// open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error {
		if err := s.sess.Save(&Job{Kind: "renamed " + title, State: "new"}); err != nil { // want "transaction"
			return err
		}
		return events(tx).Find(id).Update(map[string]any{"title": title})
	}, nil)
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error {
		if err := tx.Save(&Job{Kind: "renamed " + title, State: "new"}); err != nil {
			return err
		}
		return events(tx).Find(id).Update(map[string]any{"title": title})
	}, nil)
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

func touch(tx db.Session, id int) error {
	_, err := tx.SQL().Update("events").Set("version = version + ?", 1).Where("id = ?", id).Exec()
	return err
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error {
		if err := touch(tx, id); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	}, nil)
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.sess.TxContext(ctx, func(tx db.Session) error {
		return touch(tx, id)
	}, nil)
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if _, err := s.sess.SQL().ExecContext(ctx, "SET statement_timeout = '5s'"); err != nil { // want "session"
		return 0, err
	}
	n, err := events(s.sess).Count()
	return int(n), err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (int, error) {
	var n uint64
	err := s.sess.TxContext(ctx, func(tx db.Session) (err error) {
		if _, err := tx.SQL().Exec("SET LOCAL statement_timeout = '5s'"); err != nil {
			return err
		}
		n, err = events(tx).Count()
		return err
	}, nil)
	return int(n), err
}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error { // want "40001"
		return sell(tx, id, n)
	}, &sql.TxOptions{Isolation: sql.LevelSerializable})
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.sess.TxContext(ctx, func(tx db.Session) error {
			return sell(tx, id, n)
		}, &sql.TxOptions{Isolation: sql.LevelSerializable})
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

func sell(tx db.Session, id, n int) error {
	var e Event
	res := events(tx).Find(db.Cond{"id": id})
	if err := res.One(&e); err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	e.Seats -= n
	return res.Update(e)
}

// Save writes the title if the version is the one that was read. Nobody is told
// whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	res := events(s.sess.WithContext(ctx)).Find(db.Cond{"id": id, "version": version})
	return res.Update(map[string]any{"title": title, "version": version + 1}) // want "row"
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	res, err := s.sess.SQL().Update("events").
		Set("title", title, "version", version+1).
		Where(db.Cond{"id": id, "version": version}).
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
	err = s.sess.TxContext(ctx, func(tx db.Session) error {
		var j Job
		next := tx.SQL().SelectFrom("jobs").Where("state = ?", "new").OrderBy("id").Limit(1)
		if err := next.Amend(forUpdate).One(&j); err != nil { // want "SKIP LOCKED"
			return err
		}
		kind = j.Kind
		return tx.Collection("jobs").Find(j.ID).Update(map[string]any{"state": "taken"})
	}, nil)
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.sess.TxContext(ctx, func(tx db.Session) error {
		var j Job
		next := tx.SQL().SelectFrom("jobs").Where("state = ?", "new").OrderBy("id").Limit(1)
		next = next.Amend(func(q string) string { return q + " FOR UPDATE SKIP LOCKED" })
		if err := next.One(&j); err != nil {
			return err
		}
		kind = j.Kind
		return tx.Collection("jobs").Find(j.ID).Update(map[string]any{"state": "taken"})
	}, nil)
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error {
		e, err := get(tx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return events(tx).Find("id", id).Update(e) // want "lost update"
	}, nil)
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error {
		e, err := getLocked(tx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return events(tx).Find("id", id).Update(e)
	}, nil)
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error {
		_, err := events(tx).Insert(Event{Title: title})
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		_, err = tx.Collection("jobs").Insert(map[string]any{"kind": "poster of " + title}) // want "25P02"
		return err
	}, nil)
}

func onConflictDoNothing(query string) string { return query + " ON CONFLICT DO NOTHING" }

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error {
		_, err := tx.SQL().InsertInto("events").
			Columns("title", "seats").
			Values(title, 0).
			Amend(onConflictDoNothing).
			Exec()
		if err != nil {
			return err
		}
		_, err = tx.Collection("jobs").Insert(map[string]any{"kind": "poster of " + title})
		return err
	}, nil)
}

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error {
		if _, err := tx.SQL().Exec("SELECT pg_advisory_lock(?)", 4711); err != nil { // want "advisory lock"
			return err
		}
		return tx.Collection("jobs").Find("state", "done").Delete()
	}, nil)
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error {
		if _, err := tx.SQL().Exec("SELECT pg_advisory_xact_lock(?)", 4711); err != nil {
			return err
		}
		return tx.Collection("jobs").Find("state", "done").Delete()
	}, nil)
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	sess := s.sess.WithContext(ctx)
	if _, err := sess.SQL().Exec("LOCK TABLE jobs IN EXCLUSIVE MODE"); err != nil { // want "outside a transaction"
		return err
	}
	_, err := sess.SQL().DeleteFrom("jobs").Where("state", "taken").Exec()
	return err
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error {
		if _, err := tx.SQL().Exec("LOCK TABLE jobs IN EXCLUSIVE MODE"); err != nil {
			return err
		}
		_, err := tx.SQL().DeleteFrom("jobs").Where("state", "taken").Exec()
		return err
	}, nil)
}

// What follows is right.

// Close closes an event that it has locked.
func (s *Shop) Close(ctx context.Context, id int) error {
	return s.sess.TxContext(ctx, func(tx db.Session) error {
		e, err := getLocked(tx, id)
		if err != nil || e.Seats == 0 {
			return err
		}
		_, err = tx.SQL().Update("events").Set("seats", 0).Where("id", e.ID).Exec()
		return err
	}, nil)
}

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	sess := s.sess.WithContext(ctx)
	e, err := get(sess, id)
	if err != nil {
		return err
	}
	return events(sess).Find(e.ID).Update(map[string]any{"seats": db.Raw("seats + ?", n)})
}

// Reserve writes what it has made of the seats where they are still the same.
func (s *Shop) Reserve(ctx context.Context, id, n int) error {
	e, err := get(s.sess.WithContext(ctx), id)
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	res, err := s.sess.SQL().Update("events").
		Set(map[string]any{"seats": e.Seats - n}).
		Where("id", id).
		And(db.Cond{"seats": db.Eq(e.Seats)}).
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
func (s *Shop) Take(ctx context.Context) (kind string, err error) {
	row, err := s.sess.SQL().QueryRowContext(ctx, `
		UPDATE jobs SET state = 'taken' WHERE id =
			(SELECT id FROM jobs WHERE state = ? ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING kind`, "new")
	if err != nil {
		return "", err
	}
	err = row.Scan(&kind)
	return kind, err
}

// A Search is what Find looks for.
type Search struct {
	Title string
	Seats int
}

// Find puts a statement together of what it is asked for.
func (s *Shop) Find(ctx context.Context, q Search) (found []Event, err error) {
	res := events(s.sess.WithContext(ctx)).Find()
	if q.Title != "" {
		res = res.And(db.Cond{"title LIKE": q.Title + "%"})
	}
	if q.Seats > 0 {
		res = res.And(db.Or(db.Cond{"seats >=": q.Seats}, db.Cond{"version": 0}))
	}
	err = res.OrderBy("-id").Limit(20).All(&found)
	return found, err
}

// Retry gives a job back that was read for its kind only.
func (s *Shop) Retry(ctx context.Context, id int) (string, error) {
	sess := s.sess.WithContext(ctx)
	var j Job
	if err := sess.Get(&j, id); err != nil {
		return "", err
	}
	return j.Kind, sess.Collection("jobs").Find(id).Update(map[string]any{"state": "new"})
}

// Greet announces the shop after its transaction, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.AddOnce(ctx, "gala"); err != nil {
		return err
	}
	return announce(ctx, url)
}
