package bad

import (
	"context"
	"github.com/jmoiron/sqlx"
)

type Ledger struct{ db *sqlx.DB }

// Move begins and commits by text; every Exec may take another connection.
func (l *Ledger) Move(ctx context.Context, from, to, sum int64) error {
	if _, err := l.db.ExecContext(ctx, "BEGIN"); err != nil { // expect: sessionset
		return err
	}
	if _, err := l.db.ExecContext(ctx, "UPDATE accounts SET balance = balance - $2 WHERE id = $1", from, sum); err != nil {
		l.db.ExecContext(ctx, "ROLLBACK")
		return err
	}
	if _, err := l.db.ExecContext(ctx, "UPDATE accounts SET balance = balance + $2 WHERE id = $1", to, sum); err != nil {
		l.db.ExecContext(ctx, "ROLLBACK")
		return err
	}
	_, err := l.db.ExecContext(ctx, "COMMIT")
	return err
}
