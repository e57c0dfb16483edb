package good

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func Vacuum(ctx context.Context, pool *pgxpool.Pool, table string) error {
	return pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		defer func() {
			if _, err := c.Exec(context.Background(), "DISCARD ALL"); err != nil {
				c.Conn().Close(context.Background())
			}
		}()
		if _, err := c.Exec(ctx, "SET maintenance_work_mem = '1GB'"); err != nil {
			return err
		}
		_, err := c.Exec(ctx, "VACUUM ANALYZE "+pgx.Identifier{table}.Sanitize())
		return err
	})
}
