package bad

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type delivery struct {
	ID      int64
	Courier *int64
}

func load(ctx context.Context, tx pgx.Tx, id int64) (*delivery, error) {
	rows, err := tx.Query(ctx, `SELECT id, courier_id AS courier FROM deliveries WHERE id = $1`, id)
	if err != nil {
		return nil, err
	}
	d, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[delivery])
	return &d, err
}

func Take(ctx context.Context, pool *pgxpool.Pool, id, courier int64) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		d, err := load(ctx, tx, id)
		if err != nil {
			return err
		}
		if d.Courier != nil {
			return errors.New("taken")
		}
		_, err = tx.Exec(ctx, `UPDATE deliveries SET courier_id = $2 WHERE id = $1`, id, courier) // expect: lostupdate
		return err
	})
}

func Assign(ctx context.Context, db *sql.DB, id int64, who string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var assignee sql.NullString
	if err := tx.QueryRowContext(ctx, `SELECT assignee FROM cases WHERE id = $1`, id).Scan(&assignee); err != nil {
		return err
	}
	if assignee.Valid {
		return errors.New("somebody works on it")
	}
	if _, err := tx.ExecContext(ctx, `UPDATE cases SET assignee = $1 WHERE id = $2`, who, id); err != nil { // expect: lostupdate
		return err
	}
	return tx.Commit()
}
