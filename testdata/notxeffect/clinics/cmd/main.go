// Command cmd counts the patients of the clinics that it is given.
package main

import (
	"context"
	"fmt"
	"os"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"

	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/clinics"
	"github.com/pgtxvet/pgtxvet/testdata/notxeffect/clinics/postgres"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, names []string) error {
	db, err := sqlx.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer db.Close()
	service := clinics.NewService(postgres.New(db))
	for _, name := range names {
		n, err := service.Patients(ctx, name)
		if err != nil {
			return err
		}
		within, err := service.PatientsWithin(ctx, name)
		if err != nil {
			return err
		}
		fmt.Println(name, n, within)
	}
	return nil
}
