package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func OpenReplica(ctx context.Context, dsn string) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	cfg.ConnConfig.RuntimeParams["default_transaction_read_only"] = "on"
	cfg.AfterConnect = readOnly
	return pgxpool.NewWithConfig(ctx, cfg)
}

func readOnly(ctx context.Context, conn *pgx.Conn) error {
	for _, q := range []string{
		"SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
		"SET statement_timeout = '30s'",
		"SET application_name = 'replica'",
	} {
		if _, err := conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	return nil
}
