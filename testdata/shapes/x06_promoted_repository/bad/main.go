package main

import (
	"context"
	"database/sql"
	"log"
	"os"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/x06_promoted_repository/bad/bank"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x06_promoted_repository/bad/mail"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/x06_promoted_repository/bad/store"
)

type backend struct {
	*store.Accounts
	mail.Sender
}

func main() {
	db, err := sql.Open("pgx", os.Getenv("DSN"))
	if err != nil {
		log.Fatal(err)
	}
	b := bank.New(db, &backend{&store.Accounts{DB: db}, mail.Sender{URL: "http://mail"}})
	if err := b.Pay(context.Background(), 1, 200); err != nil {
		log.Fatal(err)
	}
}
