package poolintx_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/accounts"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/accounts/postgres"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/archive"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/billing"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/billing/flags"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/carts"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/catalog"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/imports"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/invoices"
	"github.com/pgtxvet/pgtxvet/testdata/poolintx/transfers"
)

func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }

// allWait reports the harm when callers, all of whom share a pool of as many
// connections and have begun a transaction each, cannot go on.
func allWait(h *gate.H, fns ...func(context.Context, *gate.DB) error) string {
	h.T().Helper()
	shared := h.DB(len(fns))
	var callers []*gate.Session
	for i, fn := range fns {
		s := h.Session(fmt.Sprintf("request %d", i+1), fn, gate.On(shared))
		s.StepPast("begin")
		callers = append(callers, s)
	}
	waiting := 0
	for _, s := range callers {
		if s.Run() {
			waiting++
		}
	}
	if waiting > 0 {
		return fmt.Sprintf("%d of %d requests on a pool of %d wait for a connection for ever", waiting, len(fns), len(fns))
	}
	for _, s := range callers {
		if err := s.Finish(); err != nil {
			h.T().Error(err)
		}
	}
	return ""
}

func TestTransfers(t *testing.T) {
	scenario := func(transfer func(b *transfers.Bank, ctx context.Context, from, to, cents int64) error) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE accounts (id bigint PRIMARY KEY, cents bigint NOT NULL);
				CREATE TABLE notes (what text, sender bigint, receiver bigint, cents bigint);
				INSERT INTO accounts VALUES (1, 100)`,
			Run: func(h *gate.H) string {
				s := h.Session("request", func(ctx context.Context, db *gate.DB) error {
					return transfer(transfers.NewBank(db.SQL()), ctx, 1, 9, 30)
				})
				if err := s.Finish(); err == nil {
					t.Error("money went to an account that does not exist")
				}
				if cents := h.Look(`SELECT cents FROM accounts WHERE id = 1`); cents != "100" {
					t.Errorf("%s cents are left", cents)
				}
				if n := h.Look(`SELECT count(*) FROM notes WHERE what = 'moved'`); n != "0" {
					return "the transfer is rolled back, and the note that money has moved is not"
				}
				return ""
			},
		}
	}
	proof.Harm(t, "transfers.(*Bank).Transfer", scenario((*transfers.Bank).Transfer))
	proof.NoHarm(t, "transfers.(*Bank).TransferAll", scenario((*transfers.Bank).TransferAll))
	proof.NoHarm(t, "transfers.(*Bank).TransferAudited", scenario((*transfers.Bank).TransferAudited))
	proof.NoHarm(t, "transfers.(*Bank).TransferNoted", scenario((*transfers.Bank).TransferNoted))
}

const shop = `
	CREATE TABLE items (name text PRIMARY KEY, cents bigint NOT NULL);
	CREATE TABLE carts (id bigint PRIMARY KEY, touched_at timestamptz);
	CREATE TABLE cart_items (cart_id bigint, item text, cents bigint);
	INSERT INTO items VALUES ('lamp', 4900);
	INSERT INTO carts VALUES (1), (2);
	INSERT INTO cart_items VALUES (3, 'bulb', 300), (4, 'bulb', 300)`

func TestCarts(t *testing.T) {
	add := func(add func(c *carts.Carts, ctx context.Context, cart int64, item string) error) proof.Scenario {
		return proof.Scenario{Schema: shop, Run: func(h *gate.H) string {
			request := func(cart int64) func(context.Context, *gate.DB) error {
				return func(ctx context.Context, db *gate.DB) error { return add(carts.New(db.Pool()), ctx, cart, "lamp") }
			}
			return allWait(h, request(1), request(2))
		}}
	}
	proof.Harm(t, "carts.(*Carts).Add", add((*carts.Carts).Add))
	proof.NoHarm(t, "carts.(*Carts).AddOnOne", add((*carts.Carts).AddOnOne))

	merge := func(merge func(c *carts.Carts, ctx context.Context, from, to int64) error) proof.Scenario {
		return proof.Scenario{Schema: shop, Run: func(h *gate.H) string {
			request := func(from, to int64) func(context.Context, *gate.DB) error {
				return func(ctx context.Context, db *gate.DB) error { return merge(carts.New(db.Pool()), ctx, from, to) }
			}
			return allWait(h, request(3, 1), request(4, 2))
		}}
	}
	proof.Harm(t, "carts.(*Carts).Merge", merge((*carts.Carts).Merge))
	proof.NoHarm(t, "carts.(*Carts).MergeOnSession", merge((*carts.Carts).MergeOnSession))
}

// TestSessionOfTheTransaction shows why MergeOnSession is right: what the
// session does while its transaction is open is part of it.
func TestSessionOfTheTransaction(t *testing.T) {
	h := gate.New(t, shop)
	s := h.Session("request", func(ctx context.Context, db *gate.DB) error {
		return carts.New(db.Pool()).MergeOnSession(ctx, 3, 1)
	})
	s.StepUntil("commit")
	const merged = `SELECT count(*) FROM cart_items WHERE cart_id = 1`
	if n := h.Value(merged); n != "0" {
		t.Error("the session's statement is seen before the commit")
	}
	if err := s.Finish(); err != nil {
		t.Error(err)
	}
	if n := h.Value(merged); n != "1" {
		t.Error("the session's statement is not seen after the commit")
	}
}

func TestAccounts(t *testing.T) {
	scenario := func(register func(s *accounts.Service, ctx context.Context, name, key string) error) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE users (id bigserial PRIMARY KEY, name text NOT NULL);
				CREATE TABLE keys (user_id bigint NOT NULL REFERENCES users, key text NOT NULL)`,
			Run: func(h *gate.H) string {
				s := h.Session("request", func(ctx context.Context, db *gate.DB) error {
					pool, getter := db.Pool(), trmpgx.DefaultCtxGetter
					tx := manager.Must(trmpgx.NewDefaultFactory(pool))
					return register(accounts.NewService(tx, postgres.NewUsers(pool, getter), postgres.NewKeys(pool, getter)), ctx, "ann", "k1")
				})
				if err := s.Finish(); err != nil {
					return "the key's session does not see the user, and nobody can register: " + err.Error()
				}
				if n := h.Look(`SELECT count(*) FROM keys JOIN users ON users.id = user_id`); n != "1" {
					t.Errorf("%s keys", n)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "accounts.(*Service).Register", scenario((*accounts.Service).Register))
	proof.NoHarm(t, "accounts.(*Service).RegisterWhole", scenario((*accounts.Service).RegisterWhole))
}

const products = `CREATE TABLE products (id bigserial PRIMARY KEY, published bool NOT NULL, revision int NOT NULL DEFAULT 0)`

func TestCatalog(t *testing.T) {
	publish := func(publish func(c *catalog.Catalog, ctx context.Context, id int64) error) proof.Scenario {
		return proof.Scenario{Schema: products + `; INSERT INTO products (published) VALUES (false)`, Run: func(h *gate.H) string {
			s := h.Session("editor", func(ctx context.Context, db *gate.DB) error {
				return publish(catalog.New(db.Gorm()), ctx, 1)
			})
			if s.Run() {
				return "the function waits for the lock of its own transaction for ever, which is no deadlock to PostgreSQL"
			}
			if err := s.Finish(); err != nil {
				t.Error(err)
			}
			return ""
		}}
	}
	proof.Harm(t, "catalog.(*Catalog).Publish", publish((*catalog.Catalog).Publish))
	proof.NoHarm(t, "catalog.(*Catalog).PublishInTx", publish((*catalog.Catalog).PublishInTx))

	add := func(add func(c *catalog.Catalog, ctx context.Context) (int, error)) proof.Scenario {
		return proof.Scenario{Schema: products, Run: func(h *gate.H) string {
			s := h.Session("editor", func(ctx context.Context, db *gate.DB) error {
				_, err := add(catalog.New(db.Gorm()), ctx)
				return err
			})
			if err := s.Finish(); err != nil {
				t.Error(err)
			}
			if revision := h.Look(`SELECT revision FROM products`); revision != "1" {
				return "the first product is not counted: it has revision " + revision
			}
			return ""
		}}
	}
	proof.Harm(t, "catalog.(*Catalog).Add", add((*catalog.Catalog).Add))
	proof.NoHarm(t, "catalog.(*Catalog).AddCounted", add((*catalog.Catalog).AddCounted))
}

func TestBilling(t *testing.T) {
	scenario := func(bill func(b *billing.Biller, ctx context.Context, customer, cents int64) error) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE flags (name text PRIMARY KEY, enabled bool NOT NULL);
				CREATE TABLE bills (customer_id bigint, cents bigint);
				CREATE TABLE points (customer_id bigint, points bigint);
				INSERT INTO flags VALUES ('points', true)`,
			Run: func(h *gate.H) string {
				shared := h.DB(1)
				s := h.Session("request", func(ctx context.Context, db *gate.DB) error {
					flags.Use(db.SQL())
					return bill(billing.NewBiller(db.SQL()), ctx, 1, 4900)
				}, gate.On(shared))
				if s.Run() {
					return "a single request on a pool of 1 waits for the connection that it holds"
				}
				if err := s.Finish(); err != nil {
					t.Error(err)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "billing.(*Biller).Bill", scenario((*billing.Biller).Bill))
	proof.NoHarm(t, "billing.(*Biller).BillAsked", scenario((*billing.Biller).BillAsked))
	proof.NoHarm(t, "billing.(*Biller).BillKnown", scenario((*billing.Biller).BillKnown))
}

func TestImports(t *testing.T) {
	scenario := func(read func(i *imports.Importer, ctx context.Context, sales []imports.Sale) (int, error)) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE clients (id bigserial PRIMARY KEY, name text UNIQUE NOT NULL);
				CREATE TABLE sales (client_id bigint NOT NULL, cents bigint NOT NULL CHECK (cents > 0))`,
			Run: func(h *gate.H) string {
				s := h.Session("delivery", func(ctx context.Context, db *gate.DB) error {
					_, err := read(imports.New(db.SQLX()), ctx, []imports.Sale{{Client: "ann", Cents: 500}, {Client: "bob", Cents: -1}})
					return err
				})
				if err := s.Finish(); err == nil {
					t.Error("the delivery was not refused")
				}
				if n := h.Look(`SELECT count(*) FROM clients`); n != "0" {
					return n + " clients of a delivery that was refused stay behind"
				}
				return ""
			},
		}
	}
	proof.Harm(t, "imports.(*Importer).Import", scenario((*imports.Importer).Import))
	proof.NoHarm(t, "imports.(*Importer).ImportWhole", scenario((*imports.Importer).ImportWhole))
}

func TestInvoices(t *testing.T) {
	scenario := func(write func(o *invoices.Office, ctx context.Context, lines []invoices.Line) (int64, error)) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE invoices (id bigserial PRIMARY KEY, total bigint NOT NULL);
				CREATE TABLE lines (invoice_id bigint NOT NULL REFERENCES invoices, text text NOT NULL, cents bigint NOT NULL)`,
			Run: func(h *gate.H) string {
				s := h.Session("clerk", func(ctx context.Context, db *gate.DB) error {
					_, err := write(invoices.NewOffice(db.Pool()), ctx, []invoices.Line{{Text: "work", Cents: 9000}, {Text: "travel", Cents: 1000}})
					return err
				})
				if err := s.Finish(); err != nil {
					t.Error(err)
				}
				if total := h.Look(`SELECT total FROM invoices`); total != "10000" {
					return "lines of 10000 cents add up to " + total
				}
				return ""
			},
		}
	}
	proof.Harm(t, "invoices.(*Office).Write", scenario((*invoices.Office).Write))
	proof.NoHarm(t, "invoices.(*Office).WriteInTx", scenario((*invoices.Office).WriteInTx))
}

func TestArchive(t *testing.T) {
	proof.NoHarm(t, "archive.(*Mover).Move", proof.Scenario{
		Schema: `
			CREATE TABLE events (id bigint PRIMARY KEY, what text NOT NULL, old bool NOT NULL);
			CREATE TABLE archived (id bigint PRIMARY KEY, what text NOT NULL);
			INSERT INTO events VALUES (1, 'opened', true), (2, 'closed', false)`,
		Run: func(h *gate.H) string {
			shop, warehouse := h.DB(1), h.DB(1)
			s := h.Session("mover", func(ctx context.Context, db *gate.DB) error {
				n, err := archive.New(db.Pool(), warehouse.Pool()).Move(ctx)
				if err == nil && n != 1 {
					err = errors.New("not one event moved")
				}
				return err
			}, gate.On(shop))
			if s.Run() {
				return "the mover waits for its own connection"
			}
			if err := s.Finish(); err != nil {
				t.Error(err)
			}
			return ""
		},
	})
}
