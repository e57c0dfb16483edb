// Package lowpgxshop sells tickets with what lies below pgx's queries: batches,
// copies, prepared statements by name, the driver's connection of a database/sql
// pool, and PostgreSQL's protocol.
package lowpgxshop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Shop sells tickets. Reports run on db, all else on the pool.
type Shop struct {
	pool *pgxpool.Pool
	db   *sql.DB
}

// New returns a shop over the database.
func New(pool *pgxpool.Pool, db *sql.DB) *Shop { return &Shop{pool: pool, db: db} }

const (
	selectSeats = `SELECT seats FROM events WHERE id = $1`
	lockSeats   = selectSeats + ` FOR UPDATE`
	setSeats    = `UPDATE events SET seats = $2 WHERE id = $1`
)

// first reads the number in the first row of a result of the protocol.
func first(res *pgconn.Result) (int, error) {
	if res.Err != nil {
		return 0, res.Err
	}
	if len(res.Rows) == 0 {
		return 0, pgx.ErrNoRows
	}
	return strconv.Atoi(string(res.Rows[0][0]))
}

func param(n int) []byte { return []byte(strconv.Itoa(n)) }

// Buy locks the event by the protocol, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	pg := conn.Conn().PgConn()
	seats, err := first(pg.ExecParams(ctx, lockSeats, [][]byte{param(id)}, nil, nil, nil).Read()) // want "row lock"
	if err != nil {
		return err
	}
	if seats < n {
		return ErrSoldOut
	}
	return pg.ExecParams(ctx, setSeats, [][]byte{param(id), param(seats - n)}, nil, nil, nil).Read().Err
}

// BuyInTx locks it on the connection of a transaction.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		pg := tx.Conn().PgConn()
		seats, err := first(pg.ExecParams(ctx, lockSeats, [][]byte{param(id)}, nil, nil, nil).Read())
		if err != nil {
			return err
		}
		if seats < n {
			return ErrSoldOut
		}
		return pg.ExecParams(ctx, setSeats, [][]byte{param(id), param(seats - n)}, nil, nil, nil).Read().Err
	})
}

// Rename copies the mails to send over the pool, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	mails := [][]any{{"renamed " + title}, {"renamed for press " + title}}
	if _, err := s.pool.CopyFrom(ctx, pgx.Identifier{"jobs"}, []string{"kind"}, pgx.CopyFromRows(mails)); err != nil { // want "transaction"
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE events SET title = $2 WHERE id = $1`, id, title); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// RenameInTx copies them in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	mails := [][]any{{"renamed " + title}, {"renamed for press " + title}}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"jobs"}, []string{"kind"}, pgx.CopyFromRows(mails)); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE events SET title = $2 WHERE id = $1`, id, title); err != nil {
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

// raise is what happens to an event that is published, as one batch.
func raise(id int) *pgx.Batch {
	batch := &pgx.Batch{}
	batch.Queue(`UPDATE events SET version = version + 1 WHERE id = $1`, id)
	batch.Queue(`INSERT INTO jobs (kind) VALUES ($1)`, fmt.Sprintf("publish %d", id))
	return batch
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := tx.SendBatch(ctx, raise(id)).Close(); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter sends the batch as a transaction of its own, and tells the partner
// after it.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	if err := s.pool.SendBatch(ctx, raise(id)).Close(); err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, on the driver's connection, which goes back
// to the pool as it is.
func (s *Shop) Total(ctx context.Context) (n int, err error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	err = conn.Raw(func(driverConn any) error {
		c := driverConn.(*stdlib.Conn).Conn()
		if _, err := c.Exec(ctx, `SET statement_timeout = '5s'`); err != nil { // want "session"
			return err
		}
		return c.QueryRow(ctx, `SELECT count(*) FROM events`).Scan(&n)
	})
	return n, err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	err = conn.Raw(func(driverConn any) error {
		c := driverConn.(*stdlib.Conn).Conn()
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = '5s'`); err != nil {
				return err
			}
			return tx.QueryRow(ctx, `SELECT count(*) FROM events`).Scan(&n)
		})
	})
	return n, err
}

var serializable = pgx.TxOptions{BeginQuery: `BEGIN ISOLATION LEVEL SERIALIZABLE`}

// sell takes seats with statements that the connection knows by name.
func sell(ctx context.Context, tx pgx.Tx, id, n int) error {
	if _, err := tx.Prepare(ctx, "seats", selectSeats); err != nil {
		return err
	}
	if _, err := tx.Prepare(ctx, "set_seats", setSeats); err != nil {
		return err
	}
	var seats int
	if err := tx.QueryRow(ctx, "seats", id).Scan(&seats); err != nil {
		return err
	}
	if seats < n {
		return ErrSoldOut
	}
	_, err := tx.Exec(ctx, "set_seats", id, seats-n)
	return err
}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return pgx.BeginTxFunc(ctx, s.pool, serializable, func(tx pgx.Tx) error { return sell(ctx, tx, id, n) }) // want "40001"
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := pgx.BeginTxFunc(ctx, s.pool, serializable, func(tx pgx.Tx) error { return sell(ctx, tx, id, n) })
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

const saveTitle = `UPDATE events SET title = $3, version = version + 1 WHERE id = $1 AND version = $2`

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	batch := &pgx.Batch{}
	batch.Queue(saveTitle, id, version, title)
	results := s.pool.SendBatch(ctx, batch)
	defer func() { _ = results.Close() }()
	_, err := results.Exec() // want "row"
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	batch := &pgx.Batch{}
	batch.Queue(saveTitle, id, version, title)
	results := s.pool.SendBatch(ctx, batch)
	defer func() { _ = results.Close() }()
	tag, err := results.Exec()
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
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Prepare(ctx, "claim", `SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE`); err != nil {
			return err
		}
		var id int
		if err := tx.QueryRow(ctx, "claim").Scan(&id, &kind); err != nil { // want "SKIP LOCKED"
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE jobs SET state = 'taken' WHERE id = $1`, id)
		return err
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Prepare(ctx, "claim_any", `SELECT id, kind FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`); err != nil {
			return err
		}
		var id int
		if err := tx.QueryRow(ctx, "claim_any").Scan(&id, &kind); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE jobs SET state = 'taken' WHERE id = $1`, id)
		return err
	})
	return kind, err
}

// prepare prepares what booking needs, on one connection.
func prepare(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Prepare(ctx, "read_seats", selectSeats); err != nil {
		return err
	}
	if _, err := conn.Prepare(ctx, "lock_seats", lockSeats); err != nil {
		return err
	}
	_, err := conn.Prepare(ctx, "write_seats", setSeats)
	return err
}

// Book reads the seats and writes what it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if err := prepare(ctx, conn.Conn()); err != nil {
			return err
		}
		var seats int
		if err := conn.QueryRow(ctx, "read_seats", id).Scan(&seats); err != nil {
			return err
		}
		if seats < n {
			return ErrSoldOut
		}
		_, err := conn.Exec(ctx, "write_seats", id, seats-n) // want "lost update"
		return err
	})
}

// BookLocked locks the row before, in one transaction.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if err := prepare(ctx, conn.Conn()); err != nil {
			return err
		}
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			var seats int
			if err := tx.QueryRow(ctx, "lock_seats", id).Scan(&seats); err != nil {
				return err
			}
			if seats < n {
				return ErrSoldOut
			}
			_, err := tx.Exec(ctx, "write_seats", id, seats-n)
			return err
		})
	})
}

func exists(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

// Add copies an event in, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.CopyFrom(ctx, pgx.Identifier{"events"}, []string{"title", "seats"}, pgx.CopyFromRows([][]any{{title, 0}}))
		if err != nil && !exists(err) {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO jobs (kind) VALUES ($1)`, "poster of "+title) // want "25P02"
		return err
	})
}

// AddOnce copies it in behind a savepoint.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		err := pgx.BeginFunc(ctx, tx, func(savepoint pgx.Tx) error {
			_, err := savepoint.CopyFrom(ctx, pgx.Identifier{"events"}, []string{"title", "seats"}, pgx.CopyFromRows([][]any{{title, 0}}))
			return err
		})
		if err != nil && !exists(err) {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO jobs (kind) VALUES ($1)`, "poster of "+title)
		return err
	})
}

// Sweep forgets what is done. The lock stays with the connection, which goes
// back to the pool.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		pg := conn.Conn().PgConn()
		if _, err := pg.Exec(ctx, `SELECT pg_advisory_lock(4711)`).ReadAll(); err != nil { // want "advisory lock"
			return err
		}
		_, err := pg.Exec(ctx, `DELETE FROM jobs WHERE state = 'done'`).ReadAll()
		return err
	})
}

// SweepInTx sends both as one batch, which is a transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	batch := &pgx.Batch{}
	batch.Queue(`SELECT pg_advisory_xact_lock(4711)`)
	batch.Queue(`DELETE FROM jobs WHERE state = 'done'`)
	return s.pool.SendBatch(ctx, batch).Close()
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	pg := conn.Conn().PgConn()
	if _, err := pg.Exec(ctx, `LOCK TABLE jobs IN EXCLUSIVE MODE`).ReadAll(); err != nil { // want "outside a transaction"
		return err
	}
	_, err = pg.Exec(ctx, `DELETE FROM jobs WHERE state = 'taken'`).ReadAll()
	return err
}

// ClearInTx sends both statements as one text, which PostgreSQL runs as one
// transaction.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = conn.Conn().PgConn().Exec(ctx, `LOCK TABLE jobs IN EXCLUSIVE MODE; DELETE FROM jobs WHERE state = 'taken'`).ReadAll()
	return err
}

// What follows is right.

// Restock adds seats to many events in one batch.
func (s *Shop) Restock(ctx context.Context, seats map[int]int) error {
	batch := &pgx.Batch{}
	for id, n := range seats {
		batch.Queue(`UPDATE events SET seats = seats + $2 WHERE id = $1`, id, n)
	}
	return s.pool.SendBatch(ctx, batch).Close()
}

// Move locks and writes in one batch.
func (s *Shop) Move(ctx context.Context, from, to, n int) error {
	batch := &pgx.Batch{}
	batch.Queue(`SELECT id FROM events WHERE id IN ($1, $2) ORDER BY id FOR UPDATE`, from, to)
	batch.Queue(`UPDATE events SET seats = seats - $2 WHERE id = $1`, from, n)
	batch.Queue(`UPDATE events SET seats = seats + $2 WHERE id = $1`, to, n)
	return s.pool.SendBatch(ctx, batch).Close()
}

// Retitle saves many titles, and looks at the rows of each in a function that the
// batch calls.
func (s *Shop) Retitle(ctx context.Context, titles map[int]string) error {
	batch := &pgx.Batch{}
	for id, title := range titles {
		batch.Queue(saveTitle, id, 0, title).Exec(func(tag pgconn.CommandTag) error {
			if tag.RowsAffected() == 0 {
				return ErrChanged
			}
			return nil
		})
	}
	return s.pool.SendBatch(ctx, batch).Close()
}

// Import copies jobs over the driver's connection of the report's pool.
func (s *Shop) Import(ctx context.Context, kinds []string) (err error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	return conn.Raw(func(driverConn any) error {
		c := driverConn.(*stdlib.Conn).Conn()
		_, err := c.CopyFrom(ctx, pgx.Identifier{"jobs"}, []string{"kind"}, pgx.CopyFromSlice(len(kinds), func(i int) ([]any, error) {
			return []any{kinds[i]}, nil
		}))
		return err
	})
}

// Quick gives one statement a second, and takes it back on the same connection.
func (s *Shop) Quick(ctx context.Context) (n int, err error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	err = conn.Raw(func(driverConn any) (err error) {
		c := driverConn.(*stdlib.Conn).Conn()
		if _, err := c.Exec(ctx, `SET statement_timeout = '1s'`); err != nil {
			return err
		}
		defer func() {
			if _, rerr := c.Exec(context.WithoutCancel(ctx), `RESET statement_timeout`); rerr != nil {
				err = errors.Join(err, rerr, c.Close(context.WithoutCancel(ctx)))
			}
		}()
		return c.QueryRow(ctx, `SELECT count(*) FROM jobs`).Scan(&n)
	})
	return n, err
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) error {
	return s.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) (err error) {
		pg := conn.Conn().PgConn()
		if _, err := pg.Exec(ctx, `SELECT pg_advisory_lock(4711)`).ReadAll(); err != nil {
			return err
		}
		defer func() {
			if _, uerr := pg.Exec(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(4711)`).ReadAll(); uerr != nil {
				err = errors.Join(err, uerr, pg.Close(context.WithoutCancel(ctx)))
			}
		}()
		_, err = pg.Exec(ctx, `DELETE FROM jobs WHERE state = 'done'`).ReadAll()
		return err
	})
}

// Greet announces the shop after its batch, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO events (title, seats) VALUES ('gala', 10) ON CONFLICT (title) DO NOTHING`)
	batch.Queue(`INSERT INTO jobs (kind) VALUES ('greet')`)
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	return announce(ctx, url)
}
