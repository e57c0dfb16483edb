package good

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
	tx, err := h.db.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	r, err := h.q.LockRoom(ctx, tx, room)
	if err != nil {
		return err
	}
	if r.Guest.Valid {
		return errors.New("occupied")
	}
	if err := h.q.SetGuest(ctx, tx, SetGuestParams{ID: room, Guest: sql.NullString{String: guest, Valid: true}}); err != nil {
		return err
	}
	return tx.Commit()
}
