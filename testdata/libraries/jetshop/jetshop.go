// Package jetshop sells tickets with statements of Jet.
package jetshop

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	. "github.com/go-jet/jet/v2/postgres" // statements read as SQL
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtxvet/pgtxvet/testdata/libraries/jetshop/model"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/jetshop/table"
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

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	var e model.Events
	locked := SELECT(table.Events.ID, table.Events.Seats).FROM(table.Events).WHERE(table.Events.ID.EQ(Int(int64(id)))).FOR(UPDATE())
	if err := locked.QueryContext(ctx, s.db, &e); err != nil { // want "row lock"
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	_, err := table.Events.UPDATE(table.Events.Seats).SET(e.Seats-int64(n)).WHERE(table.Events.ID.EQ(Int(int64(id)))).ExecContext(ctx, s.db)
	return err
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		e, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		_, err = table.Events.UPDATE(table.Events.Seats).SET(e.Seats-int64(n)).WHERE(table.Events.ID.EQ(Int(int64(id)))).ExecContext(ctx, tx)
		return err
	})
}

func lock(ctx context.Context, tx *sql.Tx, id int) (e model.Events, err error) {
	err = SELECT(table.Events.ID, table.Events.Seats).FROM(table.Events).WHERE(table.Events.ID.EQ(Int(int64(id)))).FOR(UPDATE()).
		QueryContext(ctx, tx, &e)
	return e, err
}

// Rename notes the mail to send on the database, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := table.Jobs.INSERT(table.Jobs.Kind).VALUES("renamed "+title).ExecContext(ctx, s.db); err != nil { // want "transaction"
		return err
	}
	if _, err := table.Events.UPDATE(table.Events.Title).SET(title).WHERE(table.Events.ID.EQ(Int(int64(id)))).ExecContext(ctx, tx); err != nil {
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
	if _, err := table.Jobs.INSERT(table.Jobs.Kind).VALUES("renamed "+title).ExecContext(ctx, tx); err != nil {
		return err
	}
	if _, err := table.Events.UPDATE(table.Events.Title).SET(title).WHERE(table.Events.ID.EQ(Int(int64(id)))).ExecContext(ctx, tx); err != nil {
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

func touch(ctx context.Context, tx *sql.Tx, id int) error {
	_, err := table.Events.UPDATE().SET(table.Events.Version.SET(table.Events.Version.ADD(Int(1)))).WHERE(table.Events.ID.EQ(Int(int64(id)))).ExecContext(ctx, tx)
	return err
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
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
	if err := s.inTx(ctx, nil, func(tx *sql.Tx) error { return touch(ctx, tx, id) }); err != nil {
		return err
	}
	return announce(ctx, url)
}

func count(ctx context.Context, db interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}) (int, error) {
	var rows []model.Events
	err := SELECT(table.Events.ID).FROM(table.Events).QueryContext(ctx, db, &rows)
	return len(rows), err
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if _, err := s.db.ExecContext(ctx, `SET statement_timeout = '5s'`); err != nil { // want "session"
		return 0, err
	}
	return count(ctx, s.db)
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = '5s'`); err != nil {
			return err
		}
		n, err = count(ctx, tx)
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

func sell(ctx context.Context, tx *sql.Tx, id, n int) error {
	var e model.Events
	if err := SELECT(table.Events.ID, table.Events.Seats).FROM(table.Events).WHERE(table.Events.ID.EQ(Int(int64(id)))).QueryContext(ctx, tx, &e); err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	_, err := table.Events.UPDATE(table.Events.Seats).SET(e.Seats-int64(n)).WHERE(table.Events.ID.EQ(Int(int64(id)))).ExecContext(ctx, tx)
	return err
}

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	update := table.Events.UPDATE(table.Events.Title, table.Events.Version).
		SET(title, table.Events.Version.ADD(Int(1))).
		WHERE(table.Events.ID.EQ(Int(int64(id))).AND(table.Events.Version.EQ(Int(int64(version)))))
	_, err := update.ExecContext(ctx, s.db) // want "row"
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	update := table.Events.UPDATE(table.Events.Title, table.Events.Version).
		SET(title, table.Events.Version.ADD(Int(1))).
		WHERE(table.Events.ID.EQ(Int(int64(id))).AND(table.Events.Version.EQ(Int(int64(version)))))
	res, err := update.ExecContext(ctx, s.db)
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
	err = s.inTx(ctx, nil, func(tx *sql.Tx) error {
		var j model.Jobs
		next := SELECT(table.Jobs.ID, table.Jobs.Kind).FROM(table.Jobs).WHERE(table.Jobs.State.EQ(String("new"))).
			ORDER_BY(table.Jobs.ID).LIMIT(1)
		if err := next.FOR(UPDATE()).QueryContext(ctx, tx, &j); err != nil { // want "SKIP LOCKED"
			return err
		}
		kind = j.Kind
		_, err := table.Jobs.UPDATE(table.Jobs.State).SET("taken").WHERE(table.Jobs.ID.EQ(Int(j.ID))).ExecContext(ctx, tx)
		return err
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, nil, func(tx *sql.Tx) error {
		var j model.Jobs
		next := SELECT(table.Jobs.ID, table.Jobs.Kind).FROM(table.Jobs).WHERE(table.Jobs.State.EQ(String("new"))).
			ORDER_BY(table.Jobs.ID).LIMIT(1)
		if err := next.FOR(UPDATE().SKIP_LOCKED()).QueryContext(ctx, tx, &j); err != nil {
			return err
		}
		kind = j.Kind
		_, err := table.Jobs.UPDATE(table.Jobs.State).SET("taken").WHERE(table.Jobs.ID.EQ(Int(j.ID))).ExecContext(ctx, tx)
		return err
	})
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		var e model.Events
		err := SELECT(table.Events.ID, table.Events.Seats).FROM(table.Events).WHERE(table.Events.ID.EQ(Int(int64(id)))).QueryContext(ctx, tx, &e)
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		_, err = table.Events.UPDATE(table.Events.Seats).SET(e.Seats-int64(n)).WHERE(table.Events.ID.EQ(Int(int64(id)))).ExecContext(ctx, tx) // want "lost update"
		return err
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		e, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		_, err = table.Events.UPDATE(table.Events.Seats).SET(e.Seats-int64(n)).WHERE(table.Events.ID.EQ(Int(int64(id)))).ExecContext(ctx, tx)
		return err
	})
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		_, err := table.Events.INSERT(table.Events.Title, table.Events.Seats).VALUES(title, 0).ExecContext(ctx, tx)
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		_, err = table.Jobs.INSERT(table.Jobs.Kind).VALUES("poster of "+title).ExecContext(ctx, tx) // want "25P02"
		return err
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		_, err := table.Events.INSERT(table.Events.Title, table.Events.Seats).VALUES(title, 0).ON_CONFLICT().DO_NOTHING().ExecContext(ctx, tx)
		if err != nil {
			return err
		}
		_, err = table.Jobs.INSERT(table.Jobs.Kind).VALUES("poster of "+title).ExecContext(ctx, tx)
		return err
	})
}

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := RawStatement(`SELECT pg_advisory_lock(4711)`).ExecContext(ctx, tx); err != nil { // want "advisory lock"
			return err
		}
		_, err := table.Jobs.DELETE().WHERE(table.Jobs.State.EQ(String("done"))).ExecContext(ctx, tx)
		return err
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := RawStatement(`SELECT pg_advisory_xact_lock(4711)`).ExecContext(ctx, tx); err != nil {
			return err
		}
		_, err := table.Jobs.DELETE().WHERE(table.Jobs.State.EQ(String("done"))).ExecContext(ctx, tx)
		return err
	})
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	if _, err := table.Jobs.LOCK().IN(LOCK_EXCLUSIVE).ExecContext(ctx, s.db); err != nil { // want "outside a transaction"
		return err
	}
	_, err := table.Jobs.DELETE().WHERE(table.Jobs.State.EQ(String("taken"))).ExecContext(ctx, s.db)
	return err
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := table.Jobs.LOCK().IN(LOCK_EXCLUSIVE).ExecContext(ctx, tx); err != nil {
			return err
		}
		_, err := table.Jobs.DELETE().WHERE(table.Jobs.State.EQ(String("taken"))).ExecContext(ctx, tx)
		return err
	})
}

// What follows is right.

// Close closes an event that it has locked.
func (s *Shop) Close(ctx context.Context, id int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := lock(ctx, tx, id); err != nil {
			return err
		}
		_, err := table.Events.UPDATE(table.Events.Seats).SET(0).WHERE(table.Events.ID.EQ(Int(int64(id)))).ExecContext(ctx, tx)
		return err
	})
}

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	_, err := table.Events.UPDATE(table.Events.Seats).SET(table.Events.Seats.ADD(Int(int64(n)))).WHERE(table.Events.ID.EQ(Int(int64(id)))).ExecContext(ctx, s.db)
	return err
}

// Open creates the event if it is not there: a conflict changes nothing.
func (s *Shop) Open(ctx context.Context, title string) error {
	_, err := table.Events.INSERT(table.Events.Title, table.Events.Seats).VALUES(title, 0).ON_CONFLICT().DO_NOTHING().ExecContext(ctx, s.db)
	return err
}

// Forget deletes what was sent, by its key.
func (s *Shop) Forget(ctx context.Context, id int) error {
	_, err := table.Jobs.DELETE().WHERE(table.Jobs.ID.EQ(Int(int64(id)))).ExecContext(ctx, s.db)
	return err
}

// Retitle looks at the row that RETURNING gives.
func (s *Shop) Retitle(ctx context.Context, id, version int, title string) (e model.Events, err error) {
	err = table.Events.UPDATE(table.Events.Title).SET(title).
		WHERE(table.Events.ID.EQ(Int(int64(id))).AND(table.Events.Version.EQ(Int(int64(version))))).
		RETURNING(table.Events.ID, table.Events.Version).QueryContext(ctx, s.db, &e)
	return e, err
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.Open(ctx, "gala"); err != nil {
		return err
	}
	return announce(ctx, url)
}
