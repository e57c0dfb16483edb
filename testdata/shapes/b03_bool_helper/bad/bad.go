package bad

import (
	"context"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Mailer struct{ pool *pgxpool.Pool }

// tryInsert says whether the row is new.
func tryInsert(ctx context.Context, tx pgx.Tx, addr string) bool {
	_, err := tx.Exec(ctx, "INSERT INTO subscribers (addr) VALUES ($1)", addr)
	return err == nil
}

func (m *Mailer) Subscribe(ctx context.Context, addr, list string) error {
	tx, err := m.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if !tryInsert(ctx, tx, addr) {
		if _, err := tx.Exec(ctx, "UPDATE subscribers SET seen = now() WHERE addr = $1", addr); err != nil { // missed: abortedtx
			return err
		}
	}
	if _, err := tx.Exec(ctx, "INSERT INTO list_members (list, addr) VALUES ($1, $2)", list, addr); err != nil { // also: abortedtx
		return err
	}
	return tx.Commit(ctx)
}
