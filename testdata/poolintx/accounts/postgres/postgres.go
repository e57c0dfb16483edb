// Package postgres stores users and keys.
package postgres

import (
	"context"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/poolintx/accounts"
)

var (
	_ accounts.Users = (*Users)(nil)
	_ accounts.Keys  = (*Keys)(nil)
)

// Users implements [accounts.Users].
type Users struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

// NewUsers returns a repository over the pool.
func NewUsers(pool *pgxpool.Pool, getter *trmpgx.CtxGetter) *Users {
	return &Users{pool: pool, getter: getter}
}

// Add stores a user.
func (u *Users) Add(ctx context.Context, name string) (id int64, err error) {
	err = u.getter.DefaultTrOrDB(ctx, u.pool).
		QueryRow(ctx, `INSERT INTO users (name) VALUES ($1) RETURNING id`, name).Scan(&id)
	return id, err
}

// Keys implements [accounts.Keys].
type Keys struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

// NewKeys returns a repository over the pool.
func NewKeys(pool *pgxpool.Pool, getter *trmpgx.CtxGetter) *Keys {
	return &Keys{pool: pool, getter: getter}
}

const insertKey = `INSERT INTO keys (user_id, key) VALUES ($1, $2)`

// Add stores a key, whatever the context carries.
func (k *Keys) Add(ctx context.Context, user int64, key string) error {
	_, err := k.pool.Exec(ctx, insertKey, user, key)
	return err
}

// AddInTx stores a key in the context's transaction if there is one.
func (k *Keys) AddInTx(ctx context.Context, user int64, key string) error {
	_, err := k.getter.DefaultTrOrDB(ctx, k.pool).Exec(ctx, insertKey, user, key)
	return err
}
