package bad

import (
	"context"
	"database/sql"
)

// Restore thinks the pool has one connection, but the limit is another's.
func Restore(ctx context.Context, dsn string, dump []string) error {
	meta, err := sql.Open("pgx", dsn)
	if err != nil {
		return err
	}
	defer meta.Close()
	meta.SetMaxOpenConns(1)
	data, err := sql.Open("pgx", dsn)
	if err != nil {
		return err
	}
	defer data.Close()
	data.SetMaxOpenConns(8)
	if _, err := meta.ExecContext(ctx, "SET synchronous_commit = off"); err != nil {
		return err
	}
	if _, err := data.ExecContext(ctx, "SET session_replication_role = 'replica'"); err != nil { // expect: sessionset
		return err
	}
	for _, q := range dump {
		if _, err := data.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	return nil
}
