package sessionset_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/sessionset/imports"
	"github.com/pgtxvet/pgtxvet/testdata/sessionset/ledger"
	"github.com/pgtxvet/pgtxvet/testdata/sessionset/orders"
	"github.com/pgtxvet/pgtxvet/testdata/sessionset/reports"
	"github.com/pgtxvet/pgtxvet/testdata/sessionset/staging"
	"github.com/pgtxvet/pgtxvet/testdata/sessionset/tenants"
)

func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }

// borrow asks the next borrower of the pool's only connection for a value. It
// uses the pool that the flagged function used.
func borrow(h *gate.H, db *gate.DB, std bool, query string) (value string) {
	next := h.Session("next borrower", func(ctx context.Context, db *gate.DB) error {
		if std {
			return db.SQL().QueryRowContext(ctx, query).Scan(&value)
		}
		return db.Pool().QueryRow(ctx, query).Scan(&value)
	}, gate.On(db))
	if err := next.Finish(); err != nil {
		h.T().Errorf("next borrower: %v", err)
	}
	h.Note("the next borrower reads %q", value)
	return value
}

func TestTenants(t *testing.T) {
	scenario := func(items func(c *tenants.Catalog, ctx context.Context, tenant string) ([]string, error)) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE items (tenant text, name text); INSERT INTO items VALUES ('acme', 'anvil'), ('zeta', 'rope')`,
			Run: func(h *gate.H) string {
				db := h.DB(1)
				acme := h.Session("request of acme", func(ctx context.Context, db *gate.DB) error {
					_, err := items(tenants.NewCatalog(db.Pool()), ctx, "acme")
					return err
				}, gate.On(db))
				if err := acme.Finish(); err != nil {
					t.Error(err)
				}
				var seen []string
				guest := h.Session("request of nobody", func(ctx context.Context, db *gate.DB) (err error) {
					seen, err = tenants.NewCatalog(db.Pool()).Listed(ctx)
					return err
				}, gate.On(db))
				if err := guest.Finish(); err != nil {
					t.Error(err)
				}
				if len(seen) > 0 {
					return "a request without a tenant is shown acme's " + strings.Join(seen, ", ")
				}
				return ""
			},
		}
	}
	proof.Harm(t, "tenants.(*Catalog).Items", scenario((*tenants.Catalog).Items))
	proof.NoHarm(t, "tenants.(*Catalog).ItemsInTx", scenario((*tenants.Catalog).ItemsInTx))
}

func TestReports(t *testing.T) {
	scenario := func(total func(b *reports.Builder, ctx context.Context) (int64, error)) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE sales (amount bigint)`,
			Run: func(h *gate.H) string {
				h.Exec(fmt.Sprintf(`ALTER DATABASE %s SET statement_timeout = '5s'`, h.Value(`SELECT current_database()`)))
				db := h.DB(1)
				report := h.Session("report", func(ctx context.Context, db *gate.DB) error {
					_, err := total(reports.NewBuilder(db.SQL()), ctx)
					return err
				}, gate.On(db))
				if err := report.Finish(); err != nil {
					t.Error(err)
				}
				if v := borrow(h, db, true, `SHOW statement_timeout`); v != "5s" {
					return "the database gives statements 5s, and the next borrower's statement_timeout is " + v
				}
				return ""
			},
		}
	}
	proof.Harm(t, "reports.(*Builder).Total", scenario((*reports.Builder).Total))
	proof.NoHarm(t, "reports.(*Builder).TotalLocal", scenario((*reports.Builder).TotalLocal))
}

func TestImports(t *testing.T) {
	scenario := func(load func(l *imports.Loader, ctx context.Context, prices []imports.Price) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE prices (item text PRIMARY KEY, cents int NOT NULL CHECK (cents > 0))`,
			Run: func(h *gate.H) string {
				db := h.DB(1)
				loader := h.Session("import", func(ctx context.Context, db *gate.DB) error {
					return load(imports.NewLoader(db.Pool()), ctx, []imports.Price{{Item: "nail", Cents: 3}, {Item: "glue", Cents: -1}})
				}, gate.On(db))
				if err := loader.Finish(); err == nil {
					t.Error("a negative price was loaded")
				}
				if v := borrow(h, db, false, `SHOW lock_timeout`); v != "0" {
					return "after the import failed the next borrower's lock_timeout is " + v
				}
				return ""
			},
		}
	}
	proof.Harm(t, "imports.(*Loader).Load", scenario((*imports.Loader).Load))
	proof.NoHarm(t, "imports.(*Loader).LoadAndReset", scenario((*imports.Loader).LoadAndReset))
}

func TestStaging(t *testing.T) {
	scenario := func(merge func(m *staging.Merger, ctx context.Context, rows []staging.Row) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE stock (sku text PRIMARY KEY, qty int NOT NULL)`,
			Run: func(h *gate.H) string {
				db := h.DB(1)
				for _, name := range []string{"delivery 1", "delivery 2"} {
					delivery := h.Session(name, func(ctx context.Context, db *gate.DB) error {
						return merge(staging.NewMerger(db.SQLX()), ctx, []staging.Row{{SKU: "B-7", Qty: 5}})
					}, gate.On(db))
					if err := delivery.Finish(); err != nil {
						return "the second delivery on the same connection fails: " + err.Error()
					}
				}
				if n := h.Look(`SELECT qty FROM stock`); n != "10" {
					return "two deliveries of 5 make " + n
				}
				return ""
			},
		}
	}
	proof.Harm(t, "staging.(*Merger).Merge", scenario((*staging.Merger).Merge))
	proof.NoHarm(t, "staging.(*Merger).MergeInTx", scenario((*staging.Merger).MergeInTx))
}

func TestOrders(t *testing.T) {
	scenario := func(listen func(f *orders.Feed, ctx context.Context) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE orders (id int, done bool)`,
			Run: func(h *gate.H) string {
				db := h.DB(1)
				feed := h.Session("feed", func(ctx context.Context, db *gate.DB) error {
					return listen(orders.NewFeed(db.Pool()), ctx)
				}, gate.On(db))
				feed.StepUntil("SELECT count")
				h.Exec(`NOTIFY orders, 'order 1'`)
				h.Note("NOTIFY orders, 'order 1'")
				if err := feed.Finish(); err != nil {
					t.Error(err)
				}
				if n := borrow(h, db, false, `SELECT coalesce(string_agg(c, ', '), '') FROM pg_listening_channels() c`); n != "" {
					return "the next borrower is sent the notifications of " + n
				}
				return ""
			},
		}
	}
	proof.Harm(t, "orders.(*Feed).Subscribe", scenario(func(f *orders.Feed, ctx context.Context) error {
		_, err := f.Subscribe(ctx)
		return err
	}))
	proof.NoHarm(t, "orders.(*Feed).Await", scenario(func(f *orders.Feed, ctx context.Context) error {
		_, payload, err := f.Await(ctx)
		if payload != "order 1" {
			t.Errorf("payload = %q", payload)
		}
		return err
	}))
}

func TestLedger(t *testing.T) {
	scenario := func(move func(l *ledger.Ledger, ctx context.Context, from, to, amount int64) error) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE accounts (id bigint PRIMARY KEY, balance bigint NOT NULL CHECK (balance BETWEEN 0 AND 100));
				INSERT INTO accounts VALUES (1, 50), (2, 90)`,
			Run: func(h *gate.H) string {
				transfer := h.Session("transfer", func(ctx context.Context, db *gate.DB) error {
					return move(ledger.NewLedger(db.Pool()), ctx, 1, 2, 40)
				})
				if err := transfer.Finish(); err == nil {
					t.Error("account 2 holds more than it may")
				}
				if sum := h.Look(`SELECT sum(balance) FROM accounts`); sum != "140" {
					return "the deposit failed, the withdrawal stayed, and the accounts hold " + sum + " instead of 140"
				}
				return ""
			},
		}
	}
	proof.Harm(t, "ledger.(*Ledger).Move", scenario((*ledger.Ledger).Move))
	proof.NoHarm(t, "ledger.(*Ledger).MoveInTx", scenario((*ledger.Ledger).MoveInTx))
}
