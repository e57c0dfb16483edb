package good

import (
	"context"
	"database/sql"
	"time"
)

func once(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE a SET b = 1`); err != nil {
		return err
	}
	return tx.Commit()
}

func Run(ctx context.Context, db *sql.DB) error {
	for i := 0; i < 3; i++ {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if _, err := tx.ExecContext(ctx, `UPDATE a SET b = 1`); err != nil {
			_ = tx.Rollback()
			time.Sleep(time.Second)
			continue
		}
		if err = tx.Commit(); err != nil {
			time.Sleep(time.Second)
			continue
		}
		return nil
	}
	for {
		err := once(ctx, db)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}
