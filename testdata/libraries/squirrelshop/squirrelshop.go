// Package squirrelshop sells tickets with squirrel's builders.
package squirrelshop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"

	sq "github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5/pgconn"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

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

// seatsOf is the query of an event, which callers may make a locking one.
func seatsOf(id int) sq.SelectBuilder {
	return psql.Select("id", "title", "seats").From("events").Where(sq.Eq{"id": id})
}

func one(ctx context.Context, db sq.BaseRunner, q sq.SelectBuilder) (e event, err error) {
	err = q.RunWith(db).QueryRowContext(ctx).Scan(&e.id, &e.title, &e.seats)
	return e, err
}

// setSeats takes the text out of the builder.
func setSeats(ctx context.Context, tx *sql.Tx, id, seats int) error {
	query, args, err := psql.Update("events").Set("seats", seats).Where(sq.Eq{"id": id}).ToSql()
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, query, args...)
	return err
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	e, err := one(ctx, s.db, seatsOf(id).Suffix("FOR UPDATE")) // want "row lock"
	if err != nil {
		return err
	}
	if e.seats < n {
		return ErrSoldOut
	}
	_, err = psql.Update("events").Set("seats", e.seats-n).Where("id = ?", id).RunWith(s.db).ExecContext(ctx)
	return err
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		e, err := one(ctx, tx, seatsOf(id).Suffix("FOR UPDATE"))
		if err != nil {
			return err
		}
		if e.seats < n {
			return ErrSoldOut
		}
		return setSeats(ctx, tx, id, e.seats-n)
	})
}

func note(ctx context.Context, db sq.BaseRunner, kind string) error {
	_, err := psql.Insert("jobs").Columns("kind").Values(kind).RunWith(db).ExecContext(ctx)
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
	if _, err := psql.Update("events").Set("title", title).Where(sq.Eq{"id": id}).RunWith(tx).ExecContext(ctx); err != nil {
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
	if _, err := psql.Update("events").Set("title", title).Where(sq.Eq{"id": id}).RunWith(tx).ExecContext(ctx); err != nil {
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

func raiseVersion(ctx context.Context, db sq.BaseRunner, id int) error {
	_, err := psql.Update("events").Set("version", sq.Expr("version + 1")).Where(sq.Eq{"id": id}).RunWith(db).ExecContext(ctx)
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

func setting(value string, local bool) sq.SelectBuilder {
	return psql.Select().Column(sq.Expr("set_config('statement_timeout', ?, ?)", value, local))
}

func count(ctx context.Context, db sq.BaseRunner) (n int, err error) {
	err = psql.Select("count(*)").From("events").RunWith(db).QueryRowContext(ctx).Scan(&n)
	return n, err
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if _, err := psql.Select("set_config('statement_timeout', '5s', false)").RunWith(s.db).ExecContext(ctx); err != nil { // want "session"
		return 0, err
	}
	return count(ctx, s.db)
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := setting("5s", true).RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
		n, err = count(ctx, tx)
		return err
	})
	return n, err
}

func sell(ctx context.Context, tx *sql.Tx, id, n int) error {
	e, err := one(ctx, tx, seatsOf(id))
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

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	_, err := psql.Update("events"). // want "row"
						SetMap(map[string]any{"title": title, "version": sq.Expr("version + 1")}).
						Where(sq.Eq{"id": id, "version": version}).
						RunWith(s.db).ExecContext(ctx)
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	res, err := psql.Update("events").
		SetMap(map[string]any{"title": title, "version": sq.Expr("version + 1")}).
		Where(sq.Eq{"id": id, "version": version}).
		RunWith(s.db).ExecContext(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrChanged, err)
	}
	return nil
}

func nextJob(lock string) sq.SelectBuilder {
	return psql.Select("id", "kind").From("jobs").Where(sq.Eq{"state": "new"}).OrderBy("id").Limit(1).Suffix(lock)
}

func take(ctx context.Context, tx *sql.Tx, q sq.SelectBuilder) (kind string, err error) {
	var id int
	if err := q.RunWith(tx).QueryRowContext(ctx).Scan(&id, &kind); err != nil {
		return "", err
	}
	_, err = psql.Update("jobs").Set("state", "taken").Where(sq.Eq{"id": id}).RunWith(tx).ExecContext(ctx)
	return kind, err
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, nil, func(tx *sql.Tx) error {
		kind, err = take(ctx, tx, nextJob("FOR UPDATE")) // want "SKIP LOCKED"
		return err
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, nil, func(tx *sql.Tx) error {
		kind, err = take(ctx, tx, nextJob("FOR UPDATE SKIP LOCKED"))
		return err
	})
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		e, err := one(ctx, tx, seatsOf(id))
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
		e, err := one(ctx, tx, seatsOf(id).Suffix("FOR NO KEY UPDATE"))
		if err != nil {
			return err
		}
		if e.seats < n {
			return ErrSoldOut
		}
		return setSeats(ctx, tx, id, e.seats-n)
	})
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		_, err := psql.Insert("events").Columns("title", "seats").Values(title, 0).RunWith(tx).ExecContext(ctx)
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
		insert := psql.Insert("events").Columns("title", "seats").Values(title, 0).Suffix("ON CONFLICT DO NOTHING")
		if _, err := insert.RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
		return note(ctx, tx, "poster of "+title)
	})
}

const sweeping = 4711

func deleteJobs(ctx context.Context, db sq.BaseRunner, state string) error {
	_, err := psql.Delete("jobs").Where(sq.Eq{"state": state}).RunWith(db).ExecContext(ctx)
	return err
}

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := psql.Select(fmt.Sprintf("pg_advisory_lock(%d)", sweeping)).RunWith(tx).ExecContext(ctx); err != nil { // want "advisory lock"
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
		if _, err := psql.Select(fmt.Sprintf("pg_advisory_xact_lock(%d)", sweeping)).RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
		return deleteJobs(ctx, tx, "done")
	})
}

func clearJobs(ctx context.Context, db sq.BaseRunner) error {
	if _, err := db.Exec("LOCK TABLE jobs IN EXCLUSIVE MODE"); err != nil {
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
	_, err := psql.Update("events").Set("seats", sq.Expr("seats + ?", n)).Where(sq.Eq{"id": id}).RunWith(s.db).ExecContext(ctx)
	return err
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) (left int, err error) {
	err = psql.Update("events").Set("seats", sq.Expr("seats - ?", n)).
		Where(sq.And{sq.Eq{"id": id}, sq.GtOrEq{"seats": n}}).
		Suffix("RETURNING seats").RunWith(s.db).QueryRowContext(ctx).Scan(&left)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrSoldOut
	}
	return left, err
}

// Open creates the event, or raises the seats of the one that is there.
func (s *Shop) Open(ctx context.Context, title string, seats int) error {
	_, err := psql.Insert("events").Columns("title", "seats").Values(title, seats).
		Suffix("ON CONFLICT (title) DO UPDATE SET seats = events.seats + EXCLUDED.seats").RunWith(s.db).ExecContext(ctx)
	return err
}

// Take locks and writes in one statement, which is a transaction by itself.
func (s *Shop) Take(ctx context.Context) (kind string, err error) {
	next := sq.Select("id").From("jobs").Where(sq.Eq{"state": "new"}).Limit(1).Suffix("FOR UPDATE SKIP LOCKED")
	err = psql.Update("jobs").Set("state", "taken").Where(next.Prefix("id = (").Suffix(")")).
		Suffix("RETURNING kind").RunWith(s.db).QueryRowContext(ctx).Scan(&kind)
	return kind, err
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) (err error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", sweeping); err != nil {
		return err
	}
	defer func() {
		_, uerr := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", sweeping)
		err = errors.Join(err, uerr)
	}()
	query, args, err := psql.Delete("jobs").Where(sq.Eq{"state": "done"}).ToSql()
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, query, args...)
	return err
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.Open(ctx, "gala", 10); err != nil {
		return err
	}
	return announce(ctx, url)
}
