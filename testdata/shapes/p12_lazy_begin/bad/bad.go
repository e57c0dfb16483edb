package bad

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
)

type Batch struct {
	db *sql.DB
	tx *sql.Tx
}

func (b *Batch) begin(ctx context.Context) (err error) {
	if b.tx == nil {
		b.tx, err = b.db.BeginTx(ctx, nil)
	}
	return err
}

func Flush(ctx context.Context, db *sql.DB, ids []int64) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for i, id := range ids {
		if _, err := tx.ExecContext(ctx, `UPDATE a SET b = 1 WHERE id = $1`, id); err != nil {
			return errors.Join(err, tx.Rollback())
		}
		if i%100 == 99 {
			if err := tx.Commit(); err != nil {
				return err
			}
			if tx, err = db.BeginTx(ctx, nil); err != nil {
				return err
			}
		}
		if _, err := http.Get("https://x"); err != nil { // expect: externalcall
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}
