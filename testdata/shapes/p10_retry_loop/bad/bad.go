package bad

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

func Run(ctx context.Context, db *sql.DB) error {
	for i := 0; i < 3; i++ {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE a SET b = 1`); err != nil {
			time.Sleep(time.Second) // expect: externalcall
			tx.Rollback()
			continue
		}
		return tx.Commit()
	}
	return errors.New("gave up")
}
