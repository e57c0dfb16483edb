package main

import (
	"context"
	"log"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x15_unexported_in_between/bad/billing"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x15_unexported_in_between/bad/gateway"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x15_unexported_in_between/bad/store"
)

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "")
	if err != nil {
		log.Fatal(err)
	}
	s := billing.New(pool, gateway.New(http.DefaultClient), store.New(pool))
	if err := s.Pay(ctx, 1, "https://pay.example.com"); err != nil {
		log.Print(err)
	}
	if err := s.Close(ctx); err != nil {
		log.Print(err)
	}
	if err := s.Remind(ctx, 1); err != nil {
		log.Print(err)
	}
}
