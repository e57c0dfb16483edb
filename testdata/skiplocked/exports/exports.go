// Package exports writes exports for customers, with bun.
package exports

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
)

// Export is an export to write.
type Export struct {
	bun.BaseModel `bun:"table:exports"`

	ID        int64 `bun:",pk"`
	StartedAt bun.NullTime
}

// Store keeps exports.
type Store struct{ db *bun.DB }

// NewStore returns a store.
func NewStore(db *bun.DB) *Store { return &Store{db: db} }

// WriteNext writes the oldest export that nobody has started.
func (s *Store) WriteNext(ctx context.Context, write func(ctx context.Context, id int64) error) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		var e Export
		err := tx.NewSelect().Model(&e). // want "without SKIP LOCKED"
							Where("started_at IS NULL").
							OrderExpr("id").
							Limit(1).
							For("UPDATE").
							Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := tx.NewUpdate().Model(&e).Set("started_at = now()").WherePK().Exec(ctx); err != nil {
			return err
		}
		return write(ctx, e.ID)
	})
}

// WriteNextFree writes the oldest export that nobody has started or is starting.
//
//proof:fixes (*Store).WriteNext
func (s *Store) WriteNextFree(ctx context.Context, write func(ctx context.Context, id int64) error) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		var e Export
		err := tx.NewSelect().Model(&e).
			Where("started_at IS NULL").
			OrderExpr("id").
			Limit(1).
			For("UPDATE SKIP LOCKED").
			Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := tx.NewUpdate().Model(&e).Set("started_at = now()").WherePK().Exec(ctx); err != nil {
			return err
		}
		return write(ctx, e.ID)
	})
}
