// Package bad has one function for each feature of cockroach-go that
// docs/libraries.md lists.
package bad

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/cockroachdb/cockroach-go/v2/crdb"
	"github.com/cockroachdb/cockroach-go/v2/crdb/crdbgorm"
	crdbpgx "github.com/cockroachdb/cockroach-go/v2/crdb/crdbpgxv5"
	"github.com/cockroachdb/cockroach-go/v2/crdb/crdbsqlx"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq"
	"gorm.io/gorm"
)

// ExecuteTx runs a function in a transaction of database/sql.
func ExecuteTx(ctx context.Context, db *sql.DB, id int64) error {
	return crdb.ExecuteTx(ctx, db, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: poolintx
		return err
	})
}

// Pgx is the one for pgx.
func Pgx(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	return crdbpgx.ExecuteTx(ctx, pool, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var n int64
		if err := tx.QueryRow(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n-1) // expect: lostupdate
		return err
	})
}

// Sqlx is the one for sqlx.
func Sqlx(ctx context.Context, db *sqlx.DB, id int64) error {
	return crdbsqlx.ExecuteTx(ctx, db, nil, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO items (id) VALUES ($1)", id); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, "INSERT INTO tags (item_id) VALUES ($1)", id) // expect: poolintx
		return err
	})
}

// Tag is a row of tags.
type Tag struct{ ID, ItemID int64 }

// Gorm is the one for GORM.
func Gorm(ctx context.Context, db *gorm.DB, id int64) error {
	return crdbgorm.ExecuteTx(ctx, db, nil, func(tx *gorm.DB) error {
		if err := tx.Create(&Tag{ItemID: id}).Error; err != nil {
			return err
		}
		return db.Create(&Tag{ItemID: id}).Error // expect: poolintx
	})
}

// Serializable is run again from a savepoint, where PostgreSQL keeps the snapshot.
func Serializable(ctx context.Context, db *sql.DB, id int64) error {
	return crdb.ExecuteTx(ctx, db, &sql.TxOptions{Isolation: sql.LevelSerializable}, func(tx *sql.Tx) error { // missed: unhandled40001
		var n int64
		if err := tx.QueryRowContext(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n-1)
		return err
	})
}

// Lost is an error whose code the runner cannot see.
func Lost(ctx context.Context, db *sql.DB, id int64) error {
	return crdb.Execute(func() error {
		tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, "UPDATE items SET n = n - 1 WHERE id = $1", id); err != nil {
			return fmt.Errorf("sell: %v", err) // expect: unhandled40001
		}
		return tx.Commit()
	})
}
