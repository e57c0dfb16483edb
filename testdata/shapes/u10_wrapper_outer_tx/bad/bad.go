package bad

import (
	"context"
	"database/sql"
	"errors"
	"github.com/jackc/pgx/v5/pgconn"
)

type Wallets struct{ db *sql.DB }

func retry(n int, fn func() error) (err error) {
	for ; n > 0; n-- {
		if err = fn(); err == nil {
			return nil
		}
		var pe *pgconn.PgError
		if !errors.As(err, &pe) || pe.Code != "40001" {
			return err
		}
	}
	return err
}

func (w *Wallets) Debit(ctx context.Context, id, cents int64) error {
	tx, err := w.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable}) // or: unhandled40001
	if err != nil {
		return err
	}
	defer tx.Rollback()
	err = retry(3, func() error { // expect: unhandled40001
		_, err := tx.ExecContext(ctx, "UPDATE wallets SET cents = cents - $2 WHERE id = $1", id, cents) // or: unhandled40001
		return err
	})
	if err != nil {
		return err
	}
	return tx.Commit()
}
