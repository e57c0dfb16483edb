// Package bad asks an object of the domain whether it may move on.
package bad

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Status string

const (
	Draft     Status = "draft"
	Submitted Status = "submitted"
	Approved  Status = "approved"
	Rejected  Status = "rejected"
)

var next = map[Status][]Status{
	Draft:     {Submitted},
	Submitted: {Approved, Rejected},
}

var ErrTransition = errors.New("not from this state")

type Claim struct {
	ID     int64
	Status Status
}

func (c *Claim) CanBecome(s Status) bool { return slices.Contains(next[c.Status], s) }

func (c *Claim) IsSubmitted() bool { return c.Status == Submitted }

type Claims struct{ pool *pgxpool.Pool }

func (c *Claims) Get(ctx context.Context, id int64) (*Claim, error) {
	var cl Claim
	err := c.pool.QueryRow(ctx, `SELECT id, status FROM claims WHERE id = $1`, id).Scan(&cl.ID, &cl.Status)
	return &cl, err
}

func (c *Claims) SetStatus(ctx context.Context, id int64, s Status) error {
	_, err := c.pool.Exec(ctx, `UPDATE claims SET status = $2 WHERE id = $1`, id, s)
	return err
}

type Approval struct{ claims *Claims }

func (a *Approval) Move(ctx context.Context, id int64, to Status) error {
	cl, err := a.claims.Get(ctx, id)
	if err != nil {
		return err
	}
	if !cl.CanBecome(to) {
		return ErrTransition
	}
	return a.claims.SetStatus(ctx, id, to) // expect: lostupdate
}

type Rejection struct{ pool *pgxpool.Pool }

func (r *Rejection) Reject(ctx context.Context, id int64, reason string) error {
	var cl Claim
	err := r.pool.QueryRow(ctx, `SELECT id, status FROM claims WHERE id = $1`, id).Scan(&cl.ID, &cl.Status)
	if err != nil {
		return err
	}
	if !cl.IsSubmitted() {
		return ErrTransition
	}
	_, err = r.pool.Exec(ctx, `UPDATE claims SET status = $2, reason = $3 WHERE id = $1`, id, Rejected, reason) // expect: lostupdate
	return err
}
