// Package bad builds its statements with squirrel.
package bad

import (
	"context"
	"errors"

	sq "github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5/pgxpool"
)

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

var ErrSold = errors.New("sold out")

type Tickets struct{ pool *pgxpool.Pool }

func (t *Tickets) left(ctx context.Context, id int64) (int, error) {
	query, args, err := psql.Select("left_count").From("events").Where(sq.Eq{"id": id}).ToSql()
	if err != nil {
		return 0, err
	}
	var n int
	err = t.pool.QueryRow(ctx, query, args...).Scan(&n)
	return n, err
}

func (t *Tickets) Buy(ctx context.Context, id int64, n int) error {
	left, err := t.left(ctx, id)
	if err != nil {
		return err
	}
	if left < n {
		return ErrSold
	}
	query, args, err := psql.Update("events").Set("left_count", left-n).Where(sq.Eq{"id": id}).ToSql()
	if err != nil {
		return err
	}
	_, err = t.pool.Exec(ctx, query, args...) // expect: lostupdate
	return err
}
