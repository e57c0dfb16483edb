package gate

import (
	"context"
	"database/sql"
	"reflect"
	"slices"
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

	mu    sync.Mutex
	pool  *pgxpool.Pool
	sql   *sql.DB
	other []opened // made by [Open], in order
	show  func(sql string) string
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

// opened is a handle that [Open] has made.
type opened struct {
	typ    reflect.Type
	handle any
	Use
}

// Use says what the harness has to know of a handle that a test has opened.
type Use struct {
	InUse func() int                                            // how many of its connections are in use
	Ask   func(ctx context.Context, sql string) (string, error) // the first value of a query
	Close func()
}

// Open returns a handle of another driver, which open makes on the first call.
// It connects with [DB.Dial], so that its statements stop at the gate:
//
//	cfg, err := pgxpool.ParseConfig(db.DSN())
//	…
//	cfg.ConnConfig.DialFunc = db.Dial
//	cfg.MaxConns = int32(db.MaxConns())
func Open[T any](db *DB, open func(db *DB) (T, Use)) T {
	db.mu.Lock()
	defer db.mu.Unlock()
	typ := reflect.TypeFor[T]()
	for _, o := range db.other {
		if o.typ == typ {
			return o.handle.(T)
		}
	}
	handle, use := open(db)
	db.other = append(db.other, opened{typ, handle, use})
	return handle
}

// Show says how statements stand in timelines, for a library that does not write
// the same statement in the same words each time.
func (db *DB) Show(f func(sql string) string) { db.show = f }

// DSN is a connection string of the database; [H.DSN].
func (db *DB) DSN() string { return db.h.DSN() }

// MaxConns is how many connections each pool may have.
func (db *DB) MaxConns() int { return db.maxConns }

// Ask puts a query to the handles that [Open] has made, and returns the first
// value of each answer.
func (db *DB) Ask(ctx context.Context, sql string) ([]string, error) {
	db.mu.Lock()
	others := slices.Clone(db.other)
	db.mu.Unlock()
	var out []string
	for _, o := range others {
		value, err := o.Ask(ctx, sql)
		if err != nil {
			return nil, err
		}
		out = append(out, value)
	}
	return out, nil
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
	for _, o := range db.other {
		if o.InUse() >= db.maxConns {
			return true
		}
	}
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
		for _, o := range db.other {
			o.Close()
		}
	}()
	select {
	case <-closed:
	case <-time.After(100 * time.Millisecond):
	}
}
