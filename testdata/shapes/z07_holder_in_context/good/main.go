// Command good keeps the transaction and what follows on its commit in one object in
// the context.
package main

import (
	"context"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type key struct{}

// A session is what is open.
type session struct {
	tx    pgx.Tx
	after []func()
}

type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Accounts keeps accounts.
type Accounts struct{ pool *pgxpool.Pool }

func (a *Accounts) db(ctx context.Context) querier {
	if s, ok := ctx.Value(key{}).(*session); ok && s.tx != nil {
		return s.tx
	}
	return a.pool
}

// Do runs fn in a transaction, then what fn has put off.
func (a *Accounts) Do(ctx context.Context, fn func(ctx context.Context) error) error {
	tx, err := a.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	s := &session{tx: tx}
	if err := fn(context.WithValue(ctx, key{}, s)); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	for _, f := range s.after {
		f()
	}
	return nil
}

// Lock locks an account.
func (a *Accounts) Lock(ctx context.Context, id int64) (cents int64, err error) {
	err = a.db(ctx).QueryRow(ctx, "SELECT cents FROM accounts WHERE id = $1 FOR UPDATE", id).Scan(&cents)
	return cents, err
}

// Set writes an account.
func (a *Accounts) Set(ctx context.Context, id, cents int64) error {
	_, err := a.db(ctx).Exec(ctx, "UPDATE accounts SET cents = $2 WHERE id = $1", id, cents)
	return err
}

// Add adds to an account.
func (a *Accounts) Add(ctx context.Context, id, n int64) error {
	return a.Do(ctx, func(ctx context.Context) error {
		cents, err := a.Lock(ctx, id)
		if err != nil {
			return err
		}
		return a.Set(ctx, id, cents+n)
	})
}

type gormKey struct{}

type unit struct {
	tx    *gorm.DB
	after []func()
}

// A Wallet holds money.
type Wallet struct {
	ID    int64
	Cents int64
}

// Wallets keeps wallets.
type Wallets struct{ db *gorm.DB }

func (w *Wallets) on(ctx context.Context) *gorm.DB {
	if u, ok := ctx.Value(gormKey{}).(*unit); ok {
		return u.tx
	}
	return w.db.WithContext(ctx)
}

// Do runs fn in a transaction, then what fn has put off.
func (w *Wallets) Do(ctx context.Context, fn func(ctx context.Context) error) error {
	u := &unit{}
	err := w.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		u.tx = tx
		return fn(context.WithValue(ctx, gormKey{}, u))
	})
	if err != nil {
		return err
	}
	for _, f := range u.after {
		f()
	}
	return nil
}

// Lock locks a wallet.
func (w *Wallets) Lock(ctx context.Context, id int64) (*Wallet, error) {
	var row Wallet
	err := w.on(ctx).Clauses(clause.Locking{Strength: "UPDATE"}).First(&row, id).Error
	return &row, err
}

// Save writes a wallet.
func (w *Wallets) Save(ctx context.Context, row *Wallet) error { return w.on(ctx).Save(row).Error }

// Add adds to a wallet.
func (w *Wallets) Add(ctx context.Context, id, n int64) error {
	return w.Do(ctx, func(ctx context.Context) error {
		row, err := w.Lock(ctx, id)
		if err != nil {
			return err
		}
		row.Cents += n
		return w.Save(ctx, row)
	})
}

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "postgres://localhost/bank")
	if err != nil {
		log.Fatal(err)
	}
	db, err := gorm.Open(postgres.Open("host=localhost"))
	if err != nil {
		log.Fatal(err)
	}
	a, w := &Accounts{pool: pool}, &Wallets{db: db}
	log.Print(a.Add(ctx, 1, 2), w.Add(ctx, 1, 2))
}
