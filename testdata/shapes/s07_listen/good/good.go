package good

import (
	"context"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Watcher struct{ pool *pgxpool.Pool }

func (w *Watcher) Once(ctx context.Context) (string, error) {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "LISTEN config_changed"); err != nil {
		return "", err
	}
	defer func() {
		if _, err := conn.Exec(context.WithoutCancel(ctx), "UNLISTEN *"); err != nil {
			conn.Conn().Close(context.WithoutCancel(ctx))
		}
	}()
	n, err := conn.Conn().WaitForNotification(ctx)
	if err != nil {
		return "", err
	}
	return n.Payload, nil
}

// Run keeps a session of its own.
func (w *Watcher) Run(ctx context.Context, fn func(string)) error {
	pc, err := w.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	conn := pc.Hijack()
	defer conn.Close(context.WithoutCancel(ctx))
	for _, ch := range []string{"prices", "stock"} {
		if _, err := conn.Exec(ctx, "LISTEN "+ch); err != nil {
			return err
		}
	}
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		fn(n.Payload)
	}
}
