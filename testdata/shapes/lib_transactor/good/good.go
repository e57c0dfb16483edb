// Package good moves stock with transactions that a context carries.
package good

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
	stock *Stock
}

func NewService(db *sql.DB) *Service {
	t, getter := stdlib.NewTransactor(db, stdlib.NestedTransactionsSavepoints)
	return &Service{Transactor: t, stock: &Stock{db: getter}}
}

func (s *Service) Ship(ctx context.Context, item int64) error {
	err := s.WithinTransaction(ctx, func(ctx context.Context) error {
		n, err := s.stock.Lock(ctx, item)
		if err != nil {
			return err
		}
		return s.stock.Set(ctx, item, n-1)
	})
	if err != nil {
		return err
	}
	_, err = http.Get("https://carrier.example/ship")
	return err
}

func (s *Service) Handler(w http.ResponseWriter, r *http.Request) {
	if err := s.Ship(r.Context(), 1); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
}
