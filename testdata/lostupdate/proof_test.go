package lostupdate_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/accounts"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/articles"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/carts"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/courses"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/invoices"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/names"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/orders"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/quotas"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/raffles"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/settings"
	"github.com/pgtxvet/pgtxvet/testdata/lostupdate/wallets"
	walletspg "github.com/pgtxvet/pgtxvet/testdata/lostupdate/wallets/postgres"
)

func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }

// Whoever runs the same function beside the other.
var pair = []string{"Ada", "Ben"}

// both runs a function twice at once, under every interleaving of the
// statements. told lists to whom it returned no error. An error that callers
// cannot expect fails the test.
func both(t *testing.T, schema string, do func(ctx context.Context, db *gate.DB, who string) error, check func(h *gate.H, told []string) string) proof.Scenario {
	told := map[string]bool{}
	return proof.Scenario{
		Schema: schema,
		Sessions: func(h *gate.H) []*gate.Session {
			clear(told)
			var sessions []*gate.Session
			for _, who := range pair {
				sessions = append(sessions, h.Session(who, func(ctx context.Context, db *gate.DB) error {
					err := do(ctx, db, who)
					told[who] = err == nil
					if !expected(err) {
						t.Error(err)
					}
					return err
				}))
			}
			return sessions
		},
		Check: func(h *gate.H) string {
			var names []string
			for _, who := range pair {
				if told[who] {
					names = append(names, who)
				}
			}
			return check(h, names)
		},
	}
}

// expected reports whether an error is one of those that callers are told.
func expected(err error) bool {
	for _, e := range []error{
		accounts.ErrPoor, orders.ErrNotPaid, names.ErrTaken, courses.ErrFull, articles.ErrChanged, quotas.ErrExceeded, wallets.ErrPoor, raffles.ErrDrawn,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return err == nil
}

func TestAccounts(t *testing.T) {
	type take func(b *accounts.Bank, ctx context.Context, id, amount int64) error
	scenario := func(take take) proof.Scenario {
		return both(t, `CREATE TABLE accounts (id bigint PRIMARY KEY, balance bigint NOT NULL); INSERT INTO accounts VALUES (1, 100)`,
			func(ctx context.Context, db *gate.DB, _ string) error {
				return take(accounts.NewBank(db.Pool()), ctx, 1, 70)
			},
			func(h *gate.H, told []string) string {
				if len(told) != 1 {
					return fmt.Sprintf("%d are taken out of 100, and %s are left", 70*len(told), h.Look(`SELECT balance FROM accounts`))
				}
				return ""
			})
	}
	proof.Harm(t, "accounts.(*Bank).Withdraw", scenario((*accounts.Bank).Withdraw))
	proof.NoHarm(t, "accounts.(*Bank).WithdrawLocked", scenario((*accounts.Bank).WithdrawLocked))
	proof.NoHarm(t, "accounts.(*Bank).WithdrawSnapshot", scenario((*accounts.Bank).WithdrawSnapshot))
	proof.Harm(t, "accounts.(*Bank).Spend", scenario((*accounts.Bank).Spend))
	proof.NoHarm(t, "accounts.(*Bank).SpendGuarded", scenario((*accounts.Bank).SpendGuarded))
}

func TestOrders(t *testing.T) {
	scenario := func(ship func(d *orders.Desk, ctx context.Context, id int64, carrier string) error) proof.Scenario {
		return both(t, `CREATE TABLE orders (id bigint PRIMARY KEY, status text NOT NULL, carrier text); INSERT INTO orders VALUES (1, 'paid')`,
			func(ctx context.Context, db *gate.DB, who string) error {
				return ship(orders.NewDesk(db.SQL()), ctx, 1, who)
			},
			func(h *gate.H, told []string) string {
				if len(told) != 1 {
					return fmt.Sprintf("the order was given to %d carriers, and only %s is written down", len(told), h.Look(`SELECT carrier FROM orders`))
				}
				return ""
			})
	}
	proof.Harm(t, "orders.(*Desk).Ship", scenario((*orders.Desk).Ship))
	proof.NoHarm(t, "orders.(*Desk).ShipPaid", scenario((*orders.Desk).ShipPaid))
	proof.NoHarm(t, "orders.(*Desk).ShipLocked", scenario((*orders.Desk).ShipLocked))
}

func TestNames(t *testing.T) {
	scenario := func(key string, claim func(r *names.Registry, ctx context.Context, name string, user int64) error) proof.Scenario {
		return both(t, `CREATE TABLE names (name text NOT NULL, user_id bigint NOT NULL`+key+`)`,
			func(ctx context.Context, db *gate.DB, who string) error {
				return claim(names.NewRegistry(db.SQLX()), ctx, "kim", int64(len(who)))
			},
			func(h *gate.H, told []string) string {
				if n := h.Look(`SELECT count(*) FROM names`); n != "1" || len(told) != 1 {
					return fmt.Sprintf("%d users were told that the name is theirs, and it is there %s times", len(told), n)
				}
				return ""
			})
	}
	proof.Harm(t, "names.(*Registry).Claim", scenario("", (*names.Registry).Claim))
	proof.NoHarm(t, "names.(*Registry).ClaimFirst", scenario(", UNIQUE (name)", (*names.Registry).ClaimFirst))
	proof.NoHarm(t, "names.(*Registry).ClaimUnique", scenario(", UNIQUE (name)", (*names.Registry).ClaimUnique))
}

func TestRaffles(t *testing.T) {
	script, err := os.ReadFile("raffles/migrations/00001_raffles.sql")
	if err != nil {
		t.Fatal(err)
	}
	up, _, _ := strings.Cut(string(script), "-- +goose Down")
	type do func(d *raffles.Desk, ctx context.Context, raffle int64, email string) error
	scenario := func(table string, do do, email func(who string) string) proof.Scenario {
		return both(t, up+`INSERT INTO raffles VALUES (7)`,
			func(ctx context.Context, db *gate.DB, who string) error {
				err := do(raffles.NewDesk(db.Pool()), ctx, 7, email(who))
				if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && pgErr.Code == "23505" {
					return nil // the index has refused it
				}
				return err
			},
			func(h *gate.H, _ []string) string {
				if n := h.Look(`SELECT count(*) FROM ` + table + ` WHERE raffle_id = 7`); n != "1" {
					return n + " rows are in " + table + " of the raffle, which is to have one"
				}
				return ""
			})
	}
	own := func(who string) string { return who + "@example.com" }
	same := func(string) string { return "kim@example.com" }
	proof.Harm(t, "raffles.(*Desk).Draw", scenario("winners", (*raffles.Desk).Draw, own))
	proof.NoHarm(t, "raffles.(*Desk).DrawInTurn", scenario("winners", (*raffles.Desk).DrawInTurn, own))
	proof.NoHarm(t, "raffles.(*Desk).Enter", scenario("entrants", (*raffles.Desk).Enter, same))
}

func TestCourses(t *testing.T) {
	scenario := func(enrol func(o *courses.Office, ctx context.Context, course, student int64) error) proof.Scenario {
		return both(t, `
			CREATE TABLE courses (id bigint PRIMARY KEY);
			CREATE TABLE enrolments (course_id bigint NOT NULL, student_id bigint NOT NULL);
			INSERT INTO courses VALUES (1)`,
			func(ctx context.Context, db *gate.DB, who string) error {
				return enrol(courses.NewOffice(db.Pool(), 1), ctx, 1, int64(who[0]))
			},
			func(h *gate.H, told []string) string {
				if n := h.Look(`SELECT count(*) FROM enrolments`); n != "1" || len(told) != 1 {
					return n + " students are enrolled in a course that has one place"
				}
				return ""
			})
	}
	proof.Harm(t, "courses.(*Office).Enrol", scenario((*courses.Office).Enrol))
	proof.NoHarm(t, "courses.(*Office).EnrolInTurn", scenario((*courses.Office).EnrolInTurn))
	proof.NoHarm(t, "courses.(*Office).EnrolAdvised", scenario((*courses.Office).EnrolAdvised))
}

func TestInvoices(t *testing.T) {
	scenario := func(issue func(b *invoices.Books, ctx context.Context, shop, cents int64) (int64, error)) proof.Scenario {
		return both(t, `
			CREATE TABLE invoices (id bigserial PRIMARY KEY, shop_id bigint NOT NULL, number bigint NOT NULL, cents bigint NOT NULL);
			CREATE TABLE invoice_numbers (shop_id bigint PRIMARY KEY, last bigint NOT NULL)`,
			func(ctx context.Context, db *gate.DB, _ string) error {
				_, err := issue(invoices.NewBooks(db.Bun()), ctx, 3, 990)
				return err
			},
			func(h *gate.H, _ []string) string {
				if numbers := h.Look(`SELECT string_agg(number::text, ', ' ORDER BY number) FROM invoices`); numbers != "1, 2" {
					return "two invoices of a shop carry the numbers " + numbers
				}
				return ""
			})
	}
	proof.Harm(t, "invoices.(*Books).Issue", scenario((*invoices.Books).Issue))
	proof.NoHarm(t, "invoices.(*Books).IssueInTurn", scenario((*invoices.Books).IssueInTurn))
	proof.NoHarm(t, "invoices.(*Books).IssueCounted", scenario((*invoices.Books).IssueCounted))
}

func TestArticles(t *testing.T) {
	scenario := func(view func(m *articles.Magazine, ctx context.Context, id int64) error) proof.Scenario {
		return both(t, `
			CREATE TABLE articles (id bigint PRIMARY KEY, title text NOT NULL, views bigint NOT NULL, version bigint NOT NULL);
			INSERT INTO articles VALUES (1, 'On locks', 0, 1)`,
			func(ctx context.Context, db *gate.DB, _ string) error {
				return view(articles.NewMagazine(db.Gorm()), ctx, 1)
			},
			func(h *gate.H, told []string) string {
				if views := h.Look(`SELECT views FROM articles`); views != fmt.Sprint(len(told)) {
					return fmt.Sprintf("%d readers were counted, and the article has %s", len(told), views)
				}
				return ""
			})
	}
	proof.Harm(t, "articles.(*Magazine).View", scenario((*articles.Magazine).View))
	proof.NoHarm(t, "articles.(*Magazine).ViewInSQL", scenario((*articles.Magazine).ViewInSQL))
	proof.NoHarm(t, "articles.(*Magazine).ViewLocked", scenario((*articles.Magazine).ViewLocked))
	proof.NoHarm(t, "articles.(*Magazine).ViewChecked", scenario((*articles.Magazine).ViewChecked))
}

func TestQuotas(t *testing.T) {
	scenario := func(add func(m *quotas.Meter, ctx context.Context, tenant, bytes int64) error) proof.Scenario {
		return both(t, `
			CREATE TABLE quotas (tenant_id bigint PRIMARY KEY, used bigint NOT NULL, allowed bigint NOT NULL);
			INSERT INTO quotas VALUES (1, 0, 100)`,
			func(ctx context.Context, db *gate.DB, _ string) error {
				return add(quotas.NewMeter(db.Pool()), ctx, 1, 30)
			},
			func(h *gate.H, told []string) string {
				if used := h.Look(`SELECT used FROM quotas`); used != fmt.Sprint(30*len(told)) {
					return fmt.Sprintf("%d bytes are stored, and %s are counted", 30*len(told), used)
				}
				return ""
			})
	}
	proof.Harm(t, "quotas.(*Meter).Add", scenario((*quotas.Meter).Add))
	proof.NoHarm(t, "quotas.(*Meter).AddLocked", scenario((*quotas.Meter).AddLocked))
	proof.NoHarm(t, "quotas.(*Meter).AddIfAllowed", scenario((*quotas.Meter).AddIfAllowed))
}

func TestWallets(t *testing.T) {
	scenario := func(spend func(s *wallets.Service, ctx context.Context, id, n int64) error) proof.Scenario {
		return both(t, `CREATE TABLE wallets (id bigint PRIMARY KEY, points bigint NOT NULL); INSERT INTO wallets VALUES (1, 100)`,
			func(ctx context.Context, db *gate.DB, _ string) error {
				tx := manager.Must(trmpgx.NewDefaultFactory(db.Pool()))
				return spend(wallets.NewService(tx, walletspg.New(db.Pool())), ctx, 1, 70)
			},
			func(h *gate.H, told []string) string {
				if len(told) != 1 {
					return fmt.Sprintf("%d points are spent out of 100, and %s are left", 70*len(told), h.Look(`SELECT points FROM wallets`))
				}
				return ""
			})
	}
	proof.Harm(t, "wallets.(*Service).Spend", scenario((*wallets.Service).Spend))
	proof.NoHarm(t, "wallets.(*Service).SpendLocked", scenario((*wallets.Service).SpendLocked))
	proof.NoHarm(t, "wallets.(*Service).SpendAtOnce", scenario((*wallets.Service).SpendAtOnce))
}

func TestCarts(t *testing.T) {
	const schema = `CREATE TABLE carts (id bigserial PRIMARY KEY, items int NOT NULL, cents bigint NOT NULL); INSERT INTO carts (items, cents) VALUES (0, 0)`
	sum := func(h *gate.H, told []string) string {
		if items := h.Look(`SELECT sum(items) FROM carts`); items != fmt.Sprint(len(told)) {
			return fmt.Sprintf("%d items were put into the cart, and it holds %s", len(told), items)
		}
		return ""
	}
	scenario := func(update func(s *carts.Store, ctx context.Context, id int64, fn func(*carts.Cart) error) error) proof.Scenario {
		return both(t, schema, func(ctx context.Context, db *gate.DB, _ string) error {
			return update(carts.NewStore(db.SQL()), ctx, 1, func(c *carts.Cart) error {
				c.Items++
				c.Cents += 250
				return nil
			})
		}, sum)
	}
	proof.Harm(t, "carts.(*Store).Update", scenario((*carts.Store).Update))
	proof.NoHarm(t, "carts.(*Store).UpdateLocked", scenario((*carts.Store).UpdateLocked))
}

func TestSettings(t *testing.T) {
	scenario := func(set func(s *settings.Store, ctx context.Context, user int64, key, value string) error) proof.Scenario {
		return both(t, `
			CREATE TABLE settings (user_id bigint PRIMARY KEY, document jsonb NOT NULL, theme text NOT NULL);
			INSERT INTO settings VALUES (1, '{}', 'light')`,
			func(ctx context.Context, db *gate.DB, who string) error {
				return set(settings.NewStore(db.SQLX()), ctx, 1, "of "+who, "on")
			},
			func(h *gate.H, told []string) string {
				if doc := h.Look(`SELECT document FROM settings`); doc != `{"of Ada": "on", "of Ben": "on"}` {
					return fmt.Sprintf("%d settings were set, and these are there: %s", len(told), doc)
				}
				return ""
			})
	}
	proof.Harm(t, "settings.(*Store).Set", scenario((*settings.Store).Set))
	proof.NoHarm(t, "settings.(*Store).SetInSQL", scenario((*settings.Store).SetInSQL))
	proof.NoHarm(t, "settings.(*Store).SetLocked", scenario((*settings.Store).SetLocked))
}
