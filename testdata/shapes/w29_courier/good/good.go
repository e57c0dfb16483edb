package good

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type API struct{ pool *pgxpool.Pool }

// Overdue writes one state over another; doing it twice does no harm.
func (a *API) MarkOverdue(ctx context.Context) error {
	rows, err := a.pool.Query(ctx, `SELECT id FROM loans WHERE state = 'lent' AND due_on < current_date ORDER BY id LIMIT 500`)
	if err != nil {
		return err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := a.pool.Exec(ctx, `UPDATE loans SET state = 'overdue' WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return nil
}

// ServeHTTP shows the reader's newest loan, and gives it back.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reader := r.FormValue("reader")
	err := pgx.BeginFunc(r.Context(), a.pool, func(tx pgx.Tx) error {
		var id int64
		err := tx.QueryRow(r.Context(), `SELECT id FROM loans WHERE reader_id = $1 AND state = 'lent' ORDER BY lent_at DESC LIMIT 1 FOR UPDATE`, reader).Scan(&id)
		if err != nil {
			return err
		}
		_, err = tx.Exec(r.Context(), `UPDATE loans SET state = 'back' WHERE id = $1`, id)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		http.NotFound(w, r)
	}
}

// Consume finds one token by its hash.
func (a *API) ConsumeToken(ctx context.Context, hash []byte) (user int64, err error) {
	err = a.pool.QueryRow(ctx, `
		UPDATE reset_tokens SET used_at = now()
		WHERE id = (SELECT id FROM reset_tokens WHERE token_hash = $1 AND used_at IS NULL LIMIT 1 FOR UPDATE)
		RETURNING user_id`, hash).Scan(&user)
	return user, err
}

// Version locks the current version of a document.
func (a *API) Version(ctx context.Context, doc int64, body string) error {
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		var n int
		err := tx.QueryRow(ctx, `SELECT version FROM document_versions WHERE document_id = $1 AND current ORDER BY version DESC LIMIT 1 FOR UPDATE`, doc).Scan(&n)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE document_versions SET current = false WHERE document_id = $1 AND version = $2`, doc, n); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO document_versions (document_id, version, current, body) VALUES ($1, $2, true, $3)`, doc, n+1, body)
		return err
	})
}

// Config locks the few rows of a table of settings, in order.
func (a *API) Config(ctx context.Context) error {
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT name FROM settings WHERE dirty = true ORDER BY name FOR UPDATE`)
		if err != nil {
			return err
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || len(names) == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE settings SET dirty = false WHERE name = ANY($1)`, names)
		return err
	})
}

// Table locks the whole queue first.
func (a *API) Drain(ctx context.Context) (ids []int64, err error) {
	err = pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `LOCK TABLE notices IN SHARE ROW EXCLUSIVE MODE`); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `SELECT id FROM notices WHERE sent_at IS NULL ORDER BY id LIMIT 100`)
		if err != nil {
			return err
		}
		if ids, err = pgx.CollectRows(rows, pgx.RowTo[int64]); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE notices SET sent_at = now() WHERE id = ANY($1)`, ids)
		return err
	})
	return ids, err
}

// Heartbeat renews the caller's own leases.
func (a *API) Heartbeat(ctx context.Context, worker string) error {
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT id FROM jobs WHERE locked_by = $1 AND state = 'running' ORDER BY id FOR UPDATE`, worker)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE jobs SET lease_until = now() + interval '1 minute' WHERE id = ANY($1)`, ids)
		return err
	})
}
