package rowsaffected_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/rowsaffected/deploys"
	"github.com/pgtxvet/pgtxvet/testdata/rowsaffected/leases"
	"github.com/pgtxvet/pgtxvet/testdata/rowsaffected/parcels"
	"github.com/pgtxvet/pgtxvet/testdata/rowsaffected/tickets"
	"github.com/pgtxvet/pgtxvet/testdata/rowsaffected/tills"
	"github.com/pgtxvet/pgtxvet/testdata/rowsaffected/vouchers"
	"github.com/pgtxvet/pgtxvet/testdata/rowsaffected/wiki"
)

func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }

// both runs two sessions through every interleaving. Each of them is told that
// it has succeeded, or not; got says who has got what there is only once.
func both(schema string, do func(ctx context.Context, db *gate.DB, who string) error, check func(h *gate.H, told []string) string) proof.Scenario {
	told := map[string]bool{}
	return proof.Scenario{
		Schema: schema,
		Sessions: func(h *gate.H) []*gate.Session {
			clear(told)
			session := func(name string) *gate.Session {
				return h.Session(name, func(ctx context.Context, db *gate.DB) error {
					err := do(ctx, db, name)
					if err == nil {
						told[name] = true
					}
					return err
				})
			}
			return []*gate.Session{session("Ada"), session("Ben")}
		},
		Check: func(h *gate.H) string {
			var names []string
			for _, n := range []string{"Ada", "Ben"} {
				if told[n] {
					names = append(names, n)
				}
			}
			return check(h, names)
		},
	}
}

// twice is the harm of two who were both told that they have got one thing.
func twice(what, query string) func(*gate.H, []string) string {
	return func(h *gate.H, told []string) string {
		if len(told) > 1 {
			return fmt.Sprintf("%s were both told that %s is theirs, and it is %s's", strings.Join(told, " and "), what, h.Look(query))
		}
		return ""
	}
}

func TestWiki(t *testing.T) {
	scenario := func(save func(w *wiki.Wiki, ctx context.Context, p wiki.Page) error) proof.Scenario {
		return both(`CREATE TABLE pages (id bigint PRIMARY KEY, body text NOT NULL, version int NOT NULL, archived_at timestamptz);
			INSERT INTO pages VALUES (1, 'old', 1)`,
			func(ctx context.Context, db *gate.DB, who string) error {
				w := wiki.New(db.Pool())
				p, err := w.Load(ctx, 1)
				if err != nil {
					return err
				}
				p.Body = "by " + who
				return save(w, ctx, p)
			},
			func(h *gate.H, told []string) string {
				version, body := h.Look(`SELECT version FROM pages`), h.Look(`SELECT body FROM pages`)
				if version != fmt.Sprint(len(told)+1) {
					return fmt.Sprintf("%d people were told that their text is saved, and only the text %q is", len(told), body)
				}
				return ""
			})
	}
	proof.Harm(t, "wiki.(*Wiki).Save", scenario((*wiki.Wiki).Save))
	proof.NoHarm(t, "wiki.(*Wiki).SaveChecked", scenario((*wiki.Wiki).SaveChecked))
}

func TestLeases(t *testing.T) {
	type run func(w *leases.Worker, ctx context.Context, task int64, work func(context.Context) error) error
	scenario := func(f run) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE tasks (id bigint PRIMARY KEY, state text NOT NULL, locked_by text, locked_until timestamptz, done_by text);
				INSERT INTO tasks VALUES (7, 'running', 'slow', now() - interval '1 second')`,
			Run: func(h *gate.H) string {
				slow := h.Session("slow", func(ctx context.Context, db *gate.DB) error {
					return f(leases.NewWorker(db.Pool(), "slow"), ctx, 7, func(ctx context.Context) error {
						gate.Point(ctx, "works")
						return nil
					})
				})
				other := h.Session("other", func(ctx context.Context, db *gate.DB) error {
					return leases.NewWorker(db.Pool(), "other").TakeOver(ctx, 7, time.Minute)
				})
				slow.Step()
				if err := other.Finish(); err != nil {
					t.Error(err)
				}
				err := slow.Finish()
				if err == nil {
					return fmt.Sprintf("slow was told that its task is done, and the task is %s, held by %s",
						h.Look(`SELECT state FROM tasks`), h.Look(`SELECT locked_by FROM tasks`))
				}
				if !errors.Is(err, leases.ErrLost) {
					t.Error(err)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "leases.(*Worker).Run", scenario((*leases.Worker).Run))
	proof.NoHarm(t, "leases.(*Worker).RunFenced", scenario((*leases.Worker).RunFenced))
}

func TestTills(t *testing.T) {
	scenario := func(withdraw func(b *tills.Bank, ctx context.Context, account, amount int64) error) proof.Scenario {
		return both(`CREATE TABLE accounts (id bigint PRIMARY KEY, balance bigint NOT NULL);
			CREATE TABLE payouts (account_id bigint, amount bigint);
			INSERT INTO accounts VALUES (1, 100)`,
			func(ctx context.Context, db *gate.DB, _ string) error {
				return withdraw(tills.NewBank(db.SQL()), ctx, 1, 70)
			},
			func(h *gate.H, _ []string) string {
				if paid := h.Look(`SELECT sum(amount) FROM payouts`); paid != "70" {
					return fmt.Sprintf("%s are paid out of 100, and %s are left", paid, h.Look(`SELECT balance FROM accounts`))
				}
				return ""
			})
	}
	proof.Harm(t, "tills.(*Bank).Withdraw", scenario((*tills.Bank).Withdraw))
	proof.NoHarm(t, "tills.(*Bank).WithdrawChecked", scenario((*tills.Bank).WithdrawChecked))
	proof.NoHarm(t, "tills.(*Bank).WithdrawLocked", scenario((*tills.Bank).WithdrawLocked))
}

func TestVouchers(t *testing.T) {
	scenario := func(redeem func(s *vouchers.Shop, ctx context.Context, c vouchers.Claim) error) proof.Scenario {
		return both(`CREATE TABLE vouchers (code text PRIMARY KEY, redeemed_by text, redeemed_at timestamptz, tenant_id bigint, title text);
			INSERT INTO vouchers (code) VALUES ('SPRING')`,
			func(ctx context.Context, db *gate.DB, who string) error {
				return redeem(vouchers.NewShop(db.SQLX()), ctx, vouchers.Claim{Code: "SPRING", Customer: who})
			},
			twice("the voucher", `SELECT redeemed_by FROM vouchers`))
	}
	proof.Harm(t, "vouchers.(*Shop).Redeem", scenario((*vouchers.Shop).Redeem))
	proof.NoHarm(t, "vouchers.(*Shop).RedeemOnce", scenario((*vouchers.Shop).RedeemOnce))
}

func TestDeploys(t *testing.T) {
	scenario := func(finish func(i *deploys.Instance, id int64, status string) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE deploys (id bigint PRIMARY KEY, status text NOT NULL, owner text NOT NULL);
				INSERT INTO deploys VALUES (1, 'running', 'east')`,
			Run: func(h *gate.H) string {
				east := h.Session("east", func(ctx context.Context, db *gate.DB) error {
					return finish(deploys.NewInstance(db.Gorm().WithContext(ctx), "east"), 1, "failed")
				})
				west := h.Session("west", func(ctx context.Context, db *gate.DB) error {
					return deploys.NewInstance(db.Gorm().WithContext(ctx), "west").Adopt(1)
				})
				if err := west.Finish(); err != nil {
					t.Error(err)
				}
				if err := east.Finish(); err == nil {
					return fmt.Sprintf("east was told that its deploy is recorded as failed, and the deploy is %s, and %s's",
						h.Look(`SELECT status FROM deploys`), h.Look(`SELECT owner FROM deploys`))
				} else if !errors.Is(err, deploys.ErrNotOwner) {
					t.Error(err)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "deploys.(*Instance).Finish", scenario((*deploys.Instance).Finish))
	proof.NoHarm(t, "deploys.(*Instance).FinishOwn", scenario((*deploys.Instance).FinishOwn))
}

func TestTickets(t *testing.T) {
	scenario := func(assign func(b *tickets.Board, ctx context.Context, id int64, who string) error) proof.Scenario {
		return both(`CREATE TABLE tickets (id bigint PRIMARY KEY, status text NOT NULL, assignee text);
			INSERT INTO tickets VALUES (1, 'open', NULL)`,
			func(ctx context.Context, db *gate.DB, who string) error {
				return assign(tickets.NewBoard(db.Pool()), ctx, 1, who)
			},
			twice("the ticket", `SELECT assignee FROM tickets`))
	}
	proof.Harm(t, "tickets.(*Board).Assign", scenario((*tickets.Board).Assign))
	proof.NoHarm(t, "tickets.(*Board).AssignFirst", scenario((*tickets.Board).AssignFirst))
	proof.Harm(t, "tickets.(*Board).AssignQuietly", scenario((*tickets.Board).AssignQuietly))
	proof.NoHarm(t, "tickets.(*Board).AssignReturning", scenario((*tickets.Board).AssignReturning))
}

func TestParcels(t *testing.T) {
	scenario := func(hand func(d *parcels.Desk, ctx context.Context, p *parcels.Parcel) error) proof.Scenario {
		return both(`CREATE TABLE parcels (id bigint PRIMARY KEY, status text NOT NULL);
			INSERT INTO parcels VALUES (1, 'stored')`,
			func(ctx context.Context, db *gate.DB, _ string) error {
				return hand(parcels.NewDesk(db.Bun()), ctx, &parcels.Parcel{ID: 1})
			},
			func(h *gate.H, told []string) string {
				if len(told) > 1 {
					return fmt.Sprintf("parcel 1 was handed out to %s, and is %s once", strings.Join(told, " and to "), h.Look(`SELECT status FROM parcels`))
				}
				return ""
			})
	}
	proof.Harm(t, "parcels.(*Desk).HandOut", scenario((*parcels.Desk).HandOut))
	proof.NoHarm(t, "parcels.(*Desk).HandOutOnce", scenario((*parcels.Desk).HandOutOnce))
}
