package bad

import (
	"context"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"log/slog"
)

type Feed struct{ pool *pgxpool.Pool }

func (f *Feed) Ingest(ctx context.Context, titles []string) error {
	return pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		var errs []error
		for _, t := range titles {
			if err := f.store(ctx, tx, t); err != nil { // expect: abortedtx
				errs = append(errs, err)
			}
		}
		if len(errs) > 0 {
			slog.Warn("some were not stored", "n", len(errs))
		}
		return nil // or: abortedtx
	})
}

func (f *Feed) store(ctx context.Context, tx pgx.Tx, title string) error {
	if _, err := tx.Exec(ctx, "INSERT INTO docs (title) VALUES ($1)", title); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}
