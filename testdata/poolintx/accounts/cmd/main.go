// Command cmd registers a user.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/poolintx/accounts"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/accounts/postgres"
)

func main() {
	name := flag.String("name", "", "name of the user")
	key := flag.String("key", "", "key to log in with")
	whole := flag.Bool("whole", false, "store all or nothing")
	flag.Parse()
	if err := run(context.Background(), *name, *key, *whole); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, name, key string, whole bool) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	tx, err := manager.New(trmpgx.NewDefaultFactory(pool))
	if err != nil {
		return err
	}
	getter := trmpgx.DefaultCtxGetter
	service := accounts.NewService(tx, postgres.NewUsers(pool, getter), postgres.NewKeys(pool, getter))
	if whole {
		return service.RegisterWhole(ctx, name, key)
	}
	return service.Register(ctx, name, key)
}
