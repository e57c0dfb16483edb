// Package wiki keeps pages that several people edit: pgx, with the number of a
// page's version in its row.
package wiki

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrConflict says that somebody else has changed the page.
var ErrConflict = errors.New("the page was changed meanwhile")

// A Page is a page as it was read.
type Page struct {
	ID      int64
	Body    string
	Version int
}

// Wiki keeps pages.
type Wiki struct{ pool *pgxpool.Pool }

// New returns a wiki over the pool.
func New(pool *pgxpool.Pool) *Wiki { return &Wiki{pool: pool} }

// Load reads a page.
func (w *Wiki) Load(ctx context.Context, id int64) (Page, error) {
	p := Page{ID: id}
	err := w.pool.QueryRow(ctx, `SELECT body, version FROM pages WHERE id = $1`, id).Scan(&p.Body, &p.Version)
	return p, err
}

const save = `UPDATE pages SET body = $2, version = version + 1 WHERE id = $1 AND version = $3`

// Save writes a page. When somebody else was faster it writes nothing, and says
// that all is well.
func (w *Wiki) Save(ctx context.Context, p Page) error {
	if _, err := w.pool.Exec(ctx, save, p.ID, p.Body, p.Version); err != nil { // want `rows the guarded UPDATE of pages changes: where "version = \$3"`
		return fmt.Errorf("save page %d: %w", p.ID, err)
	}
	return nil
}

// SaveChecked writes a page, or says that somebody else was faster.
//
//proof:fixes (*Wiki).Save
func (w *Wiki) SaveChecked(ctx context.Context, p Page) error {
	tag, err := w.pool.Exec(ctx, save, p.ID, p.Body, p.Version)
	if err != nil {
		return fmt.Errorf("save page %d: %w", p.ID, err)
	}
	if tag.RowsAffected() == 0 {
		return ErrConflict
	}
	return nil
}

// Archive is done either way: its guard only says that it is not done yet.
func (w *Wiki) Archive(ctx context.Context, id int64) error {
	_, err := w.pool.Exec(ctx, `UPDATE pages SET archived_at = now() WHERE id = $1 AND archived_at IS NULL`, id)
	return err
}
