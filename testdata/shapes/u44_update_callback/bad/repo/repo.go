// Package repo keeps rooms.
package repo

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Room struct {
	ID       int64
	People   int
	Capacity int
}

type Rooms struct{ pool *pgxpool.Pool }

func New(pool *pgxpool.Pool) *Rooms { return &Rooms{pool} }

func (r *Rooms) Update(ctx context.Context, id int64, fn func(context.Context, *Room) (*Room, error)) (err error) {
	tx, err := r.pool.BeginTx(ctx, pgx.TxOptions{})
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback(ctx))
			return
		}
		err = tx.Commit(ctx)
	}()
	room, err := get(ctx, tx, id)
	if err != nil {
		return err
	}
	updated, err := fn(ctx, room)
	if err != nil {
		return err
	}
	return put(ctx, tx, updated) // expect: lostupdate
}

func get(ctx context.Context, tx pgx.Tx, id int64) (*Room, error) {
	room := &Room{}
	err := tx.QueryRow(ctx, `SELECT id, people, capacity FROM rooms WHERE id = $1`, id).Scan(&room.ID, &room.People, &room.Capacity)
	return room, err
}

func put(ctx context.Context, tx pgx.Tx, r *Room) error {
	_, err := tx.Exec(ctx, `UPDATE rooms SET people = $2 WHERE id = $1`, r.ID, r.People)
	return err
}
