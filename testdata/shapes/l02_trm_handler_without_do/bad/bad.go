package bad

import (
	"context"
	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2"
	"github.com/jackc/pgx/v5/pgxpool"
	"net/http"
	"strconv"
)

type Wallets struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

func (w *Wallets) BalanceForUpdate(ctx context.Context, id int64) (balance int64, err error) {
	err = w.getter.DefaultTrOrDB(ctx, w.pool).QueryRow(ctx,
		`SELECT balance FROM wallets WHERE id = $1 FOR NO KEY UPDATE`, id).Scan(&balance)
	return balance, err
}

func (w *Wallets) SetBalance(ctx context.Context, id, balance int64) error {
	_, err := w.getter.DefaultTrOrDB(ctx, w.pool).Exec(ctx, `UPDATE wallets SET balance = $2 WHERE id = $1`, id, balance)
	return err
}

type API struct {
	wallets *Wallets
	tm      trm.Manager
}

func (a *API) Withdraw(rw http.ResponseWriter, r *http.Request) {
	id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
	sum, _ := strconv.ParseInt(r.FormValue("sum"), 10, 64)
	ctx := r.Context()
	balance, err := a.wallets.BalanceForUpdate(ctx, id) // expect: lockoutsidetx
	if err != nil || balance < sum {
		http.Error(rw, "no money", http.StatusConflict)
		return
	}
	if err := a.wallets.SetBalance(ctx, id, balance-sum); err != nil { // also: lostupdate
		http.Error(rw, err.Error(), http.StatusInternalServerError)
	}
}
