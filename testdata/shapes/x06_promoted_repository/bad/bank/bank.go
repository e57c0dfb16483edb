package bank

import (
	"context"
	"database/sql"
)

type Backend interface {
	Receipt(ctx context.Context, id int64) error
	Log(ctx context.Context, id int64) error
}

type Bank struct {
	db *sql.DB
	b  Backend
}

func New(db *sql.DB, b Backend) *Bank { return &Bank{db, b} }

func (b *Bank) Pay(ctx context.Context, id, cents int64) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE accounts SET cents = cents - $2 WHERE id = $1", id, cents); err != nil {
		return err
	}
	if err := b.b.Log(ctx, id); err != nil { // expect: poolintx
		return err
	}
	if err := b.b.Receipt(ctx, id); err != nil { // expect: externalcall
		return err
	}
	return tx.Commit()
}
