// Package branches reads the till of one branch, each of which has a schema of
// its own: database/sql.
package branches

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Tills reads tills.
type Tills struct{ db *sql.DB }

// NewTills returns a reader over the database.
func NewTills(db *sql.DB) *Tills { return &Tills{db: db} }

const balance = `SELECT balance FROM till`

// Balance reads the till of the branch. It keeps to one connection, but each
// statement on it is a transaction of its own: SET LOCAL does not reach the
// next one.
func (t *Tills) Balance(ctx context.Context, branch string) (n int, err error) {
	conn, err := t.db.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, fmt.Sprintf(`SET LOCAL search_path = %s, public`, pgx.Identifier{branch}.Sanitize())); err != nil { // want "outside a transaction"
		return 0, err
	}
	err = conn.QueryRowContext(ctx, balance).Scan(&n)
	return n, err
}

// BalanceInTx reads the till in the transaction that the setting is for.
//
//proof:fixes (*Tills).Balance
func (t *Tills) BalanceInTx(ctx context.Context, branch string) (n int, err error) {
	tx, err := t.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(`SET LOCAL search_path = %s, public`, pgx.Identifier{branch}.Sanitize())); err != nil {
		return 0, err
	}
	if err := tx.QueryRowContext(ctx, balance).Scan(&n); err != nil {
		return 0, err
	}
	return n, tx.Commit()
}
