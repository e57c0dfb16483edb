// Package bad reckons with a type of its own, in another package, and by pointers.
package bad

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/u53_money_type/bad/money"
)

var ErrPoor = errors.New("poor")

type Base struct {
	ID        int64
	CreatedAt time.Time
}

type Purse struct {
	Base
	Amount money.Money
	Limit  *int64
}

type Purses struct{ db *sql.DB }

func (p *Purses) load(ctx context.Context, id int64) (*Purse, error) {
	var x Purse
	row := p.db.QueryRowContext(ctx, `SELECT id, created_at, amount, spending_limit FROM purses WHERE id = $1`, id)
	if err := row.Scan(&x.ID, &x.CreatedAt, &x.Amount, &x.Limit); err != nil {
		return nil, err
	}
	return &x, nil
}

func (p *Purses) Spend(ctx context.Context, id int64, m money.Money) error {
	x, err := p.load(ctx, id)
	if err != nil {
		return err
	}
	if x.Amount.LessThan(m) {
		return ErrPoor
	}
	rest := x.Amount.Sub(m)
	_, err = p.db.ExecContext(ctx, `UPDATE purses SET amount = $1 WHERE id = $2`, rest, x.ID) // expect: lostupdate
	return err
}

func (p *Purses) RaiseLimit(ctx context.Context, id, n int64) error {
	x, err := p.load(ctx, id)
	if err != nil {
		return err
	}
	limit := n
	if x.Limit != nil {
		limit = *x.Limit + n
	}
	_, err = p.db.ExecContext(ctx, `UPDATE purses SET spending_limit = $1 WHERE id = $2`, limit, id) // expect: lostupdate
	return err
}

func (p *Purses) Round(ctx context.Context, id int64) error {
	x, err := p.load(ctx, id)
	if err != nil {
		return err
	}
	next := money.Round(x.Amount, 10)
	_, err = p.db.ExecContext(ctx, `UPDATE purses SET amount = $1 WHERE id = $2`, next, id) // expect: lostupdate
	return err
}
