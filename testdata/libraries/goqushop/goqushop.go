// Package goqushop sells tickets with goqu's query builder.
package goqushop

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/doug-martin/goqu/v9"
	_ "github.com/doug-martin/goqu/v9/dialect/postgres" // the dialect "postgres"
	"github.com/jackc/pgx/v5/pgconn"
)

// Errors of the shop.
var (
	ErrNoEvent = errors.New("no such event")
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

var jobs = goqu.T("jobs")

type event struct {
	ID      int    `db:"id"`
	Title   string `db:"title"`
	Seats   int    `db:"seats"`
	Version int    `db:"version"`
}

// Shop sells tickets.
type Shop struct{ db *goqu.Database }

// New returns a shop over the database.
func New(db *sql.DB) *Shop { return &Shop{db: goqu.New("postgres", db)} }

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	var e event
	found, err := s.db.From("events").Where(goqu.C("id").Eq(id)).ForUpdate(goqu.Wait).ScanStructContext(ctx, &e) // want "row lock"
	if err != nil {
		return err
	}
	if !found {
		return ErrNoEvent
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	_, err = s.db.Update("events").Set(goqu.Record{"seats": e.Seats - n}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx)
	return err
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.db.WithTx(func(tx *goqu.TxDatabase) error {
		e, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		_, err = tx.Update("events").Set(goqu.Record{"seats": e.Seats - n}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx)
		return err
	})
}

func lock(ctx context.Context, tx *goqu.TxDatabase, id int) (e event, err error) {
	found, err := tx.From("events").Where(goqu.Ex{"id": id}).ForUpdate(goqu.Wait).ScanStructContext(ctx, &e)
	if err == nil && !found {
		err = ErrNoEvent
	}
	return e, err
}

// Rename notes the mail to send on the database, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := s.db.Insert(jobs).Rows(goqu.Record{"kind": "renamed " + title}).Executor().ExecContext(ctx); err != nil { // want "transaction"
		return err
	}
	if _, err := tx.Update("events").Set(goqu.Record{"title": title}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.Insert(jobs).Rows(goqu.Record{"kind": "renamed " + title}).Executor().ExecContext(ctx); err != nil {
		return err
	}
	if _, err := tx.Update("events").Set(goqu.Record{"title": title}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx); err != nil {
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

var nextVersion = goqu.Record{"version": goqu.L("version + 1")}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.db.WithTx(func(tx *goqu.TxDatabase) error {
		if _, err := tx.Update("events").Set(nextVersion).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.db.WithTx(func(tx *goqu.TxDatabase) error {
		_, err := tx.Update("events").Set(nextVersion).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx)
		return err
	})
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if _, err := s.db.ExecContext(ctx, `SET statement_timeout = '5s'`); err != nil { // want "session"
		return 0, err
	}
	n, err := s.db.From("events").CountContext(ctx)
	return int(n), err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.db.WithTx(func(tx *goqu.TxDatabase) error {
		if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = '5s'`); err != nil {
			return err
		}
		count, err := tx.From("events").CountContext(ctx)
		n = int(count)
		return err
	})
	return n, err
}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) // want "40001"
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
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
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := sell(ctx, tx, id, n); err != nil {
		return err
	}
	return tx.Commit()
}

func sell(ctx context.Context, tx *goqu.TxDatabase, id, n int) error {
	var seats int
	if _, err := tx.From("events").Select("seats").Where(goqu.C("id").Eq(id)).ScanValContext(ctx, &seats); err != nil {
		return err
	}
	if seats < n {
		return ErrSoldOut
	}
	_, err := tx.Update("events").Set(goqu.Record{"seats": seats - n}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx)
	return err
}

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	update := s.db.Update("events").
		Set(goqu.Record{"title": title, "version": goqu.L("version + 1")}).
		Where(goqu.C("id").Eq(id), goqu.C("version").Eq(version))
	_, err := update.Executor().ExecContext(ctx) // want "row"
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	res, err := s.db.Update("events").
		Set(goqu.Record{"title": title, "version": goqu.L("version + 1")}).
		Where(goqu.C("id").Eq(id), goqu.C("version").Eq(version)).
		Executor().ExecContext(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrChanged, err)
	}
	return nil
}

type task struct {
	ID   int    `db:"id"`
	Kind string `db:"kind"`
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.db.WithTx(func(tx *goqu.TxDatabase) error {
		var j task
		next := tx.From(jobs).Select("id", "kind").Where(goqu.C("state").Eq("new")).Order(goqu.C("id").Asc()).Limit(1)
		if _, err := next.ForUpdate(goqu.Wait).ScanStructContext(ctx, &j); err != nil { // want "SKIP LOCKED"
			return err
		}
		_, err := tx.Update(jobs).Set(goqu.Record{"state": "taken"}).Where(goqu.C("id").Eq(j.ID)).Executor().ExecContext(ctx)
		kind = j.Kind
		return err
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.db.WithTx(func(tx *goqu.TxDatabase) error {
		var j task
		next := tx.From(jobs).Select("id", "kind").Where(goqu.C("state").Eq("new")).Order(goqu.C("id").Asc()).Limit(1)
		if _, err := next.ForUpdate(goqu.SkipLocked).ScanStructContext(ctx, &j); err != nil {
			return err
		}
		_, err := tx.Update(jobs).Set(goqu.Record{"state": "taken"}).Where(goqu.C("id").Eq(j.ID)).Executor().ExecContext(ctx)
		kind = j.Kind
		return err
	})
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.db.WithTx(func(tx *goqu.TxDatabase) error {
		var e event
		_, err := tx.From("events").Where(goqu.C("id").Eq(id)).ScanStructContext(ctx, &e)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		_, err = tx.Update("events").Set(goqu.Record{"seats": e.Seats - n}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx) // want "lost update"
		return err
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.db.WithTx(func(tx *goqu.TxDatabase) error {
		e, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		_, err = tx.Update("events").Set(goqu.Record{"seats": e.Seats - n}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx)
		return err
	})
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.db.WithTx(func(tx *goqu.TxDatabase) error {
		_, err := tx.Insert("events").Rows(goqu.Record{"title": title, "seats": 0}).Executor().ExecContext(ctx)
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		_, err = tx.Insert(jobs).Rows(goqu.Record{"kind": "poster of " + title}).Executor().ExecContext(ctx) // want "25P02"
		return err
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.db.WithTx(func(tx *goqu.TxDatabase) error {
		insert := tx.Insert("events").Rows(goqu.Record{"title": title, "seats": 0}).OnConflict(goqu.DoNothing())
		_, err := insert.Executor().ExecContext(ctx)
		if err != nil {
			return err
		}
		_, err = tx.Insert(jobs).Rows(goqu.Record{"kind": "poster of " + title}).Executor().ExecContext(ctx)
		return err
	})
}

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.db.WithTx(func(tx *goqu.TxDatabase) error {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_lock(4711)`); err != nil { // want "advisory lock"
			return err
		}
		_, err := tx.Delete(jobs).Where(goqu.C("state").Eq("done")).Executor().ExecContext(ctx)
		return err
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.db.WithTx(func(tx *goqu.TxDatabase) error {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(4711)`); err != nil {
			return err
		}
		_, err := tx.Delete(jobs).Where(goqu.C("state").Eq("done")).Executor().ExecContext(ctx)
		return err
	})
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	if _, err := s.db.ExecContext(ctx, `LOCK TABLE jobs IN EXCLUSIVE MODE`); err != nil { // want "outside a transaction"
		return err
	}
	_, err := s.db.Delete(jobs).Where(goqu.C("state").Eq("taken")).Executor().ExecContext(ctx)
	return err
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.db.WithTx(func(tx *goqu.TxDatabase) error {
		if _, err := tx.ExecContext(ctx, `LOCK TABLE jobs IN EXCLUSIVE MODE`); err != nil {
			return err
		}
		_, err := tx.Delete(jobs).Where(goqu.C("state").Eq("taken")).Executor().ExecContext(ctx)
		return err
	})
}

// What follows is right.

// Close closes an event that it has locked.
func (s *Shop) Close(ctx context.Context, id int) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	return tx.Wrap(func() error {
		if _, err := lock(ctx, tx, id); err != nil {
			return err
		}
		_, err := tx.Update("events").Set(goqu.Record{"seats": 0}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx)
		return err
	})
}

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	_, err := s.db.Update("events").Set(goqu.Record{"seats": goqu.L("seats + ?", n)}).Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx)
	return err
}

// Open creates the event if it is not there: a conflict changes nothing.
func (s *Shop) Open(ctx context.Context, title string) error {
	_, err := s.db.Insert("events").Rows(goqu.Record{"title": title, "seats": 0}).OnConflict(goqu.DoNothing()).Executor().ExecContext(ctx)
	return err
}

// Take locks and writes in one statement, which is a transaction by itself.
func (s *Shop) Take(ctx context.Context) (kind string, err error) {
	next := goqu.Dialect("postgres").From(jobs).Select("id").Where(goqu.C("state").Eq("new")).Limit(1).ForUpdate(goqu.SkipLocked)
	_, err = s.db.Update(jobs).Set(goqu.Record{"state": "taken"}).Where(goqu.C("id").Eq(next)).
		Returning("kind").Executor().ScanValContext(ctx, &kind)
	return kind, err
}

// Titles sends a text that goqu has made on a connection of its own.
func (s *Shop) Titles(ctx context.Context, conn *sql.Conn) ([]string, error) {
	query, args, err := goqu.Dialect("postgres").From("events").Select("title").Where(goqu.C("seats").Gt(0)).Prepared(true).ToSQL()
	if err != nil {
		return nil, err
	}
	rows, err := conn.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var titles []string
	for rows.Next() {
		var title string
		if err := rows.Scan(&title); err != nil {
			return nil, err
		}
		titles = append(titles, title)
	}
	return titles, rows.Err()
}

// Greet announces the shop after its transaction, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.Open(ctx, "gala"); err != nil {
		return err
	}
	return announce(ctx, url)
}
