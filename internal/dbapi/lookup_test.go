package dbapi_test

import (
	"testing"

	"github.com/pgtxvet/pgtxvet/internal/dbapi"
)

func TestLookup(t *testing.T) {
	for _, tt := range []struct {
		name string
		role dbapi.Role
	}{
		{"(*database/sql.DB).QueryContext", dbapi.Run},
		{"(github.com/jackc/pgx/v5.Tx).Exec", dbapi.Run},
		{"(*github.com/jackc/pgx/v4/pgxpool.Pool).BeginFunc", dbapi.RunTx},
		{"github.com/jackc/pgx/v5.CollectRows", dbapi.Collect},
		{"(gorm.io/gorm.ChainInterface[T any]).Where", dbapi.Chain},
		{"(gorm.io/gorm.ChainInterface[map[string][]example.com/app.User]).Where", dbapi.Chain},
	} {
		f := dbapi.Lookup(tt.name)
		if f == nil || f.Role != tt.role {
			t.Errorf("Lookup(%q) = %+v, want role %d", tt.name, f, tt.role)
		}
	}
	if f := dbapi.Lookup("(*github.com/jackc/pgx/v5/pgxpool.Pool).BeginFunc"); f != nil {
		t.Errorf("pgx 5 has no Pool.BeginFunc: %+v", f)
	}
}

func TestArguments(t *testing.T) {
	f := dbapi.Lookup("github.com/jackc/pgx/v5.BeginTxFunc")
	got := []int{f.Ctx.Index(), f.Handle.Index(), f.Options.Index(), f.Fn.Index(), f.FnHandle.Index(), f.FnCtx.Index(), f.SQL.Index()}
	want := []int{0, 1, 2, 3, 0, -1, -1}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("BeginTxFunc: arguments %v, want %v", got, want)
		}
	}
	if owner := dbapi.LibraryOf(f); owner == nil || owner.Name != "pgx5" {
		t.Errorf("LibraryOf(BeginTxFunc) = %v", owner)
	}
}

func TestTypeHandle(t *testing.T) {
	for name, want := range map[string]dbapi.Handle{
		"*database/sql.DB":            dbapi.Pool,
		"database/sql.DB":             dbapi.NoHandle,
		"*database/sql.Conn":          dbapi.Session,
		"github.com/jackc/pgx/v5.Tx":  dbapi.Tx,
		"*gorm.io/gorm.DB":            dbapi.Flow,
		"github.com/uptrace/bun.Tx":   dbapi.Tx,
		"gorm.io/gorm.Interface[int]": dbapi.Flow,
		"github.com/avito-tech/go-transaction-manager/trm/v2.Manager": dbapi.Runner,
		"[]*database/sql.DB": dbapi.NoHandle,
		"":                   dbapi.NoHandle,
	} {
		if got := dbapi.TypeHandle(name); got != want {
			t.Errorf("TypeHandle(%q) = %d, want %d", name, got, want)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, tt := range []struct {
		path     string
		known    bool
		migrates bool
		dialect  string
	}{
		{"database/sql", true, false, ""},
		{"database/sql/driver", false, false, ""},
		{"context", false, false, ""},
		{"net/http", false, false, ""},
		{"github.com/jackc/pgx/v5", true, false, "postgres"},
		{"github.com/jackc/pgx/v5/pgxpool", true, false, "postgres"},
		{"github.com/jackc/pgx/v5/stdlib", true, false, "postgres"},
		{"github.com/lib/pq", true, false, "postgres"},
		{"gorm.io/gorm", true, false, ""},
		{"gorm.io/driver/postgres", false, false, "postgres"},
		{"gorm.io/driver/mysql", false, false, "mysql"},
		{"github.com/uptrace/bun", true, false, ""},
		{"github.com/uptrace/bun/dialect/pgdialect", true, false, "postgres"},
		{"github.com/uptrace/bun/dialect/sqlitedialect", true, false, "sqlite"},
		{"github.com/uptrace/bun/migrate", true, true, ""},
		{"github.com/pressly/goose/v3", true, true, ""},
		{"github.com/golang-migrate/migrate/v4/database/pgx/v5", true, true, "postgres"},
		{"github.com/georgysavva/scany/v2/pgxscan", true, false, ""},
		{"github.com/georgysavva/scany/pgxscan", true, false, ""},
		{"gopkg.in/pg.v10", false, false, "postgres"},
		{"github.com/ClickHouse/clickhouse-go/v2", false, false, "clickhouse"},
		{"go.mongodb.org/mongo-driver/v2/mongo", false, false, "mongo"},
		{"go.mongodb.org/mongo-driver/v2/bson", false, false, ""}, // a format, which gin binds
		{"github.com/go-pg/pgext", false, false, ""},
		{"example.com/v2", false, false, ""},
		{"", false, false, ""},
	} {
		if got := dbapi.Known(tt.path); got != tt.known {
			t.Errorf("Known(%q) = %v", tt.path, got)
		}
		if got := dbapi.Migrates(tt.path); got != tt.migrates {
			t.Errorf("Migrates(%q) = %v", tt.path, got)
		}
		if got := dbapi.Dialect(tt.path); got != tt.dialect {
			t.Errorf("Dialect(%q) = %q, want %q", tt.path, got, tt.dialect)
		}
	}
	if got := dbapi.DriverDialect("sqlite3"); got != "sqlite" {
		t.Errorf("DriverDialect(sqlite3) = %q", got)
	}
}
