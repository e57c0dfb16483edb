package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func Vacuum(ctx context.Context, pool *pgxpool.Pool, table string) error {
	return pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		if _, err := c.Exec(ctx, "SET maintenance_work_mem = '1GB'"); err != nil { // expect: sessionset
			return err
		}
		_, err := c.Exec(ctx, "VACUUM ANALYZE "+pgx.Identifier{table}.Sanitize())
		return err
	})
}
