// Command cmd assigns an order to a picker.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/picking"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/picking/store"
)

func main() {
	order := flag.Int64("order", 0, "number of the order")
	picker := flag.String("picker", "", "name of the picker")
	safe := flag.Bool("safe", false, "keep the lock")
	flag.Parse()
	if err := run(context.Background(), *order, *picker, *safe); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, order int64, picker string, safe bool) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	service := picking.NewService(store.New(pool))
	take := service.Take
	if safe {
		take = service.TakeInTx
	}
	if err := take(ctx, order, picker); err != nil {
		return err
	}
	who, err := service.Picker(ctx, order)
	if err != nil {
		return err
	}
	fmt.Println(who)
	return nil
}
