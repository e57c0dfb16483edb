// Package postgres stores wallets, and carries transactions in the context.
package postgres

import (
	"context"
	"database/sql"

	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/wallets"
)

var (
	_ wallets.Transactor = (*Transactor)(nil)
	_ wallets.Repository = (*Wallets)(nil)
)

type txKey struct{}

// Transactor implements [wallets.Transactor].
type Transactor struct{ db *sql.DB }

// NewTransactor returns a transactor over the database.
func NewTransactor(db *sql.DB) *Transactor { return &Transactor{db: db} }

// Do runs fn in a transaction, the context's if there is one.
func (t *Transactor) Do(ctx context.Context, fn func(ctx context.Context) error) error {
	if _, ok := ctx.Value(txKey{}).(*sql.Tx); ok {
		return fn(ctx)
	}
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(context.WithValue(ctx, txKey{}, tx)); err != nil {
		return err
	}
	return tx.Commit()
}

type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Wallets implements [wallets.Repository].
type Wallets struct{ db *sql.DB }

// NewWallets returns a repository over the database.
func NewWallets(db *sql.DB) *Wallets { return &Wallets{db: db} }

func (w *Wallets) conn(ctx context.Context) querier {
	if tx, ok := ctx.Value(txKey{}).(*sql.Tx); ok {
		return tx
	}
	return w.db
}

// Lock returns what the wallet holds, and locks it.
func (w *Wallets) Lock(ctx context.Context, id int64) (cents int64, err error) {
	err = w.conn(ctx).QueryRowContext(ctx, `SELECT cents FROM wallets WHERE id = $1 FOR NO KEY UPDATE`, id).Scan(&cents)
	return cents, err
}

// Set writes what the wallet holds.
func (w *Wallets) Set(ctx context.Context, id, cents int64) error {
	_, err := w.conn(ctx).ExecContext(ctx, `UPDATE wallets SET cents = $2 WHERE id = $1`, id, cents)
	return err
}
