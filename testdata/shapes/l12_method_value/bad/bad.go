package bad

import (
	"context"
	"database/sql"
)

type Numbers struct{ db *sql.DB }

func (n *Numbers) Next(ctx context.Context, series string) (int64, error) {
	query, exec := n.db.QueryRowContext, n.db.ExecContext
	var last int64
	if err := query(ctx, "SELECT last FROM series WHERE name = $1 FOR UPDATE", series).Scan(&last); err != nil { // expect: lockoutsidetx
		return 0, err
	}
	last++
	_, err := exec(ctx, "UPDATE series SET last = $2 WHERE name = $1", series, last) // also: lostupdate
	return last, err
}
