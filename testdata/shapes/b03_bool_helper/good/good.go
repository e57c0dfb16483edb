package good

import (
	"context"
	"fmt"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Mailer struct{ pool *pgxpool.Pool }

// tryInsert says whether the row is new.
func tryInsert(ctx context.Context, tx pgx.Tx, addr string) bool {
	sp, err := tx.Begin(ctx)
	if err != nil {
		return false
	}
	defer sp.Rollback(ctx)
	if _, err := sp.Exec(ctx, "INSERT INTO subscribers (addr) VALUES ($1)", addr); err != nil {
		return false
	}
	return sp.Commit(ctx) == nil
}

func known(ctx context.Context, tx pgx.Tx, addr string) (bool, error) {
	var one int
	err := tx.QueryRow(ctx, "SELECT 1 FROM subscribers WHERE addr = $1", addr).Scan(&one)
	if err == pgx.ErrNoRows {
		return false, nil
	}
	return err == nil, err
}

func (m *Mailer) Subscribe(ctx context.Context, addr, list string) error {
	tx, err := m.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if !tryInsert(ctx, tx, addr) {
		if _, err := tx.Exec(ctx, "UPDATE subscribers SET seen = now() WHERE addr = $1", addr); err != nil {
			return err
		}
	}
	if ok, err := known(ctx, tx, addr); err != nil || !ok {
		return fmt.Errorf("not there: %w", err)
	}
	if _, err := tx.Exec(ctx, "INSERT INTO list_members (list, addr) VALUES ($1, $2)", list, addr); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
