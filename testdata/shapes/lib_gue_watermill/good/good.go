// Package good queues jobs with gue and publishes events with Watermill, in tables.
package good

import (
	"context"
	"database/sql"

	"github.com/ThreeDotsLabs/watermill"
	wsql "github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/vgarvardt/gue/v5"
	"github.com/vgarvardt/gue/v5/adapter/pgxv5"
)

type Orders struct {
	pool *pgxpool.Pool
	gue  *gue.Client
}

func New(pool *pgxpool.Pool) (*Orders, error) {
	client, err := gue.NewClient(pgxv5.NewConnPool(pool))
	if err != nil {
		return nil, err
	}
	return &Orders{pool: pool, gue: client}, nil
}

func (o *Orders) Place(ctx context.Context, item int64) error {
	return pgx.BeginFunc(ctx, o.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO orders (item) VALUES ($1)", item); err != nil {
			return err
		}
		return o.gue.EnqueueTx(ctx, &gue.Job{Type: "ship"}, pgxv5.NewTx(tx))
	})
}

func Cancel(ctx context.Context, db *sql.DB, id int64) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "DELETE FROM orders WHERE id = $1", id); err != nil {
		return err
	}
	pub, err := wsql.NewPublisher(wsql.TxFromStdSQL(tx), wsql.PublisherConfig{SchemaAdapter: wsql.DefaultPostgreSQLSchema{}}, nil)
	if err != nil {
		return err
	}
	if err := pub.Publish("cancelled", message.NewMessage(watermill.NewUUID(), nil)); err != nil {
		return err
	}
	return tx.Commit()
}
