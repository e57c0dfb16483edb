// Package good computes what it writes from nothing that it has read.
package good

import (
	"context"
	"database/sql"
	"time"
)

type Purse struct {
	ID      int64
	Amount  int64
	Limit   *int64
	Changed time.Time
}

type Purses struct{ db *sql.DB }

func (p *Purses) load(ctx context.Context, id int64) (*Purse, error) {
	var x Purse
	row := p.db.QueryRowContext(ctx, `SELECT id, amount, spending_limit, changed_at FROM purses WHERE id = $1`, id)
	if err := row.Scan(&x.ID, &x.Amount, &x.Limit, &x.Changed); err != nil {
		return nil, err
	}
	return &x, nil
}

// SetLimit has a limit from the request, and a default from the program.
func (p *Purses) SetLimit(ctx context.Context, id int64, limit *int64) error {
	x, err := p.load(ctx, id)
	if err != nil {
		return err
	}
	n := int64(1000)
	if limit != nil {
		n = *limit
	}
	_, err = p.db.ExecContext(ctx, `UPDATE purses SET spending_limit = $1 WHERE id = $2`, n, x.ID)
	return err
}

// Report writes a sum over purses where reports are.
func (p *Purses) Report(ctx context.Context, ids []int64) error {
	var sum int64
	for _, id := range ids {
		x, err := p.load(ctx, id)
		if err != nil {
			return err
		}
		sum += x.Amount
	}
	_, err := p.db.ExecContext(ctx, `UPDATE reports SET amount = $1 WHERE name = 'purses'`, sum)
	return err
}
