// Package good lets PostgreSQL work on lists and texts.
package good

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Notes struct{ pool *pgxpool.Pool }

func (n *Notes) Append(ctx context.Context, id int64, text string) error {
	_, err := n.pool.Exec(ctx, `UPDATE notes SET body = body || E'\n' || $1 WHERE id = $2`, text, id)
	return err
}

func (n *Notes) Share(ctx context.Context, id int64, with string) error {
	_, err := n.pool.Exec(ctx, `UPDATE notes SET readers = array_append(readers, $1) WHERE id = $2 AND NOT ($1 = ANY (readers))`, with, id)
	return err
}

// Link writes a column of its own that names another one.
func (n *Notes) Link(ctx context.Context, id int64) (string, error) {
	var slug string
	if err := n.pool.QueryRow(ctx, `SELECT slug FROM notes WHERE id = $1`, id).Scan(&slug); err != nil {
		return "", err
	}
	url := fmt.Sprintf("https://notes.example/%s", slug)
	_, err := n.pool.Exec(ctx, `UPDATE notes SET url = $1 WHERE id = $2`, url, id)
	return url, err
}
