package main

import (
	"context"
	"log"
	"net/http"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x15_unexported_in_between/good/billing"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x15_unexported_in_between/good/gateway"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x15_unexported_in_between/good/store"
)

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "")
	if err != nil {
		log.Fatal(err)
	}
	m := manager.Must(trmpgx.NewDefaultFactory(pool))
	s := billing.New(pool, m, gateway.New(http.DefaultClient), store.New(pool))
	if err := s.Pay(ctx, 1, "https://pay.example.com"); err != nil {
		log.Print(err)
	}
	for _, f := range []func(context.Context) error{s.Close, s.Run} {
		if err := f(ctx); err != nil {
			log.Print(err)
		}
	}
}
