// Package good reads rows and writes rows, and loses nothing.
package good

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

var (
	ErrForbidden = errors.New("forbidden")
	ErrNotFound  = errors.New("not found")
	ErrState     = errors.New("not in this state")
)

type Post struct {
	ID        int64
	AuthorID  int64
	Title     string
	Body      string
	State     string
	ReadAt    sql.NullTime
	Views     int64
	ExpiresAt time.Time
}

type Posts struct{ db *sql.DB }

const columns = `id, author_id, title, body, state, read_at, views, expires_at`

func (p *Posts) get(ctx context.Context, id int64) (*Post, error) {
	var x Post
	err := p.db.QueryRowContext(ctx, `SELECT `+columns+` FROM posts WHERE id = $1`, id).
		Scan(&x.ID, &x.AuthorID, &x.Title, &x.Body, &x.State, &x.ReadAt, &x.Views, &x.ExpiresAt)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	}
	return &x, err
}

// Edit is the author's, and replaces the text.
func (p *Posts) Edit(ctx context.Context, user, id int64, title, body string) error {
	x, err := p.get(ctx, id)
	if err != nil {
		return err
	}
	if x.AuthorID != user {
		return ErrForbidden
	}
	_, err = p.db.ExecContext(ctx, `UPDATE posts SET title = $2, body = $3, edited_at = now() WHERE id = $1`, id, title, body)
	return err
}

// Delete is the author's.
func (p *Posts) Delete(ctx context.Context, user, id int64) error {
	x, err := p.get(ctx, id)
	if err != nil {
		return err
	}
	if x.AuthorID != user {
		return ErrForbidden
	}
	_, err = p.db.ExecContext(ctx, `DELETE FROM posts WHERE id = $1`, id)
	return err
}

// MarkRead marks once, or twice with the same mark.
func (p *Posts) MarkRead(ctx context.Context, id int64) error {
	x, err := p.get(ctx, id)
	if err != nil {
		return err
	}
	if x.ReadAt.Valid {
		return nil
	}
	_, err = p.db.ExecContext(ctx, `UPDATE posts SET read_at = now() WHERE id = $1`, id)
	return err
}

// Hide is the same whoever does it first.
func (p *Posts) Hide(ctx context.Context, id int64) error {
	x, err := p.get(ctx, id)
	if err != nil {
		return err
	}
	if x.State == "hidden" {
		return nil
	}
	_, err = p.db.ExecContext(ctx, `UPDATE posts SET state = 'hidden' WHERE id = $1`, id)
	return err
}

// Publish restates.
func (p *Posts) Publish(ctx context.Context, id int64) error {
	x, err := p.get(ctx, id)
	if err != nil {
		return err
	}
	if x.State != "draft" {
		return ErrState
	}
	res, err := p.db.ExecContext(ctx, `UPDATE posts SET state = 'published' WHERE id = $1 AND state = 'draft'`, id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, ErrState)
	}
	return nil
}

// Compare swaps the old title for the new one.
func (p *Posts) Retitle(ctx context.Context, id int64, suffix string) (bool, error) {
	x, err := p.get(ctx, id)
	if err != nil {
		return false, err
	}
	res, err := p.db.ExecContext(ctx, `UPDATE posts SET title = $1 WHERE id = $2 AND title = $3`, x.Title+suffix, id, x.Title)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Slug is made of the title, and is a column of its own.
func (p *Posts) Slug(ctx context.Context, id int64) error {
	x, err := p.get(ctx, id)
	if err != nil {
		return err
	}
	_, err = p.db.ExecContext(ctx, `UPDATE posts SET slug = $2 WHERE id = $1`, x.ID, fmt.Sprintf("%d-%s", x.ID, x.Title))
	return err
}

// Move copies the text of one row into another one.
func (p *Posts) Move(ctx context.Context, from, to int64) error {
	x, err := p.get(ctx, from)
	if err != nil {
		return err
	}
	_, err = p.db.ExecContext(ctx, `UPDATE posts SET body = $2 WHERE id = $1`, to, x.Body)
	return err
}

// Archive writes into another table.
func (p *Posts) Archive(ctx context.Context, id int64) error {
	x, err := p.get(ctx, id)
	if err != nil {
		return err
	}
	_, err = p.db.ExecContext(ctx, `INSERT INTO archived_posts (id, title, views) VALUES ($1, $2, $3)`, x.ID, x.Title, x.Views+1)
	return err
}

// Count upserts.
func (p *Posts) Count(ctx context.Context, id int64) error {
	var n int64
	err := p.db.QueryRowContext(ctx, `SELECT n FROM view_counts WHERE post_id = $1`, id).Scan(&n)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if n > 1000 {
		return nil
	}
	_, err = p.db.ExecContext(ctx, `INSERT INTO view_counts (post_id, n) VALUES ($1, 1) ON CONFLICT (post_id) DO UPDATE SET n = view_counts.n + 1`, id)
	return err
}

// Append writes one more row of a log, whatever there is.
func (p *Posts) Append(ctx context.Context, id int64, text string) error {
	var last string
	err := p.db.QueryRowContext(ctx, `SELECT text FROM comments WHERE post_id = $1 ORDER BY id DESC LIMIT 1`, id).Scan(&last)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	_, err = p.db.ExecContext(ctx, `INSERT INTO comments (post_id, text, parent_text) VALUES ($1, $2, $3)`, id, text, last)
	return err
}

// Expire touches what is over.
func (p *Posts) Expire(ctx context.Context, id int64) error {
	x, err := p.get(ctx, id)
	if err != nil {
		return err
	}
	if time.Now().Before(x.ExpiresAt) {
		return nil
	}
	_, err = p.db.ExecContext(ctx, `UPDATE posts SET state = 'expired' WHERE id = $1`, id)
	return err
}

// Extend moves the date to one that is given.
func (p *Posts) Extend(ctx context.Context, id int64, d time.Duration) error {
	x, err := p.get(ctx, id)
	if err != nil {
		return err
	}
	if x.State != "published" {
		return ErrState
	}
	_, err = p.db.ExecContext(ctx, `UPDATE posts SET expires_at = $2 WHERE id = $1`, id, time.Now().Add(d))
	return err
}

// Touch is told what to write by somebody else's row.
func (p *Posts) Touch(ctx context.Context, id int64) (int64, error) {
	x, err := p.get(ctx, id)
	if err != nil {
		return 0, err
	}
	_, err = p.db.ExecContext(ctx, `UPDATE posts SET views = views + 1 WHERE id = $1`, id)
	return x.Views + 1, err
}
