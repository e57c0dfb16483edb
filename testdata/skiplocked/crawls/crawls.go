// Package crawls fetches pages that are due, with sqlx.
package crawls

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
)

// Page is a page to fetch.
type Page struct {
	ID  int64  `db:"id"`
	URL string `db:"url"`
}

// Crawler fetches pages.
type Crawler struct {
	db    *sqlx.DB
	fetch func(ctx context.Context, p Page) error
}

// NewCrawler returns a crawler that fetches with fetch.
func NewCrawler(db *sqlx.DB, fetch func(ctx context.Context, p Page) error) *Crawler {
	return &Crawler{db: db, fetch: fetch}
}

// CrawlNext fetches the page that has waited longest. Between the read and the
// UPDATE another crawler reads the same page.
func (c *Crawler) CrawlNext(ctx context.Context) error {
	var page Page
	err := c.db.GetContext(ctx, &page, `SELECT id, url FROM pages WHERE state = 'due' ORDER BY due_at LIMIT 1`) // want "without a lock"
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := c.db.ExecContext(ctx, `UPDATE pages SET state = 'fetching' WHERE id = $1`, page.ID); err != nil {
		return err
	}
	return c.fetch(ctx, page)
}

// CrawlNextLocked fetches the page that has waited longest and that no other
// crawler is taking.
//
//proof:fixes (*Crawler).CrawlNext
func (c *Crawler) CrawlNextLocked(ctx context.Context) error {
	tx, err := c.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var page Page
	err = tx.GetContext(ctx, &page, `SELECT id, url FROM pages WHERE state = 'due' ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE pages SET state = 'fetching' WHERE id = $1`, page.ID); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return c.fetch(ctx, page)
}

// CrawlNextGuarded is right as well: the UPDATE tests the state again, and the
// crawler that finds no row leaves the page to the other.
func (c *Crawler) CrawlNextGuarded(ctx context.Context) error {
	var page Page
	err := c.db.GetContext(ctx, &page, `SELECT id, url FROM pages WHERE state = 'due' ORDER BY due_at LIMIT 1`)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	res, err := c.db.ExecContext(ctx, `UPDATE pages SET state = 'fetching' WHERE id = $1 AND state = 'due'`, page.ID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return c.fetch(ctx, page)
}

// Due is right: nothing is marked after the read.
func (c *Crawler) Due(ctx context.Context) (pages []Page, err error) {
	err = c.db.SelectContext(ctx, &pages, `SELECT id, url FROM pages WHERE state = 'due' ORDER BY due_at LIMIT 50`)
	return pages, err
}
