package good

import (
	"context"
	"database/sql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func Copy(ctx context.Context, src, dst *sql.DB, id int64) error {
	tx, err := dst.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := src.QueryContext(ctx, `SELECT v FROM a WHERE id = $1`, id)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if _, err := tx.ExecContext(ctx, `INSERT INTO b VALUES (1)`); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func Migrate(ctx context.Context, from, to *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, to, func(tx pgx.Tx) error {
		rows, err := from.Query(ctx, `SELECT v FROM a`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if _, err := tx.Exec(ctx, `INSERT INTO b VALUES (1)`); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}
