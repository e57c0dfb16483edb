// Package entshop sells tickets on a client that ent generated.
package entshop

import (
	"context"
	stdsql "database/sql"
	"errors"
	"fmt"
	"net/http"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtxvet/pgtxvet/testdata/libraries/entshop/db"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/entshop/db/event"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/entshop/db/job"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Shop sells tickets.
type Shop struct{ client *db.Client }

// New returns a shop over the client.
func New(client *db.Client) *Shop { return &Shop{client: client} }

// WithTx runs fn in a transaction, as ent's documentation has it.
func WithTx(ctx context.Context, client *db.Client, fn func(tx *db.Tx) error) error {
	tx, err := client.Tx(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if v := recover(); v != nil {
			_ = tx.Rollback()
			panic(v)
		}
	}()
	if err := fn(tx); err != nil {
		if rerr := tx.Rollback(); rerr != nil {
			err = fmt.Errorf("%w: rolling back: %v", err, rerr)
		}
		return err
	}
	return tx.Commit()
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	e, err := s.client.Event.Query().Where(event.ID(id)).ForUpdate().Only(ctx) // want "row lock"
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	return s.client.Event.UpdateOneID(id).SetSeats(e.Seats - n).Exec(ctx)
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		e, err := tx.Event.Query().Where(event.ID(id)).ForUpdate().Only(ctx)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		return tx.Event.UpdateOneID(id).SetSeats(e.Seats - n).Exec(ctx)
	})
}

// Rename notes the mail to send on the client, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.client.Tx(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := s.client.Job.Create().SetKind("renamed " + title).Exec(ctx); err != nil { // want "transaction"
		return err
	}
	if err := tx.Event.UpdateOneID(id).SetTitle(title).Exec(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.client.Tx(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := tx.Job.Create().SetKind("renamed " + title).Exec(ctx); err != nil {
		return err
	}
	if err := tx.Event.UpdateOneID(id).SetTitle(title).Exec(ctx); err != nil {
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
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		if err := tx.Event.UpdateOneID(id).AddVersion(1).Exec(ctx); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := WithTx(ctx, s.client, func(tx *db.Tx) error {
		return tx.Event.UpdateOneID(id).AddVersion(1).Exec(ctx)
	})
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	if _, err := s.client.ExecContext(ctx, `SET statement_timeout = '5s'`); err != nil { // want "session"
		return 0, err
	}
	return s.client.Event.Query().Count(ctx)
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = WithTx(ctx, s.client, func(tx *db.Tx) error {
		if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = '5s'`); err != nil {
			return err
		}
		n, err = tx.Event.Query().Count(ctx)
		return err
	})
	return n, err
}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	tx, err := s.client.BeginTx(ctx, &stdsql.TxOptions{Isolation: stdsql.LevelSerializable}) // want "40001"
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
	tx, err := s.client.BeginTx(ctx, &stdsql.TxOptions{Isolation: stdsql.LevelSerializable})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := sell(ctx, tx, id, n); err != nil {
		return err
	}
	return tx.Commit()
}

func sell(ctx context.Context, tx *db.Tx, id, n int) error {
	e, err := tx.Event.Get(ctx, id)
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	return tx.Event.UpdateOne(e).SetSeats(e.Seats - n).Exec(ctx)
}

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	return s.client.Event.Update(). // want "row"
					Where(event.ID(id), event.Version(version)).
					SetTitle(title).
					AddVersion(1).
					Exec(ctx)
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	n, err := s.client.Event.Update().Where(event.ID(id), event.Version(version)).SetTitle(title).AddVersion(1).Save(ctx)
	if err == nil && n == 0 {
		err = ErrChanged
	}
	return err
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = WithTx(ctx, s.client, func(tx *db.Tx) error {
		j, err := tx.Job.Query().Where(job.State("new")).Order(db.Asc(job.FieldID)).ForUpdate().First(ctx) // want "SKIP LOCKED"
		if err != nil {
			return err
		}
		kind = j.Kind
		return tx.Job.UpdateOne(j).SetState("taken").Exec(ctx)
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = WithTx(ctx, s.client, func(tx *db.Tx) error {
		j, err := tx.Job.Query().Where(job.State("new")).Order(db.Asc(job.FieldID)).
			ForUpdate(sql.WithLockAction(sql.SkipLocked)).First(ctx)
		if err != nil {
			return err
		}
		kind = j.Kind
		return tx.Job.UpdateOne(j).SetState("taken").Exec(ctx)
	})
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		e, err := tx.Event.Get(ctx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		return tx.Event.UpdateOne(e).SetSeats(e.Seats - n).Exec(ctx) // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		e, err := tx.Event.Query().Where(event.ID(id)).ForUpdate().Only(ctx)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		return tx.Event.UpdateOne(e).SetSeats(e.Seats - n).Exec(ctx)
	})
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		err := tx.Event.Create().SetTitle(title).SetSeats(0).Exec(ctx)
		if err != nil && !db.IsConstraintError(err) {
			return err
		}
		return tx.Job.Create().SetKind("poster of " + title).Exec(ctx) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		err := tx.Event.Create().SetTitle(title).SetSeats(0).OnConflict().DoNothing().Exec(ctx)
		if err != nil && !errors.Is(err, stdsql.ErrNoRows) { // which says that it was there
			return err
		}
		return tx.Job.Create().SetKind("poster of " + title).Exec(ctx)
	})
}

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_lock(4711)`); err != nil { // want "advisory lock"
			return err
		}
		_, err := tx.Job.Delete().Where(job.State("done")).Exec(ctx)
		return err
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(4711)`); err != nil {
			return err
		}
		_, err := tx.Job.Delete().Where(job.State("done")).Exec(ctx)
		return err
	})
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	if _, err := s.client.ExecContext(ctx, `LOCK TABLE jobs IN EXCLUSIVE MODE`); err != nil { // want "outside a transaction"
		return err
	}
	_, err := s.client.Job.Delete().Where(job.State("taken")).Exec(ctx)
	return err
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		if _, err := tx.ExecContext(ctx, `LOCK TABLE jobs IN EXCLUSIVE MODE`); err != nil {
			return err
		}
		_, err := tx.Job.Delete().Where(job.State("taken")).Exec(ctx)
		return err
	})
}

// What follows is right.

// Lock locks a mail for a caller that has begun.
func (s *Shop) Lock(ctx context.Context, tx *db.Tx, id int) (*db.Job, error) {
	return lock(ctx, tx.Client(), id)
}

func lock(ctx context.Context, client *db.Client, id int) (*db.Job, error) {
	return client.Job.Query().Where(job.ID(id)).ForUpdate().Only(ctx)
}

// Cancel cancels a mail, through the transaction's client.
func (s *Shop) Cancel(ctx context.Context, id int) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		if _, err := s.Lock(ctx, tx, id); err != nil {
			return err
		}
		return tx.Client().Job.UpdateOneID(id).SetState("cancelled").Exec(ctx)
	})
}

// Note stores a mail once.
func (s *Shop) Note(ctx context.Context, kind string) error {
	return s.client.Job.Create().SetKind(kind).OnConflict().DoNothing().Exec(ctx)
}

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	return s.client.Event.UpdateOneID(id).AddSeats(n).Exec(ctx)
}

// SaveOne is told by ent that there was no row: UpdateOne returns NotFoundError.
func (s *Shop) SaveOne(ctx context.Context, id, version int, title string) error {
	err := s.client.Event.UpdateOneID(id).Where(event.Version(version)).SetTitle(title).AddVersion(1).Exec(ctx)
	if db.IsNotFound(err) {
		return ErrChanged
	}
	return err
}

// Open creates the event if it is not there; not to find a row ends no transaction.
func (s *Shop) Open(ctx context.Context, title string) error {
	return WithTx(ctx, s.client, func(tx *db.Tx) error {
		_, err := tx.Event.Query().Where(event.Title(title)).ForUpdate().Only(ctx)
		if db.IsNotFound(err) {
			return tx.Event.Create().SetTitle(title).SetSeats(0).OnConflict().DoNothing().Exec(ctx)
		}
		return err
	})
}

// Forget deletes what was sent, by key and state: nobody asks how many.
func (s *Shop) Forget(ctx context.Context, id int) error {
	return s.client.Job.DeleteOneID(id).Exec(ctx)
}

// lent is a driver whose statements run in a transaction of somebody else's.
type lent struct{ conn sql.Conn }

func (d *lent) Exec(ctx context.Context, query string, args, v any) error {
	return d.conn.Exec(ctx, query, args, v)
}

func (d *lent) Query(ctx context.Context, query string, args, v any) error {
	return d.conn.Query(ctx, query, args, v)
}

func (d *lent) Tx(context.Context) (dialect.Tx, error) { return dialect.NopTx(d), nil }
func (d *lent) Close() error                           { return nil }
func (d *lent) Dialect() string                        { return dialect.Postgres }

// Withdraw takes an event away with a client over a transaction of database/sql,
// in which a statement of no entity runs too.
func (s *Shop) Withdraw(ctx context.Context, pool *stdsql.DB, id int) error {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	client := db.NewClient(db.Driver(&lent{conn: sql.Conn{ExecQuerier: tx}}))
	if err := client.Event.DeleteOneID(id).Exec(ctx); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM jobs WHERE kind = $1`, fmt.Sprintf("publish %d", id)); err != nil {
		return err
	}
	return tx.Commit()
}
