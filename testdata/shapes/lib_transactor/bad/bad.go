// Package bad moves stock with transactions that a context carries.
package bad

import (
	"context"
	"database/sql"
	"net/http"

	"github.com/Thiht/transactor"
	"github.com/Thiht/transactor/stdlib"
)

type Stock struct {
	db stdlib.DBGetter
}

// Lock locks a row in the transaction of the context, if it carries one.
func (s *Stock) Lock(ctx context.Context, item int64) (n int64, err error) {
	err = s.db(ctx).QueryRowContext(ctx, "SELECT amount FROM stock WHERE item = $1 FOR UPDATE", item).Scan(&n)
	return n, err
}

func (s *Stock) Set(ctx context.Context, item, n int64) error {
	_, err := s.db(ctx).ExecContext(ctx, "UPDATE stock SET amount = $2 WHERE item = $1", item, n)
	return err
}

type Service struct {
	transactor.Transactor
	db    *sql.DB
	stock *Stock
}

func NewService(db *sql.DB) *Service {
	t, getter := stdlib.NewTransactor(db, stdlib.NestedTransactionsSavepoints)
	return &Service{Transactor: t, db: db, stock: &Stock{db: getter}}
}

// Ship calls a web server, and counts on the pool, with the transaction open.
func (s *Service) Ship(ctx context.Context, item int64) error {
	return s.WithinTransaction(ctx, func(ctx context.Context) error {
		n, err := s.stock.Lock(ctx, item)
		if err != nil {
			return err
		}
		if _, err := http.Get("https://carrier.example/ship"); err != nil { // expect: externalcall
			return err
		}
		if _, err := s.db.ExecContext(ctx, "UPDATE counters SET n = n + 1"); err != nil { // expect: poolintx
			return err
		}
		return s.stock.Set(ctx, item, n-1)
	})
}

// Handler locks a row for a request that carries no transaction.
func (s *Service) Handler(w http.ResponseWriter, r *http.Request) {
	n, err := s.stock.Lock(r.Context(), 1) // expect: lockoutsidetx
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	s.stock.Set(r.Context(), 1, n+1)
}
