// Package good uses the runners of cockroach-go as they are right.
package good

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/cockroachdb/cockroach-go/v2/crdb"
	_ "github.com/lib/pq"
)

// Locked reads and writes in a transaction.
func Locked(ctx context.Context, db *sql.DB, id int64) error {
	return crdb.ExecuteTx(ctx, db, nil, func(tx *sql.Tx) error {
		var n int64
		if err := tx.QueryRowContext(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n-1)
		return err
	})
}

// Execute runs a serializable transaction again as a whole.
func Execute(ctx context.Context, db *sql.DB, id int64) error {
	return crdb.Execute(func() error {
		tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, "UPDATE items SET n = n - 1 WHERE id = $1", id); err != nil {
			return fmt.Errorf("sell: %w", err)
		}
		return tx.Commit()
	})
}
