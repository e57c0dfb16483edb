// Package audit changes salaries and tells a trigger who does it: pgx.
package audit

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Payroll changes salaries.
type Payroll struct{ pool *pgxpool.Pool }

// NewPayroll returns a payroll over the pool.
func NewPayroll(pool *pgxpool.Pool) *Payroll { return &Payroll{pool: pool} }

const (
	setActor  = `SELECT set_config('app.actor', $1, true)`
	setSalary = `UPDATE salaries SET amount = $2 WHERE person = $1`
)

// Raise writes the salary. The actor is gone before the trigger asks for it.
func (p *Payroll) Raise(ctx context.Context, actor, person string, amount int) error {
	if _, err := p.pool.Exec(ctx, setActor, actor); err != nil { // want "outside a transaction"
		return err
	}
	_, err := p.pool.Exec(ctx, setSalary, person, amount)
	return err
}

// RaiseInTx writes actor and salary in one transaction.
//
//proof:fixes (*Payroll).Raise
func (p *Payroll) RaiseInTx(ctx context.Context, actor, person string, amount int) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, setActor, actor); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, setSalary, person, amount)
		return err
	})
}
