package bad

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type notice struct {
	ID   int64
	Text string
}

type Courier struct {
	pool *pgxpool.Pool
	send func(context.Context, notice) error
}

func (c *Courier) Loop(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for range tick.C {
		c.round(ctx)
	}
}

func (c *Courier) round(ctx context.Context) {
	list, err := c.list(ctx)
	if err != nil {
		slog.Error("list", "err", err)
		return
	}
	for _, n := range list {
		if err := c.send(ctx, n); err != nil {
			slog.Error("send", "err", err)
			continue
		}
		if err := c.sent(ctx, n); err != nil {
			slog.Error("mark", "err", err)
		}
	}
}

func (c *Courier) list(ctx context.Context) ([]notice, error) {
	rows, err := c.pool.Query(ctx, "SELECT id, text FROM notices WHERE sent = FALSE AND send_at < NOW() ORDER BY send_at LIMIT 25") // expect: skiplocked
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[notice])
}

func (c *Courier) sent(ctx context.Context, n notice) error {
	_, err := c.pool.Exec(ctx, "UPDATE notices SET sent = TRUE, sent_at = NOW() WHERE id = $1", n.ID)
	return err
}
