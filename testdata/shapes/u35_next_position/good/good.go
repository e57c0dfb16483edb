// Package good takes positions in turn.
package good

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Board struct{ pool *pgxpool.Pool }

// Add locks the list first.
func (b *Board) Add(ctx context.Context, list int64, title string) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		var name string
		if err := tx.QueryRow(ctx, `SELECT name FROM lists WHERE id = $1 FOR UPDATE`, list).Scan(&name); err != nil {
			return err
		}
		var last int
		if err := tx.QueryRow(ctx, `SELECT COALESCE(MAX(position), 0) FROM cards WHERE list_id = $1`, list).Scan(&last); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO cards (list_id, position, title) VALUES ($1, $2, $3)`, list, last+1, title)
		return err
	})
}

// AddInSQL has a key to keep a second one out, and begins again.
func (b *Board) AddAgain(ctx context.Context, list int64, title string) error {
	for range 5 {
		var last int
		if err := b.pool.QueryRow(ctx, `SELECT COALESCE(MAX(position), 0) FROM cards WHERE list_id = $1`, list).Scan(&last); err != nil {
			return err
		}
		_, err := b.pool.Exec(ctx, `INSERT INTO cards (list_id, position, title) VALUES ($1, $2, $3)`, list, last+1, title)
		if isDuplicate(err) {
			continue
		}
		return err
	}
	return errors.New("too many at once")
}

func isDuplicate(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

// AddTable locks the table.
func (b *Board) AddTable(ctx context.Context, list int64, title string) error {
	return pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `LOCK TABLE cards IN SHARE ROW EXCLUSIVE MODE`); err != nil {
			return err
		}
		var last int
		if err := tx.QueryRow(ctx, `SELECT COALESCE(MAX(position), 0) FROM cards WHERE list_id = $1`, list).Scan(&last); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO cards (list_id, position, title) VALUES ($1, $2, $3)`, list, last+1, title)
		return err
	})
}
