// Package zeroshop sells tickets with the stores of go-zero, by models as goctl
// makes them.
package zeroshop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/zeromicro/go-zero/core/stores/builder"
	"github.com/zeromicro/go-zero/core/stores/sqlx"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Event is a row of events.
type Event struct {
	ID      int64  `db:"id"`
	Title   string `db:"title"`
	Seats   int64  `db:"seats"`
	Version int64  `db:"version"`
}

// Job is a row of jobs.
type Job struct {
	ID    int64  `db:"id"`
	Kind  string `db:"kind"`
	State string `db:"state"`
}

var eventRows = strings.Join(builder.RawFieldNames(&Event{}, true), ",")

// EventsModel reads and writes events.
type EventsModel interface {
	FindOne(ctx context.Context, id int64) (*Event, error)
	Lock(ctx context.Context, id int64) (*Event, error)
	Update(ctx context.Context, e *Event) error
	WithSession(session sqlx.Session) EventsModel
}

type eventsModel struct {
	conn  sqlx.SqlConn
	table string
}

// NewEventsModel returns the model on a connection.
func NewEventsModel(conn sqlx.SqlConn) EventsModel { return &eventsModel{conn: conn, table: "events"} }

// WithSession returns the model in a transaction.
func (m *eventsModel) WithSession(session sqlx.Session) EventsModel {
	return NewEventsModel(sqlx.NewSqlConnFromSession(session))
}

func (m *eventsModel) FindOne(ctx context.Context, id int64) (*Event, error) {
	query := fmt.Sprintf("select %s from %s where id = $1 limit 1", eventRows, m.table)
	var resp Event
	switch err := m.conn.QueryRowCtx(ctx, &resp, query, id); err {
	case nil:
		return &resp, nil
	case sqlx.ErrNotFound:
		return nil, sql.ErrNoRows
	default:
		return nil, err
	}
}

func (m *eventsModel) Lock(ctx context.Context, id int64) (*Event, error) {
	query := fmt.Sprintf("select %s from %s where id = $1 limit 1 for update", eventRows, m.table)
	var resp Event
	if err := m.conn.QueryRowCtx(ctx, &resp, query, id); err != nil {
		return nil, err
	}
	return &resp, nil
}

func (m *eventsModel) Update(ctx context.Context, e *Event) error {
	query := fmt.Sprintf("update %s set title = $2, seats = $3 where id = $1", m.table)
	_, err := m.conn.ExecCtx(ctx, query, e.ID, e.Title, e.Seats)
	return err
}

// Shop sells tickets.
type Shop struct {
	conn   sqlx.SqlConn
	events EventsModel
}

// New returns a shop over the database.
func New(db *sql.DB) *Shop {
	conn := sqlx.NewSqlConnFromDB(db)
	return &Shop{conn: conn, events: NewEventsModel(conn)}
}

// take takes n seats from an event that was read.
func take(ctx context.Context, events EventsModel, e *Event, n int) error {
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	e.Seats -= int64(n)
	return events.Update(ctx, e)
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	e, err := s.events.Lock(ctx, int64(id)) // want "row lock"
	if err != nil {
		return err
	}
	return take(ctx, s.events, e, n)
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		events := s.events.WithSession(session)
		e, err := events.Lock(ctx, int64(id))
		if err != nil {
			return err
		}
		return take(ctx, events, e, n)
	})
}

const insertJob = `insert into jobs (kind) values ($1)`

// Rename notes the mail to send on the database, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	return s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		if _, err := s.conn.ExecCtx(ctx, insertJob, "renamed "+title); err != nil { // want "transaction"
			return err
		}
		_, err := session.ExecCtx(ctx, `update events set title = $1 where id = $2`, title, id)
		return err
	})
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	return s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		if _, err := session.ExecCtx(ctx, insertJob, "renamed "+title); err != nil {
			return err
		}
		_, err := session.ExecCtx(ctx, `update events set title = $1 where id = $2`, title, id)
		return err
	})
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

const raiseVersion = `update events set version = version + 1 where id = $1`

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.conn.Transact(func(session sqlx.Session) error {
		if _, err := session.ExecCtx(ctx, raiseVersion, id); err != nil {
			return err
		}
		return announce(ctx, url) // want "HTTP"
	})
}

// PublishAfter tells it when the transaction has ended.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.conn.Transact(func(session sqlx.Session) error {
		_, err := session.ExecCtx(ctx, raiseVersion, id)
		return err
	})
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

const countEvents = `select count(*) from events`

// Total counts events under a timeout that stays on the connection.
func (s *Shop) Total(ctx context.Context) (n int, err error) {
	if _, err := s.conn.ExecCtx(ctx, `set statement_timeout = '5s'`); err != nil { // want "SET"
		return 0, err
	}
	err = s.conn.QueryRowCtx(ctx, &n, countEvents)
	return n, err
}

// TotalLocal counts them under one that ends with the transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (n int, err error) {
	err = s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		if _, err := session.ExecCtx(ctx, `set local statement_timeout = '5s'`); err != nil {
			return err
		}
		return session.QueryRowCtx(ctx, &n, countEvents)
	})
	return n, err
}

const serializable = `set transaction isolation level serializable`

func (s *Shop) sell(ctx context.Context, session sqlx.Session, id, n int) error {
	events := s.events.WithSession(session)
	e, err := events.FindOne(ctx, int64(id))
	if err != nil {
		return err
	}
	return take(ctx, events, e, n)
}

// Sell does not expect that the transaction can fail.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		if _, err := session.ExecCtx(ctx, serializable); err != nil { // want "40001"
			return err
		}
		return s.sell(ctx, session, id, n)
	})
}

// SellAgain runs it again when PostgreSQL asks for that.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
			if _, err := session.ExecCtx(ctx, serializable); err != nil {
				return err
			}
			return s.sell(ctx, session, id, n)
		})
		var pgErr *pgconn.PgError
		if !errors.As(err, &pgErr) || pgErr.Code != "40001" {
			return err
		}
	}
}

const saveTitle = `update events set title = $1, version = version + 1 where id = $2 and version = $3`

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	_, err := s.conn.ExecCtx(ctx, saveTitle, title, id, version) // want "row"
	return err
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	res, err := s.conn.ExecCtx(ctx, saveTitle, title, id, version)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return ErrChanged
}

const nextJob = `select id, kind, state from jobs where state = 'new' order by id limit 1 for update`

func claim(ctx context.Context, session sqlx.Session, j *Job) error {
	_, err := session.ExecCtx(ctx, `update jobs set state = 'taken' where id = $1`, j.ID)
	return err
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (string, error) {
	var j Job
	err := s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		if err := session.QueryRowCtx(ctx, &j, nextJob); err != nil { // want "SKIP LOCKED"
			return err
		}
		return claim(ctx, session, &j)
	})
	return j.Kind, err
}

// ClaimAny takes the next one that nobody else has in hand.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (string, error) {
	var j Job
	err := s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		if err := session.QueryRowCtx(ctx, &j, nextJob+` skip locked`); err != nil {
			return err
		}
		return claim(ctx, session, &j)
	})
	return j.Kind, err
}

// Book takes the seats from the row that it has read.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	var e Event
	if err := s.conn.QueryRowCtx(ctx, &e, `select id, title, seats, version from events where id = $1`, id); err != nil {
		return err
	}
	if e.Seats < int64(n) {
		return ErrSoldOut
	}
	_, err := s.conn.ExecCtx(ctx, `update events set seats = $1 where id = $2`, e.Seats-int64(n), id) // want "lost update"
	return err
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		var e Event
		if err := session.QueryRowCtx(ctx, &e, `select id, title, seats, version from events where id = $1 for no key update`, id); err != nil {
			return err
		}
		if e.Seats < int64(n) {
			return ErrSoldOut
		}
		_, err := session.ExecCtx(ctx, `update events set seats = $1 where id = $2`, e.Seats-int64(n), id)
		return err
	})
}

func isDuplicate(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

const insertEvent = `insert into events (title, seats) values ($1, 0)`

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		if _, err := session.ExecCtx(ctx, insertEvent, title); err != nil && !isDuplicate(err) {
			return err
		}
		_, err := session.ExecCtx(ctx, insertJob, "poster of "+title) // want "25P02"
		return err
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		if _, err := session.ExecCtx(ctx, insertEvent+` on conflict (title) do nothing`, title); err != nil {
			return err
		}
		_, err := session.ExecCtx(ctx, insertJob, "poster of "+title)
		return err
	})
}

const (
	sweeping   = 4711
	deleteDone = `delete from jobs where state = 'done'`
)

// Sweep deletes what is done while no other process does, under a lock that stays
// on a connection of the pool.
func (s *Shop) Sweep(ctx context.Context) error {
	if _, err := s.conn.ExecCtx(ctx, `select pg_advisory_lock($1)`, sweeping); err != nil { // want "lock"
		return err
	}
	_, err := s.conn.ExecCtx(ctx, deleteDone)
	return err
}

// SweepInTx holds the lock as long as the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		if _, err := session.ExecCtx(ctx, `select pg_advisory_xact_lock($1)`, sweeping); err != nil {
			return err
		}
		_, err := session.ExecCtx(ctx, deleteDone)
		return err
	})
}

const (
	lockJobs    = `lock table jobs in exclusive mode`
	deleteTaken = `delete from jobs where state = 'taken'`
)

// Clear keeps everybody out of the jobs, outside of any transaction.
func (s *Shop) Clear(ctx context.Context) error {
	if _, err := s.conn.ExecCtx(ctx, lockJobs); err != nil { // want "LOCK TABLE"
		return err
	}
	_, err := s.conn.ExecCtx(ctx, deleteTaken)
	return err
}

// ClearInTx keeps them out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		if _, err := session.ExecCtx(ctx, lockJobs); err != nil {
			return err
		}
		_, err := session.ExecCtx(ctx, deleteTaken)
		return err
	})
}

// What follows is right.

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	_, err := s.conn.ExecCtx(ctx, `update events set seats = seats + $1 where id = $2`, n, id)
	return err
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) error {
	res, err := s.conn.ExecCtx(ctx, `update events set seats = seats - $1 where id = $2 and seats >= $1`, n, id)
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
	e, err := s.events.FindOne(ctx, int64(id))
	if err != nil {
		return err
	}
	_, err = s.conn.ExecCtx(ctx, `update events set title = $1 where id = $2`, title, e.ID)
	return err
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) error {
	db, err := s.conn.RawDB()
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `select pg_advisory_lock($1)`, sweeping); err != nil {
		return err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), `select pg_advisory_unlock($1)`, sweeping) //nolint:errcheck // the lock goes with the session
	_, err = conn.ExecContext(ctx, deleteDone)
	return err
}

// Both writes with a prepared statement of the transaction.
func (s *Shop) Both(ctx context.Context, ids []int, n int) error {
	return s.conn.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		stmt, err := session.PrepareCtx(ctx, `update events set seats = seats + $1 where id = $2`)
		if err != nil {
			return err
		}
		defer stmt.Close()
		for _, id := range ids {
			if _, err := stmt.ExecCtx(ctx, n, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.Restock(ctx, 1, 10); err != nil {
		return err
	}
	return announce(ctx, url)
}
