package good

import (
	"context"
	"database/sql"
)

type Numbers struct{ db *sql.DB }

func (n *Numbers) Next(ctx context.Context, series string) (int64, error) {
	tx, err := n.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	query, exec := tx.QueryRowContext, tx.ExecContext
	var last int64
	if err := query(ctx, "SELECT last FROM series WHERE name = $1 FOR UPDATE", series).Scan(&last); err != nil {
		return 0, err
	}
	last++
	if _, err := exec(ctx, "UPDATE series SET last = $2 WHERE name = $1", series, last); err != nil {
		return 0, err
	}
	return last, tx.Commit()
}
