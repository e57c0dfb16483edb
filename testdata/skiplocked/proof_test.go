package skiplocked_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
	"github.com/pgtxvet/pgtxvet/testdata/skiplocked/builds"
	"github.com/pgtxvet/pgtxvet/testdata/skiplocked/crawls"
	"github.com/pgtxvet/pgtxvet/testdata/skiplocked/exports"
	"github.com/pgtxvet/pgtxvet/testdata/skiplocked/invoices"
	"github.com/pgtxvet/pgtxvet/testdata/skiplocked/letters"
	"github.com/pgtxvet/pgtxvet/testdata/skiplocked/reminders"
	"github.com/pgtxvet/pgtxvet/testdata/skiplocked/renders"
	"github.com/pgtxvet/pgtxvet/testdata/skiplocked/webhooks"
)

func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }

// A job is what a worker does with a row that it has claimed.
type job func(ctx context.Context, id int64) error

// A worker claims rows, and gives each to the job.
type worker func(ctx context.Context, db *gate.DB, do job) error

// works is where workers stand while they work.
const works = "works"

// crowd lets n workers claim one after another, each up to its work, and says
// how many wait while the others work. Then all of them go home.
func crowd(schema string, n int, run worker) proof.Scenario {
	return proof.Scenario{Schema: schema, Run: func(h *gate.H) string {
		busy, waiting := map[int64]int{}, 0
		var workers []*gate.Session
		for i := range n {
			workers = append(workers, h.Session(fmt.Sprintf("worker %d", i+1), func(ctx context.Context, db *gate.DB) error {
				return run(ctx, db, func(ctx context.Context, id int64) error {
					busy[id]++
					gate.Point(ctx, works)
					return nil
				})
			}))
		}
		for _, w := range workers {
			if until(w, works) {
				waiting++
			}
		}
		if waiting > 0 {
			return fmt.Sprintf("%d of %d workers wait while %d works, although rows are free", waiting, n, n-waiting)
		}
		for _, w := range workers {
			if err := w.Finish(); err != nil {
				return err.Error()
			}
		}
		for id, times := range busy {
			if times > 1 {
				return fmt.Sprintf("row %d was worked on %d times", id, times)
			}
		}
		return ""
	}}
}

// until steps the worker to the point, to its end or to a wait, and reports
// whether it waits.
func until(s *gate.Session, point string) bool {
	for !s.Done() && !s.Waiting() && !strings.Contains(s.Next(), point) {
		s.Step()
	}
	return s.Waiting()
}

// pair lets two workers claim in every order of their statements, and says
// whether they worked on the same row.
func pair(schema string, run worker) proof.Scenario {
	done := map[int64]int{}
	return proof.Scenario{
		Schema: schema,
		Sessions: func(h *gate.H) []*gate.Session {
			clear(done)
			session := func(name string) *gate.Session {
				return h.Session(name, func(ctx context.Context, db *gate.DB) error {
					return run(ctx, db, func(_ context.Context, id int64) error {
						done[id]++
						return nil
					})
				})
			}
			return []*gate.Session{session("worker 1"), session("worker 2")}
		},
		Check: func(*gate.H) string {
			for id, times := range done {
				if times > 1 {
					return fmt.Sprintf("row %d was worked on %d times", id, times)
				}
			}
			return ""
		},
	}
}

func TestRenders(t *testing.T) {
	const schema = `
		CREATE TABLE render_jobs (
			id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner_id bigint NOT NULL DEFAULT 1, number int NOT NULL DEFAULT 0,
			title text, state text NOT NULL DEFAULT 'waiting', tries int NOT NULL DEFAULT 0, priority int NOT NULL DEFAULT 0,
			not_before timestamptz NOT NULL DEFAULT now());
		INSERT INTO render_jobs (number) SELECT generate_series(1, 5)`
	scenario := func(f func(*renders.Farm, context.Context) error) proof.Scenario {
		return crowd(schema, 3, func(ctx context.Context, db *gate.DB, do job) error {
			return f(renders.NewFarm(db.Pool(), do), ctx)
		})
	}
	proof.Harm(t, "renders.(*Farm).RenderNext", scenario((*renders.Farm).RenderNext))
	proof.NoHarm(t, "renders.(*Farm).RenderNextFree", scenario((*renders.Farm).RenderNextFree))
}

func TestLetters(t *testing.T) {
	const schema = `
		CREATE TABLE letters (id bigint PRIMARY KEY, printed bool NOT NULL DEFAULT false, held bool NOT NULL DEFAULT false);
		INSERT INTO letters SELECT generate_series(1, 20)`
	scenario := func(f func(*letters.Printer, context.Context) error) proof.Scenario {
		return crowd(schema, 8, func(ctx context.Context, db *gate.DB, do job) error {
			return f(letters.NewPrinter(db.SQL(), do), ctx)
		})
	}
	proof.Harm(t, "letters.(*Printer).PrintBatch", scenario((*letters.Printer).PrintBatch))
	proof.NoHarm(t, "letters.(*Printer).PrintFreeBatch", scenario((*letters.Printer).PrintFreeBatch))
	proof.NoHarm(t, "letters.(*Printer).PrintAlone", scenario((*letters.Printer).PrintAlone))
}

func TestBuilds(t *testing.T) {
	scenario := func(take func(*builds.Queue, context.Context, string) (int64, error)) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE builds (id bigint PRIMARY KEY, state text NOT NULL DEFAULT 'waiting', agent text);
				INSERT INTO builds SELECT generate_series(1, 3)`,
			Run: func(h *gate.H) string {
				agent := func(name string) *gate.Session {
					return h.Session(name, func(ctx context.Context, db *gate.DB) error {
						_, err := take(builds.NewQueue(db.Pool()), ctx, name)
						return err
					})
				}
				a, b := agent("agent 1"), agent("agent 2")
				a.StepPast("FOR UPDATE")
				err := b.Finish()
				if err := a.Finish(); err != nil {
					return err.Error()
				}
				var pg *pgconn.PgError
				if errors.As(err, &pg) {
					return fmt.Sprintf("agent 2 got %s, and %s builds still wait", pg.Code, h.Look(`SELECT count(*) FROM builds WHERE state = 'waiting'`))
				}
				return ""
			},
		}
	}
	proof.Harm(t, "builds.oldest", scenario((*builds.Queue).Take))
	proof.NoHarm(t, "builds.(*Queue).TakeFree", scenario((*builds.Queue).TakeFree))
}

func TestCrawls(t *testing.T) {
	const schema = `
		CREATE TABLE pages (id bigint PRIMARY KEY, url text NOT NULL DEFAULT '', state text NOT NULL DEFAULT 'due', due_at timestamptz NOT NULL DEFAULT now());
		INSERT INTO pages SELECT generate_series(1, 3)`
	scenario := func(f func(*crawls.Crawler, context.Context) error) proof.Scenario {
		return pair(schema, func(ctx context.Context, db *gate.DB, do job) error {
			fetch := func(ctx context.Context, p crawls.Page) error { return do(ctx, p.ID) }
			return f(crawls.NewCrawler(db.SQLX(), fetch), ctx)
		})
	}
	proof.Harm(t, "crawls.(*Crawler).CrawlNext", scenario((*crawls.Crawler).CrawlNext))
	proof.NoHarm(t, "crawls.(*Crawler).CrawlNextLocked", scenario((*crawls.Crawler).CrawlNextLocked))
	proof.NoHarm(t, "crawls.(*Crawler).CrawlNextGuarded", scenario((*crawls.Crawler).CrawlNextGuarded))
}

func TestInvoices(t *testing.T) {
	const schema = `
		CREATE TABLE invoice_jobs (id bigint PRIMARY KEY, status text NOT NULL DEFAULT 'queued', attempts int NOT NULL DEFAULT 0);
		INSERT INTO invoice_jobs SELECT generate_series(1, 5)`
	scenario := func(f func(*invoices.Sender, context.Context) error) proof.Scenario {
		return crowd(schema, 3, func(ctx context.Context, db *gate.DB, do job) error {
			return f(invoices.NewSender(db.Gorm(), do), ctx)
		})
	}
	proof.Harm(t, "invoices.(*Sender).SendNext", scenario((*invoices.Sender).SendNext))
	proof.NoHarm(t, "invoices.(*Sender).SendNextFree", scenario((*invoices.Sender).SendNextFree))
}

func TestExports(t *testing.T) {
	const schema = `CREATE TABLE exports (id bigint PRIMARY KEY, started_at timestamptz); INSERT INTO exports SELECT generate_series(1, 5)`
	scenario := func(f func(*exports.Store, context.Context, func(context.Context, int64) error) error) proof.Scenario {
		return crowd(schema, 3, func(ctx context.Context, db *gate.DB, do job) error {
			return f(exports.NewStore(db.Bun()), ctx, do)
		})
	}
	proof.Harm(t, "exports.(*Store).WriteNext", scenario((*exports.Store).WriteNext))
	proof.NoHarm(t, "exports.(*Store).WriteNextFree", scenario((*exports.Store).WriteNextFree))
}

func TestWebhooks(t *testing.T) {
	const schema = `
		CREATE TABLE deliveries (id bigint PRIMARY KEY, next_try timestamptz NOT NULL DEFAULT now(), delivered_at timestamptz);
		INSERT INTO deliveries SELECT generate_series(1, 5)`
	scenario := func(f func(*webhooks.Dispatcher, context.Context) error) proof.Scenario {
		return crowd(schema, 3, func(ctx context.Context, db *gate.DB, do job) error {
			return f(webhooks.NewDispatcher(db.Pool(), do), ctx)
		})
	}
	proof.Harm(t, "webhooks.(*Dispatcher).Deliver", scenario((*webhooks.Dispatcher).Deliver))
	proof.NoHarm(t, "webhooks.(*Dispatcher).DeliverFree", scenario((*webhooks.Dispatcher).DeliverFree))
}

func TestReminders(t *testing.T) {
	const schema = `
		CREATE TABLE reminders (id bigint PRIMARY KEY, due_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz);
		INSERT INTO reminders SELECT generate_series(1, 3)`
	scenario := func(f func(*reminders.Worker, context.Context) error) proof.Scenario {
		return pair(schema, func(ctx context.Context, db *gate.DB, do job) error {
			return f(reminders.NewWorker(db.Pool(), do), ctx)
		})
	}
	proof.Harm(t, "reminders.(*Worker).RemindNext", scenario((*reminders.Worker).RemindNext))
	proof.NoHarm(t, "reminders.(*Worker).RemindNextFree", scenario((*reminders.Worker).RemindNextFree))
	proof.NoHarm(t, "reminders.(*Worker).RemindNextGuarded", scenario((*reminders.Worker).RemindNextGuarded))
}
