package good

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

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
			time.Sleep(time.Millisecond)
			if tx, err = db.BeginTx(ctx, nil); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

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

func (b *Batch) end() error {
	tx := b.tx
	b.tx = nil
	return tx.Commit()
}

func (b *Batch) Run(ctx context.Context) error {
	if err := b.begin(ctx); err != nil {
		return err
	}
	if _, err := b.tx.ExecContext(ctx, `UPDATE a SET b = 1`); err != nil {
		return err
	}
	if err := b.end(); err != nil {
		return err
	}
	time.Sleep(time.Second)
	_, err := b.db.ExecContext(ctx, `UPDATE a SET c = 1`)
	return err
}
