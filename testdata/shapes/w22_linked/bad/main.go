package main

import (
	"context"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/w22_linked/bad/app"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/w22_linked/bad/store"
)

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "")
	if err != nil {
		log.Fatal(err)
	}
	if err := app.New(pool, store.Parcels{}).Dispatch(ctx); err != nil {
		log.Fatal(err)
	}
}
