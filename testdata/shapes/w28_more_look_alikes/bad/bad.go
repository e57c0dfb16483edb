package bad

import (
	"context"
	"database/sql"
	"strings"
)

type Store struct{ db *sql.DB }

// TakeNumbers gives the caller free numbers.
func (s *Store) TakeNumbers(ctx context.Context, n int) ([]string, error) {
	var b strings.Builder
	b.WriteString("UPDATE phone_numbers SET assigned = true WHERE number IN (")
	b.WriteString("SELECT number FROM phone_numbers WHERE assigned = false ORDER BY number LIMIT $1 FOR UPDATE")
	b.WriteString(") RETURNING number")
	rows, err := s.db.QueryContext(ctx, b.String(), n) // expect: skiplocked
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var number string
		if err := rows.Scan(&number); err != nil {
			return nil, err
		}
		out = append(out, number)
	}
	return out, rows.Err()
}
