// Command cmd invites the people whose addresses it is given.
package main

import (
	"context"
	"fmt"
	"os"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/invites"
	"github.com/pgtxvet/pgtxvet/testdata/abortedtx/invites/postgres"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, addresses []string) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	tx, err := manager.New(trmpgx.NewDefaultFactory(pool))
	if err != nil {
		return err
	}
	service := invites.NewService(tx, postgres.New(pool))
	for _, address := range addresses {
		if err := service.Invite(ctx, address); err != nil {
			return err
		}
	}
	return nil
}
