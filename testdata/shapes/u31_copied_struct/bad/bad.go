// Package bad copies the struct that was read, and changes the copy.
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
	next := score
	next.Points += n
	return r.Store(ctx, next) // expect: lostupdate
}

// Level writes what was read back, with one field of it changed.
func (r Repo) Promote(ctx context.Context, player int64) error {
	score, err := r.Load(ctx, player)
	if err != nil {
		return err
	}
	if score.Points < 1000 {
		return nil
	}
	return r.Store(ctx, Score{PlayerID: score.PlayerID, Points: score.Points, Level: score.Level + 1}) // expect: lostupdate
}
