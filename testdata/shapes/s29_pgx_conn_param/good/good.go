package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"strings"
)

// setTenant is right on a connection that dies with its tenant.
func setTenant(ctx context.Context, conn *pgx.Conn, tenant string) error {
	_, err := conn.Exec(ctx, "SET app.tenant = "+quote(tenant))
	return err
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func Titles(ctx context.Context, dsn, tenant string) ([]string, error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	if err := setTenant(ctx, conn, tenant); err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, "SELECT title FROM docs")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
