package libraries_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/gueshop"
)

// gueSchema is the table of gue's jobs, and a shop's.
const gueSchema = tickets + `;
	CREATE TABLE gue_jobs (
		job_id text PRIMARY KEY, queue text NOT NULL, job_type text NOT NULL, args bytea NOT NULL, priority smallint NOT NULL,
		run_at timestamptz NOT NULL, error_count integer NOT NULL DEFAULT 0, last_error text,
		created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL)`

func TestGue(t *testing.T) {
	pair := func(bad, good string, scenario func(good bool) proof.Scenario) {
		harm, noHarm := scenario(false), scenario(true)
		harm.Schema, noHarm.Schema = gueSchema, gueSchema
		proof.Harm(t, "gueshop.(*Shop)."+bad, harm)
		proof.NoHarm(t, "gueshop.(*Shop)."+good, noHarm)
	}
	pair("Buy", "BuyInTx", gueBuys)
	pair("Rename", "RenameInTx", gueRenames)
	pair("Add", "AddOnce", gueAdds)
	pair("Publish", "PublishAfter", guePublishes)
	pair("Sell", "SellLocked", gueSells)
	pair("Sweep", "SweepInTx", gueSweeps)
	pair("Move", "MoveInTx", gueMoves)
	pair("Total", "TotalLocal", gueTotals)
}

func gueShop(db *gate.DB) *gueshop.Shop {
	s, err := gueshop.New(db.Pool())
	if err != nil {
		panic(err) // there are no options
	}
	return s
}

// gueAsks has a job in the queue.
func gueAsks(h *gate.H, what string, args gueshop.Args) {
	err := h.Session("shop", func(ctx context.Context, db *gate.DB) error { return gueShop(db).Ask(ctx, what, args) }).Finish()
	if err != nil {
		h.T().Error(err)
	}
}

// gueWorks is a worker that works one job.
func gueWorks(ctx context.Context, db *gate.DB) error {
	w, err := gueShop(db).Worker()
	if err != nil {
		return err
	}
	if !w.WorkOne(ctx) {
		return errors.New("there is no job")
	}
	return nil
}

const (
	gueMails = `SELECT count(*) FROM gue_jobs WHERE job_type = 'mail'`
	gueLeft  = `SELECT coalesce(string_agg(last_error, ', '), 'none') FROM gue_jobs`
)

// gueBuys is buys.
func gueBuys(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		buy := func(n int) func(context.Context, *gate.DB) error {
			return func(ctx context.Context, db *gate.DB) error {
				if good {
					return gueShop(db).BuyInTx(ctx, 1, n)
				}
				return gueShop(db).Buy(ctx, 1, n)
			}
		}
		a, b := h.Session("buyer of 6", buy(6)), h.Session("buyer of 3", buy(3))
		errA, errB := h.Race(a, b, "FOR UPDATE")
		if left := h.Look(`SELECT seats FROM events WHERE id = 1`); errA != nil || errB != nil || left != "1" {
			return fmt.Sprintf("6 and 3 of 10 tickets were sold, and %s are left", left)
		}
		return ""
	}}
}

// gueRenames gives an event the title of another, which fails.
func gueRenames(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		s := h.Session("request", func(ctx context.Context, db *gate.DB) error {
			if good {
				return gueShop(db).RenameInTx(ctx, 1, "ballet")
			}
			return gueShop(db).Rename(ctx, 1, "ballet")
		})
		if err := s.Finish(); err == nil {
			h.T().Error("two events have one title")
		}
		if n := h.Look(gueMails); n != "0" {
			return "the new title is rolled back, and the job to send a mail about it is there"
		}
		return ""
	}}
}

// gueAdds adds an event that is there.
func gueAdds(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		s := h.Session("request", func(ctx context.Context, db *gate.DB) error {
			if good {
				return gueShop(db).AddOnce(ctx, "ballet")
			}
			return gueShop(db).Add(ctx, "ballet")
		})
		err := s.Finish()
		if n := h.Look(gueMails); n != "1" || err != nil {
			return fmt.Sprintf("the event is there, and there are %s jobs for its poster: %v", n, err)
		}
		return ""
	}}
}

// guePublishes is publishes, in a worker.
func guePublishes(good bool) proof.Scenario {
	const answers = "the partner answers"
	return proof.Scenario{Run: func(h *gate.H) string {
		what := gueshop.Publish
		if good {
			what = gueshop.PublishAfter
		}
		var partner *httptest.Server
		var caller *gate.Session
		caller = h.Session("worker", func(ctx context.Context, db *gate.DB) error {
			partner = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { gate.Point(ctx, answers) }))
			defer partner.Close()
			if err := gueShop(db).Ask(ctx, what, gueshop.Args{Event: 1, URL: partner.URL}); err != nil {
				return err
			}
			return gueWorks(ctx, db)
		})
		caller.StepUntil(answers)
		other := h.Session("a request", func(ctx context.Context, db *gate.DB) error {
			_, err := db.Pool().Exec(ctx, `UPDATE events SET seats = seats + 1 WHERE id = 1`)
			return err
		})
		waits := other.Run()
		if err := errors.Join(caller.Finish(), other.Finish()); err != nil {
			h.T().Error(err)
		}
		if waits {
			return "a request waits for the event until the partner answers"
		}
		return ""
	}}
}

// gueSells has two workers take 6 and 3 of 10 seats.
func gueSells(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		what := gueshop.Sell
		if good {
			what = gueshop.SellLocked
		}
		gueAsks(h, what, gueshop.Args{Event: 1, Seats: 6})
		gueAsks(h, what, gueshop.Args{Event: 1, Seats: 3})
		a, b := h.Session("worker 1", gueWorks), h.Session("worker 2", gueWorks)
		errA, errB := h.Race(a, b, "SELECT seats")
		if err := errors.Join(errA, errB); err != nil {
			h.T().Error(err)
		}
		if left := h.Look(`SELECT seats FROM events WHERE id = 1`); left != "1" {
			return fmt.Sprintf("6 and 3 of 10 seats are sold, and %s are left", left)
		}
		return ""
	}}
}

// gueSweeps has a second process sweep after the first.
func gueSweeps(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		what := gueshop.Sweep
		if good {
			what = gueshop.SweepInTx
		}
		gueAsks(h, what, gueshop.Args{})
		gueAsks(h, what, gueshop.Args{})
		if err := h.Session("process 1", gueWorks).Finish(); err != nil {
			h.T().Error(err)
		}
		if h.Session("process 2", gueWorks).Run() {
			return "the job is done, the lock is still held, and another process waits for ever"
		}
		return ""
	}}
}

// gueMoves moves more seats than there are.
func gueMoves(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		what := gueshop.Move
		if good {
			what = gueshop.MoveInTx
		}
		gueAsks(h, what, gueshop.Args{Event: 1, To: 2, Seats: 11})
		if err := h.Session("worker", gueWorks).Finish(); err != nil {
			h.T().Error(err)
		}
		if n := h.Look(gueMails); n != "0" {
			return "no seat is moved, and a mail will say so"
		}
		return ""
	}}
}

// gueTotals asks the next borrower of the only connection for its timeout.
func gueTotals(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		what := gueshop.Total
		if good {
			what = gueshop.TotalLocal
		}
		gueAsks(h, what, gueshop.Args{})
		db := h.DB(1)
		if err := h.Session("worker", gueWorks, gate.On(db)).Finish(); err != nil {
			h.T().Error(err)
		}
		var value string
		next := h.Session("next borrower", func(ctx context.Context, db *gate.DB) error {
			return db.Pool().QueryRow(ctx, `SHOW statement_timeout`).Scan(&value)
		}, gate.On(db))
		if err := next.Finish(); err != nil {
			h.T().Error(err)
		}
		if left := h.Look(gueLeft); left != "none" {
			h.T().Error(left)
		}
		if value != "0" {
			return "the next borrower's statement_timeout is " + value
		}
		return ""
	}}
}
