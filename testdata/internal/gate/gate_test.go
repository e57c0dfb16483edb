package gate_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
)

const schema = `
CREATE TABLE jars (id int PRIMARY KEY, coins int NOT NULL);
INSERT INTO jars VALUES (1, 10), (2, 10)`

// readThenWrite loses updates.
func readThenWrite(ctx context.Context, pool *pgxpool.Pool) error {
	var n int
	if err := pool.QueryRow(ctx, `SELECT coins FROM jars WHERE id = 1`).Scan(&n); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, `UPDATE jars SET coins = $1 WHERE id = 1`, n-1)
	return err
}

func lockThenWrite(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var n int
	if err := tx.QueryRowContext(ctx, `SELECT coins FROM jars WHERE id = 1 FOR UPDATE`).Scan(&n); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE jars SET coins = $1 WHERE id = 1`, n-1); err != nil {
		return err
	}
	return tx.Commit()
}

func TestStepsAndLockWait(t *testing.T) {
	h := gate.New(t, schema)
	fn := func(ctx context.Context, db *gate.DB) error { return lockThenWrite(ctx, db.SQL()) }
	a, b := h.Session("A", fn), h.Session("B", fn)
	a.StepPast("for update")
	b.StepUntil("for update")
	if step := b.Step(); !step.Waiting || step.WaitsFor != "A" {
		t.Errorf("B: %+v; want it to wait for A", step)
	}
	if err := a.Finish(); err != nil {
		t.Error(err)
	}
	if b.Waiting() {
		t.Error("B still waits")
	}
	if err := b.Finish(); err != nil {
		t.Error(err)
	}
	h.Look(`SELECT coins FROM jars WHERE id = 1`)
	want := strings.TrimPrefix(`
A  begin  → BEGIN
A  SELECT coins FROM jars WHERE id = 1 FOR UPDATE  → SELECT 1
B  begin  → BEGIN
B  SELECT coins FROM jars WHERE id = 1 FOR UPDATE  → waits for A
A  UPDATE jars SET coins = $1 WHERE id = 1  (9)  → UPDATE 1
A  commit  → COMMIT
B      goes on: SELECT coins FROM jars WHERE id = 1 FOR UPDATE  → SELECT 1
A      returns nil
B  UPDATE jars SET coins = $1 WHERE id = 1  (8)  → UPDATE 1
B  commit  → COMMIT
B      returns nil
   SELECT coins FROM jars WHERE id = 1  → 8
`, "\n")
	if got := h.Timeline().Transcript(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestExploreFindsTheLostUpdate(t *testing.T) {
	two := func(fn func(context.Context, *gate.DB) error) func(*gate.H) []*gate.Session {
		return func(h *gate.H) []*gate.Session {
			return []*gate.Session{h.Session("A", fn), h.Session("B", fn)}
		}
	}
	check := func(h *gate.H) string {
		if v := h.Look(`SELECT coins FROM jars WHERE id = 1`); v != "8" {
			return "two coins were taken and the jar went from 10 to " + v
		}
		return ""
	}
	bad := gate.Explore(t, schema, two(func(ctx context.Context, db *gate.DB) error { return readThenWrite(ctx, db.Pool()) }), check)
	if len(bad.Runs) != 6 {
		t.Errorf("%d schedules of 2 and 2 statements; want 6", len(bad.Runs))
	}
	if r := bad.Harmful(); r == nil {
		t.Error("no lost update found")
	}
	good := gate.Explore(t, schema, two(func(ctx context.Context, db *gate.DB) error { return lockThenWrite(ctx, db.SQL()) }), check)
	if r := good.Harmful(); r != nil {
		t.Errorf("%s: %s\n%s", r.Schedule, r.Harm, r.H.Timeline().Transcript())
	}
	t.Logf("%d schedules\n%s", len(good.Runs), good.Harmless().H.Timeline().Mermaid())
}

func TestDeadlock(t *testing.T) {
	move := func(from, to int) func(context.Context, *gate.DB) error {
		return func(ctx context.Context, db *gate.DB) error {
			return pgx.BeginFunc(ctx, db.Pool(), func(tx pgx.Tx) error {
				if _, err := tx.Exec(ctx, `UPDATE jars SET coins = coins - 1 WHERE id = $1`, from); err != nil {
					return err
				}
				_, err := tx.Exec(ctx, `UPDATE jars SET coins = coins + 1 WHERE id = $1`, to)
				return err
			})
		}
	}
	deadlocks := 0
	x := gate.Explore(t, schema, func(h *gate.H) []*gate.Session {
		return []*gate.Session{h.Session("A", move(1, 2)), h.Session("B", move(2, 1))}
	}, func(h *gate.H) string {
		if strings.Contains(h.Timeline().Transcript(), "40P01") {
			deadlocks++
		}
		return ""
	})
	t.Logf("%d of %d schedules deadlock", deadlocks, len(x.Runs))
	if deadlocks == 0 || deadlocks == len(x.Runs) {
		t.Errorf("%d of %d schedules deadlock", deadlocks, len(x.Runs))
	}
}

func TestSharedPoolAndExhaustion(t *testing.T) {
	h := gate.New(t, schema)
	db := h.DB(1)
	a := h.Session("A", func(_ context.Context, db *gate.DB) error {
		ctx := context.Background() // sessions are told apart without their context
		return pgx.BeginFunc(ctx, db.Pool(), func(pgx.Tx) error {
			_, err := db.Pool().Exec(ctx, `UPDATE jars SET coins = 0`)
			return err
		})
	}, gate.On(db))
	if !a.Run() {
		t.Errorf("A has ended\n%s", h.Timeline().Transcript())
	}
	if got := h.Timeline().Transcript(); !strings.Contains(got, "A      waits for a connection of the pool") {
		t.Error(got)
	}
}
