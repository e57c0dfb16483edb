// Command bad keeps accounts with ent: entities' own builders, and the transaction in
// the context that ent's function makes.
package main

import (
	"context"
	"database/sql"
	"errors"
	"log"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/pgtxvet/pgtxvet/testdata/shapes/lib_ent/db"
	"github.com/pgtxvet/pgtxvet/testdata/shapes/lib_ent/db/account"
)

// Accounts keeps accounts.
type Accounts struct{ client *db.Client }

func (b *Accounts) of(ctx context.Context) *db.Client {
	if tx := db.TxFromContext(ctx); tx != nil {
		return tx.Client()
	}
	return b.client
}

func (b *Accounts) setStatus(ctx context.Context, a *db.Account, status string) error {
	return b.of(ctx).Account.UpdateOneID(a.ID).SetStatus(status).Exec(ctx)
}

// A Bank moves money.
type Bank struct {
	client   *db.Client
	accounts *Accounts
}

func run(ctx context.Context, client *db.Client, fn func(ctx context.Context) error) error {
	tx, err := client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(db.NewTxContext(ctx, tx)); err != nil {
		return err
	}
	return tx.Commit()
}

func (b *Accounts) get(ctx context.Context, id int) (*db.Account, error) {
	return b.of(ctx).Account.Get(ctx, id)
}

func (b *Accounts) lock(ctx context.Context, id int) (*db.Account, error) {
	return b.of(ctx).Account.Query().Where(account.ID(id)).ForUpdate().Only(ctx)
}

func (b *Accounts) set(ctx context.Context, id, cents int) error {
	return b.of(ctx).Account.UpdateOneID(id).SetCents(cents).Exec(ctx)
}

// Add reads in the transaction of the context, and locks nothing.
func (b *Bank) Add(ctx context.Context, id, n int) error {
	return run(ctx, b.client, func(ctx context.Context) error {
		a, err := b.accounts.get(ctx, id)
		if err != nil {
			return err
		}
		return b.accounts.set(ctx, id, a.Cents+n) // expect: lostupdate
	})
}

// Close decides on a status that it has not locked.
func (b *Bank) Close(ctx context.Context, id int) error {
	return run(ctx, b.client, func(ctx context.Context) error {
		a, err := b.accounts.get(ctx, id)
		if err != nil {
			return err
		}
		if a.Status != "open" {
			return errors.New("account is " + a.Status)
		}
		return b.accounts.setStatus(ctx, a, "closed") // expect: lostupdate
	})
}

// Double writes with the builder of the entity that it has read.
func (b *Bank) Double(ctx context.Context, id int) error {
	a, err := b.client.Account.Get(ctx, id)
	if err != nil {
		return err
	}
	_, err = a.Update().SetCents(a.Cents * 2).Save(ctx) // expect: lostupdate
	return err
}

// Take does not look whether there was enough.
func (b *Bank) Take(ctx context.Context, id, n int) error {
	return b.client.Account.Update().Where(account.ID(id), account.CentsGTE(n)).AddCents(-n).Exec(ctx) // expect: rowsaffected
}

func main() {
	conn, err := sql.Open("pgx", "postgres://localhost/bank")
	if err != nil {
		log.Fatal(err)
	}
	client := db.NewClient(db.Driver(entsql.OpenDB(dialect.Postgres, conn)))
	b := &Bank{client: client, accounts: &Accounts{client: client}}
	ctx := context.Background()
	log.Print(b.Add(ctx, 1, 2), b.Double(ctx, 1), b.Take(ctx, 1, 2))
}
