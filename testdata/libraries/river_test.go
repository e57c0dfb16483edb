package libraries_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertest"
	"github.com/riverqueue/river/rivertype"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/libraries/rivershop"
)

func TestRiver(t *testing.T) {
	pair := func(bad, good string, scenario func(good bool) proof.Scenario) {
		harm, noHarm := scenario(false), scenario(true)
		harm.Schema, noHarm.Schema = tickets+riverSchema(t), tickets+riverSchema(t)
		proof.Harm(t, "rivershop."+bad, harm)
		proof.NoHarm(t, "rivershop."+good, noHarm)
	}
	pair("(*Shop).Buy", "(*Shop).BuyInTx", riverBuys)
	pair("(*Shop).Rename", "(*Shop).RenameInTx", riverRenames)
	pair("(*Shop).Add", "(*Shop).AddOnce", riverAdds)
	pair("(*Shop).Save", "(*Shop).SaveChecked", riverSaves)
	pair("(*PublishWorker).Work", "(*PublishAfterWorker).Work", riverPublishes)
	pair("(*SellWorker).Work", "(*SellLockedWorker).Work", riverSells)
	pair("(*SweepWorker).Work", "(*SweepInTxWorker).Work", riverSweeps)
	pair("(*MoveWorker).Work", "(*MoveInTxWorker).Work", riverMoves)
}

// riverSchema is what River's migrations make. They run one by one there, and as
// one here: a value that one adds to the type of states and another uses is put
// into the type when it is made.
func riverSchema(t *testing.T) string {
	t.Helper()
	migrator, err := rivermigrate.New(riverpgxv5.New(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, v := range migrator.AllVersions() {
		b.WriteString(";\n" + strings.NewReplacer("/* TEMPLATE: schema */", "", "AS ENUM(", "AS ENUM('pending', ").Replace(v.SQLUp))
	}
	return b.String()
}

func riverShop(db *gate.DB) *rivershop.Shop {
	s, err := rivershop.New(db.Pool())
	if err != nil {
		panic(err) // the configuration is empty
	}
	return s
}

// riverJob is a job as a worker gets it, and the context that it gets.
func riverJob[T river.JobArgs](ctx context.Context, s *rivershop.Shop, args T) (context.Context, *river.Job[T]) {
	return rivertest.WorkContext(ctx, s.Client()), &river.Job[T]{
		JobRow: &rivertype.JobRow{ID: 1, Attempt: 1, Kind: args.Kind(), State: rivertype.JobStateRunning}, Args: args,
	}
}

const riverJobs = `SELECT count(*) FROM river_job`

// riverBuys is buys.
func riverBuys(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		buy := func(n int) func(context.Context, *gate.DB) error {
			return func(ctx context.Context, db *gate.DB) error {
				if good {
					return riverShop(db).BuyInTx(ctx, 1, n)
				}
				return riverShop(db).Buy(ctx, 1, n)
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

// riverRenames gives an event the title of another, which fails.
func riverRenames(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		s := h.Session("request", func(ctx context.Context, db *gate.DB) error {
			if good {
				return riverShop(db).RenameInTx(ctx, 1, "ballet")
			}
			return riverShop(db).Rename(ctx, 1, "ballet")
		})
		if err := s.Finish(); err == nil {
			h.T().Error("two events have one title")
		}
		if n := h.Look(riverJobs); n != "0" {
			return "the new title is rolled back, and " + n + " jobs to send mails about it are there"
		}
		return ""
	}}
}

// riverAdds adds an event that is there.
func riverAdds(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		s := h.Session("request", func(ctx context.Context, db *gate.DB) error {
			if good {
				return riverShop(db).AddOnce(ctx, "ballet")
			}
			return riverShop(db).Add(ctx, "ballet")
		})
		err := s.Finish()
		if n := h.Look(riverJobs); n != "1" || err != nil {
			return fmt.Sprintf("the event is there, and there are %s jobs for its poster: %v", n, err)
		}
		return ""
	}}
}

// riverSaves has two people save what they have made of one version.
func riverSaves(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		save := func(title string) error {
			return h.Session("editor of "+title, func(ctx context.Context, db *gate.DB) error {
				if good {
					return riverShop(db).SaveChecked(ctx, 1, 0, title)
				}
				return riverShop(db).Save(ctx, 1, 0, title)
			}).Finish()
		}
		first, second := save("Aida"), save("Tosca")
		if first != nil {
			h.T().Error(first)
		}
		if n := h.Look(riverJobs); second == nil && n == "2" {
			return "two mails say that a title is saved, and one is"
		}
		return ""
	}}
}

// riverPublishes is publishes, in a worker.
func riverPublishes(good bool) proof.Scenario {
	const answers = "the partner answers"
	return proof.Scenario{Run: func(h *gate.H) string {
		caller := h.Session("worker", func(ctx context.Context, db *gate.DB) error {
			partner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { gate.Point(ctx, answers) }))
			defer partner.Close()
			ctx, job := riverJob(ctx, riverShop(db), rivershop.PublishArgs{EventID: 1, URL: partner.URL})
			if good {
				return riverShop(db).NewPublishAfterWorker().Work(ctx, job)
			}
			return riverShop(db).NewPublishWorker().Work(ctx, job)
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

// riverSells has two workers take 6 and 3 of 10 seats.
func riverSells(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		work := func(n int) func(context.Context, *gate.DB) error {
			return func(ctx context.Context, db *gate.DB) error {
				ctx, job := riverJob(ctx, riverShop(db), rivershop.SellArgs{EventID: 1, Seats: n})
				if good {
					return riverShop(db).NewSellLockedWorker().Work(ctx, job)
				}
				return riverShop(db).NewSellWorker().Work(ctx, job)
			}
		}
		a, b := h.Session("job for 6", work(6)), h.Session("job for 3", work(3))
		errA, errB := h.Race(a, b, "SELECT")
		if err := errors.Join(errA, errB); err != nil {
			h.T().Error(err)
		}
		if left := h.Look(`SELECT seats FROM events WHERE id = 1`); left != "1" {
			return fmt.Sprintf("6 and 3 of 10 seats are sold, and %s are left", left)
		}
		return ""
	}}
}

// riverSweeps has a second process sweep after the first.
func riverSweeps(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		sweep := func(ctx context.Context, db *gate.DB) error {
			ctx, job := riverJob(ctx, riverShop(db), rivershop.SweepArgs{})
			if good {
				return riverShop(db).NewSweepInTxWorker().Work(ctx, job)
			}
			return riverShop(db).NewSweepWorker().Work(ctx, job)
		}
		for _, process := range []string{"process 1", "process 2"} {
			h.Exec(`INSERT INTO jobs (kind, state) VALUES ('mail', 'done')`)
			if err := h.Session(process, sweep).Finish(); err != nil {
				h.T().Error(err)
			}
		}
		if n := h.Look(`SELECT count(*) FROM jobs WHERE state = 'done'`); n != "0" {
			return "process 1 is done, and process 2 is never let in"
		}
		return ""
	}}
}

// riverMoves moves more seats than there are.
func riverMoves(good bool) proof.Scenario {
	return proof.Scenario{Run: func(h *gate.H) string {
		err := h.Session("worker", func(ctx context.Context, db *gate.DB) error {
			ctx, job := riverJob(ctx, riverShop(db), rivershop.MoveArgs{From: 1, To: 2, Seats: 11})
			if good {
				return riverShop(db).NewMoveInTxWorker().Work(ctx, job)
			}
			return riverShop(db).NewMoveWorker().Work(ctx, job)
		}).Finish()
		if !errors.Is(err, pgx.ErrNoRows) {
			h.T().Error(err)
		}
		if n := h.Look(riverJobs); n != "0" {
			return "no seat is moved, and a mail will say so"
		}
		return ""
	}}
}
