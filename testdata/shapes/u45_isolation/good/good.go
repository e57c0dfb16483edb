// Package good begins transactions of levels that notice the conflict.
package good

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

type Pots struct{ db *sql.DB }

func retry(fn func() error) error {
	for i := 0; ; i++ {
		err := fn()
		var pgErr *pgconn.PgError
		if i < 10 && errors.As(err, &pgErr) && (pgErr.Code == "40001" || pgErr.Code == "40P01") {
			continue
		}
		return err
	}
}

func (p *Pots) inTx(ctx context.Context, level sql.IsolationLevel, fn func(tx *sql.Tx) error) error {
	return retry(func() error {
		tx, err := p.db.BeginTx(ctx, &sql.TxOptions{Isolation: level})
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := fn(tx); err != nil {
			return err
		}
		return tx.Commit()
	})
}

func (p *Pots) Add(ctx context.Context, id, n int64) error {
	return p.inTx(ctx, sql.LevelRepeatableRead, func(tx *sql.Tx) error { return add(ctx, tx, id, n) })
}

func (p *Pots) AddSerializable(ctx context.Context, id, n int64) error {
	return p.inTx(ctx, sql.LevelSerializable, func(tx *sql.Tx) error {
		return add(ctx, tx, id, n)
	})
}

func add(ctx context.Context, tx *sql.Tx, id, n int64) error {
	var v int64
	if err := tx.QueryRowContext(ctx, `SELECT amount FROM pots WHERE id = $1`, id).Scan(&v); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE pots SET amount = $1 WHERE id = $2`, v+n, id)
	return err
}

// AddText sets the level by a statement.
func (p *Pots) AddText(ctx context.Context, id, n int64) error {
	return retry(func() error {
		tx, err := p.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`); err != nil {
			return err
		}
		if err := add(ctx, tx, id, n); err != nil {
			return err
		}
		return tx.Commit()
	})
}
