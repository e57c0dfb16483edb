package gate

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// DB makes the handles that functions under test run on, one pool for pgx and
// one for database/sql, and stops their statements at the gate.
type DB struct {
	h        *H
	owner    *Session // nil: shared between sessions
	maxConns int
	opening  atomic.Int32 // connections on their way to a statement

	mu   sync.Mutex
	pool *pgxpool.Pool
	sql  *sql.DB
}

// DB returns handles for several sessions to share, each pool of them with at
// most maxConns connections. Pass it to sessions with [On].
func (h *H) DB(maxConns int) *DB { return h.newDB(nil, maxConns) }

func (h *H) newDB(owner *Session, maxConns int) *DB {
	db := &DB{h: h, owner: owner, maxConns: maxConns}
	h.mu.Lock()
	h.dbs = append(h.dbs, db)
	h.mu.Unlock()
	return db
}

func (db *DB) connConfig() *pgx.ConnConfig {
	cfg := db.h.config.Copy()
	cfg.Tracer = &tracer{db}
	return cfg
}

// Pool returns the pgx pool.
func (db *DB) Pool() *pgxpool.Pool {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.pool == nil {
		cfg, err := pgxpool.ParseConfig("")
		if err != nil {
			panic(err) // an empty string is a valid configuration
		}
		cfg.ConnConfig = db.connConfig()
		cfg.MaxConns = int32(db.maxConns)
		if db.pool, err = pgxpool.NewWithConfig(context.Background(), cfg); err != nil {
			panic(err) // connects later; fails on invalid limits only
		}
	}
	return db.pool
}

// SQL returns the database/sql pool, on pgx's driver.
func (db *DB) SQL() *sql.DB {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.sql == nil {
		db.sql = stdlib.OpenDB(*db.connConfig())
		db.sql.SetMaxOpenConns(db.maxConns)
		db.sql.SetMaxIdleConns(db.maxConns)
	}
	return db.sql
}

// SQLX returns the sqlx handle over SQL.
func (db *DB) SQLX() *sqlx.DB { return sqlx.NewDb(db.SQL(), "pgx") }

// Bun returns the bun handle over SQL.
func (db *DB) Bun() *bun.DB { return bun.NewDB(db.SQL(), pgdialect.New()) }

// Gorm returns the gorm handle over SQL.
func (db *DB) Gorm() *gorm.DB {
	g, err := gorm.Open(postgres.New(postgres.Config{Conn: db.SQL()}), &gorm.Config{
		DisableAutomaticPing: true, // it would be one statement more
		Logger:               logger.Discard,
	})
	if err != nil {
		panic(err) // opening over an existing pool runs nothing
	}
	return g
}

// Conn opens a connection outside of any pool.
func (db *DB) Conn(ctx context.Context) (*pgx.Conn, error) {
	return pgx.ConnectConfig(ctx, db.connConfig())
}

// exhausted reports whether every connection of a pool is in use. One that is
// being opened or pinged counts as in use, and whoever waits for it has it.
func (db *DB) exhausted() bool {
	if db.opening.Load() > 0 {
		return false
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.pool != nil && int(db.pool.Stat().AcquiredConns()) >= db.maxConns ||
		db.sql != nil && db.sql.Stats().InUse >= db.maxConns
}

// close closes the pools. A function may have left a connection out, so there
// is no waiting for ever.
func (db *DB) close() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		db.mu.Lock()
		defer db.mu.Unlock()
		if db.pool != nil {
			db.pool.Close()
		}
		if db.sql != nil {
			db.sql.Close()
		}
	}()
	select {
	case <-closed:
	case <-time.After(100 * time.Millisecond):
	}
}
