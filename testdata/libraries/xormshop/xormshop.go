// Package xormshop sells tickets with XORM.
package xormshop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5/pgconn"
	"xorm.io/builder"
	"xorm.io/xorm"
)

// Errors of the shop.
var (
	ErrSoldOut  = errors.New("sold out")
	ErrNotFound = errors.New("there is no such event")
	ErrChanged  = errors.New("somebody else has changed the event")
)

// Event is a row of events.
type Event struct {
	ID    int64  `xorm:"pk autoincr 'id'"`
	Title string `xorm:"not null unique TEXT title"`
	Seats int    `xorm:"not null default 0 BIGINT seats"`
}

// TableName implements names.TableName.
func (Event) TableName() string { return "events" }

// Edition is what its editors see of an event.
type Edition struct {
	ID      int64  `xorm:"pk autoincr 'id'"`
	Title   string `xorm:"'title'"`
	Version int    `xorm:"version"`
}

// TableName implements names.TableName.
func (Edition) TableName() string { return "events" }

// Job is a row of jobs.
type Job struct {
	ID    int64  `xorm:"pk autoincr 'id'"`
	Kind  string `xorm:"'kind'"`
	State string `xorm:"'state' default('new')"`
}

// TableName implements names.TableName.
func (Job) TableName() string { return "jobs" }

// Shop sells tickets.
type Shop struct{ engine *xorm.Engine }

// New returns a shop over the database.
func New(engine *xorm.Engine) *Shop { return &Shop{engine: engine} }

// inTx runs fn in a transaction.
func (s *Shop) inTx(ctx context.Context, fn func(sess *xorm.Session) error) error {
	sess := s.engine.NewSession().Context(ctx)
	defer sess.Close()
	if err := sess.Begin(); err != nil {
		return err
	}
	if err := fn(sess); err != nil {
		_ = sess.Rollback()
		return err
	}
	return sess.Commit()
}

// lockEvent adds to the session in statements of their own.
func lockEvent(sess *xorm.Session, id int) (*Event, error) {
	e := new(Event)
	sess.Where("id = ?", id)
	sess.ForUpdate()
	has, err := sess.Get(e)
	if err != nil {
		return nil, fmt.Errorf("lock event %d: %w", id, err)
	}
	if !has {
		return nil, ErrNotFound
	}
	return e, nil
}

func getEvent(sess *xorm.Session, id int) (*Event, error) {
	e := &Event{ID: int64(id)}
	has, err := sess.Get(e)
	if err == nil && !has {
		err = ErrNotFound
	}
	return e, err
}

func saveSeats(sess *xorm.Session, e *Event) error {
	_, err := sess.ID(e.ID).Cols("seats").Update(e)
	return err
}

// Buy locks the event in a session that has begun nothing.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	sess := s.engine.NewSession().Context(ctx)
	defer sess.Close()
	e, err := lockEvent(sess, id) // want "row lock"
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	e.Seats -= n
	return saveSeats(sess, e)
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	sess := s.engine.NewSession().Context(ctx)
	defer sess.Close()
	if err := sess.Begin(); err != nil {
		return err
	}
	e, err := lockEvent(sess, id)
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	e.Seats -= n
	if err := saveSeats(sess, e); err != nil {
		return err
	}
	return sess.Commit()
}

func note(db xorm.Interface, kind string) error {
	_, err := db.Insert(&Job{Kind: kind, State: "new"})
	return err
}

func rename(sess *xorm.Session, id int, title string) error {
	_, err := sess.ID(id).Update(&Event{Title: title})
	return err
}

// Rename notes the mail to send on the engine, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	_, err := s.engine.Transaction(func(sess *xorm.Session) (any, error) {
		if err := note(s.engine, "renamed "+title); err != nil { // want "transaction"
			return nil, err
		}
		return nil, rename(sess.Context(ctx), id, title)
	})
	return err
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	_, err := s.engine.Transaction(func(sess *xorm.Session) (any, error) {
		sess = sess.Context(ctx)
		if err := note(sess, "renamed "+title); err != nil {
			return nil, err
		}
		return nil, rename(sess, id, title)
	})
	return err
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

func raiseVersion(sess *xorm.Session, id int) error {
	_, err := sess.ID(id).SetExpr("version", "version + 1").Update(new(Event))
	return err
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.inTx(ctx, func(sess *xorm.Session) error {
		if err := raiseVersion(sess, id); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.inTx(ctx, func(sess *xorm.Session) error { return raiseVersion(sess, id) })
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if _, err := s.engine.Context(ctx).Exec("SET statement_timeout = '5s'"); err != nil { // want "session"
		return 0, err
	}
	n, err := s.engine.Context(ctx).Count(new(Event))
	return int(n), err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.inTx(ctx, func(sess *xorm.Session) error {
		if _, err := sess.Exec("SET LOCAL statement_timeout = '5s'"); err != nil {
			return err
		}
		count, err := sess.Count(new(Event))
		n = int(count)
		return err
	})
	return n, err
}

var serializable = &sql.TxOptions{Isolation: sql.LevelSerializable}

func (s *Shop) sell(sess *xorm.Session, id, n int) error {
	var e Event
	has, err := sess.ID(id).Cols("id", "seats").Get(&e)
	switch {
	case err != nil:
		return err
	case !has:
		return ErrNotFound
	case e.Seats < n:
		return ErrSoldOut
	}
	if _, err := sess.Table(new(Event)).ID(id).Update(map[string]any{"seats": e.Seats - n}); err != nil {
		return err
	}
	return sess.Commit()
}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	sess := s.engine.NewSession().Context(ctx)
	defer sess.Close()
	if err := sess.BeginTx(serializable); err != nil { // want "40001"
		return err
	}
	return s.sell(sess, id, n)
}

func (s *Shop) trySelling(ctx context.Context, id, n int) error {
	sess := s.engine.NewSession().Context(ctx)
	defer sess.Close()
	if err := sess.BeginTx(serializable); err != nil {
		return err
	}
	return s.sell(sess, id, n)
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.trySelling(ctx, id, n)
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

// Save writes the title if the version is the one that was read, which XORM
// compares by itself, and does not look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	_, err := s.engine.Context(ctx).ID(id).Update(&Edition{Title: title, Version: version}) // want "row"
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	affected, err := s.engine.Context(ctx).ID(id).Update(&Edition{Title: title, Version: version})
	if err != nil {
		return err
	}
	if affected == 0 {
		return ErrChanged
	}
	return nil
}

const (
	nextJob     = "SELECT * FROM jobs WHERE state = ? ORDER BY id LIMIT 1 FOR UPDATE"
	nextFreeJob = nextJob + " SKIP LOCKED"
)

func take(sess *xorm.Session, job *Job) error {
	job.State = "taken"
	_, err := sess.ID(job.ID).Cols("state").Update(job)
	return err
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, func(sess *xorm.Session) error {
		var job Job
		has, err := sess.Where("state = ?", "new").Asc("id").ForUpdate().Get(&job) // want "SKIP LOCKED"
		if err != nil || !has {
			return err
		}
		kind = job.Kind
		return take(sess, &job)
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has. ForUpdate has no options.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, func(sess *xorm.Session) error {
		var job Job
		has, err := sess.SQL(nextFreeJob, "new").Get(&job)
		if err != nil || !has {
			return err
		}
		kind = job.Kind
		return take(sess, &job)
	})
	return kind, err
}

// Book reads the seats and saves what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.inTx(ctx, func(sess *xorm.Session) error {
		e, err := getEvent(sess, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return saveSeats(sess, e) // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.inTx(ctx, func(sess *xorm.Session) error {
		e, err := lockEvent(sess, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return saveSeats(sess, e)
	})
}

func isDuplicate(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.inTx(ctx, func(sess *xorm.Session) error {
		if _, err := sess.Insert(&Event{Title: title}); err != nil && !isDuplicate(err) {
			return err
		}
		return note(sess, "poster of "+title) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.inTx(ctx, func(sess *xorm.Session) error {
		if _, err := sess.Exec("INSERT INTO events (title, seats) VALUES (?, 0) ON CONFLICT (title) DO NOTHING", title); err != nil {
			return err
		}
		return note(sess, "poster of "+title)
	})
}

const sweeping = 4711

func sweep(sess *xorm.Session) error {
	_, err := sess.Where(builder.Eq{"state": "done"}).Delete(new(Job))
	return err
}

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.inTx(ctx, func(sess *xorm.Session) error {
		if _, err := sess.Exec("SELECT pg_advisory_lock(?)", sweeping); err != nil { // want "advisory lock"
			return err
		}
		return sweep(sess)
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.inTx(ctx, func(sess *xorm.Session) error {
		if _, err := sess.Exec("SELECT pg_advisory_xact_lock(?)", sweeping); err != nil {
			return err
		}
		return sweep(sess)
	})
}

func clear(sess *xorm.Session) error {
	if _, err := sess.Exec("LOCK TABLE jobs IN EXCLUSIVE MODE"); err != nil {
		return err
	}
	_, err := sess.Where("state = ?", "taken").Delete(new(Job))
	return err
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	sess := s.engine.NewSession()
	defer sess.Close()
	return clear(sess.Context(ctx)) // want "outside a transaction"
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error { return s.inTx(ctx, clear) }

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	_, err := s.engine.Context(ctx).ID(id).Incr("seats", n).Update(new(Event))
	return err
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) error {
	affected, err := s.engine.Context(ctx).Where("id = ? AND seats >= ?", id, n).Decr("seats", n).Update(new(Event))
	if err != nil {
		return err
	}
	if affected != 1 {
		return ErrSoldOut
	}
	return nil
}

// Edit saves what it has made of an edition; XORM fails to where another did.
func (s *Shop) Edit(ctx context.Context, id int, suffix string) error {
	e := new(Edition)
	has, err := s.engine.Context(ctx).ID(id).Get(e)
	if err != nil || !has {
		return errors.Join(ErrNotFound, err)
	}
	e.Title += suffix
	n, err := s.engine.Context(ctx).ID(id).Cols("title").Update(e)
	if err == nil && n == 0 {
		err = ErrChanged
	}
	return err
}

// Filter is what events are looked for by.
type Filter struct {
	Title string
	IDs   []int64
	Lock  bool
}

// find adds to the session what the filter has.
func find(sess *xorm.Session, f Filter) ([]*Event, error) {
	if f.Title != "" {
		sess = sess.And("title = ?", f.Title)
	}
	if len(f.IDs) > 0 {
		sess.In("id", f.IDs)
	}
	if f.Lock {
		sess.ForUpdate()
	}
	var events []*Event
	return events, sess.Asc("id").Find(&events)
}

// List only reads.
func (s *Shop) List(ctx context.Context, f Filter) ([]*Event, error) {
	sess := s.engine.NewSession()
	defer sess.Close()
	return find(sess.Context(ctx), f)
}

// Close closes the events that it has locked.
func (s *Shop) Close(ctx context.Context, ids []int64) error {
	return s.inTx(ctx, func(sess *xorm.Session) error {
		events, err := find(sess, Filter{IDs: ids, Lock: true})
		if err != nil {
			return err
		}
		for _, e := range events {
			e.Seats = min(e.Seats, 0)
			if err := saveSeats(sess, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// Take locks and writes in one statement, which is a transaction by itself.
func (s *Shop) Take(ctx context.Context) (kind string, err error) {
	has, err := s.engine.Context(ctx).SQL("UPDATE jobs SET state = 'taken' WHERE id = (" + nextFreeJob + ") RETURNING kind").Get(&kind)
	if err == nil && !has {
		err = ErrNotFound
	}
	return kind, err
}

// AddEach adds what can be added, each after a savepoint.
func (s *Shop) AddEach(ctx context.Context, titles []string) error {
	return s.inTx(ctx, func(sess *xorm.Session) error {
		for _, title := range titles {
			if _, err := sess.Exec("SAVEPOINT event"); err != nil {
				return err
			}
			if _, err := sess.Insert(&Event{Title: title}); err != nil {
				if _, err := sess.Exec("ROLLBACK TO SAVEPOINT event"); err != nil {
					return err
				}
			}
		}
		return note(sess, "posters")
	})
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := note(s.engine, "greeting"); err != nil {
		return err
	}
	return announce(ctx, url)
}
