// Package boilershop sells tickets with models that SQLBoiler generated.
package boilershop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"

	"github.com/aarondl/sqlboiler/v4/boil"
	"github.com/aarondl/sqlboiler/v4/queries"
	"github.com/aarondl/sqlboiler/v4/queries/qm"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtxvet/pgtxvet/testdata/libraries/boilershop/models"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Shop sells tickets.
type Shop struct{ db *sql.DB }

// New returns a shop over the database.
func New(db *sql.DB) *Shop { return &Shop{db: db} }

// inTx runs fn in a transaction.
func (s *Shop) inTx(ctx context.Context, opts *sql.TxOptions, fn func(tx boil.ContextTransactor) error) error {
	tx, err := s.db.BeginTx(ctx, opts)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func lockEvent(ctx context.Context, exec boil.ContextExecutor, id int) (*models.Event, error) {
	e, err := models.Events(models.EventWhere.ID.EQ(int64(id)), qm.For("UPDATE")).One(ctx, exec)
	if err != nil {
		return nil, fmt.Errorf("lock event %d: %w", id, err)
	}
	return e, nil
}

// take takes n seats from an event that was read.
func take(ctx context.Context, exec boil.ContextExecutor, e *models.Event, n int) error {
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	e.Seats -= int64(n)
	_, err := e.Update(ctx, exec, boil.Whitelist(models.EventColumns.Seats))
	return err
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	e, err := lockEvent(ctx, s.db, id) // want "row lock"
	if err != nil {
		return err
	}
	return take(ctx, s.db, e, n)
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(tx boil.ContextTransactor) error {
		e, err := lockEvent(ctx, tx, id)
		if err != nil {
			return err
		}
		return take(ctx, tx, e, n)
	})
}

// Rename notes the mail to send on the database, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	note := models.Job{Kind: "renamed " + title}
	if err := note.Insert(ctx, s.db, boil.Whitelist(models.JobColumns.Kind)); err != nil { // want "transaction"
		return err
	}
	if _, err := models.Events(models.EventWhere.ID.EQ(int64(id))).UpdateAll(ctx, tx, models.M{"title": title}); err != nil {
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
	note := models.Job{Kind: "renamed " + title}
	if err := note.Insert(ctx, tx, boil.Whitelist(models.JobColumns.Kind)); err != nil {
		return err
	}
	if _, err := models.Events(models.EventWhere.ID.EQ(int64(id))).UpdateAll(ctx, tx, models.M{"title": title}); err != nil {
		return err
	}
	return tx.Commit()
}

func announce(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func raiseVersion(ctx context.Context, exec boil.ContextExecutor, id int) error {
	_, err := queries.Raw(`UPDATE events SET version = version + 1 WHERE id = $1`, id).ExecContext(ctx, exec)
	return err
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.inTx(ctx, nil, func(tx boil.ContextTransactor) error {
		if err := raiseVersion(ctx, tx, id); err != nil {
			return err
		}
		return announce(ctx, url) // want "HTTP"
	})
}

// PublishAfter tells it when the transaction has ended.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.inTx(ctx, nil, func(tx boil.ContextTransactor) error { return raiseVersion(ctx, tx, id) })
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total counts events under a timeout that stays on the connection.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if _, err := queries.Raw(`SET statement_timeout = '5s'`).ExecContext(ctx, s.db); err != nil { // want "SET"
		return 0, err
	}
	n, err := models.Events().Count(ctx, s.db)
	return int(n), err
}

// TotalLocal counts them under one that ends with the transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.inTx(ctx, nil, func(tx boil.ContextTransactor) error {
		if _, err := queries.Raw(`SET LOCAL statement_timeout = '5s'`).ExecContext(ctx, tx); err != nil {
			return err
		}
		got, err := models.Events().Count(ctx, tx)
		n = int(got)
		return err
	})
	return n, err
}

var serializable = &sql.TxOptions{Isolation: sql.LevelSerializable}

func sell(ctx context.Context, tx boil.ContextTransactor, id, n int) error {
	e, err := models.FindEvent(ctx, tx, int64(id))
	if err != nil {
		return err
	}
	return take(ctx, tx, e, n)
}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return s.inTx(ctx, serializable, func(tx boil.ContextTransactor) error { return sell(ctx, tx, id, n) }) // want "40001"
}

// SellAgain runs it again when PostgreSQL asks for that.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.inTx(ctx, serializable, func(tx boil.ContextTransactor) error { return sell(ctx, tx, id, n) })
		var pgErr *pgconn.PgError
		if !errors.As(err, &pgErr) || pgErr.Code != "40001" {
			return err
		}
	}
}

// atVersion finds an event if its version is still the one that was read.
func atVersion(id, version int) []qm.QueryMod {
	return []qm.QueryMod{models.EventWhere.ID.EQ(int64(id)), qm.And("version = ?", version)}
}

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	_, err := models.Events(models.EventWhere.ID.EQ(int64(id)), models.EventWhere.Version.EQ(int64(version))). // want "row"
															UpdateAll(ctx, s.db, models.M{models.EventColumns.Title: title, models.EventColumns.Version: version + 1})
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	n, err := models.Events(atVersion(id, version)...).
		UpdateAll(ctx, s.db, models.M{models.EventColumns.Title: title, models.EventColumns.Version: version + 1})
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrChanged
	}
	return nil
}

func next(ctx context.Context, exec boil.ContextExecutor, lock string) (*models.Job, error) {
	return models.Jobs(
		models.JobWhere.State.EQ("new"),
		qm.OrderBy(models.JobColumns.ID),
		qm.Limit(1),
		qm.For(lock),
	).One(ctx, exec)
}

func done(ctx context.Context, exec boil.ContextExecutor, j *models.Job) error {
	j.State = "taken"
	_, err := j.Update(ctx, exec, boil.Whitelist(models.JobColumns.State))
	return err
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, nil, func(tx boil.ContextTransactor) error {
		j, err := next(ctx, tx, "UPDATE") // want "SKIP LOCKED"
		if err != nil {
			return err
		}
		kind = j.Kind
		return done(ctx, tx, j)
	})
	return kind, err
}

// ClaimAny takes the next one that nobody else has in hand.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, nil, func(tx boil.ContextTransactor) error {
		j, err := next(ctx, tx, "UPDATE SKIP LOCKED")
		if err != nil {
			return err
		}
		kind = j.Kind
		return done(ctx, tx, j)
	})
	return kind, err
}

// Book takes the seats from the row that it has read.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	e, err := models.FindEvent(ctx, s.db, int64(id))
	if err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	e.Seats -= int64(n)
	_, err = e.Update(ctx, s.db, boil.Infer()) // want "lost update"
	return err
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book (*Shop).TakeReloaded (*Shop).TakeBound (*Shop).TakeEach (*Shop).TakeEither
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(tx boil.ContextTransactor) error {
		e, err := models.Events(qm.Where("id = ?", id), qm.For("NO KEY UPDATE")).One(ctx, tx)
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		e.Seats -= int64(n)
		_, err = e.Update(ctx, tx, boil.Infer())
		return err
	})
}

func isDuplicate(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.inTx(ctx, nil, func(tx boil.ContextTransactor) error {
		e := models.Event{Title: title}
		if err := e.Insert(ctx, tx, boil.Infer()); err != nil && !isDuplicate(err) {
			return err
		}
		poster := models.Job{Kind: "poster of " + title, State: "new"}
		return poster.Insert(ctx, tx, boil.Infer()) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.inTx(ctx, nil, func(tx boil.ContextTransactor) error {
		e := models.Event{Title: title}
		if err := e.Upsert(ctx, tx, false, []string{"title"}, boil.None(), boil.Infer()); err != nil {
			return err
		}
		poster := models.Job{Kind: "poster of " + title, State: "new"}
		return poster.Insert(ctx, tx, boil.Infer())
	})
}

const sweeping = 4711

// Sweep deletes what is done while no other process does, under a lock that stays
// on a connection of the pool.
func (s *Shop) Sweep(ctx context.Context) error {
	if _, err := queries.Raw(`SELECT pg_advisory_lock($1)`, sweeping).ExecContext(ctx, s.db); err != nil { // want "lock"
		return err
	}
	_, err := models.Jobs(models.JobWhere.State.EQ("done")).DeleteAll(ctx, s.db)
	return err
}

// SweepInTx holds the lock as long as the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.inTx(ctx, nil, func(tx boil.ContextTransactor) error {
		if _, err := queries.Raw(`SELECT pg_advisory_xact_lock($1)`, sweeping).ExecContext(ctx, tx); err != nil {
			return err
		}
		_, err := models.Jobs(models.JobWhere.State.EQ("done")).DeleteAll(ctx, tx)
		return err
	})
}

const lockJobs = `LOCK TABLE jobs IN EXCLUSIVE MODE`

// Clear keeps everybody out of the jobs, outside of any transaction.
func (s *Shop) Clear(ctx context.Context) error {
	if _, err := queries.Raw(lockJobs).ExecContext(ctx, s.db); err != nil { // want "LOCK TABLE"
		return err
	}
	_, err := models.Jobs(models.JobWhere.State.EQ("taken")).DeleteAll(ctx, s.db)
	return err
}

// ClearInTx keeps them out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.inTx(ctx, nil, func(tx boil.ContextTransactor) error {
		if _, err := queries.Raw(lockJobs).ExecContext(ctx, tx); err != nil {
			return err
		}
		_, err := models.Jobs(models.JobWhere.State.EQ("taken")).DeleteAll(ctx, tx)
		return err
	})
}

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	_, err := queries.Raw(`UPDATE events SET seats = seats + $1 WHERE id = $2`, n, id).ExecContext(ctx, s.db)
	return err
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) error {
	res, err := queries.Raw(`UPDATE events SET seats = seats - $1 WHERE id = $2 AND seats >= $1`, n, id).ExecContext(ctx, s.db)
	if err != nil {
		return err
	}
	if taken, err := res.RowsAffected(); err != nil || taken == 1 {
		return err
	}
	return ErrSoldOut
}

// Retitle writes a column that it has not read.
func (s *Shop) Retitle(ctx context.Context, id int, title string) error {
	e, err := models.FindEvent(ctx, s.db, int64(id))
	if err != nil {
		return err
	}
	e.Title = title
	_, err = e.Update(ctx, s.db, boil.Whitelist(models.EventColumns.Title))
	return err
}

// Refresh reads the locked row again before it writes it.
func (s *Shop) Refresh(ctx context.Context, e *models.Event, n int) error {
	return s.inTx(ctx, nil, func(tx boil.ContextTransactor) error {
		locked, err := lockEvent(ctx, tx, int(e.ID))
		if err != nil {
			return err
		}
		return take(ctx, tx, locked, n)
	})
}

// Filter asks with mods that are put together at run time, among them a lock that
// nobody can tell.
func (s *Shop) Filter(ctx context.Context, title string, mods ...qm.QueryMod) (models.EventSlice, error) {
	if title != "" {
		mods = append(mods, models.EventWhere.Title.EQ(title))
	}
	return models.Events(mods...).All(ctx, s.db)
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, sweeping); err != nil {
		return err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, sweeping) //nolint:errcheck // the lock goes with the session
	_, err = models.Jobs(models.JobWhere.State.EQ("done")).DeleteAll(ctx, s.db)
	return err
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.Restock(ctx, 1, 10); err != nil {
		return err
	}
	return announce(ctx, url)
}
