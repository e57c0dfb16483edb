package lockoutsidetx_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/coupons"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/outbox"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/parcels"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/payouts"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/picking"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/picking/store"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/seats"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/stock"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/wallets"
	"github.com/pgtxvet/pgtxvet/testdata/lockoutsidetx/wallets/postgres"
)

func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }

func TestSeats(t *testing.T) {
	type sell func(d *seats.Desk, ctx context.Context, seat int64, buyer string) error
	scenario := func(f sell) proof.Scenario {
		sold := map[string]bool{}
		return proof.Scenario{
			Schema: `CREATE TABLE seats (id bigint PRIMARY KEY, buyer text); INSERT INTO seats VALUES (7, NULL)`,
			Sessions: func(h *gate.H) []*gate.Session {
				clear(sold)
				buyer := func(name string) *gate.Session {
					return h.Session(name, func(ctx context.Context, db *gate.DB) error {
						err := f(seats.NewDesk(db.Pool()), ctx, 7, name)
						if err == nil {
							sold[name] = true
						}
						return err
					})
				}
				return []*gate.Session{buyer("Ada"), buyer("Ben")}
			},
			Check: func(h *gate.H) string {
				if len(sold) != 1 {
					return fmt.Sprintf("seat 7 was sold %d times, and belongs to %s", len(sold), h.Look(`SELECT buyer FROM seats WHERE id = 7`))
				}
				return ""
			},
		}
	}
	proof.Harm(t, "seats.(*Desk).Sell", scenario((*seats.Desk).Sell))
	proof.NoHarm(t, "seats.(*Desk).SellInTx", scenario((*seats.Desk).SellInTx))
	proof.NoHarm(t, "seats.(*Desk).SellAny", scenario(func(d *seats.Desk, ctx context.Context, _ int64, buyer string) error {
		_, err := d.SellAny(ctx, buyer)
		return err
	}))
	proof.NoHarm(t, "seats.(*Desk).SellRow", scenario(func(d *seats.Desk, ctx context.Context, _ int64, buyer string) error {
		n, err := d.SellRow(ctx, 1, buyer)
		if err == nil && n == 0 {
			err = seats.ErrTaken
		}
		return err
	}))
}

func TestStock(t *testing.T) {
	scenario := func(take func(w *stock.Warehouse, ctx context.Context, item string, n int) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE shelves (item text PRIMARY KEY, quantity int NOT NULL); INSERT INTO shelves VALUES ('bolt', 10)`,
			Run: func(h *gate.H) string {
				order := func(n int) func(context.Context, *gate.DB) error {
					return func(ctx context.Context, db *gate.DB) error {
						return take(stock.NewWarehouse(db.SQL()), ctx, "bolt", n)
					}
				}
				a, b := h.Session("order 1", order(6)), h.Session("order 2", order(3))
				errA, errB := h.Race(a, b, "FOR NO KEY UPDATE")
				if left := h.Look(`SELECT quantity FROM shelves`); errA != nil || errB != nil || left != "1" {
					return fmt.Sprintf("6 and 3 of 10 bolts were taken, and %s are left", left)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "stock.(*Warehouse).Take", scenario((*stock.Warehouse).Take))
	proof.NoHarm(t, "stock.(*Warehouse).TakeInTx", scenario((*stock.Warehouse).TakeInTx))
}

func TestCoupons(t *testing.T) {
	scenario := func(redeem func(r *coupons.Repository, ctx context.Context, code string, order int64) error) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE coupons (code text PRIMARY KEY, used int NOT NULL, max_uses int NOT NULL);
				CREATE TABLE redemptions (code text REFERENCES coupons, order_id bigint);
				INSERT INTO coupons VALUES ('SPRING', 0, 1)`,
			Run: func(h *gate.H) string {
				order := func(id int64) func(context.Context, *gate.DB) error {
					return func(ctx context.Context, db *gate.DB) error {
						return redeem(coupons.NewRepository(db.SQLX()), ctx, "SPRING", id)
					}
				}
				a, b := h.Session("order 1", order(1)), h.Session("order 2", order(2))
				h.Race(a, b, "FOR UPDATE")
				if n := h.Look(`SELECT count(*) FROM redemptions WHERE code = 'SPRING'`); n != "1" {
					return "a coupon for one use was used " + n + " times"
				}
				return ""
			},
		}
	}
	proof.Harm(t, "coupons.(*Repository).Redeem", scenario((*coupons.Repository).Redeem))
	proof.NoHarm(t, "coupons.(*Repository).RedeemInTx", scenario((*coupons.Repository).RedeemInTx))
}

const accounts = `CREATE TABLE accounts (id bigint PRIMARY KEY, balance bigint NOT NULL); INSERT INTO accounts VALUES (1, 100)`

func handler(db *gate.DB) *payouts.Handler {
	pool := db.Pool()
	return payouts.NewHandler(payouts.NewAccounts(pool), manager.Must(trmpgx.NewDefaultFactory(pool)))
}

func TestPayouts(t *testing.T) {
	scenario := func(pay func(h *payouts.Handler, w http.ResponseWriter, r *http.Request)) proof.Scenario {
		return proof.Scenario{Schema: accounts, Run: func(h *gate.H) string {
			request := func(ctx context.Context, db *gate.DB) error {
				form := url.Values{"account": {"1"}, "amount": {"80"}}
				r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/payouts", strings.NewReader(form.Encode()))
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				w := httptest.NewRecorder()
				pay(handler(db), w, r)
				if w.Code != http.StatusOK {
					return errors.New(strings.TrimSpace(w.Body.String()))
				}
				return nil
			}
			errA, errB := h.Race(h.Session("request 1", request), h.Session("request 2", request), "FOR UPDATE")
			if left := h.Look(`SELECT balance FROM accounts`); errA == nil && errB == nil {
				return "80 was paid out twice of an account of 100, and it still holds " + left
			}
			return ""
		}}
	}
	proof.Harm(t, "payouts.(*Handler).Pay", scenario((*payouts.Handler).Pay))
	proof.NoHarm(t, "payouts.(*Handler).PayInTx", scenario((*payouts.Handler).PayInTx))
}

func TestSweep(t *testing.T) {
	scenario := func(sweep func(h *payouts.Handler, ctx context.Context, id int64) (int64, error)) proof.Scenario {
		return proof.Scenario{Schema: accounts, Run: func(h *gate.H) string {
			var paid [2]int64
			worker := func(i int) func(context.Context, *gate.DB) error {
				return func(ctx context.Context, db *gate.DB) (err error) {
					paid[i], err = sweep(handler(db), ctx, 1)
					return err
				}
			}
			h.Race(h.Session("worker 1", worker(0)), h.Session("worker 2", worker(1)), "FOR UPDATE")
			if sum := paid[0] + paid[1]; sum != 100 {
				return fmt.Sprintf("an account of 100 was paid out with %d", sum)
			}
			return ""
		}}
	}
	proof.Harm(t, "payouts.(*Handler).Sweep", scenario((*payouts.Handler).Sweep))
	proof.NoHarm(t, "payouts.(*Handler).SweepInTx", scenario((*payouts.Handler).SweepInTx))
}

func TestParcels(t *testing.T) {
	scenario := func(hand func(d *parcels.Depot, ctx context.Context, id int64, driver string) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE parcels (id bigint PRIMARY KEY, driver text); INSERT INTO parcels VALUES (1, NULL)`,
			Run: func(h *gate.H) string {
				driver := func(name string) *gate.Session {
					return h.Session(name, func(ctx context.Context, db *gate.DB) error {
						return hand(parcels.NewDepot(db.Gorm()), ctx, 1, name)
					})
				}
				errA, errB := h.Race(driver("Mia"), driver("Noah"), "FOR UPDATE")
				if who := h.Look(`SELECT driver FROM parcels`); errA == nil && errB == nil {
					return "two drivers were told to carry one parcel, and it is written to " + who
				}
				return ""
			},
		}
	}
	proof.Harm(t, "parcels.(*Depot).Hand", scenario((*parcels.Depot).Hand))
	proof.NoHarm(t, "parcels.(*Depot).HandInTx", scenario((*parcels.Depot).HandInTx))
}

func TestOutbox(t *testing.T) {
	scenario := func(sendNext func(w *outbox.Worker, ctx context.Context) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE outbox (id bigint PRIMARY KEY, body text, sent_at timestamptz); INSERT INTO outbox VALUES (1, 'your order is on its way')`,
			Run: func(h *gate.H) string {
				sent := 0
				worker := func(ctx context.Context, db *gate.DB) error {
					return sendNext(outbox.NewWorker(db.Pool(), func(context.Context, string) error {
						sent++
						return nil
					}), ctx)
				}
				h.Race(h.Session("worker 1", worker), h.Session("worker 2", worker), "FOR UPDATE")
				if sent != 1 {
					return fmt.Sprintf("one message was sent %d times", sent)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "outbox.(*Worker).SendNext", scenario((*outbox.Worker).SendNext))
	proof.NoHarm(t, "outbox.(*Worker).SendNextInTx", scenario((*outbox.Worker).SendNextInTx))
	proof.NoHarm(t, "outbox.(*Worker).SendNextText", scenario((*outbox.Worker).SendNextText))
}

func TestWallets(t *testing.T) {
	scenario := func(spend func(s *wallets.Service, ctx context.Context, id, cents int64) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE wallets (id bigint PRIMARY KEY, cents bigint NOT NULL); INSERT INTO wallets VALUES (1, 100)`,
			Run: func(h *gate.H) string {
				request := func(ctx context.Context, db *gate.DB) error {
					service := wallets.NewService(postgres.NewTransactor(db.SQL()), postgres.NewWallets(db.SQL()))
					return spend(service, ctx, 1, 80)
				}
				errA, errB := h.Race(h.Session("request 1", request), h.Session("request 2", request), "FOR NO KEY UPDATE")
				if left := h.Look(`SELECT cents FROM wallets`); errA == nil && errB == nil {
					return "80 was spent twice from a wallet of 100, and it still holds " + left
				}
				if err := errors.Join(errA, errB); !errors.Is(err, wallets.ErrPoor) {
					t.Error(err)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "wallets.(*Service).Spend", scenario((*wallets.Service).Spend))
	proof.NoHarm(t, "wallets.(*Service).SpendInTx", scenario((*wallets.Service).SpendInTx))
}

func TestPicking(t *testing.T) {
	scenario := func(take func(s *picking.Service, ctx context.Context, id int64, picker string) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE orders (id bigint PRIMARY KEY, picker text NOT NULL DEFAULT ''); INSERT INTO orders VALUES (1)`,
			Run: func(h *gate.H) string {
				picker := func(name string) *gate.Session {
					return h.Session(name, func(ctx context.Context, db *gate.DB) error {
						return take(picking.NewService(store.New(db.Pool())), ctx, 1, name)
					})
				}
				errA, errB := h.Race(picker("Mia"), picker("Noah"), "FOR UPDATE")
				if who := h.Look(`SELECT picker FROM orders`); errA == nil && errB == nil {
					return "two pickers take one order, and it is written to " + who
				}
				if err := errors.Join(errA, errB); !errors.Is(err, picking.ErrTaken) {
					t.Error(err)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "picking.(*Service).Take", scenario((*picking.Service).Take))
	proof.NoHarm(t, "picking.(*Service).TakeInTx", scenario((*picking.Service).TakeInTx))
}
