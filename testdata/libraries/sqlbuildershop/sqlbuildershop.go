// Package sqlbuildershop sells tickets with go-sqlbuilder.
package sqlbuildershop

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/huandu/go-sqlbuilder"
	"github.com/jackc/pgx/v5/pgconn"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// A runner is a database or a transaction.
type runner interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Shop sells tickets.
type Shop struct{ db *sql.DB }

// New returns a shop over the database.
func New(db *sql.DB) *Shop { return &Shop{db: db} }

func (s *Shop) inTx(ctx context.Context, opts *sql.TxOptions, fn func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, opts)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

type event struct {
	id, seats int
	title     string
}

// eventOf is the query of an event, which callers may make a locking one.
func eventOf(id int) *sqlbuilder.SelectBuilder {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	sb.Select("id", "title", "seats")
	sb.From("events")
	sb.Where(sb.Equal("id", id))
	return sb
}

func one(ctx context.Context, db runner, sb *sqlbuilder.SelectBuilder) (e event, err error) {
	query, args := sb.Build()
	err = db.QueryRowContext(ctx, query, args...).Scan(&e.id, &e.title, &e.seats)
	return e, err
}

func setSeats(ctx context.Context, db runner, id, seats int) error {
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("events")
	ub.Set(ub.Assign("seats", seats))
	ub.Where(ub.Equal("id", id))
	query, args := ub.Build()
	_, err := db.ExecContext(ctx, query, args...)
	return err
}

func setTitle(ctx context.Context, db runner, id int, title string) error {
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	query, args := ub.Update("events").Set(ub.Assign("title", title)).Where(ub.EQ("id", id)).Build()
	_, err := db.ExecContext(ctx, query, args...)
	return err
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	e, err := one(ctx, s.db, eventOf(id).ForUpdate()) // want "row lock"
	if err != nil {
		return err
	}
	if e.seats < n {
		return ErrSoldOut
	}
	return setSeats(ctx, s.db, id, e.seats-n)
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		e, err := one(ctx, tx, eventOf(id).ForUpdate())
		if err != nil {
			return err
		}
		if e.seats < n {
			return ErrSoldOut
		}
		return setSeats(ctx, tx, id, e.seats-n)
	})
}

func note(ctx context.Context, db runner, kind string) error {
	query, args := sqlbuilder.PostgreSQL.NewInsertBuilder().InsertInto("jobs").Cols("kind").Values(kind).Build()
	_, err := db.ExecContext(ctx, query, args...)
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
	if err := setTitle(ctx, tx, id, title); err != nil {
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
	if err := setTitle(ctx, tx, id, title); err != nil {
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

func raiseVersion(ctx context.Context, db runner, id int) error {
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("events")
	ub.Set(ub.Incr("version"))
	ub.Where(ub.Equal("id", id))
	query, args := ub.Build()
	_, err := db.ExecContext(ctx, query, args...)
	return err
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
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
	if err := s.inTx(ctx, nil, func(tx *sql.Tx) error { return raiseVersion(ctx, tx, id) }); err != nil {
		return err
	}
	return announce(ctx, url)
}

func count(ctx context.Context, db runner) (n int, err error) {
	query, args := sqlbuilder.Select("count(*)").From("events").BuildWithFlavor(sqlbuilder.PostgreSQL)
	err = db.QueryRowContext(ctx, query, args...).Scan(&n)
	return n, err
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	query, args := sqlbuilder.Select("set_config('statement_timeout', '5s', false)").BuildWithFlavor(sqlbuilder.PostgreSQL)
	if _, err := s.db.ExecContext(ctx, query, args...); err != nil { // want "session"
		return 0, err
	}
	return count(ctx, s.db)
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.inTx(ctx, nil, func(tx *sql.Tx) error {
		query, args := sqlbuilder.Select("set_config('statement_timeout', '5s', true)").BuildWithFlavor(sqlbuilder.PostgreSQL)
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return err
		}
		n, err = count(ctx, tx)
		return err
	})
	return n, err
}

func sell(ctx context.Context, tx *sql.Tx, id, n int) error {
	e, err := one(ctx, tx, eventOf(id))
	if err != nil {
		return err
	}
	if e.seats < n {
		return ErrSoldOut
	}
	return setSeats(ctx, tx, id, e.seats-n)
}

var serializable = &sql.TxOptions{Isolation: sql.LevelSerializable}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return s.inTx(ctx, serializable, func(tx *sql.Tx) error { return sell(ctx, tx, id, n) }) // want "40001"
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.inTx(ctx, serializable, func(tx *sql.Tx) error { return sell(ctx, tx, id, n) })
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

func ofVersion(id, version int, title string) *sqlbuilder.UpdateBuilder {
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("events").Set(ub.Assign("title", title), ub.Add("version", 1))
	ub.Where(ub.E("id", id), ub.E("version", version))
	return ub
}

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	query, args := ofVersion(id, version, title).Build()
	_, err := s.db.ExecContext(ctx, query, args...) // want "row"
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	query, args := ofVersion(id, version, title).Build()
	res, err := s.db.ExecContext(ctx, query, args...)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrChanged, err)
	}
	return nil
}

func nextJob() *sqlbuilder.SelectBuilder {
	sb := sqlbuilder.PostgreSQL.NewSelectBuilder()
	return sb.Select("id", "kind").From("jobs").Where(sb.Equal("state", "new")).OrderBy("id").Limit(1).ForUpdate()
}

func take(ctx context.Context, tx *sql.Tx, sb *sqlbuilder.SelectBuilder) (kind string, err error) {
	var id int
	query, args := sb.Build()
	if err := tx.QueryRowContext(ctx, query, args...).Scan(&id, &kind); err != nil {
		return "", err
	}
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	query, args = ub.Update("jobs").Set(ub.Assign("state", "taken")).Where(ub.Equal("id", id)).Build()
	_, err = tx.ExecContext(ctx, query, args...)
	return kind, err
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, nil, func(tx *sql.Tx) error {
		kind, err = take(ctx, tx, nextJob()) // want "SKIP LOCKED"
		return err
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, nil, func(tx *sql.Tx) error {
		kind, err = take(ctx, tx, nextJob().SkipLocked())
		return err
	})
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		e, err := one(ctx, tx, eventOf(id))
		if err != nil {
			return err
		}
		if e.seats < n {
			return ErrSoldOut
		}
		return setSeats(ctx, tx, id, e.seats-n) // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		e, err := one(ctx, tx, eventOf(id).SQL("FOR NO KEY UPDATE"))
		if err != nil {
			return err
		}
		if e.seats < n {
			return ErrSoldOut
		}
		return setSeats(ctx, tx, id, e.seats-n)
	})
}

func insertEvent(title string) *sqlbuilder.InsertBuilder {
	return sqlbuilder.PostgreSQL.NewInsertBuilder().InsertInto("events").Cols("title", "seats").Values(title, 0)
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		query, args := insertEvent(title).Build()
		_, err := tx.ExecContext(ctx, query, args...)
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
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		query, args := insertEvent(title).SQL("ON CONFLICT DO NOTHING").Build()
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return err
		}
		return note(ctx, tx, "poster of "+title)
	})
}

func deleteJobs(ctx context.Context, db runner, state string) error {
	dlt := sqlbuilder.PostgreSQL.NewDeleteBuilder()
	dlt.DeleteFrom("jobs").Where(dlt.Equal("state", state))
	query, args := dlt.Build()
	_, err := db.ExecContext(ctx, query, args...)
	return err
}

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		query, args := sqlbuilder.Select("pg_advisory_lock(4711)").BuildWithFlavor(sqlbuilder.PostgreSQL)
		if _, err := tx.ExecContext(ctx, query, args...); err != nil { // want "advisory lock"
			return err
		}
		return deleteJobs(ctx, tx, "done")
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		query, args := sqlbuilder.Select("pg_advisory_xact_lock(4711)").BuildWithFlavor(sqlbuilder.PostgreSQL)
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return err
		}
		return deleteJobs(ctx, tx, "done")
	})
}

func clearJobs(ctx context.Context, db runner) error {
	if _, err := db.ExecContext(ctx, "LOCK TABLE jobs IN EXCLUSIVE MODE"); err != nil {
		return err
	}
	return deleteJobs(ctx, db, "taken")
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
	return s.inTx(ctx, nil, func(tx *sql.Tx) error { return clearJobs(ctx, tx) })
}

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("events")
	ub.Set(ub.Add("seats", n))
	ub.Where(ub.Equal("id", id))
	query, args := ub.Build()
	_, err := s.db.ExecContext(ctx, query, args...)
	return err
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) error {
	ub := sqlbuilder.PostgreSQL.NewUpdateBuilder()
	ub.Update("events").Set(ub.Sub("seats", n)).Where(ub.Equal("id", id), ub.GE("seats", n))
	query, args := ub.Build()
	res, err := s.db.ExecContext(ctx, query, args...)
	if err != nil {
		return err
	}
	if changed, err := res.RowsAffected(); err != nil || changed != 1 {
		return errors.Join(ErrSoldOut, err)
	}
	return nil
}

// Find locks the event only where it is asked to: with a transaction.
func (s *Shop) Find(ctx context.Context, tx *sql.Tx, id int) (e event, err error) {
	sb := eventOf(id)
	if tx != nil {
		sb.ForUpdate()
		return one(ctx, tx, sb)
	}
	return one(ctx, s.db, sb)
}

// Narrow adds a condition before it runs what it is given.
func (s *Shop) Narrow(ctx context.Context, ub *sqlbuilder.UpdateBuilder, id int) error {
	ub.Where(ub.Equal("id", id))
	query, args := ub.Build()
	_, err := s.db.ExecContext(ctx, query, args...)
	return err
}

// Open creates the event, or raises the seats of the one that is there.
func (s *Shop) Open(ctx context.Context, title string) error {
	query, args := insertEvent(title).SQL("ON CONFLICT (title) DO UPDATE SET seats = events.seats + EXCLUDED.seats").Build()
	_, err := s.db.ExecContext(ctx, query, args...)
	return err
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.Open(ctx, "gala"); err != nil {
		return err
	}
	return announce(ctx, url)
}
