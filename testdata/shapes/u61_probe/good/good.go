// Package good gives rows to functions, and writes what they find out.
package good

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Site struct {
	ID        int64     `db:"id"`
	URL       string    `db:"url"`
	Status    string    `db:"status"`
	CheckedAt time.Time `db:"checked_at"`
}

type Checker interface {
	Check(ctx context.Context, url string) (status string, err error)
}

type Monitor struct {
	pool    *pgxpool.Pool
	checker Checker
}

func (m *Monitor) Run(ctx context.Context) error {
	rows, err := m.pool.Query(ctx, `SELECT id, url, status, checked_at FROM sites`)
	if err != nil {
		return err
	}
	sites, err := pgx.CollectRows(rows, pgx.RowToStructByName[Site])
	if err != nil {
		return err
	}
	for _, s := range sites {
		status := probe(ctx, s)
		if status == s.Status {
			continue
		}
		if _, err := m.pool.Exec(ctx, `UPDATE sites SET status = $2, checked_at = now() WHERE id = $1`, s.ID, status); err != nil {
			return err
		}
	}
	return nil
}

func probe(ctx context.Context, s Site) string {
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, s.URL, nil)
	if err != nil {
		return "broken"
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "down"
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 500 {
		return "failing"
	}
	return "up"
}

func (m *Monitor) Check(ctx context.Context, id int64) error {
	var s Site
	err := m.pool.QueryRow(ctx, `SELECT id, url, status FROM sites WHERE id = $1`, id).Scan(&s.ID, &s.URL, &s.Status)
	if err != nil {
		return err
	}
	status, err := m.checker.Check(ctx, s.URL)
	if err != nil {
		status = "unknown"
	}
	_, err = m.pool.Exec(ctx, `UPDATE sites SET status = $2 WHERE id = $1`, id, status)
	return err
}

// Reorder writes positions that come from the order in which ids are given.
func (m *Monitor) Reorder(ctx context.Context) error {
	rows, err := m.pool.Query(ctx, `SELECT id, position FROM sites ORDER BY url`)
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (int64, error) {
		var id, position int64
		err := row.Scan(&id, &position)
		return id, err
	})
	if err != nil {
		return err
	}
	for i, id := range ids {
		if _, err := m.pool.Exec(ctx, `UPDATE sites SET position = $2 WHERE id = $1`, id, i+1); err != nil {
			return err
		}
	}
	return nil
}

// Geocode writes columns that are made of others.
func (m *Monitor) Geocode(ctx context.Context, id int64, find func(address string) (lat, lon float64)) error {
	var address string
	var lat, lon *float64
	err := m.pool.QueryRow(ctx, `SELECT address, lat, lon FROM sites WHERE id = $1`, id).Scan(&address, &lat, &lon)
	if err != nil {
		return err
	}
	if lat != nil && lon != nil {
		return nil
	}
	la, lo := find(address)
	_, err = m.pool.Exec(ctx, `UPDATE sites SET lat = $2, lon = $3 WHERE id = $1`, id, la, lo)
	return err
}

// Rehash replaces what is old.
func (m *Monitor) Rehash(ctx context.Context, id int64, secret string, old func(hash string) bool, hash func(secret string) string) error {
	var h string
	if err := m.pool.QueryRow(ctx, `SELECT hash FROM sites WHERE id = $1`, id).Scan(&h); err != nil {
		return err
	}
	if !old(h) {
		return nil
	}
	_, err := m.pool.Exec(ctx, `UPDATE sites SET hash = $2 WHERE id = $1`, id, hash(secret))
	return err
}

// Log keeps what was there before the change.
func (m *Monitor) Log(ctx context.Context, id int64, url string) error {
	return pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		var before string
		if err := tx.QueryRow(ctx, `SELECT url FROM sites WHERE id = $1`, id).Scan(&before); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE sites SET url = $2 WHERE id = $1`, id, url); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO changes (site_id, before, after) VALUES ($1, $2, $3)`, id, before, url)
		return err
	})
}
