// Package repo keeps rooms, and the version of each.
package repo

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Room struct {
	ID       int64
	People   int
	Capacity int

	version int
}

var ErrConflict = errors.New("the room was changed")

type Rooms struct{ pool *pgxpool.Pool }

func New(pool *pgxpool.Pool) *Rooms { return &Rooms{pool} }

func (r *Rooms) Update(ctx context.Context, id int64, fn func(context.Context, *Room) (*Room, error)) error {
	room := &Room{}
	err := r.pool.QueryRow(ctx, `SELECT id, people, capacity, version FROM rooms WHERE id = $1`, id).
		Scan(&room.ID, &room.People, &room.Capacity, &room.version)
	if err != nil {
		return err
	}
	updated, err := fn(ctx, room)
	if err != nil {
		return err
	}
	tag, err := r.pool.Exec(ctx, `UPDATE rooms SET people = $2, version = version + 1 WHERE id = $1 AND version = $3`, id, updated.People, updated.version)
	if err == nil && tag.RowsAffected() == 0 {
		err = ErrConflict
	}
	return err
}
