// Package pgxv4shop sells tickets with version 4 of pgx.
package pgxv4shop

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgconn"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
	ErrNoJob   = errors.New("there is nothing to do")
)

// Event is a row of events.
type Event struct {
	ID      int
	Title   string
	Seats   int
	Version int
}

// execQuerier is what a pool and a transaction have in common.
type execQuerier interface {
	Exec(ctx context.Context, sql string, args ...interface{}) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...interface{}) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...interface{}) pgx.Row
}

// store holds the statements. Each method takes the transaction to run in, or
// nil.
type store struct{ *pgxpool.Pool }

// querier is the transaction, or the pool if there is none.
func (st *store) querier(tx pgx.Tx) execQuerier {
	if tx != nil {
		return tx
	}
	return st
}

func scanEvent(row pgx.Row) (*Event, error) {
	e := &Event{}
	if err := row.Scan(&e.ID, &e.Title, &e.Seats, &e.Version); err != nil {
		return nil, err
	}
	return e, nil
}

func (st *store) event(ctx context.Context, id int, tx pgx.Tx) (*Event, error) {
	const query = `SELECT id, title, seats, version FROM events WHERE id = $1`
	return scanEvent(st.querier(tx).QueryRow(ctx, query, id))
}

func (st *store) lockEvent(ctx context.Context, id int, tx pgx.Tx) (*Event, error) {
	const query = `SELECT id, title, seats, version FROM events WHERE id = $1 FOR UPDATE`
	return scanEvent(st.querier(tx).QueryRow(ctx, query, id))
}

func (st *store) setSeats(ctx context.Context, e *Event, tx pgx.Tx) error {
	_, err := st.querier(tx).Exec(ctx, `UPDATE events SET seats = $2 WHERE id = $1`, e.ID, e.Seats)
	return err
}

func (st *store) setTitle(ctx context.Context, id int, title string, tx pgx.Tx) error {
	_, err := st.querier(tx).Exec(ctx, `UPDATE events SET title = $2 WHERE id = $1`, id, title)
	return err
}

func (st *store) raiseVersion(ctx context.Context, id int, tx pgx.Tx) error {
	_, err := st.querier(tx).Exec(ctx, `UPDATE events SET version = version + 1 WHERE id = $1`, id)
	return err
}

func (st *store) addJob(ctx context.Context, kind string, tx pgx.Tx) error {
	_, err := st.querier(tx).Exec(ctx, `INSERT INTO jobs (kind) VALUES ($1)`, kind)
	return err
}

func (st *store) takeJob(ctx context.Context, id int, tx pgx.Tx) error {
	_, err := st.querier(tx).Exec(ctx, `UPDATE jobs SET state = 'taken' WHERE id = $1`, id)
	return err
}

// Shop sells tickets.
type Shop struct{ store *store }

// New returns a shop over the pool.
func New(pool *pgxpool.Pool) *Shop { return &Shop{store: &store{Pool: pool}} }

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	e, err := s.store.lockEvent(ctx, id, nil) // want "row lock"
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	e.Seats -= n
	return s.store.setSeats(ctx, e, nil)
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.store.BeginFunc(ctx, func(tx pgx.Tx) error {
		e, err := s.store.lockEvent(ctx, id, tx)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return s.store.setSeats(ctx, e, tx)
	})
}

// Rename notes the mail to send on the pool, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.store.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if err := s.store.addJob(ctx, "renamed "+title, nil); err != nil { // want "transaction"
		return err
	}
	if err := s.store.setTitle(ctx, id, title, tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.store.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if err := s.store.addJob(ctx, "renamed "+title, tx); err != nil {
		return err
	}
	if err := s.store.setTitle(ctx, id, title, tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
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
	return s.store.BeginTxFunc(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := s.store.raiseVersion(ctx, id, tx); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.store.BeginTxFunc(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		return s.store.raiseVersion(ctx, id, tx)
	})
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (n int, err error) {
	conn, err := s.store.Acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `SET statement_timeout = '5s'`); err != nil { // want "session"
		return 0, err
	}
	err = conn.QueryRow(ctx, `SELECT count(*) FROM events`).Scan(&n)
	return n, err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.store.BeginTxFunc(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = '5s'`); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT count(*) FROM events`).Scan(&n)
	})
	return n, err
}

var serializable = pgx.TxOptions{IsoLevel: pgx.Serializable}

// sell takes seats in a transaction that it is given.
func (s *Shop) sell(ctx context.Context, tx pgx.Tx, id, n int) error {
	e, err := s.store.event(ctx, id, tx)
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	e.Seats -= n
	return s.store.setSeats(ctx, e, tx)
}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	tx, err := s.store.BeginTx(ctx, serializable) // want "40001"
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if err := s.sell(ctx, tx, id, n); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.store.BeginTxFunc(ctx, serializable, func(tx pgx.Tx) error { return s.sell(ctx, tx, id, n) })
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code == pgerrcode.SerializationFailure {
			continue
		}
		return err
	}
}

const saveTitle = `UPDATE events SET title = $3, version = version + 1 WHERE id = $1 AND version = $2`

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	_, err := s.store.Exec(ctx, saveTitle, id, version, title) // want "row"
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	tag, err := s.store.Exec(ctx, saveTitle, id, version, title)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return ErrChanged
	}
	return nil
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	tx, err := s.store.Begin(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	var id int
	rows, err := tx.Query(ctx, `SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE`) // want "SKIP LOCKED"
	if err != nil {
		return "", err
	}
	for rows.Next() {
		if err := rows.Scan(&id, &kind); err != nil {
			rows.Close()
			return "", err
		}
	}
	rows.Close()
	if err := rows.Err(); err != nil {
		return "", err
	}
	if id == 0 {
		return "", ErrNoJob
	}
	if err := s.store.takeJob(ctx, id, tx); err != nil {
		return "", err
	}
	return kind, tx.Commit(ctx)
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.store.BeginFunc(ctx, func(tx pgx.Tx) error {
		var id int
		tag, err := tx.QueryFunc(ctx, `SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
			nil, []interface{}{&id, &kind}, func(pgx.QueryFuncRow) error { return nil })
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return ErrNoJob
		}
		return s.store.takeJob(ctx, id, tx)
	})
	return kind, err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.store.BeginFunc(ctx, func(tx pgx.Tx) error {
		e, err := s.store.event(ctx, id, tx)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return s.store.setSeats(ctx, e, tx) // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.store.BeginFunc(ctx, func(tx pgx.Tx) error {
		e, err := s.store.lockEvent(ctx, id, tx)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return s.store.setSeats(ctx, e, tx)
	})
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.store.BeginFunc(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO events (title, seats) VALUES ($1, 0)`, title)
		if pgErr, ok := err.(*pgconn.PgError); err != nil && !(ok && pgErr.ConstraintName == "events_title_key") {
			return err
		}
		return s.store.addJob(ctx, "poster of "+title, tx) // want "25P02"
	})
}

// AddOnce puts a savepoint around the statement that may fail.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.store.BeginFunc(ctx, func(tx pgx.Tx) error {
		err := tx.BeginFunc(ctx, func(savepoint pgx.Tx) error {
			_, err := savepoint.Exec(ctx, `INSERT INTO events (title, seats) VALUES ($1, 0)`, title)
			return err
		})
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.ConstraintName == "events_title_key") {
			return err
		}
		return s.store.addJob(ctx, "poster of "+title, tx)
	})
}

const sweeping = 4711

// Sweep forgets what is done. The lock stays with the connection, which goes
// back to the pool.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.store.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, sweeping); err != nil { // want "advisory lock"
			return err
		}
		_, err := conn.Exec(ctx, `DELETE FROM jobs WHERE state = 'done'`)
		return err
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.store.BeginFunc(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, sweeping); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM jobs WHERE state = 'done'`)
		return err
	})
}

func (s *Shop) clear(ctx context.Context, db execQuerier) error {
	if _, err := db.Exec(ctx, `LOCK TABLE jobs IN EXCLUSIVE MODE`); err != nil {
		return err
	}
	_, err := db.Exec(ctx, `DELETE FROM jobs WHERE state = 'taken'`)
	return err
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	return s.clear(ctx, s.store) // want "outside a transaction"
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.store.BeginFunc(ctx, func(tx pgx.Tx) error { return s.clear(ctx, tx) })
}

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	_, err := s.store.Exec(ctx, `UPDATE events SET seats = seats + $2 WHERE id = $1`, id, n)
	return err
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) (left int, err error) {
	err = s.store.QueryRow(ctx, `UPDATE events SET seats = seats - $2 WHERE id = $1 AND seats >= $2 RETURNING seats`, id, n).Scan(&left)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrSoldOut
	}
	return left, err
}

// Move moves seats in a batch, which is a transaction by itself.
func (s *Shop) Move(ctx context.Context, from, to, n int) error {
	batch := &pgx.Batch{}
	batch.Queue(`SELECT id FROM events WHERE id IN ($1, $2) ORDER BY id FOR UPDATE`, from, to)
	batch.Queue(`UPDATE events SET seats = seats - $2 WHERE id = $1`, from, n)
	batch.Queue(`UPDATE events SET seats = seats + $2 WHERE id = $1`, to, n)
	results := s.store.SendBatch(ctx, batch)
	for i := 0; i < batch.Len(); i++ {
		if _, err := results.Exec(); err != nil {
			return errors.Join(err, results.Close())
		}
	}
	return results.Close()
}

// CloseAll closes events that it has locked, in the order of their keys.
func (s *Shop) CloseAll(ctx context.Context, ids []int) error {
	return s.store.BeginFunc(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id, title, seats, version FROM events WHERE id = ANY($1) ORDER BY id FOR UPDATE`, ids)
		if err != nil {
			return err
		}
		defer rows.Close()
		var all []*Event
		for rows.Next() {
			e, err := scanEvent(rows)
			if err != nil {
				return err
			}
			all = append(all, e)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for _, e := range all {
			e.Seats = 0
			if err := s.store.setSeats(ctx, e, tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) error {
	return s.store.AcquireFunc(ctx, func(conn *pgxpool.Conn) (err error) {
		var locked bool
		if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, sweeping).Scan(&locked); err != nil || !locked {
			return err
		}
		defer func() {
			if _, uerr := conn.Exec(context.Background(), `SELECT pg_advisory_unlock($1)`, sweeping); uerr != nil {
				err = errors.Join(err, conn.Conn().Close(context.Background()))
			}
		}()
		_, err = conn.Exec(ctx, `DELETE FROM jobs WHERE state = 'done'`)
		return err
	})
}

// Import loads jobs, then reads on the pool how many there are.
func (s *Shop) Import(ctx context.Context, kinds []string) (n int, err error) {
	err = s.store.BeginFunc(ctx, func(tx pgx.Tx) error {
		rows := make([][]interface{}, len(kinds))
		for i, kind := range kinds {
			rows[i] = []interface{}{kind}
		}
		_, err := tx.CopyFrom(ctx, pgx.Identifier{"jobs"}, []string{"kind"}, pgx.CopyFromRows(rows))
		return err
	})
	if err != nil {
		return 0, err
	}
	err = s.store.QueryRow(ctx, `SELECT count(*) FROM jobs`).Scan(&n)
	return n, err
}

// Settle is called with the transaction of its caller, or with none: its two
// statements need none.
func (s *Shop) Settle(ctx context.Context, id int, tx pgx.Tx) error {
	e, err := s.store.event(ctx, id, tx)
	if err != nil {
		return err
	}
	return s.store.addJob(ctx, "settle "+e.Title, tx)
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if _, err := s.store.Exec(ctx, `INSERT INTO events (title, seats) VALUES ('gala', 10) ON CONFLICT (title) DO NOTHING`); err != nil {
		return err
	}
	return announce(ctx, url)
}
