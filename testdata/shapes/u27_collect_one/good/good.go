// Package good lets PostgreSQL reckon, and looks at rows for other ends.
package good

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrNotFound = errors.New("no such subscription")

type Subscription struct {
	ID       int64     `db:"id"`
	PaidTill time.Time `db:"paid_till"`
	Plan     string    `db:"plan"`
}

type Repo struct{ pool *pgxpool.Pool }

func (r *Repo) Get(ctx context.Context, id int64) (Subscription, error) {
	rows, err := r.pool.Query(ctx, `SELECT id, paid_till, plan FROM subscriptions WHERE id = @id`, pgx.NamedArgs{"id": id})
	if err != nil {
		return Subscription{}, err
	}
	sub, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[Subscription])
	if errors.Is(err, pgx.ErrNoRows) {
		return Subscription{}, ErrNotFound
	}
	return sub, err
}

func (r *Repo) Extend(ctx context.Context, id int64, months int) error {
	if _, err := r.Get(ctx, id); err != nil {
		return err
	}
	_, err := r.pool.Exec(ctx, `UPDATE subscriptions SET paid_till = paid_till + make_interval(months => @months) WHERE id = @id`, pgx.NamedArgs{"id": id, "months": months})
	return err
}

// SetPlan changes the plan, if it is another one.
func (r *Repo) SetPlan(ctx context.Context, id int64, plan string) error {
	sub, err := r.Get(ctx, id)
	if err != nil {
		return err
	}
	if sub.Plan == plan {
		return nil
	}
	_, err = r.pool.Exec(ctx, `UPDATE subscriptions SET plan = @plan WHERE id = @id`, pgx.NamedArgs{"id": id, "plan": plan})
	return err
}

// Restart begins anew.
func (r *Repo) Restart(ctx context.Context, id int64) error {
	sub, err := r.Get(ctx, id)
	if err != nil {
		return err
	}
	if time.Now().Before(sub.PaidTill) {
		return nil
	}
	_, err = r.pool.Exec(ctx, `UPDATE subscriptions SET started_at = now() WHERE id = @id`, pgx.NamedArgs{"id": sub.ID})
	return err
}
