package main

import (
	"context"
	"database/sql"
	"log"
	"os"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/n03_own_pool/bad/jobs"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/n03_own_pool/bad/load"
)

func main() {
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	if err := load.New(db, jobs.New(db)).Load(context.Background()); err != nil {
		log.Fatal(err)
	}
	if err := load.NewCounted(db, jobs.New(db)).Load(context.Background()); err != nil {
		log.Fatal(err)
	}
}
