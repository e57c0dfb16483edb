// Package bad asks in each WHERE that the row is not deleted.
package bad

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Lists struct{ pool *pgxpool.Pool }

func (l *Lists) Add(ctx context.Context, id int64, n int) error {
	var size int
	err := l.pool.QueryRow(ctx, `SELECT size FROM lists WHERE id = $1 AND deleted_at IS NULL`, id).Scan(&size)
	if err != nil {
		return err
	}
	_, err = l.pool.Exec(ctx, `UPDATE lists SET size = $2, updated_at = now() WHERE id = $1 AND deleted_at IS NULL`, id, size+n) // expect: lostupdate
	return err
}

// Rank has two columns in one assignment, an alias, and the schema's name.
func (l *Lists) Rank(ctx context.Context, id int64) error {
	var rank, votes int
	err := l.pool.QueryRow(ctx, `SELECT l.rank, l.votes FROM app.lists AS l WHERE l.id = $1`, id).Scan(&rank, &votes)
	if err != nil {
		return err
	}
	_, err = l.pool.Exec(ctx, `UPDATE app.lists AS l SET (rank, votes) = ($2, $3) WHERE l.id = $1`, id, rank+votes, votes+1) // expect: lostupdate
	return err
}
