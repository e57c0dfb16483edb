// Package orders waits for new orders: LISTEN on a pgx pool.
package orders

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Feed hands out new orders.
type Feed struct{ pool *pgxpool.Pool }

// NewFeed returns a feed over the pool.
func NewFeed(pool *pgxpool.Pool) *Feed { return &Feed{pool: pool} }

const open = `SELECT count(*) FROM orders WHERE NOT done`

// Subscribe turns the notifications on and returns how many orders are open.
// The connection that listens is back in the pool before anybody can wait for
// a notification on it.
func (f *Feed) Subscribe(ctx context.Context) (backlog int, err error) {
	if _, err := f.pool.Exec(ctx, `LISTEN orders`); err != nil { // want "session"
		return 0, err
	}
	err = f.pool.QueryRow(ctx, open).Scan(&backlog)
	return backlog, err
}

// Await listens on a connection of its own, returns how many orders were open
// and the payload of the first notification, and listens no longer.
//
//proof:fixes (*Feed).Subscribe
func (f *Feed) Await(ctx context.Context) (backlog int, payload string, err error) {
	conn, err := f.pool.Acquire(ctx)
	if err != nil {
		return 0, "", err
	}
	defer conn.Release()
	defer func() {
		clean := context.WithoutCancel(ctx)
		if _, stopErr := conn.Exec(clean, `UNLISTEN *`); stopErr != nil {
			err = errors.Join(err, stopErr, conn.Conn().Close(clean))
		}
	}()
	if _, err := conn.Exec(ctx, `LISTEN orders`); err != nil {
		return 0, "", err
	}
	if err := conn.QueryRow(ctx, open).Scan(&backlog); err != nil {
		return 0, "", err
	}
	n, err := conn.Conn().WaitForNotification(ctx)
	if err != nil {
		return backlog, "", err
	}
	return backlog, n.Payload, nil
}
