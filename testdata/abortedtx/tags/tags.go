// Package tags tags notes: a pgx pool and BeginFunc.
package tags

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Notes have tags.
type Notes struct{ pool *pgxpool.Pool }

// NewNotes returns notes over the pool.
func NewNotes(pool *pgxpool.Pool) *Notes { return &Notes{pool: pool} }

const (
	insertTag = `INSERT INTO tags (name) VALUES ($1)`
	link      = `INSERT INTO note_tags (note_id, tag) VALUES ($1, $2)`
)

// Tag makes the tag if there is none. If there is one, that is fine with the
// code, and the end of the transaction for PostgreSQL.
func (n *Notes) Tag(ctx context.Context, note int64, tag string) error {
	return pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, insertTag, tag); err != nil && !exists(err) {
			return err
		}
		_, err := tx.Exec(ctx, link, note, tag) // want "25P02"
		return err
	})
}

// TagOrUse has no error to handle.
//
//proof:fixes (*Notes).Tag
func (n *Notes) TagOrUse(ctx context.Context, note int64, tag string) error {
	return pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, insertTag+` ON CONFLICT DO NOTHING`, tag); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, link, note, tag)
		return err
	})
}

// TagFromSavepoint handles the error behind a savepoint, which is what Begin
// on a transaction sets.
//
//proof:fixes (*Notes).Tag
func (n *Notes) TagFromSavepoint(ctx context.Context, note int64, tag string) error {
	return pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		err := pgx.BeginFunc(ctx, tx, func(savepoint pgx.Tx) error {
			_, err := savepoint.Exec(ctx, insertTag, tag)
			return err
		})
		if err != nil && !exists(err) {
			return err
		}
		_, err = tx.Exec(ctx, link, note, tag)
		return err
	})
}

// TagIfNew is right as well: after the error nothing is done but to end.
func (n *Notes) TagIfNew(ctx context.Context, note int64, tag string) (isNew bool, err error) {
	tx, err := n.pool.Begin(ctx)
	if err != nil {
		return false, err
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, insertTag, tag); exists(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, link, note, tag); err != nil {
		return false, err
	}
	return true, tx.Commit(ctx)
}

func exists(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Code == "23505"
}
