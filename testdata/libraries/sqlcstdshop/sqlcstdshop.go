// Package sqlcstdshop sells tickets with the queries that sqlc generated: for database/sql.
package sqlcstdshop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5/pgconn"

	db "github.com/pgtxvet/pgtxvet/testdata/libraries/sqlcstdshop/stddb"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Shop sells tickets.
type Shop struct {
	pool *sql.DB
	q    *db.Queries
}

// New returns a shop over the database.
func New(pool *sql.DB) *Shop { return &Shop{pool: pool, q: db.New(pool)} }

func (s *Shop) inTx(ctx context.Context, opts *sql.TxOptions, fn func(q *db.Queries) error) error {
	tx, err := s.pool.BeginTx(ctx, opts)
	if err != nil {
		return err
	}
	if err := fn(db.New(tx)); err != nil {
		if rerr := tx.Rollback(); rerr != nil {
			return fmt.Errorf("%w, and cannot roll back: %w", err, rerr)
		}
		return err
	}
	return tx.Commit()
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	e, err := s.q.LockEvent(ctx, int64(id)) // want "row lock"
	if err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	return s.q.SetSeats(ctx, db.SetSeatsParams{ID: e.ID, Seats: e.Seats - int64(n)})
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(q *db.Queries) error {
		e, err := q.LockEvent(ctx, int64(id))
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		return q.SetSeats(ctx, db.SetSeatsParams{ID: e.ID, Seats: e.Seats - int64(n)})
	})
}

// Rename notes the mail to send on the pool, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := s.q.InsertJob(ctx, "renamed "+title); err != nil { // want "transaction"
		return err
	}
	if err := s.q.WithTx(tx).SetTitle(ctx, db.SetTitleParams{ID: int64(id), Title: title}); err != nil {
		return err
	}
	return tx.Commit()
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	q := s.q.WithTx(tx)
	if err := q.InsertJob(ctx, "renamed "+title); err != nil {
		return err
	}
	if err := q.SetTitle(ctx, db.SetTitleParams{ID: int64(id), Title: title}); err != nil {
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

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.inTx(ctx, nil, func(q *db.Queries) error {
		if err := q.RaiseVersion(ctx, int64(id)); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.inTx(ctx, nil, func(q *db.Queries) error { return q.RaiseVersion(ctx, int64(id)) })
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if err := s.q.LimitTime(ctx, "5s"); err != nil { // want "session"
		return 0, err
	}
	n, err := s.q.CountEvents(ctx)
	return int(n), err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.inTx(ctx, nil, func(q *db.Queries) error {
		if err := q.LimitTimeInTx(ctx, "5s"); err != nil {
			return err
		}
		count, err := q.CountEvents(ctx)
		n = int(count)
		return err
	})
	return n, err
}

func sell(ctx context.Context, q *db.Queries, id, n int) error {
	e, err := q.GetEvent(ctx, int64(id))
	if err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	return q.SetSeats(ctx, db.SetSeatsParams{ID: e.ID, Seats: e.Seats - int64(n)})
}

// Sell sells under &sql.TxOptions{Isolation: sql.LevelSerializable}IZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return s.inTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}, func(q *db.Queries) error { return sell(ctx, q, id, n) }) // want "40001"
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.inTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}, func(q *db.Queries) error { return sell(ctx, q, id, n) })
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

// Save writes the title if the version is the one that was read. The generated
// function does not say whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	return s.q.SaveTitle(ctx, db.SaveTitleParams{ID: int64(id), Version: int64(version), Title: title}) // want "row"
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	n, err := s.q.SaveTitleChecked(ctx, db.SaveTitleCheckedParams{ID: int64(id), Version: int64(version), Title: title})
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrChanged
	}
	return nil
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, nil, func(q *db.Queries) error {
		job, err := q.NextJob(ctx) // want "SKIP LOCKED"
		if err != nil {
			return err
		}
		kind = job.Kind
		return q.TakeJob(ctx, job.ID)
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.inTx(ctx, nil, func(q *db.Queries) error {
		job, err := q.NextFreeJob(ctx)
		if err != nil {
			return err
		}
		kind = job.Kind
		return q.TakeJob(ctx, job.ID)
	})
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(q *db.Queries) error {
		e, err := q.GetEvent(ctx, int64(id))
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		return q.SetSeats(ctx, db.SetSeatsParams{ID: e.ID, Seats: e.Seats - int64(n)}) // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(q *db.Queries) error {
		e, err := q.LockEvent(ctx, int64(id))
		if err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		return q.SetSeats(ctx, db.SetSeatsParams{ID: e.ID, Seats: e.Seats - int64(n)})
	})
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.inTx(ctx, nil, func(q *db.Queries) error {
		err := q.InsertEvent(ctx, db.InsertEventParams{Title: title})
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		return q.InsertJob(ctx, "poster of "+title) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.inTx(ctx, nil, func(q *db.Queries) error {
		if err := q.InsertEventOnce(ctx, db.InsertEventOnceParams{Title: title}); err != nil {
			return err
		}
		return q.InsertJob(ctx, "poster of "+title)
	})
}

const sweeping = 4711

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.inTx(ctx, nil, func(q *db.Queries) error {
		if err := q.LockSweep(ctx, sweeping); err != nil { // want "advisory lock"
			return err
		}
		return q.DeleteJobs(ctx, "done")
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.inTx(ctx, nil, func(q *db.Queries) error {
		if err := q.LockSweepInTx(ctx, sweeping); err != nil {
			return err
		}
		return q.DeleteJobs(ctx, "done")
	})
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	if err := s.q.LockJobs(ctx); err != nil { // want "outside a transaction"
		return err
	}
	return s.q.DeleteJobs(ctx, "taken")
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.inTx(ctx, nil, func(q *db.Queries) error {
		if err := q.LockJobs(ctx); err != nil {
			return err
		}
		return q.DeleteJobs(ctx, "taken")
	})
}

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	return s.q.AddSeats(ctx, db.AddSeatsParams{ID: int64(id), N: int64(n)})
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) error {
	changed, err := s.q.ReserveSeats(ctx, db.ReserveSeatsParams{ID: int64(id), N: int64(n)})
	if err == nil && changed != 1 {
		err = ErrSoldOut
	}
	return err
}

// Retitle reads the row that RETURNING gives, if there is one.
func (s *Shop) Retitle(ctx context.Context, id, version int, title string) (db.Event, error) {
	e, err := s.q.RetitleEvent(ctx, db.RetitleEventParams{ID: int64(id), Version: int64(version), Title: title})
	if errors.Is(err, sql.ErrNoRows) {
		return e, ErrChanged
	}
	return e, err
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) (err error) {
	conn, err := s.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	q := db.New(conn)
	if err := q.LockSweep(ctx, sweeping); err != nil {
		return err
	}
	defer func() {
		_, uerr := q.UnlockSweep(context.WithoutCancel(ctx), sweeping)
		err = errors.Join(err, uerr)
	}()
	return q.DeleteJobs(ctx, "done")
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.q.InsertEventOnce(ctx, db.InsertEventOnceParams{Title: "gala", Seats: 10}); err != nil {
		return err
	}
	return announce(ctx, url)
}
