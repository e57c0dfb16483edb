// Command cmd bills a customer.
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/pgtxvet/pgtxvet/testdata/poolintx/billing"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/billing/flags"
)

func main() {
	customer := flag.Int64("customer", 0, "number of the customer")
	cents := flag.Int64("cents", 0, "amount")
	flag.Parse()
	if err := run(context.Background(), *customer, *cents); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, customer, cents int64) error {
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer db.Close()
	flags.Use(db)
	return billing.NewBiller(db).Bill(ctx, customer, cents)
}
