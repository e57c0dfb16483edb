package good

import (
	"context"
	"fmt"
	"github.com/jmoiron/sqlx"
)

type Ledger struct{ db *sqlx.DB }

// Move sends one text, which one connection runs.
func (l *Ledger) Move(ctx context.Context, from, to, sum int64) error {
	_, err := l.db.ExecContext(ctx, fmt.Sprintf(`
		BEGIN;
		UPDATE accounts SET balance = balance - %[3]d WHERE id = %[1]d;
		UPDATE accounts SET balance = balance + %[3]d WHERE id = %[2]d;
		COMMIT;`, from, to, sum))
	return err
}
