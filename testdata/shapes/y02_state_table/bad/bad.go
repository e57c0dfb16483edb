package bad

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"
)

var follows = map[string]string{"new": "packed", "packed": "shipped"}

var allowed = map[string][]string{"new": {"packed", "cancelled"}, "packed": {"shipped"}}

type Parcels struct{ pool *pgxpool.Pool }

type parcel struct{ Status string }

func (p *Parcels) get(ctx context.Context, id int64) (r parcel, err error) {
	err = p.pool.QueryRow(ctx, `SELECT status FROM parcels WHERE id = $1`, id).Scan(&r.Status)
	return r, err
}

// Advance looks the next state up.
func (p *Parcels) Advance(ctx context.Context, id int64) error {
	r, err := p.get(ctx, id)
	if err != nil {
		return err
	}
	to, ok := follows[r.Status]
	if !ok {
		return errors.New("at its end")
	}
	_, err = p.pool.Exec(ctx, `UPDATE parcels SET status = $2 WHERE id = $1`, id, to) // expect: lostupdate
	return err
}

func may(from, to string) bool { return slices.Contains(allowed[from], to) }

func (p *Parcels) Set(ctx context.Context, id int64, to string) error {
	r, err := p.get(ctx, id)
	if err != nil {
		return err
	}
	if !may(r.Status, to) {
		return errors.New("not allowed")
	}
	_, err = p.pool.Exec(ctx, `UPDATE parcels SET status = $2 WHERE id = $1`, id, to) // expect: lostupdate
	return err
}
