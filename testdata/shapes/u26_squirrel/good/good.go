// Package good builds its statements with squirrel.
package good

import (
	"context"
	"errors"

	sq "github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

var ErrSold = errors.New("sold out")

type Tickets struct{ pool *pgxpool.Pool }

func left(ctx context.Context, tx pgx.Tx, id int64) (int, error) {
	b := forUpdate(psql.Select("left_count").From("events").Where(sq.Eq{"id": id}))
	query, args, err := b.ToSql()
	if err != nil {
		return 0, err
	}
	var n int
	err = tx.QueryRow(ctx, query, args...).Scan(&n)
	return n, err
}

func forUpdate(b sq.SelectBuilder) sq.SelectBuilder { return b.Suffix("FOR UPDATE") }

func (t *Tickets) Buy(ctx context.Context, id int64, n int) error {
	return pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
		has, err := left(ctx, tx, id)
		if err != nil {
			return err
		}
		if has < n {
			return ErrSold
		}
		query, args, err := psql.Update("events").Set("left_count", has-n).Where(sq.Eq{"id": id}).ToSql()
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, query, args...)
		return err
	})
}

func (t *Tickets) BuyExpr(ctx context.Context, id int64, n int) error {
	query, args, err := psql.Update("events").
		Set("left_count", sq.Expr("left_count - ?", n)).
		Where(sq.And{sq.Eq{"id": id}, sq.GtOrEq{"left_count": n}}).
		ToSql()
	if err != nil {
		return err
	}
	tag, err := t.pool.Exec(ctx, query, args...)
	if err == nil && tag.RowsAffected() == 0 {
		err = ErrSold
	}
	return err
}
