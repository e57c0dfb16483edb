// Package pg implements the ports.
package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u60_hexagonal_lock/good"
)

type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

type key struct{}

type DB struct{ pool *pgxpool.Pool }

func New(pool *pgxpool.Pool) *DB { return &DB{pool} }

func (d *DB) q(ctx context.Context) querier {
	if tx, ok := ctx.Value(key{}).(pgx.Tx); ok {
		return tx
	}
	return d.pool
}

func (d *DB) Do(ctx context.Context, fn func(ctx context.Context) error) error {
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		return fn(context.WithValue(ctx, key{}, tx))
	})
}

type Cards struct{ db *DB }

func NewCards(db *DB) *Cards { return &Cards{db} }

var _ good.Cards = (*Cards)(nil)

func (c *Cards) Hold(ctx context.Context, id int64) error {
	_, err := c.db.q(ctx).Exec(ctx, `SELECT 1 FROM cards WHERE id = $1 FOR UPDATE`, id)
	return err
}

func (c *Cards) Get(ctx context.Context, id int64) (*good.Card, error) {
	card := &good.Card{}
	err := c.db.q(ctx).QueryRow(ctx, `SELECT id, cents FROM cards WHERE id = $1`, id).Scan(&card.ID, &card.Cents)
	return card, err
}

func (c *Cards) Save(ctx context.Context, card *good.Card) error {
	_, err := c.db.q(ctx).Exec(ctx, `UPDATE cards SET cents = $1 WHERE id = $2`, card.Cents, card.ID)
	return err
}
