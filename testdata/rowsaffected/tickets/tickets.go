// Package tickets assigns tickets to people, with queries as sqlc generates them.
package tickets

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrAssigned says that somebody else has the ticket.
var ErrAssigned = errors.New("the ticket is assigned already")

// Board has tickets.
type Board struct{ q *Queries }

// NewBoard returns a board over the pool.
func NewBoard(pool *pgxpool.Pool) *Board { return &Board{q: newQueries(pool)} }

// Assign gives a ticket to somebody; the query does not say whether it did.
func (b *Board) Assign(ctx context.Context, id int64, who string) error {
	return b.q.Assign(ctx, AssignParams{ID: id, Assignee: who}) // want `UPDATE of tickets changes \(through Queries.Assign, query.sql.go:\d+\).*:execrows`
}

// AssignFirst gives a ticket to the first who asks.
//
//proof:fixes (*Board).Assign
func (b *Board) AssignFirst(ctx context.Context, id int64, who string) error {
	n, err := b.q.AssignRows(ctx, AssignRowsParams{ID: id, Assignee: who})
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrAssigned
	}
	return nil
}

// AssignQuietly drops the number that the query returns.
func (b *Board) AssignQuietly(ctx context.Context, id int64, who string) error {
	_, err := b.q.AssignRows(ctx, AssignRowsParams{ID: id, Assignee: who}) // want `UPDATE of tickets changes \(through Queries.AssignRows`
	return err
}

// AssignReturning has a row or none.
//
//proof:fixes (*Board).AssignQuietly
func (b *Board) AssignReturning(ctx context.Context, id int64, who string) error {
	_, err := b.q.AssignOne(ctx, AssignOneParams{ID: id, Assignee: who})
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrAssigned
	}
	return err
}
