// Command good keeps accounts with ent: entities' own builders, and the transaction in
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

// Add locks in the transaction of the context.
func (b *Bank) Add(ctx context.Context, id, n int) error {
	return run(ctx, b.client, func(ctx context.Context) error {
		a, err := b.accounts.lock(ctx, id)
		if err != nil {
			return err
		}
		return b.accounts.set(ctx, id, a.Cents+n)
	})
}

// Double has the builder of an entity that it has locked.
func (b *Bank) Double(ctx context.Context, id int) error {
	return run(ctx, b.client, func(ctx context.Context) error {
		a, err := b.accounts.lock(ctx, id)
		if err != nil {
			return err
		}
		return a.Update().SetCents(a.Cents * 2).Exec(ctx)
	})
}

// Take looks whether there was enough.
func (b *Bank) Take(ctx context.Context, id, n int) error {
	changed, err := b.client.Account.Update().Where(account.ID(id), account.CentsGTE(n)).AddCents(-n).Save(ctx)
	if err == nil && changed == 0 {
		return errors.New("not enough")
	}
	return err
}

// Close writes another column than it looks at.
func (b *Bank) Close(ctx context.Context, id int) error {
	a, err := b.accounts.get(ctx, id)
	if err != nil {
		return err
	}
	if a.Cents != 0 {
		return errors.New("not empty")
	}
	return a.Update().AddCents(0).Exec(ctx)
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
