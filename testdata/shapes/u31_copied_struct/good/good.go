// Package good copies the struct that was read, for somebody else.
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

func (r Repo) Insert(ctx context.Context, s Score) error {
	_, err := r.db.ExecContext(ctx, "INSERT INTO scores (player_id, points, level) VALUES ($1, $2, $3)", s.PlayerID, s.Points, s.Level)
	return err
}

func (r Repo) Copy(ctx context.Context, player, to int64) error {
	score, err := r.Load(ctx, player)
	if err != nil {
		return err
	}
	next := score
	next.PlayerID = to
	next.Points++
	return r.Insert(ctx, next)
}
