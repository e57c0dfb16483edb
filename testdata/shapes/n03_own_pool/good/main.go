package main

import (
	"context"
	"database/sql"
	"log"
	"os"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/n03_own_pool/good/jobs"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/n03_own_pool/good/load"
)

func main() {
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	c := load.New(os.Getenv("CUSTOMER_URL"), jobs.New(db))
	if err := c.Setup(); err != nil {
		log.Fatal(err)
	}
	if err := c.Load(context.Background()); err != nil {
		log.Fatal(err)
	}
	r := load.NewRegion(os.Getenv("REGION_URL"), jobs.New(db))
	if err := r.Setup(); err != nil {
		log.Fatal(err)
	}
	if err := r.Load(context.Background()); err != nil {
		log.Fatal(err)
	}
}
