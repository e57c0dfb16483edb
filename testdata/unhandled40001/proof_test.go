package unhandled40001_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/bookings"
	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/bookings/postgres"
	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/ledger"
	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/oncall"
	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/quota"
	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/reports"
	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/seats"
	"github.com/pgtxvet/pgtxvet/testdata/unhandled40001/stock"
)

func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }

func code(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

type work func(context.Context, *gate.DB) error

// overtake stops the first session before a statement, lets the second do all
// of its work, and the first go on. The second must succeed.
func overtake(h *gate.H, before string, first, second work) error {
	h.T().Helper()
	a, b := h.Session("request 1", first), h.Session("request 2", second)
	a.StepUntil(before)
	if err := b.Finish(); err != nil {
		h.T().Error(err)
	}
	return a.Finish()
}

const doctors = `CREATE TABLE doctors (name text PRIMARY KEY, on_call bool NOT NULL); INSERT INTO doctors VALUES ('ann', true), ('bob', true), ('eve', false)`

func TestOncall(t *testing.T) {
	type leave func(r *oncall.Roster, ctx context.Context, doctor string) error
	request := func(leave leave, doctor string) work {
		return func(ctx context.Context, db *gate.DB) error { return leave(oncall.NewRoster(db.Pool()), ctx, doctor) }
	}
	outcome := func(h *gate.H, err error) string {
		if code(err) == "40001" {
			return "the caller is told to try again: " + err.Error()
		}
		if !errors.Is(err, oncall.ErrLast) {
			t.Errorf("bob left after ann: %v", err)
		}
		if n := h.Look(`SELECT count(*) FROM doctors WHERE on_call`); n != "1" {
			t.Errorf("%s doctors are on call", n)
		}
		return ""
	}
	// Write skew is found out at the latest moment.
	atCommit := func(leave leave) proof.Scenario {
		return proof.Scenario{Schema: doctors, Run: func(h *gate.H) string {
			return outcome(h, overtake(h, "commit", request(leave, "bob"), request(leave, "ann")))
		}}
	}
	proof.Harm(t, "oncall.(*Roster).Leave", atCommit((*oncall.Roster).Leave))
	proof.NoHarm(t, "oncall.(*Roster).LeaveAtLast", atCommit((*oncall.Roster).LeaveAtLast))

	swap := func(swap func(r *oncall.Roster, ctx context.Context, from, to string) error) proof.Scenario {
		return proof.Scenario{Schema: doctors, Run: func(h *gate.H) string {
			request := func(to string) work {
				return func(ctx context.Context, db *gate.DB) error { return swap(oncall.NewRoster(db.Pool()), ctx, "ann", to) }
			}
			if err := overtake(h, "UPDATE", request("eve"), request("bob")); code(err) == "40001" {
				return "the caller is told to try again: " + err.Error()
			} else if err != nil {
				t.Error(err)
			}
			return ""
		}}
	}
	proof.Harm(t, "oncall.(*Roster).Swap", swap((*oncall.Roster).Swap))
	proof.NoHarm(t, "oncall.(*Roster).SwapAtLast", swap((*oncall.Roster).SwapAtLast))
}

func TestStock(t *testing.T) {
	const schema = `CREATE TABLE shelves (item text PRIMARY KEY, quantity int NOT NULL); INSERT INTO shelves VALUES ('bolt', 10)`
	type move func(w *stock.Warehouse, ctx context.Context, item string, n int) error
	outcome := func(h *gate.H, err error, left string) string {
		if err != nil {
			if !strings.Contains(err.Error(), "40001") {
				t.Error(err)
			}
			return "one of two orders fails, for no reason that it could change: " + err.Error()
		}
		if n := h.Look(`SELECT quantity FROM shelves`); n != left {
			t.Errorf("%s bolts are left", n)
		}
		return ""
	}
	take := func(take move) proof.Scenario {
		var failed error
		return proof.Scenario{
			Schema: schema,
			Sessions: func(h *gate.H) []*gate.Session {
				failed = nil
				order := func(ctx context.Context, db *gate.DB) error {
					err := take(stock.NewWarehouse(db.SQL()), ctx, "bolt", 3)
					failed = errors.Join(failed, err)
					return err
				}
				return []*gate.Session{h.Session("order 1", order), h.Session("order 2", order)}
			},
			Check: func(h *gate.H) string { return outcome(h, failed, "4") },
		}
	}
	proof.Harm(t, "stock.(*Warehouse).Take", take((*stock.Warehouse).Take))
	proof.NoHarm(t, "stock.(*Warehouse).TakeAgain", take((*stock.Warehouse).TakeAgain))

	giveBack := func(giveBack move) proof.Scenario {
		return proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
			order := func(ctx context.Context, db *gate.DB) error {
				return giveBack(stock.NewWarehouse(db.SQL()), ctx, "bolt", 3)
			}
			errA, errB := h.Race(h.Session("order 1", order), h.Session("order 2", order), "UPDATE")
			if code(errB) != "" {
				t.Error("the code is still there")
			}
			return outcome(h, errors.Join(errA, errB), "16")
		}}
	}
	proof.Harm(t, "stock.(*Warehouse).Return", giveBack((*stock.Warehouse).Return))
	proof.NoHarm(t, "stock.(*Warehouse).ReturnAgain", giveBack((*stock.Warehouse).ReturnAgain))
}

func TestBookings(t *testing.T) {
	const schema = `CREATE TABLE bookings (day int NOT NULL, guest text NOT NULL); CREATE INDEX ON bookings (day)`
	service := func(pool *pgxpool.Pool) *bookings.Service {
		return bookings.NewService(manager.Must(trmpgx.NewDefaultFactory(pool)), postgres.New(pool), 1)
	}
	type book func(s *bookings.Service, ctx context.Context, guest string) error
	scenario := func(book book, before, want string) proof.Scenario {
		return proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
			guest := func(name string) work {
				return func(ctx context.Context, db *gate.DB) error { return book(service(db.Pool()), ctx, name) }
			}
			err := overtake(h, before, guest("ann"), guest("bob"))
			if code(err) == want {
				return "the caller gets " + want + " where the room is simply taken: " + err.Error()
			}
			if !errors.Is(err, bookings.ErrFull) {
				t.Error(err)
			}
			return ""
		}}
	}
	proof.Harm(t, "bookings.(*Service).Book", scenario(func(s *bookings.Service, ctx context.Context, guest string) error {
		return s.Book(ctx, 1, guest)
	}, "commit", "40001"))
	proof.NoHarm(t, "bookings.(*Service).BookAgain", scenario(func(s *bookings.Service, ctx context.Context, guest string) error {
		return s.BookAgain(ctx, 1, guest)
	}, "commit", "40001"))
	proof.Harm(t, "bookings.(*Service).BookStay", scenario(func(s *bookings.Service, ctx context.Context, guest string) error {
		return s.BookStay(ctx, 1, 2, guest)
	}, "INSERT", "25P02"))
	proof.NoHarm(t, "bookings.(*Service).BookStayAgain", scenario(func(s *bookings.Service, ctx context.Context, guest string) error {
		return s.BookStayAgain(ctx, 1, 2, guest)
	}, "INSERT", "25P02"))
}

func TestLedger(t *testing.T) {
	scenario := func(post func(l *ledger.Ledger, ctx context.Context, id, amount int64) error, want string) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE accounts (id bigint PRIMARY KEY, balance bigint NOT NULL); INSERT INTO accounts VALUES (1, 100)`,
			Run: func(h *gate.H) string {
				request := func(ctx context.Context, db *gate.DB) error { return post(ledger.New(db.Pool()), ctx, 1, 10) }
				err := overtake(h, "UPDATE", request, request)
				if code(err) == want {
					return "the tries end with " + err.Error()
				}
				if err != nil {
					t.Error(err)
				}
				return ""
			},
		}
	}
	settle := func(settle func(l *ledger.Ledger, ctx context.Context, id int64) error) func(*ledger.Ledger, context.Context, int64, int64) error {
		return func(l *ledger.Ledger, ctx context.Context, id, _ int64) error { return settle(l, ctx, id) }
	}
	proof.Harm(t, "ledger.(*Ledger).Post", scenario((*ledger.Ledger).Post, "25P02"))
	proof.NoHarm(t, "ledger.(*Ledger).PostAgain", scenario((*ledger.Ledger).PostAgain, "25P02"))
	proof.Harm(t, "ledger.(*Ledger).Correct", scenario((*ledger.Ledger).Correct, "40001"))
	proof.NoHarm(t, "ledger.(*Ledger).CorrectAgain", scenario((*ledger.Ledger).CorrectAgain, "40001"))
	proof.Harm(t, "ledger.(*Ledger).Settle", scenario(settle((*ledger.Ledger).Settle), "40001"))
	proof.NoHarm(t, "ledger.(*Ledger).SettleAgain", scenario(settle((*ledger.Ledger).SettleAgain), "40001"))
}

func TestSeats(t *testing.T) {
	const schema = `CREATE TABLE seats (id bigint PRIMARY KEY, buyer text, price int); INSERT INTO seats VALUES (1, NULL), (2, 'ann')`
	price := func(ctx context.Context, db *gate.DB) error {
		return db.Gorm().WithContext(ctx).Exec(`UPDATE seats SET price = 30`).Error
	}
	sell := func(sell func(d *seats.Desk, ctx context.Context, seat int64, buyer string) error) proof.Scenario {
		return proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
			err := overtake(h, "UPDATE", func(ctx context.Context, db *gate.DB) error {
				return sell(seats.NewDesk(db.Gorm()), ctx, 1, "bob")
			}, price)
			if buyer := h.Look(`SELECT buyer FROM seats WHERE id = 1`); buyer != "bob" {
				return fmt.Sprintf("nobody tries again, and the seat is not sold: %v", err)
			}
			if err != nil {
				t.Error(err)
			}
			return ""
		}}
	}
	proof.Harm(t, "seats.(*Desk).Sell", sell((*seats.Desk).Sell))
	proof.NoHarm(t, "seats.(*Desk).SellAtLast", sell((*seats.Desk).SellAtLast))

	back := func(back func(d *seats.Desk, ctx context.Context, seat int64) error) proof.Scenario {
		return proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
			err := overtake(h, "UPDATE", func(ctx context.Context, db *gate.DB) error {
				return back(seats.NewDesk(db.Gorm()), ctx, 2)
			}, price)
			if code(err) == "40001" {
				return "the caller is told to try again: " + err.Error()
			}
			if err != nil {
				t.Error(err)
			}
			return ""
		}}
	}
	proof.Harm(t, "seats.(*Desk).SellBack", back((*seats.Desk).SellBack))
	proof.NoHarm(t, "seats.(*Desk).SellBackAtLast", back((*seats.Desk).SellBackAtLast))
}

func TestQuota(t *testing.T) {
	const schema = `CREATE TABLE tenants (name text PRIMARY KEY, quota int NOT NULL); INSERT INTO tenants VALUES ('north', 10), ('south', 10)`
	type change func(q *quota.Quota, ctx context.Context, tenant string, n int) (int, error)
	request := func(change change, tenant string, n int) work {
		return func(ctx context.Context, db *gate.DB) error {
			_, err := change(quota.New(db.SQL()), ctx, tenant, n)
			return err
		}
	}
	spend := func(spend change) proof.Scenario {
		return proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
			if err := overtake(h, "UPDATE", request(spend, "north", 3), request(spend, "north", 3)); err != nil {
				if !strings.Contains(err.Error(), "40001") || code(err) != "" {
					t.Error(err)
				}
				return "the runner sees no code and gives up: " + err.Error()
			}
			if left := h.Look(`SELECT quota FROM tenants WHERE name = 'north'`); left != "4" {
				t.Errorf("%s are left", left)
			}
			return ""
		}}
	}
	proof.Harm(t, "quota.(*Quota).Spend", spend((*quota.Quota).Spend))
	proof.NoHarm(t, "quota.(*Quota).SpendAgain", spend((*quota.Quota).SpendAgain))

	reset := func(reset change) proof.Scenario {
		return proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
			if err := overtake(h, "commit", request(reset, "north", 60), request(reset, "south", 60)); err != nil {
				t.Error(err)
			}
			if n := h.Look(`SELECT quota FROM tenants WHERE name = 'north'`); n != "40" {
				return "the caller is told that the quota is new, and it is " + n + " as before"
			}
			return ""
		}}
	}
	proof.Harm(t, "quota.(*Quota).Reset", reset((*quota.Quota).Reset))
	proof.NoHarm(t, "quota.(*Quota).ResetAgain", reset((*quota.Quota).ResetAgain))
}

func TestReports(t *testing.T) {
	scenario := func(snapshot func(ctx context.Context, db *gate.DB) (reports.Sums, error)) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE entries (cents bigint NOT NULL); INSERT INTO entries VALUES (-5), (5)`,
			Run: func(h *gate.H) string {
				var sums reports.Sums
				err := overtake(h, "cents > 0", func(ctx context.Context, db *gate.DB) (err error) {
					sums, err = snapshot(ctx, db)
					return err
				}, func(ctx context.Context, db *gate.DB) error {
					_, err := db.Pool().Exec(ctx, `INSERT INTO entries VALUES (-7), (7)`)
					return err
				})
				if err != nil {
					return err.Error()
				}
				if sums.Debit != -5 || sums.Credit != 5 {
					return fmt.Sprintf("the sums are %v", sums)
				}
				return ""
			},
		}
	}
	onPool := func(snapshot func(context.Context, *pgxpool.Pool) (reports.Sums, error)) proof.Scenario {
		return scenario(func(ctx context.Context, db *gate.DB) (reports.Sums, error) { return snapshot(ctx, db.Pool()) })
	}
	onSQL := func(snapshot func(context.Context, *sql.DB) (reports.Sums, error)) proof.Scenario {
		return scenario(func(ctx context.Context, db *gate.DB) (reports.Sums, error) { return snapshot(ctx, db.SQL()) })
	}
	proof.NoHarm(t, "reports.Snapshot", onPool(reports.Snapshot))
	proof.NoHarm(t, "reports.SnapshotPlain", onPool(reports.SnapshotPlain))
	proof.NoHarm(t, "reports.SnapshotDeferred", onPool(reports.SnapshotDeferred))
	proof.NoHarm(t, "reports.SnapshotSQL", onSQL(reports.SnapshotSQL))
}
