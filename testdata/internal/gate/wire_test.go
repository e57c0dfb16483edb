package gate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtxvet/pgtxvet/testdata/internal/gate"
)

// dialled is a pool whose statements are read off the connection.
func dialled(db *gate.DB) *pgxpool.Pool {
	return gate.Open(db, func(db *gate.DB) (*pgxpool.Pool, gate.Use) {
		cfg, err := pgxpool.ParseConfig(db.DSN())
		if err != nil {
			panic(err)
		}
		cfg.ConnConfig.DialFunc = db.Dial
		cfg.MaxConns = int32(db.MaxConns())
		pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
		if err != nil {
			panic(err)
		}
		return pool, gate.Use{
			InUse: func() int { return int(pool.Stat().AcquiredConns()) },
			Ask: func(ctx context.Context, sql string) (value string, err error) {
				err = pool.QueryRow(ctx, sql).Scan(&value)
				return value, err
			},
			Close: pool.Close,
		}
	})
}

func TestDial(t *testing.T) {
	h := gate.New(t, schema)
	a := h.Session("A", func(ctx context.Context, db *gate.DB) error {
		return pgx.BeginFunc(ctx, dialled(db), func(tx pgx.Tx) error {
			batch := &pgx.Batch{}
			batch.Queue(`UPDATE jars SET coins = coins - $1 WHERE id = 1`, 1)
			batch.Queue(`UPDATE jars SET coins = coins + $1 WHERE id = 2`, 1)
			return tx.SendBatch(ctx, batch).Close()
		})
	})
	b := h.Session("B", func(ctx context.Context, db *gate.DB) error {
		if _, err := dialled(db).CopyFrom(ctx, pgx.Identifier{"jars"}, []string{"id", "coins"}, pgx.CopyFromRows([][]any{{3, 5}})); err != nil {
			return err
		}
		return readThenWrite(ctx, dialled(db))
	})
	c := h.Session("C", func(ctx context.Context, db *gate.DB) error {
		return dialled(db).AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
			_, err := conn.Conn().PgConn().Exec(ctx, `SELECT 1; SELECT coins / 0 FROM jars`).ReadAll()
			return err
		})
	})
	a.StepPast("batch")
	if b.StepPast("UPDATE"); !b.Waiting() {
		t.Error("B does not wait for A")
	}
	if err := a.Finish(); err != nil {
		t.Error(err)
	}
	if err := b.Finish(); err != nil {
		t.Error(err)
	}
	if err := c.Finish(); err == nil {
		t.Error("C divides by nothing")
	}
	want := strings.TrimPrefix(`
A  begin  → BEGIN
A  batch: UPDATE jars SET coins = coins - $1 WHERE id = 1  (1); UPDATE jars SET coins = coins + $1 WHERE id = 2  (1)  → UPDATE 1, UPDATE 1
B  copy "jars" ( "id", "coins" ) from stdin binary  → COPY 1
B  SELECT coins FROM jars WHERE id = 1  → SELECT 1
B  UPDATE jars SET coins = $1 WHERE id = 1  (9)  → waits for A
A  commit  → COMMIT
B      goes on: UPDATE jars SET coins = $1 WHERE id = 1  (9)  → UPDATE 1
A      returns nil
B      returns nil
C  SELECT 1; SELECT coins / 0 FROM jars  → ERROR 22012: division by zero
C      returns error: ERROR: division by zero (SQLSTATE 22012)
`, "\n")
	if got := h.Timeline().Transcript(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
