// Package good writes only from the state that it has seen.
package good

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Status string

const (
	Submitted Status = "submitted"
	Approved  Status = "approved"
)

var ErrTransition = errors.New("not from this state")

type Claim struct {
	ID     int64
	Status Status
}

type Claims struct{ pool *pgxpool.Pool }

func (c *Claims) Get(ctx context.Context, id int64) (*Claim, error) {
	var cl Claim
	err := c.pool.QueryRow(ctx, `SELECT id, status FROM claims WHERE id = $1`, id).Scan(&cl.ID, &cl.Status)
	return &cl, err
}

func (c *Claims) Move(ctx context.Context, id int64, from, to Status) error {
	tag, err := c.pool.Exec(ctx, `UPDATE claims SET status = $2 WHERE id = $1 AND status = $3`, id, to, from)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return ErrTransition
	}
	return nil
}

type Approval struct{ claims *Claims }

func (a *Approval) Approve(ctx context.Context, id int64) error {
	cl, err := a.claims.Get(ctx, id)
	if err != nil {
		return err
	}
	if cl.Status != Submitted {
		return ErrTransition
	}
	return a.claims.Move(ctx, id, cl.Status, Approved)
}

// Comment is allowed in one state only, and changes none.
func (a *Approval) Comment(ctx context.Context, id int64, text string) error {
	cl, err := a.claims.Get(ctx, id)
	if err != nil {
		return err
	}
	if cl.Status == Approved {
		return ErrTransition
	}
	_, err = a.claims.pool.Exec(ctx, `UPDATE claims SET comment = $2 WHERE id = $1`, id, text)
	return err
}
