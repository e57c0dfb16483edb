// Package bad collects rows into structs by name and maps them.
package bad

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var ErrNotFound = errors.New("no such subscription")

type subscriptionRow struct {
	ID       int64      `db:"id"`
	PaidTill time.Time  `db:"paid_till"`
	EndedAt  *time.Time `db:"ended_at"`
}

type Subscription struct {
	ID       int64
	PaidTill time.Time
	Ended    bool
}

func toSubscription(r subscriptionRow) Subscription {
	return Subscription{ID: r.ID, PaidTill: r.PaidTill, Ended: r.EndedAt != nil}
}

type Repo struct{ pool *pgxpool.Pool }

func (r *Repo) Get(ctx context.Context, id int64) (Subscription, error) {
	rows, err := r.pool.Query(ctx, `SELECT id, paid_till, ended_at FROM subscriptions WHERE id = @id`, pgx.NamedArgs{"id": id})
	if err != nil {
		return Subscription{}, err
	}
	row, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[subscriptionRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return Subscription{}, ErrNotFound
	}
	if err != nil {
		return Subscription{}, err
	}
	return toSubscription(row), nil
}

func (r *Repo) SetPaidTill(ctx context.Context, id int64, t time.Time) error {
	_, err := r.pool.Exec(ctx, `UPDATE subscriptions SET paid_till = @till WHERE id = @id`, pgx.NamedArgs{"id": id, "till": t})
	return err
}

type Service struct{ repo *Repo }

func (s *Service) Extend(ctx context.Context, id int64, months int) error {
	sub, err := s.repo.Get(ctx, id)
	if err != nil {
		return err
	}
	till := sub.PaidTill.AddDate(0, months, 0)
	return s.repo.SetPaidTill(ctx, id, till) // expect: lostupdate
}
