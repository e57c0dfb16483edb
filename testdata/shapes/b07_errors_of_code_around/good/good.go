package good

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Feed struct{ pool *pgxpool.Pool }

type payload struct{ Title string }

func (f *Feed) Ingest(ctx context.Context, docs [][]byte) error {
	tx, err := f.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	var errs []error
	for _, d := range docs {
		var p payload
		if err := json.Unmarshal(d, &p); err != nil {
			errs = append(errs, err)
			continue
		}
		if err := f.store(ctx, tx, p); err != nil {
			if errors.Is(err, errEmpty) {
				errs = append(errs, err)
				continue
			}
			return err
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	return errors.Join(errs...)
}

var errEmpty = errors.New("empty")

func (f *Feed) store(ctx context.Context, tx pgx.Tx, p payload) error {
	if p.Title == "" {
		return errEmpty
	}
	if _, err := tx.Exec(ctx, "INSERT INTO docs (title) VALUES ($1)", p.Title); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// Touch counts a row that may not be there.
func (f *Feed) Touch(ctx context.Context, title string) (id int64, err error) {
	err = pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, "SELECT id FROM docs WHERE title = $1", title)
		if err != nil {
			return err
		}
		id, err = pgx.CollectOneRow(rows, pgx.RowTo[int64])
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if err != nil {
			return tx.QueryRow(ctx, "INSERT INTO docs (title) VALUES ($1) ON CONFLICT (title) DO UPDATE SET n = docs.n + 1 RETURNING id", title).Scan(&id)
		}
		_, err = tx.Exec(ctx, "UPDATE docs SET n = n + 1 WHERE id = $1", id)
		return err
	})
	return id, err
}
