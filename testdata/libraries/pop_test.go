package libraries_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/gobuffalo/pop/v6"
	"github.com/jmoiron/sqlx"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/popshop"
)

func TestPop(t *testing.T) {
	proveShop(t, "popshop", func(g *gate.DB) shop {
		conn, err := pop.NewConnection(&pop.ConnectionDetails{Dialect: "postgres", URL: "postgres://shop@localhost/shop?sslmode=disable"})
		if err != nil {
			t.Fatal(err)
		}
		conn.Store = gateStore{g.SQLX()} // instead of Open, which would open the URL
		return popshop.New(conn)
	})
}

// A gateStore is Pop's store over a handle whose statements stop at the gate.
type gateStore struct{ *sqlx.DB }

func (s gateStore) Commit() error   { return nil }
func (s gateStore) Rollback() error { return nil }

func (s gateStore) Transaction() (*pop.Tx, error) { return s.TransactionContext(context.Background()) }

func (s gateStore) TransactionContext(ctx context.Context) (*pop.Tx, error) {
	return s.TransactionContextOptions(ctx, nil)
}

func (s gateStore) TransactionContextOptions(ctx context.Context, opts *sql.TxOptions) (*pop.Tx, error) {
	tx, err := s.BeginTxx(ctx, opts)
	return &pop.Tx{Tx: tx}, err
}
