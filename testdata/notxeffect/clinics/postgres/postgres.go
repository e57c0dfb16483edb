// Package postgres stores patients.
package postgres

import (
	"context"
	"database/sql"

	"github.com/jmoiron/sqlx"

	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/clinics"
)

type txKey struct{}

// Patients implements [clinics.Repository].
type Patients struct{ db *sqlx.DB }

var _ clinics.Repository = (*Patients)(nil)

// New returns a repository over the database.
func New(db *sqlx.DB) *Patients { return &Patients{db: db} }

type executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	GetContext(ctx context.Context, dest any, query string, args ...any) error
}

func (p *Patients) executor(ctx context.Context) executor {
	if tx, ok := ctx.Value(txKey{}).(*sqlx.Tx); ok {
		return tx
	}
	return p.db
}

// Within runs fn in a transaction.
func (p *Patients) Within(ctx context.Context, fn func(ctx context.Context) error) error {
	tx, err := p.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(context.WithValue(ctx, txKey{}, tx)); err != nil {
		return err
	}
	return tx.Commit()
}

// As implements [clinics.Repository].
func (p *Patients) As(ctx context.Context, clinic string) error {
	_, err := p.executor(ctx).ExecContext(ctx, `SELECT set_config('app.clinic', $1, true)`, clinic)
	return err
}

// Count counts the patients that are seen.
func (p *Patients) Count(ctx context.Context) (n int, err error) {
	err = p.executor(ctx).GetContext(ctx, &n, `SELECT count(*) FROM own_patients`)
	return n, err
}
