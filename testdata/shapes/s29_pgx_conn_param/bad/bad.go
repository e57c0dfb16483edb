package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"strings"
)

// setTenant is right on a connection that dies with its tenant.
func setTenant(ctx context.Context, conn *pgx.Conn, tenant string) error {
	_, err := conn.Exec(ctx, "SET app.tenant = "+quote(tenant)) // or: sessionset
	return err
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

type Docs struct{ pool *pgxpool.Pool }

func (d *Docs) Titles(ctx context.Context, tenant string) ([]string, error) {
	conn, err := d.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	if err := setTenant(ctx, conn.Conn(), tenant); err != nil { // expect: sessionset
		return nil, err
	}
	rows, err := conn.Query(ctx, "SELECT title FROM docs")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
