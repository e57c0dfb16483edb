package main

import (
	"context"
	"time"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/r01_decorated_begin/bad/db"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/r01_decorated_begin/bad/orders"
)

func main() {
	plain, err := db.Open("dbname=app")
	if err != nil {
		return
	}
	shop, err := db.NewTimed(plain, func(string, time.Duration) {})
	if err != nil {
		return
	}
	pools := db.ByTenant{Pools: map[string]db.Pool{"shop": shop, "plain": plain}}
	routed := orders.New(&db.Routed{Router: pools})
	direct := orders.New(shop)
	_, _ = routed.Pay(context.Background(), 1)
	_, _ = direct.Pay(context.Background(), 2)
}
