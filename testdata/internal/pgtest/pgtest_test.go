package pgtest_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/pgtxvet/pgtxvet/testdata/internal/pgtest"
)

func TestDatabasesAreCopiesOfTheSchema(t *testing.T) {
	const schema = `CREATE TABLE parcels (id int PRIMARY KEY); INSERT INTO parcels VALUES (1)`
	ctx := context.Background()
	for range 2 {
		cfg, drop := pgtest.Get(t).Database(t, schema)
		conn, err := pgx.ConnectConfig(ctx, cfg)
		if err != nil {
			t.Fatal(err)
		}
		var n int
		if err := conn.QueryRow(ctx, `SELECT count(*) FROM parcels`).Scan(&n); err != nil || n != 1 {
			t.Errorf("count = %d, %v; want 1", n, err)
		}
		if _, err := conn.Exec(ctx, `DELETE FROM parcels`); err != nil {
			t.Error(err)
		}
		if err := conn.Close(ctx); err != nil {
			t.Error(err)
		}
		drop()
	}
}
