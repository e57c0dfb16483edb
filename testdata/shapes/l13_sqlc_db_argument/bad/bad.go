package bad

import (
	"context"
	"database/sql"
	"errors"
)

type Hotel struct {
	db *sql.DB
	q  *Queries
}

func (h *Hotel) CheckIn(ctx context.Context, room int64, guest string) error {
	r, err := h.q.LockRoom(ctx, h.db, room) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	if r.Guest.Valid {
		return errors.New("occupied")
	}
	return h.q.SetGuest(ctx, h.db, SetGuestParams{ID: room, Guest: sql.NullString{String: guest, Valid: true}}) // also: lostupdate
}
