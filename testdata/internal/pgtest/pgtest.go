// Package pgtest gives a test a PostgreSQL database of its own.
//
// The server is, in this order: the one that PGTXVET_TEST_DSN names; the
// programs initdb and postgres found on the machine (PGTXVET_TEST_BINDIR, PATH,
// pg_config, the usual directories), run on a throw-away data directory; the
// same programs downloaded. A test without a server fails: it is never skipped.
package pgtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Environment variables that choose the server.
const (
	EnvDSN    = "PGTXVET_TEST_DSN"    // a server that runs already; its user must be allowed to create databases
	EnvBindir = "PGTXVET_TEST_BINDIR" // the directory of initdb and postgres
)

// DeadlockTimeout is the deadlock_timeout of a server that this package
// started: short, so that a test of a deadlock does not wait a second.
const DeadlockTimeout = 10 * time.Millisecond

// Server is a running PostgreSQL.
type Server struct {
	config  *pgx.ConnConfig
	admin   *pgxpool.Pool // on the database that the DSN names
	version int           // server_version_num
	quick   bool          // deadlock_timeout is DeadlockTimeout already

	mu        sync.Mutex
	templates map[string]string // schema text → name of its template database
}

var (
	once      sync.Once
	shared    *Server
	sharedErr error
	serial    atomic.Int64
)

// Get returns the server of this process and starts it on the first call. It
// runs until the process ends, however it ends.
func Get(t testing.TB) *Server {
	t.Helper()
	once.Do(func() { shared, sharedErr = open() })
	if sharedErr != nil {
		t.Fatalf("no PostgreSQL to test with: %v", sharedErr)
	}
	return shared
}

func open() (*Server, error) {
	dsn := os.Getenv(EnvDSN)
	if dsn == "" {
		var err error
		if dsn, err = Start(); err != nil {
			return nil, err
		}
	}
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", EnvDSN, err)
	}
	cfg.MaxConns = 4
	admin, err := pgxpool.NewWithConfig(context.Background(), cfg)
	if err != nil {
		return nil, err
	}
	s := &Server{config: cfg.ConnConfig, admin: admin, templates: map[string]string{}}
	err = admin.QueryRow(context.Background(), `
		SELECT current_setting('server_version_num')::int,
		       (SELECT setting::int = $1 FROM pg_settings WHERE name = 'deadlock_timeout')`,
		DeadlockTimeout.Milliseconds()).Scan(&s.version, &s.quick)
	return s, err
}

// Version returns server_version_num, for example 150018.
func (s *Server) Version() int { return s.version }

// Database makes a database with the given schema and returns a configuration
// that connects to it, and a function that begins to drop it, with whoever is
// still connected. The test's cleanup does so too, and waits for it.
func (s *Server) Database(t testing.TB, schema string) (cfg *pgx.ConnConfig, drop func()) {
	t.Helper()
	template, err := s.template(schema)
	if err != nil {
		t.Fatalf("schema: %v", err)
	}
	name := newName()
	if err := s.create(name, template); err != nil {
		t.Fatalf("create database: %v", err)
	}
	done := make(chan error, 1)
	drop = sync.OnceFunc(func() {
		// The server looks every 100 ms whether the connections are gone.
		go func() { done <- s.exec(`DROP DATABASE IF EXISTS ` + name + ` WITH (FORCE)`) }()
	})
	t.Cleanup(func() {
		drop()
		if err := <-done; err != nil {
			t.Errorf("drop database: %v", err)
		}
	})
	return s.connect(name), drop
}

// template returns the name of a database that holds the schema.
func (s *Server) template(schema string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name, ok := s.templates[schema]; ok {
		return name, nil
	}
	name, err := s.makeTemplate(schema)
	if err == nil {
		s.templates[schema] = name
	}
	return name, err
}

// makeTemplate finds or makes the template of a schema. Its name comes from
// the schema's text, so that the processes of one test run share it; it is
// filled under another name, so that none sees it half made.
func (s *Server) makeTemplate(schema string) (string, error) {
	sum := sha256.Sum256([]byte(schema))
	name := "pgtxvet_schema_" + hex.EncodeToString(sum[:10])
	var exists bool
	err := s.admin.QueryRow(context.Background(), `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name).Scan(&exists)
	if err != nil || exists {
		return name, err
	}
	draft := newName()
	if err := s.create(draft, "template0"); err != nil {
		return "", err
	}
	if err := s.fill(draft, schema); err != nil {
		return "", errors.Join(err, s.exec(`DROP DATABASE `+draft))
	}
	err = s.exec(`ALTER DATABASE ` + draft + ` RENAME TO ` + name)
	var taken *pgconn.PgError
	if errors.As(err, &taken) && (taken.Code == "42P04" || taken.Code == "23505") { // another process was first
		return name, s.exec(`DROP DATABASE ` + draft)
	}
	return name, err
}

func (s *Server) fill(database, schema string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, s.connect(database))
	if err != nil {
		return err
	}
	_, err = conn.PgConn().Exec(ctx, schema).ReadAll()
	return errors.Join(err, conn.Close(ctx))
}

func (s *Server) create(name, template string) error {
	sql := `CREATE DATABASE ` + name + ` TEMPLATE ` + template
	if s.version >= 150000 {
		sql += ` STRATEGY wal_log` // a copy without checkpoints: 30 ms instead of 100
	}
	if err := s.exec(sql); err != nil || s.quick {
		return err
	}
	// Only a superuser may set it; for others the server's value stays.
	err := s.exec(fmt.Sprintf(`ALTER DATABASE %s SET deadlock_timeout = %d`, name, DeadlockTimeout.Milliseconds()))
	var denied *pgconn.PgError
	if errors.As(err, &denied) && denied.Code == "42501" { // insufficient_privilege
		return nil
	}
	return err
}

func (s *Server) connect(database string) *pgx.ConnConfig {
	cfg := s.config.Copy()
	cfg.Database = database
	return cfg
}

func (s *Server) exec(sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := s.admin.Exec(ctx, sql)
	return err
}

func newName() string {
	return fmt.Sprintf("pgtxvet_%d_%d", os.Getpid(), serial.Add(1))
}
