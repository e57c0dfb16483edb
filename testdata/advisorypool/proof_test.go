package advisorypool_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/pgtxvet/pgtxvet/testdata/advisorypool/importer"
	"github.com/pgtxvet/pgtxvet/testdata/advisorypool/leader"
	"github.com/pgtxvet/pgtxvet/testdata/advisorypool/nightly"
	"github.com/pgtxvet/pgtxvet/testdata/advisorypool/registry"
	"github.com/pgtxvet/pgtxvet/testdata/advisorypool/reindex"
	"github.com/pgtxvet/pgtxvet/testdata/advisorypool/rollup"
	"github.com/pgtxvet/pgtxvet/testdata/advisorypool/sweeper"
	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
	"github.com/pgtxvet/pgtxvet/testdata/internal/proof"
)

func TestMain(m *testing.M) { os.Exit(proof.Main(m)) }

const locksHeld = `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

// after reports the harm that a lock does to the next process: the first has
// done its work, the second, with a pool of its own, wants to.
func after(h *gate.H, name string, second func(context.Context, *gate.DB) error) string {
	held := h.Value(locksHeld)
	h.Note("advisory locks held: %s", held)
	s := h.Session(name, second)
	waits := s.Run()
	switch {
	case waits:
		return "the work is done, " + held + " lock is still held, and " + name + " waits for ever"
	case held != "0":
		return held + " lock is still held after the work"
	}
	return ""
}

func nothing(context.Context) error { return nil }

func TestSweeper(t *testing.T) {
	scenario := func(run func(s *sweeper.Sweeper, ctx context.Context) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE carts (id int)`,
			Run: func(h *gate.H) string {
				db := h.DB(2)
				sweeping := func(ctx context.Context) error {
					gate.Point(ctx, "removes carts")
					return nil
				}
				first := h.Session("process 1", func(ctx context.Context, db *gate.DB) error {
					return run(sweeper.New(db.Pool(), sweeping), ctx)
				}, gate.On(db))
				first.StepUntil("removes carts")
				// A request takes the connection that comes next.
				request := h.Session("request", func(ctx context.Context, db *gate.DB) error {
					tx, err := db.Pool().Begin(ctx)
					if err != nil {
						return err
					}
					defer tx.Rollback(ctx)
					_, err = tx.Exec(ctx, `SELECT count(*) FROM carts`)
					return err
				}, gate.On(db))
				request.StepPast("begin")
				if err := first.Finish(); err != nil {
					t.Error(err)
				}
				if err := request.Finish(); err != nil {
					t.Error(err)
				}
				return after(h, "process 2", func(ctx context.Context, db *gate.DB) error {
					return run(sweeper.New(db.Pool(), nothing), ctx)
				})
			},
		}
	}
	proof.Harm(t, "sweeper.(*Sweeper).Run", scenario((*sweeper.Sweeper).Run))
	proof.NoHarm(t, "sweeper.(*Sweeper).RunOnSession", scenario((*sweeper.Sweeper).RunOnSession))
}

func TestLeader(t *testing.T) {
	scenario := func(lead func(e *leader.Election, ctx context.Context, work func(context.Context) error) error) proof.Scenario {
		return proof.Scenario{Run: func(h *gate.H) string {
			process := func(ctx context.Context, db *gate.DB) error {
				return lead(leader.NewElection(db.SQL(), 9), ctx, nothing)
			}
			if err := h.Session("process 1", process).Finish(); err != nil {
				t.Error(err)
			}
			err := h.Session("process 2", process).Finish()
			if errors.Is(err, leader.ErrFollower) {
				return "process 1 has ended its work, and process 2 is told that another process leads"
			}
			if err != nil {
				t.Error(err)
			}
			return ""
		}}
	}
	proof.Harm(t, "leader.(*Election).Lead", scenario((*leader.Election).Lead))
	proof.NoHarm(t, "leader.(*Election).LeadAndUnlock", scenario((*leader.Election).LeadAndUnlock))
}

func TestReindex(t *testing.T) {
	scenario := func(rebuild func(i *reindex.Indexer, ctx context.Context) error) proof.Scenario {
		return proof.Scenario{Run: func(h *gate.H) string {
			first := h.Session("process 1", func(ctx context.Context, db *gate.DB) error {
				return rebuild(reindex.New(db.Pool(), func(context.Context) error { return errors.New("disk is full") }), ctx)
			})
			if err := first.Finish(); err == nil {
				t.Error("the rebuild did not fail")
			}
			return after(h, "process 2", func(ctx context.Context, db *gate.DB) error {
				return rebuild(reindex.New(db.Pool(), nothing), ctx)
			})
		}}
	}
	proof.Harm(t, "reindex.(*Indexer).Rebuild", scenario((*reindex.Indexer).Rebuild))
	proof.NoHarm(t, "reindex.(*Indexer).RebuildSafely", scenario((*reindex.Indexer).RebuildSafely))
}

func TestRollup(t *testing.T) {
	scenario := func(sum func(j *rollup.Job, ctx context.Context, day int) error) proof.Scenario {
		return proof.Scenario{
			Schema: `
				CREATE TABLE sales (day int, amount int); INSERT INTO sales VALUES (1, 10), (1, 5);
				CREATE TABLE totals (day int PRIMARY KEY, amount int)`,
			Run: func(h *gate.H) string {
				job := func(ctx context.Context, db *gate.DB) error { return sum(rollup.NewJob(db.Gorm()), ctx, 1) }
				if err := h.Session("process 1", job).Finish(); err != nil {
					t.Error(err)
				}
				return after(h, "process 2", job)
			},
		}
	}
	proof.Harm(t, "rollup.(*Job).Sum", scenario((*rollup.Job).Sum))
	proof.NoHarm(t, "rollup.(*Job).SumInTx", scenario((*rollup.Job).SumInTx))
}

func TestNightly(t *testing.T) {
	scenario := func(run func(b *nightly.Biller, ctx context.Context) error) proof.Scenario {
		return proof.Scenario{
			Schema: `CREATE TABLE subscriptions (id bigint PRIMARY KEY, charged bool NOT NULL); INSERT INTO subscriptions VALUES (1, false)`,
			Run: func(h *gate.H) string {
				charged := 0
				server := func(ctx context.Context, db *gate.DB) error {
					return run(nightly.NewBiller(db.SQLX(), func(context.Context, int64) error {
						charged++
						return nil
					}), ctx)
				}
				h.Race(h.Session("server 1", server), h.Session("server 2", server), "SELECT id FROM subscriptions")
				if charged != 1 {
					return fmt.Sprintf("one subscription was charged %d times", charged)
				}
				return ""
			},
		}
	}
	proof.Harm(t, "nightly.(*Biller).Run", scenario((*nightly.Biller).Run))
	proof.NoHarm(t, "nightly.(*Biller).RunAlone", scenario((*nightly.Biller).RunAlone))
}

func TestImporter(t *testing.T) {
	scenario := func(read func(i *importer.Importer, ctx context.Context) error) proof.Scenario {
		return proof.Scenario{Run: func(h *gate.H) string {
			process := func(ctx context.Context, db *gate.DB) error { return read(importer.New(db.Pool(), nothing), ctx) }
			if err := h.Session("process 1", process).Finish(); err != nil {
				t.Error(err)
			}
			return after(h, "process 2", process)
		}}
	}
	proof.Harm(t, "importer.(*Importer).Import", scenario((*importer.Importer).Import))
	proof.NoHarm(t, "importer.(*Importer).ImportOnSession", scenario((*importer.Importer).ImportOnSession))
}

func TestRegistry(t *testing.T) {
	scenario := proof.Scenario{
		Schema: `CREATE TABLE names (id int)`,
		Run: func(h *gate.H) string {
			work := func(ctx context.Context, db *gate.DB) error {
				r := registry.New(db.SQL())
				if taken, err := r.Take(ctx, 7); err != nil || !taken {
					return errors.Join(err, fmt.Errorf("the name is taken: %v", taken))
				}
				given, err := r.GiveBack(ctx, 7)
				if err == nil && !given {
					err = errors.New("the lock is on another session")
				}
				return err
			}
			if err := h.Session("process 1", work).Finish(); err != nil {
				return err.Error()
			}
			return after(h, "process 2", work)
		},
	}
	proof.NoHarm(t, "registry.(*Registry).Take", scenario)
	proof.NoHarm(t, "registry.(*Registry).GiveBack", scenario)
}
