package good

import (
	"context"
	"database/sql"
	"errors"
)

type DB struct{ *sql.DB }

func serializable(readOnly bool) *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelSerializable, ReadOnly: readOnly}
}

type sqlStater interface{ SQLState() string }

func (d *DB) MoveSeat(ctx context.Context, from, to, guest int64) error {
	err := d.moveSeat(ctx, from, to, guest)
	var st sqlStater
	if errors.As(err, &st) && st.SQLState() == "40001" && ctx.Err() == nil {
		return d.MoveSeat(ctx, from, to, guest)
	}
	return err
}

func (d *DB) moveSeat(ctx context.Context, from, to, guest int64) error {
	tx, err := d.BeginTx(ctx, serializable(false))
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var taken bool
	if err := tx.QueryRowContext(ctx, "SELECT guest IS NOT NULL FROM seats WHERE id = $1", to).Scan(&taken); err != nil {
		return err
	}
	if taken {
		return errors.New("taken")
	}
	if _, err := tx.ExecContext(ctx, "UPDATE seats SET guest = NULL WHERE id = $1", from); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE seats SET guest = $2 WHERE id = $1", to, guest); err != nil {
		return err
	}
	return tx.Commit()
}
