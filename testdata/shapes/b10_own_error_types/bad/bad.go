// Package bad tests for an error of its own that holds the server's.
package bad

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// AlbumError says what was done when a statement failed.
type AlbumError struct {
	Op  string
	Err error
}

func (e AlbumError) Error() string { return fmt.Sprintf("%s: %v", e.Op, e.Err) }

func isAlbumError(err error) bool {
	_, ok := err.(AlbumError)
	return ok
}

type Albums struct{ pool *pgxpool.Pool }

func removeCaption(ctx context.Context, tx pgx.Tx, id int64) error {
	if _, err := tx.Exec(ctx, "DELETE FROM captions WHERE photo = $1", id); err != nil {
		return AlbumError{"remove the caption", err}
	}
	return nil
}

// Replace goes on although a statement has failed.
func (a *Albums) Replace(ctx context.Context, id int64, file string) error {
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		err := removeCaption(ctx, tx, id)
		if err != nil && !isAlbumError(err) {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE photos SET file = $2 WHERE id = $1", id, file) // expect: abortedtx
		return err
	})
}
