package bad

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Watcher struct{ pool *pgxpool.Pool }

// Once waits for one change. The session that listens is not the one that waits.
func (w *Watcher) Once(ctx context.Context) (string, error) {
	if _, err := w.pool.Exec(ctx, "LISTEN config_changed"); err != nil { // expect: sessionset
		return "", err
	}
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Release()
	n, err := conn.Conn().WaitForNotification(ctx)
	if err != nil {
		return "", err
	}
	return n.Payload, nil
}

// First listens on its own session, but gives it back still listening.
func (w *Watcher) First(ctx context.Context) (string, error) {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `LISTEN "first_order"`); err != nil { // expect: sessionset
		return "", err
	}
	n, err := conn.Conn().WaitForNotification(ctx)
	if err != nil {
		return "", err
	}
	return n.Payload, nil
}
