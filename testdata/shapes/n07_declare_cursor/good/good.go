package good

import (
	"context"
	"github.com/jackc/pgx/v5"
)

func Export(ctx context.Context, dsn string, out func(string) error) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// On the connection below the transaction, which is the same session.
		if _, err := tx.Conn().Exec(ctx, "DECLARE c NO SCROLL CURSOR FOR SELECT line FROM ledger ORDER BY id"); err != nil {
			return err
		}
		for {
			rows, err := tx.Query(ctx, "FETCH 1000 FROM c")
			if err != nil {
				return err
			}
			lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil || len(lines) == 0 {
				return err
			}
			for _, l := range lines {
				if err := out(l); err != nil {
					return err
				}
			}
		}
	})
}

func Hold(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "DECLARE c CURSOR WITH HOLD FOR SELECT line FROM ledger")
	return err
}
