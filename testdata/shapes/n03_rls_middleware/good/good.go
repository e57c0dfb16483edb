package good

import (
	"context"
	"github.com/jmoiron/sqlx"
)

type RLS struct{ db *sqlx.DB }

type tenantTx struct{ *sqlx.Tx }

func (r *RLS) begin(ctx context.Context, tenant string) (tenantTx, error) {
	tx, err := r.db.BeginTxx(ctx, nil)
	if err != nil {
		return tenantTx{}, err
	}
	if _, err := tx.ExecContext(ctx, `SELECT set_config('app.tenant_id', $1, true)`, tenant); err != nil {
		tx.Rollback()
		return tenantTx{}, err
	}
	return tenantTx{tx}, nil
}

func (r *RLS) Names(ctx context.Context, tenant string) (out []string, err error) {
	tx, err := r.begin(ctx, tenant)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "SET LOCAL ROLE tenant"); err != nil {
		return nil, err
	}
	return out, tx.SelectContext(ctx, &out, "SELECT name FROM customers")
}
