// Package good tests for errors of its own, which no server sends.
package good

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrNoPhoto says which photo there is none of.
type ErrNoPhoto struct{ ID int64 }

func (e ErrNoPhoto) Error() string { return fmt.Sprintf("no photo %d", e.ID) }

func IsNoPhoto(err error) bool {
	_, ok := err.(ErrNoPhoto)
	return ok
}

type Albums struct{ pool *pgxpool.Pool }

func removeCaption(ctx context.Context, tx pgx.Tx, id int64) error {
	_, err := tx.Exec(ctx, "DELETE FROM captions WHERE photo = $1", id)
	return err
}

// Replace goes on where the photo was not there, which removeCaption never says.
func (a *Albums) Replace(ctx context.Context, id int64, file string) error {
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		err := removeCaption(ctx, tx, id)
		if err != nil && !IsNoPhoto(err) {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE photos SET file = $2 WHERE id = $1", id, file)
		return err
	})
}

// ReplaceAs is Replace with errors.As.
func (a *Albums) ReplaceAs(ctx context.Context, id int64, file string) error {
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		var none ErrNoPhoto
		if err := removeCaption(ctx, tx, id); err != nil && !errors.As(err, &none) {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE photos SET file = $2 WHERE id = $1", id, file)
		return err
	})
}
