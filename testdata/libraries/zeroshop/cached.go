package zeroshop

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/zeromicro/go-zero/core/stores/sqlc"
	"github.com/zeromicro/go-zero/core/stores/sqlx"
)

// Cached reads events through a cache.
type Cached struct{ cc sqlc.CachedConn }

func key(id int64) string { return fmt.Sprintf("cache:events:id:%d", id) }

func (m *Cached) findOne(ctx context.Context, id int64) (*Event, error) {
	var resp Event
	err := m.cc.QueryRowCtx(ctx, &resp, key(id), func(ctx context.Context, conn sqlx.SqlConn, v any) error {
		return conn.QueryRowCtx(ctx, v, `select id, title, seats, version from events where id = $1`, id)
	})
	return &resp, err
}

// Take takes seats from what the cache has, which is not seen.
func (m *Cached) Take(ctx context.Context, id, n int64) error {
	e, err := m.findOne(ctx, id)
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	_, err = m.cc.ExecCtx(ctx, func(ctx context.Context, conn sqlx.SqlConn) (sql.Result, error) {
		return conn.ExecCtx(ctx, `update events set seats = $1 where id = $2`, e.Seats-n, id) // missed: lostupdate
	}, key(id))
	return err
}

// Rename writes in a transaction, and with the cached connection in that one.
func (m *Cached) Rename(ctx context.Context, id int64, title string) error {
	return m.cc.TransactCtx(ctx, func(ctx context.Context, session sqlx.Session) error {
		if _, err := session.ExecCtx(ctx, insertJob, "renamed "+title); err != nil {
			return err
		}
		_, err := m.cc.WithSession(session).ExecCtx(ctx, func(ctx context.Context, conn sqlx.SqlConn) (sql.Result, error) {
			return conn.ExecCtx(ctx, `update events set title = $1 where id = $2`, title, id)
		}, key(id))
		return err
	})
}
