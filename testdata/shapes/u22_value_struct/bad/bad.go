// Package bad changes copies of what was read.
package bad

import (
	"context"
	"database/sql"
)

type Score struct {
	PlayerID int64
	Points   int
	Level    int
}

func (s Score) Plus(n int) Score {
	s.Points += n
	s.Level = s.Points / 100
	return s
}

type Repo struct{ db *sql.DB }

func (r Repo) Load(ctx context.Context, player int64) (s Score, err error) {
	row := r.db.QueryRowContext(ctx, "SELECT player_id, points, level FROM scores WHERE player_id = $1", player)
	err = row.Scan(&s.PlayerID, &s.Points, &s.Level)
	return s, err
}

func (r Repo) Store(ctx context.Context, s Score) error {
	_, err := r.db.ExecContext(ctx, "UPDATE scores SET points = $2, level = $3 WHERE player_id = $1", s.PlayerID, s.Points, s.Level)
	return err
}

func (r Repo) Add(ctx context.Context, player int64, n int) error {
	score, err := r.Load(ctx, player)
	if err != nil {
		return err
	}
	return r.Store(ctx, score.Plus(n)) // expect: lostupdate
}
