package good

import (
	"context"
	"errors"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func Migrate(ctx context.Context, conn *pgx.Conn, steps []string) error {
	if _, err := conn.Exec(ctx, "CREATE TABLE schema_version (v int)"); err != nil {
		var pe *pgconn.PgError
		if !errors.As(err, &pe) || pe.Code != "42P07" {
			return err
		}
		if _, err := conn.Exec(ctx, "DELETE FROM schema_version"); err != nil {
			return err
		}
	}
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "CREATE TABLE IF NOT EXISTS log (n int)"); err != nil {
		conn.Exec(ctx, "ROLLBACK")
		if _, err := conn.Exec(ctx, "INSERT INTO failures (what) VALUES ('log')"); err != nil {
			return err
		}
		return err
	}
	for _, s := range steps {
		if _, err := conn.Exec(ctx, s); err != nil {
			conn.Exec(ctx, "ROLLBACK")
			return err
		}
	}
	_, err := conn.Exec(ctx, "COMMIT")
	return err
}
