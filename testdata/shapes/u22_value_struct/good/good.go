// Package good writes a value that was made of nothing that was read.
package good

import (
	"context"
	"database/sql"
)

type Score struct {
	PlayerID int64
	Points   int
	Level    int
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

// Replace sets what the game has counted.
func (r Repo) Replace(ctx context.Context, player int64, points int) error {
	old, err := r.Load(ctx, player)
	if err != nil {
		return err
	}
	return r.Store(ctx, Score{PlayerID: old.PlayerID, Points: points, Level: points / 100})
}

// Swap writes what one player has to another one.
func (r Repo) Give(ctx context.Context, from, to int64) error {
	s, err := r.Load(ctx, from)
	if err != nil {
		return err
	}
	s.PlayerID = to
	return r.Store(ctx, s)
}
