// Package bad has one function for each feature of go-transaction-manager that
// docs/libraries.md lists.
package bad

import (
	"context"
	"database/sql"

	trmgorm "github.com/avito-tech/go-transaction-manager/drivers/gorm/v2"
	trmpgx "github.com/avito-tech/go-transaction-manager/drivers/pgxv5/v2"
	trmsql "github.com/avito-tech/go-transaction-manager/drivers/sql/v2"
	trmsqlx "github.com/avito-tech/go-transaction-manager/drivers/sqlx/v2"
	"github.com/avito-tech/go-transaction-manager/trm/v2"
	trmcontext "github.com/avito-tech/go-transaction-manager/trm/v2/context"
	"github.com/avito-tech/go-transaction-manager/trm/v2/manager"
	"github.com/avito-tech/go-transaction-manager/trm/v2/settings"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Repo keeps items.
type Repo struct {
	pool   *pgxpool.Pool
	getter *trmpgx.CtxGetter
}

// Lock locks a row.
func (r *Repo) Lock(ctx context.Context, id int64) (n int64, err error) {
	err = r.getter.DefaultTrOrDB(ctx, r.pool).QueryRow(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n)
	return n, err
}

// Read reads one.
func (r *Repo) Read(ctx context.Context, id int64) (n int64, err error) {
	err = r.getter.DefaultTrOrDB(ctx, r.pool).QueryRow(ctx, "SELECT n FROM items WHERE id = $1", id).Scan(&n)
	return n, err
}

// Set writes one.
func (r *Repo) Set(ctx context.Context, id, n int64) error {
	_, err := r.getter.DefaultTrOrDB(ctx, r.pool).Exec(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n)
	return err
}

// Note writes on the pool, whatever the context carries.
func (r *Repo) Note(ctx context.Context, id int64) error {
	_, err := r.pool.Exec(ctx, "INSERT INTO notes (item_id) VALUES ($1)", id)
	return err
}

// Service changes items.
type Service struct {
	repo *Repo
	m    *manager.Manager
	any  trm.Manager
}

// New makes a service over a pool.
func New(pool *pgxpool.Pool) *Service {
	m := manager.Must(trmpgx.NewDefaultFactory(pool))
	return &Service{&Repo{pool, trmpgx.DefaultCtxGetter}, m, m}
}

// Getter finds no transaction where none was begun.
func (s *Service) Getter(id int64) error {
	ctx := context.Background()
	n, err := s.repo.Lock(ctx, id) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	return s.repo.Set(ctx, id, n-1)
}

// Do runs a function in a transaction, which only the context of the function has.
func (s *Service) Do(ctx context.Context, id int64) error {
	return s.m.Do(ctx, func(ctx context.Context) error {
		if err := s.repo.Set(ctx, id, 0); err != nil {
			return err
		}
		return s.repo.Note(ctx, id) // expect: poolintx
	})
}

// OuterContext is given to a statement in place of the function's.
func (s *Service) OuterContext(id int64) error {
	ctx := context.Background()
	return s.m.Do(ctx, func(tx context.Context) error {
		if err := s.repo.Set(tx, id, 0); err != nil {
			return err
		}
		return s.repo.Set(ctx, id, 1) // expect: poolintx
	})
}

// Interface is the manager behind its interface.
func (s *Service) Interface(ctx context.Context, id int64) error {
	return s.any.Do(ctx, func(ctx context.Context) error {
		if err := s.repo.Set(ctx, id, 0); err != nil {
			return err
		}
		return s.repo.Note(ctx, id) // expect: poolintx
	})
}

// Settings are those of the driver.
func (s *Service) Settings(ctx context.Context, id int64) error {
	opts := trmpgx.MustSettings(settings.Must(), trmpgx.WithTxOptions(pgx.TxOptions{IsoLevel: pgx.Serializable}))
	return s.m.DoWithSettings(ctx, opts, func(ctx context.Context) error { // expect: unhandled40001
		n, err := s.repo.Read(ctx, id)
		if err != nil {
			return err
		}
		return s.repo.Set(ctx, id, n-1)
	})
}

// Nested joins the transaction that there is.
func (s *Service) Nested(ctx context.Context, id int64) error {
	return s.m.Do(ctx, func(ctx context.Context) error {
		return s.m.Do(ctx, func(ctx context.Context) error {
			if err := s.repo.Set(ctx, id, 0); err != nil {
				return err
			}
			return s.repo.Note(ctx, id) // expect: poolintx
		})
	})
}

// Stale reads and writes in a transaction.
func (s *Service) Stale(ctx context.Context, id int64) error {
	return s.m.Do(ctx, func(ctx context.Context) error {
		n, err := s.repo.Read(ctx, id)
		if err != nil {
			return err
		}
		return s.repo.Set(ctx, id, n-1) // expect: lostupdate
	})
}

// RequiresNew begins another one, which waits for the first.
func (s *Service) RequiresNew(ctx context.Context, id int64) error {
	return s.m.Do(ctx, func(ctx context.Context) error {
		if err := s.repo.Set(ctx, id, 0); err != nil {
			return err
		}
		return s.m.DoWithSettings(ctx, settings.Must(settings.WithPropagation(trm.PropagationRequiresNew)), func(ctx context.Context) error { // missed: poolintx
			return s.repo.Set(ctx, id, 1)
		})
	})
}

// NotSupported leaves it.
func (s *Service) NotSupported(ctx context.Context, id int64) error {
	return s.m.Do(ctx, func(ctx context.Context) error {
		if err := s.repo.Set(ctx, id, 0); err != nil {
			return err
		}
		return s.m.DoWithSettings(ctx, settings.Must(settings.WithPropagation(trm.PropagationNotSupported)), func(ctx context.Context) error {
			return s.repo.Set(ctx, id, 1) // missed: poolintx
		})
	})
}

// Manual takes the transaction out of the context.
func (s *Service) Manual(ctx context.Context, id int64) error {
	return s.m.Do(ctx, func(ctx context.Context) error {
		tx := trmcontext.DefaultManager.Default(ctx).Transaction().(pgx.Tx)
		if _, err := tx.Exec(ctx, "UPDATE items SET n = 0 WHERE id = $1", id); err != nil {
			return err
		}
		return s.repo.Note(ctx, id) // expect: poolintx
	})
}

// SQL is the driver for database/sql.
func SQL(db *sql.DB, id int64) error {
	ctx := context.Background()
	q := trmsql.DefaultCtxGetter.DefaultTrOrDB(ctx, db)
	var n int64
	if err := q.QueryRowContext(ctx, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id).Scan(&n); err != nil { // expect: lockoutsidetx
		return err
	}
	_, err := q.ExecContext(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n-1)
	return err
}

// SQLX is the driver for sqlx.
func SQLX(db *sqlx.DB, id int64) error {
	ctx := context.Background()
	q := trmsqlx.DefaultCtxGetter.DefaultTrOrDB(ctx, db)
	var n int64
	if err := q.GetContext(ctx, &n, "SELECT n FROM items WHERE id = $1 FOR UPDATE", id); err != nil { // expect: lockoutsidetx
		return err
	}
	_, err := q.ExecContext(ctx, "UPDATE items SET n = $2 WHERE id = $1", id, n-1)
	return err
}

// Item is a row of items.
type Item struct{ ID, N int64 }

// Gorm keeps items with GORM.
type Gorm struct {
	db     *gorm.DB
	getter *trmgorm.CtxGetter
}

// OpenGorm opens a database for it.
func OpenGorm(dsn string) (*Gorm, error) {
	db, err := gorm.Open(postgres.Open(dsn))
	return &Gorm{db, trmgorm.DefaultCtxGetter}, err
}

// GORM is the driver for it.
func (g *Gorm) GORM(id int64) error {
	ctx := context.Background()
	q := g.getter.DefaultTrOrDB(ctx, g.db)
	var it Item
	if err := q.Clauses(clause.Locking{Strength: "UPDATE"}).First(&it, id).Error; err != nil { // missed: lockoutsidetx
		return err
	}
	return q.Model(&it).Update("n", it.N-1).Error
}
