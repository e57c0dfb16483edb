package bad

import (
	"context"
	"database/sql"
	"log/slog"
	"time"
)

type Poller struct {
	db       *sql.DB
	interval time.Duration
}

func (p *Poller) Start(ctx context.Context) {
	go func() {
		for range time.Tick(p.interval) {
			if err := p.poll(ctx); err != nil {
				slog.Error("poll", "err", err)
			}
		}
	}()
}

func (p *Poller) poll(ctx context.Context) error {
	rows, err := p.db.QueryContext(ctx, "SELECT pg_try_advisory_lock(3001)") // expect: advisorypool
	if err != nil {
		return err
	}
	defer rows.Close()
	var ok bool
	for rows.Next() {
		if err := rows.Scan(&ok); err != nil {
			return err
		}
	}
	if !ok {
		return rows.Err()
	}
	defer p.db.Exec("SELECT pg_advisory_unlock(3001)") // also: advisorypool
	_, err = p.db.ExecContext(ctx, "UPDATE feeds SET polled_at = now()")
	return err
}
