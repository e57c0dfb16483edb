// Package payouts pays money out of accounts: go-transaction-manager, whose
// transaction travels in the context.
package payouts

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrPoor says that the account does not hold that much.
var ErrPoor = errors.New("not enough money")

// Accounts stores accounts. It runs in the context's transaction if there is
// one, else on the pool.
type Accounts struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

// NewAccounts returns a store over the pool.
func NewAccounts(pool *pgxpool.Pool) *Accounts {
	return &Accounts{pool: pool, getter: trmpgx.DefaultCtxGetter}
}

// Lock returns the balance and holds the account.
func (a *Accounts) Lock(ctx context.Context, id int64) (balance int64, err error) {
	err = a.getter.DefaultTrOrDB(ctx, a.pool).
		QueryRow(ctx, `SELECT balance FROM accounts WHERE id = $1 FOR UPDATE`, id).Scan(&balance)
	return balance, err
}

// SetBalance writes the balance.
func (a *Accounts) SetBalance(ctx context.Context, id, balance int64) error {
	_, err := a.getter.DefaultTrOrDB(ctx, a.pool).
		Exec(ctx, `UPDATE accounts SET balance = $2 WHERE id = $1`, id, balance)
	return err
}

// Handler pays out over HTTP.
type Handler struct {
	accounts *Accounts
	tx       trm.Manager
}

// NewHandler returns a handler over the accounts.
func NewHandler(accounts *Accounts, tx trm.Manager) *Handler {
	return &Handler{accounts: accounts, tx: tx}
}

func parse(r *http.Request) (id, amount int64, err error) {
	id, err1 := strconv.ParseInt(r.FormValue("account"), 10, 64)
	amount, err2 := strconv.ParseInt(r.FormValue("amount"), 10, 64)
	return id, amount, errors.Join(err1, err2)
}

func reply(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, ErrPoor):
		http.Error(w, err.Error(), http.StatusConflict)
	case err != nil:
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
}

// Pay answers POST /payouts. Nobody on the way from the server to the
// repository has begun a transaction.
func (h *Handler) Pay(w http.ResponseWriter, r *http.Request) {
	id, amount, err := parse(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	balance, err := h.accounts.Lock(r.Context(), id) // want "row lock"
	if err == nil && balance < amount {
		err = ErrPoor
	}
	if err == nil {
		err = h.accounts.SetBalance(r.Context(), id, balance-amount)
	}
	reply(w, err)
}

// PayInTx is Pay inside of Do.
//
//proof:fixes (*Handler).Pay
func (h *Handler) PayInTx(w http.ResponseWriter, r *http.Request) {
	id, amount, err := parse(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	err = h.tx.Do(r.Context(), func(ctx context.Context) error {
		balance, err := h.accounts.Lock(ctx, id)
		if err != nil {
			return err
		}
		if balance < amount {
			return ErrPoor
		}
		return h.accounts.SetBalance(ctx, id, balance-amount)
	})
	reply(w, err)
}

// Sweep pays everything out. The transaction is there, in ctx, and the lock is
// taken with another context.
func (h *Handler) Sweep(ctx context.Context, id int64) (paid int64, err error) {
	err = h.tx.Do(ctx, func(ctx context.Context) error {
		balance, err := h.accounts.Lock(context.Background(), id) // want "row lock"
		if err != nil {
			return err
		}
		paid = balance
		return h.accounts.SetBalance(ctx, id, 0)
	})
	return paid, err
}

// SweepInTx hands the transaction's context on.
//
//proof:fixes (*Handler).Sweep
func (h *Handler) SweepInTx(ctx context.Context, id int64) (paid int64, err error) {
	err = h.tx.Do(ctx, func(ctx context.Context) error {
		balance, err := h.accounts.Lock(ctx, id)
		if err != nil {
			return err
		}
		paid = balance
		return h.accounts.SetBalance(ctx, id, 0)
	})
	return paid, err
}
