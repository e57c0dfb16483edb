// Package watermillshop sells tickets, and tells of it in messages that Watermill
// keeps in tables of the database.
package watermillshop

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/ThreeDotsLabs/watermill"
	wsql "github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/components/forwarder"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5/pgconn"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Mails is the topic of the mails to send.
const Mails = "mails"

// Sale is what a message about a sale says.
type Sale struct {
	Event int `json:"event"`
	Seats int `json:"seats"`
}

// Mail is what a message about a mail says.
type Mail struct {
	Subject string `json:"subject"`
}

// Shop sells tickets.
type Shop struct {
	db        *sql.DB
	publisher message.Publisher // on the pool
	logger    watermill.LoggerAdapter
}

// New returns a shop over the database.
func New(db *sql.DB) (*Shop, error) {
	publisher, err := wsql.NewPublisher(wsql.BeginnerFromStdSQL(db), config, watermill.NopLogger{})
	if err != nil {
		return nil, fmt.Errorf("publisher: %w", err)
	}
	return &Shop{db: db, publisher: publisher, logger: watermill.NopLogger{}}, nil
}

var config = wsql.PublisherConfig{SchemaAdapter: wsql.DefaultPostgreSQLSchema{}}

// inTx runs fn in a transaction.
func (s *Shop) inTx(ctx context.Context, opts *sql.TxOptions, fn func(tx *sql.Tx) error) (err error) {
	tx, err := s.db.BeginTx(ctx, opts)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func newMail(ctx context.Context, subject string) (*message.Message, error) {
	payload, err := json.Marshal(Mail{Subject: subject})
	if err != nil {
		return nil, err
	}
	msg := message.NewMessage(watermill.NewUUID(), payload)
	msg.SetContext(ctx)
	return msg, nil
}

// mail publishes on the pool.
func (s *Shop) mail(ctx context.Context, subject string) error {
	msg, err := newMail(ctx, subject)
	if err != nil {
		return err
	}
	return s.publisher.Publish(Mails, msg)
}

// mailInTx publishes in a transaction.
func (s *Shop) mailInTx(ctx context.Context, tx *sql.Tx, subject string) error {
	msg, err := newMail(ctx, subject)
	if err != nil {
		return err
	}
	publisher, err := wsql.NewPublisher(wsql.TxFromStdSQL(tx), config, s.logger)
	if err != nil {
		return err
	}
	return publisher.Publish(Mails, msg)
}

const (
	selectSeats = `SELECT seats FROM events WHERE id = $1`
	lockSeats   = selectSeats + ` FOR UPDATE`
	setSeats    = `UPDATE events SET seats = $2 WHERE id = $1`
)

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	var seats int
	if err := s.db.QueryRowContext(ctx, lockSeats, id).Scan(&seats); err != nil { // want "row lock"
		return err
	}
	if seats < n {
		return ErrSoldOut
	}
	if _, err := s.db.ExecContext(ctx, setSeats, id, seats-n); err != nil {
		return err
	}
	return s.mail(ctx, "your tickets")
}

// BuyInTx locks it until the seats are written, and the message is.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		var seats int
		if err := tx.QueryRowContext(ctx, lockSeats, id).Scan(&seats); err != nil {
			return err
		}
		if seats < n {
			return ErrSoldOut
		}
		if _, err := tx.ExecContext(ctx, setSeats, id, seats-n); err != nil {
			return err
		}
		return s.mailInTx(ctx, tx, "your tickets")
	})
}

// Rename publishes on the pool: subscribers can see the message before the title is
// committed, and see it if it is not.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if err := s.mail(ctx, "renamed "+title); err != nil { // want "transaction"
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE events SET title = $2 WHERE id = $1`, id, title)
		return err
	})
}

// RenameInTx publishes in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if err := s.mailInTx(ctx, tx, "renamed "+title); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE events SET title = $2 WHERE id = $1`, id, title)
		return err
	})
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
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE events SET version = version + 1 WHERE id = $1`, id); err != nil {
			return err
		}
		if err := s.mailInTx(ctx, tx, "published"); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE events SET version = version + 1 WHERE id = $1`, id); err != nil {
			return err
		}
		return s.mailInTx(ctx, tx, "published")
	})
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

func exists(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

// Add adds an event, which may be there, and a message about its poster, which
// cannot be written if the event was there.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO events (title, seats) VALUES ($1, 0)`, title); err != nil && !exists(err) {
			return err
		}
		return s.mailInTx(ctx, tx, "poster of "+title) // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO events (title, seats) VALUES ($1, 0) ON CONFLICT DO NOTHING`, title); err != nil {
			return err
		}
		return s.mailInTx(ctx, tx, "poster of "+title)
	})
}

const saveTitle = `UPDATE events SET title = $3, version = version + 1 WHERE id = $1 AND version = $2`

// Save writes the title if the version is the one that was read, does not look
// whether it was, and publishes that it is saved.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, saveTitle, id, version, title); err != nil { // want "row"
			return err
		}
		return s.mailInTx(ctx, tx, "saved "+title)
	})
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, saveTitle, id, version, title)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrChanged, err)
		}
		return s.mailInTx(ctx, tx, "saved "+title)
	})
}

func saleOf(msg *message.Message) (sale Sale, err error) {
	err = json.Unmarshal(msg.Payload, &sale)
	return sale, err
}

// Sell handles a message about a sale: it reads the seats and writes what it has
// made of them. Two handlers run at a time.
func (s *Shop) Sell(msg *message.Message) error {
	sale, err := saleOf(msg)
	if err != nil {
		return err
	}
	ctx := msg.Context()
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		var seats int
		if err := tx.QueryRowContext(ctx, selectSeats, sale.Event).Scan(&seats); err != nil {
			return err
		}
		if seats < sale.Seats {
			return ErrSoldOut
		}
		_, err := tx.ExecContext(ctx, setSeats, sale.Event, seats-sale.Seats) // want "lost update"
		return err
	})
}

// SellLocked locks the row before.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellLocked(msg *message.Message) error {
	sale, err := saleOf(msg)
	if err != nil {
		return err
	}
	ctx := msg.Context()
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		var seats int
		if err := tx.QueryRowContext(ctx, lockSeats, sale.Event).Scan(&seats); err != nil {
			return err
		}
		if seats < sale.Seats {
			return ErrSoldOut
		}
		_, err := tx.ExecContext(ctx, setSeats, sale.Event, seats-sale.Seats)
		return err
	})
}

// Sweep handles a message by forgetting what is done. The lock is the session's,
// which outlives the commit.
func (s *Shop) Sweep(msg *message.Message) error {
	ctx := msg.Context()
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_lock(4711)`); err != nil { // want "advisory lock"
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM jobs WHERE state = 'done'`)
		return err
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(msg *message.Message) error {
	ctx := msg.Context()
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(4711)`); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM jobs WHERE state = 'done'`)
		return err
	})
}

// What follows is right.

// Remind publishes one message, and needs no transaction.
func (s *Shop) Remind(ctx context.Context, subject string) error { return s.mail(ctx, subject) }

// Restock adds seats in the statement itself, and publishes after the transaction.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	err := s.inTx(ctx, nil, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE events SET seats = seats + $2 WHERE id = $1`, id, n)
		return err
	})
	if err != nil {
		return err
	}
	return s.mail(ctx, "new seats")
}

// Withdraw takes the event away, and has the message forwarded to where it belongs
// once the transaction is committed.
func (s *Shop) Withdraw(ctx context.Context, id int) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, `DELETE FROM events WHERE id = $1`, id); err != nil {
		return err
	}
	var publisher message.Publisher
	publisher, err = wsql.NewPublisher(wsql.TxFromStdSQL(tx), config, s.logger)
	if err != nil {
		return err
	}
	publisher = forwarder.NewPublisher(publisher, forwarder.PublisherConfig{ForwarderTopic: "outbox"})
	msg, err := newMail(ctx, "withdrawn")
	if err != nil {
		return err
	}
	if err := publisher.Publish(Mails, msg); err != nil {
		return err
	}
	return tx.Commit()
}

// Count handles a message in the transaction of the subscriber, if it has one: the
// message is acknowledged with what is written.
func (s *Shop) Count(msg *message.Message) error {
	tx, ok := wsql.TxFromContext(msg.Context())
	if !ok {
		return errors.New("a message of another subscriber")
	}
	_, err := tx.ExecContext(msg.Context(), `INSERT INTO jobs (kind) SELECT 'count of ' || count(*) FROM events`)
	return err
}

// Audit handles a message in a SERIALIZABLE transaction. A message whose handler
// returns an error is delivered again.
func (s *Shop) Audit(msg *message.Message) error {
	ctx := msg.Context()
	return s.inTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}, func(tx *sql.Tx) error {
		var seats int
		if err := tx.QueryRowContext(ctx, `SELECT sum(seats) FROM events`).Scan(&seats); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO jobs (kind) VALUES ($1)`, fmt.Sprintf("%d seats", seats))
		return err
	})
}

// Tell handles a message by telling the partner, and holds no transaction.
func (s *Shop) Tell(msg *message.Message) error {
	if err := announce(msg.Context(), msg.Metadata.Get("url")); err != nil {
		return err
	}
	_, err := s.db.ExecContext(msg.Context(), `INSERT INTO jobs (kind) VALUES ('told')`)
	return err
}
