// Package bad has one function for each feature of Watermill's SQL publisher that
// docs/libraries.md lists and no other program shows.
package bad

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"github.com/ThreeDotsLabs/watermill"
	wsql "github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/components/forwarder"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

var config = wsql.PublisherConfig{SchemaAdapter: wsql.DefaultPostgreSQLSchema{}}

func newMessage() *message.Message { return message.NewMessage(watermill.NewUUID(), nil) }

// Store keeps items.
type Store struct {
	db        *sql.DB
	publisher message.Publisher
	typed     *wsql.Publisher
	own       message.Publisher
	outbox    message.Publisher
}

// counting is a publisher of one's own around another.
type counting struct {
	message.Publisher
	n int
}

// Publish counts.
func (c *counting) Publish(topic string, messages ...*message.Message) error {
	c.n += len(messages)
	return c.Publisher.Publish(topic, messages...)
}

// New returns a store.
func New(db *sql.DB) (*Store, error) {
	publisher, err := wsql.NewPublisher(wsql.BeginnerFromStdSQL(db), config, nil)
	if err != nil {
		return nil, err
	}
	return &Store{
		db:        db,
		publisher: publisher,
		typed:     publisher,
		own:       &counting{Publisher: publisher},
		outbox:    forwarder.NewPublisher(publisher, forwarder.PublisherConfig{ForwarderTopic: "outbox"}),
	}, nil
}

func (s *Store) inTx(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, "UPDATE items SET n = n + 1 WHERE id = 1"); err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func call(ctx context.Context, url string) error {
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

// Field publishes with a publisher in a field.
func (s *Store) Field(ctx context.Context) error {
	return s.inTx(ctx, func(*sql.Tx) error {
		return s.publisher.Publish("touched", newMessage()) // expect: poolintx
	})
}

// Typed publishes with one whose type says what it is.
func (s *Store) Typed(ctx context.Context) error {
	return s.inTx(ctx, func(*sql.Tx) error {
		return s.typed.Publish("touched", newMessage()) // expect: poolintx
	})
}

// Own publishes with one of one's own around it.
func (s *Store) Own(ctx context.Context) error {
	return s.inTx(ctx, func(*sql.Tx) error {
		return s.own.Publish("touched", newMessage()) // missed: poolintx
	})
}

// Forwarder publishes with the publisher of a forwarder.
func (s *Store) Forwarder(ctx context.Context) error {
	return s.inTx(ctx, func(*sql.Tx) error {
		return s.outbox.Publish("touched", newMessage()) // missed: poolintx
	})
}

// Delayed publishes with a delay.
func (s *Store) Delayed(ctx context.Context) error {
	publisher, err := wsql.NewDelayedPostgreSQLPublisher(wsql.BeginnerFromStdSQL(s.db), wsql.DelayedPostgreSQLPublisherConfig{})
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(*sql.Tx) error {
		return publisher.Publish("touched", newMessage()) // expect: poolintx
	})
}

// Pgx publishes on a pool of pgx.
func Pgx(ctx context.Context, pool *pgxpool.Pool) error {
	publisher, err := wsql.NewPublisher(wsql.BeginnerFromPgx(pool), config, nil)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE items SET n = n + 1 WHERE id = 1"); err != nil {
			return err
		}
		return publisher.Publish("touched", newMessage()) // expect: poolintx
	})
}

// PgxTx publishes in a transaction of pgx that has failed.
func PgxTx(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO items (id) VALUES (1)")
		if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
			return err
		}
		publisher, err := wsql.NewPublisher(wsql.TxFromPgx(tx), config, nil)
		if err != nil {
			return err
		}
		return publisher.Publish("touched", newMessage()) // expect: abortedtx
	})
}

// Beginner begins with Watermill's own interface.
func (s *Store) Beginner(ctx context.Context) error {
	tx, err := wsql.BeginnerFromStdSQL(s.db).BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, "UPDATE items SET n = n + 1 WHERE id = 1"); err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES (1)"); err != nil { // expect: poolintx
		return err
	}
	return tx.Commit()
}

// BeginnerExec runs a text with it.
func (s *Store) BeginnerExec(ctx context.Context) error {
	_, err := wsql.BeginnerFromStdSQL(s.db).ExecContext(ctx, "SET statement_timeout = 0") // expect: sessionset
	return err
}

// Options are those of its transaction.
func (s *Store) Options(ctx context.Context) error {
	tx, err := wsql.BeginnerFromStdSQL(s.db).BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) // expect: unhandled40001
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, "UPDATE items SET n = n + 1 WHERE id = 1"); err != nil {
		return err
	}
	return tx.Commit()
}

// ContextSet handles a message in the subscriber's transaction, and leaves a setting
// on its session.
func (s *Store) ContextSet(msg *message.Message) error {
	tx, ok := wsql.TxFromContext(msg.Context())
	if !ok {
		return errors.New("a message of another subscriber")
	}
	if _, err := tx.ExecContext(msg.Context(), "SET statement_timeout = 0"); err != nil { // expect: sessionset
		return err
	}
	_, err := tx.ExecContext(msg.Context(), "UPDATE items SET n = n + 1 WHERE id = 1")
	return err
}

// ContextFailed goes on after a statement that has failed.
func (s *Store) ContextFailed(msg *message.Message) error {
	tx, ok := wsql.TxFromContext(msg.Context())
	if !ok {
		return errors.New("a message of another subscriber")
	}
	_, err := tx.ExecContext(msg.Context(), "INSERT INTO items (id) VALUES (1)")
	if pgErr := new(pgconn.PgError); err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
		return err
	}
	_, err = tx.ExecContext(msg.Context(), "INSERT INTO tags (item_id) VALUES (1)") // expect: abortedtx
	return err
}

// ContextCall handles a message in the subscriber's transaction, and calls another
// system.
func (s *Store) ContextCall(msg *message.Message) error {
	tx, ok := wsql.TxFromContext(msg.Context())
	if !ok {
		return errors.New("a message of another subscriber")
	}
	if _, err := tx.ExecContext(msg.Context(), "UPDATE items SET n = n + 1 WHERE id = 1"); err != nil {
		return err
	}
	return call(msg.Context(), msg.Metadata.Get("url")) // missed: externalcall
}

// ContextPublish publishes on the pool, beside the subscriber's transaction.
func (s *Store) ContextPublish(msg *message.Message) error {
	tx, ok := wsql.TxFromContext(msg.Context())
	if !ok {
		return errors.New("a message of another subscriber")
	}
	if _, err := tx.ExecContext(msg.Context(), "UPDATE items SET n = n + 1 WHERE id = 1"); err != nil {
		return err
	}
	return s.publisher.Publish("touched", newMessage()) // missed: poolintx
}

// Unused handles a message on the pool, while the subscriber holds a transaction.
func (s *Store) Unused(msg *message.Message) error {
	_, err := s.db.ExecContext(msg.Context(), "INSERT INTO tags (item_id) VALUES (1)") // missed: poolintx
	return err
}
