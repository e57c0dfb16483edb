// Package gormshop sells tickets with GORM.
package gormshop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Errors of the shop.
var (
	ErrSoldOut = errors.New("sold out")
	ErrChanged = errors.New("somebody else has changed the event")
)

// Event is a row of events.
type Event struct {
	ID      int    `gorm:"primaryKey"`
	Title   string `gorm:"uniqueIndex"`
	Seats   int
	Version int
}

// Job is a row of jobs.
type Job struct {
	ID    int
	Kind  string
	State string `gorm:"default:new"`
}

// Shop sells tickets.
type Shop struct{ db *gorm.DB }

// New returns a shop over the database.
func New(db *gorm.DB) *Shop { return &Shop{db: db} }

// An events is a repository, on the pool or in a transaction.
type events struct{ db *gorm.DB }

func (r events) lock(ctx context.Context, id int) (*Event, error) {
	var e Event
	err := r.db.WithContext(ctx).Clauses(clause.Locking{Strength: "UPDATE"}).First(&e, "id = ?", id).Error
	if err != nil {
		return nil, fmt.Errorf("lock event %d: %w", id, err)
	}
	return &e, nil
}

func (r events) get(ctx context.Context, id int) (*Event, error) {
	var e Event
	if err := r.db.WithContext(ctx).Take(&e, id).Error; err != nil {
		return nil, err
	}
	return &e, nil
}

func (r events) setSeats(ctx context.Context, id, seats int) error {
	return r.db.WithContext(ctx).Model(&Event{}).Where("id = ?", id).Update("seats", seats).Error
}

// Buy locks the event, outside of any transaction.
func (s *Shop) Buy(ctx context.Context, id, n int) error {
	repo := events{s.db}
	e, err := repo.lock(ctx, id) // want "row lock"
	if err != nil {
		return err
	}
	if e.Seats < n {
		return ErrSoldOut
	}
	return repo.setSeats(ctx, id, e.Seats-n)
}

// BuyInTx locks it until the seats are written.
//
//proof:fixes (*Shop).Buy
func (s *Shop) BuyInTx(ctx context.Context, id, n int) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		repo := events{tx}
		e, err := repo.lock(ctx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		return repo.setSeats(ctx, id, e.Seats-n)
	})
}

// Rename notes the mail to send on the database, while the transaction is open.
func (s *Shop) Rename(ctx context.Context, id int, title string) error {
	tx := s.db.WithContext(ctx).Begin()
	if tx.Error != nil {
		return tx.Error
	}
	defer tx.Rollback()
	if err := s.db.WithContext(ctx).Create(&Job{Kind: "renamed " + title}).Error; err != nil { // want "transaction"
		return err
	}
	if err := tx.Model(&Event{ID: id}).Update("title", title).Error; err != nil {
		return err
	}
	return tx.Commit().Error
}

// RenameInTx notes it in the transaction.
//
//proof:fixes (*Shop).Rename
func (s *Shop) RenameInTx(ctx context.Context, id int, title string) error {
	tx := s.db.WithContext(ctx).Begin()
	if tx.Error != nil {
		return tx.Error
	}
	defer tx.Rollback()
	if err := tx.Create(&Job{Kind: "renamed " + title}).Error; err != nil {
		return err
	}
	if err := tx.Model(&Event{ID: id}).Update("title", title).Error; err != nil {
		return err
	}
	return tx.Commit().Error
}

func announce(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func raiseVersion(tx *gorm.DB, id int) error {
	return tx.Model(&Event{}).Where(&Event{ID: id}).UpdateColumn("version", gorm.Expr("version + ?", 1)).Error
}

// Publish tells the partner while the event is locked.
func (s *Shop) Publish(ctx context.Context, id int, url string) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := raiseVersion(tx, id); err != nil {
			return err
		}
		return announce(ctx, url) // want "transaction"
	})
}

// PublishAfter tells the partner after the commit.
//
//proof:fixes (*Shop).Publish
func (s *Shop) PublishAfter(ctx context.Context, id int, url string) error {
	err := s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return raiseVersion(tx, id) })
	if err != nil {
		return err
	}
	return announce(ctx, url)
}

// Total gives the report five seconds, and whoever borrows the connection next.
func (s *Shop) Total(ctx context.Context) (int, error) {
	db := s.db.WithContext(ctx)
	if err := db.Exec(`SET statement_timeout = '5s'`).Error; err != nil { // want "session"
		return 0, err
	}
	var n int64
	err := db.Model(&Event{}).Count(&n).Error
	return int(n), err
}

// TotalLocal gives them to one transaction.
//
//proof:fixes (*Shop).Total
func (s *Shop) TotalLocal(ctx context.Context) (int, error) {
	var n int64
	err := s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`SET LOCAL statement_timeout = '5s'`).Error; err != nil {
			return err
		}
		return tx.Model(&Event{}).Count(&n).Error
	}, &sql.TxOptions{ReadOnly: true})
	return int(n), err
}

func sell(id, n int) func(tx *gorm.DB) error {
	return func(tx *gorm.DB) error {
		var e Event
		if err := tx.Select("id", "seats").Where("id = ?", id).First(&e).Error; err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		return tx.Model(&e).Updates(map[string]any{"seats": e.Seats - n}).Error
	}
}

var serializable = &sql.TxOptions{Isolation: sql.LevelSerializable}

// Sell sells under SERIALIZABLE, and gives 40001 to whoever comes second.
func (s *Shop) Sell(ctx context.Context, id, n int) error {
	return s.db.WithContext(ctx).Transaction(sell(id, n), serializable) // want "40001"
}

// SellAgain sells again when the code says so.
//
//proof:fixes (*Shop).Sell
func (s *Shop) SellAgain(ctx context.Context, id, n int) error {
	for {
		err := s.db.WithContext(ctx).Transaction(sell(id, n), serializable)
		if pgErr := new(pgconn.PgError); errors.As(err, &pgErr) && pgErr.Code == "40001" {
			continue
		}
		return err
	}
}

func atVersion(id, version int) func(*gorm.DB) *gorm.DB {
	return func(db *gorm.DB) *gorm.DB { return db.Where("id = ? AND version = ?", id, version) }
}

// Save writes the title if the version is the one that was read, and does not
// look whether it was.
func (s *Shop) Save(ctx context.Context, id, version int, title string) error {
	return s.db.WithContext(ctx).Model(&Event{}).Scopes(atVersion(id, version)). // want "row"
											Updates(map[string]any{"title": title, "version": version + 1}).Error
}

// SaveChecked looks.
//
//proof:fixes (*Shop).Save
func (s *Shop) SaveChecked(ctx context.Context, id, version int, title string) error {
	res := s.db.WithContext(ctx).Model(&Event{}).Scopes(atVersion(id, version)).
		Updates(map[string]any{"title": title, "version": version + 1})
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return ErrChanged
	}
	return nil
}

func next(tx *gorm.DB, lock clause.Locking) (*Job, error) {
	var j Job
	err := tx.Clauses(lock).Where("state = ?", "new").Order("id").Limit(1).Take(&j).Error
	return &j, err
}

// Claim takes the next mail, and makes all other workers wait for it.
func (s *Shop) Claim(ctx context.Context) (kind string, err error) {
	err = s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		j, err := next(tx, clause.Locking{Strength: "UPDATE"}) // want "SKIP LOCKED"
		if err != nil {
			return err
		}
		kind = j.Kind
		return tx.Model(j).Update("state", "taken").Error
	})
	return kind, err
}

// ClaimAny takes the next mail that nobody has.
//
//proof:fixes (*Shop).Claim
func (s *Shop) ClaimAny(ctx context.Context) (kind string, err error) {
	err = s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		j, err := next(tx, clause.Locking{Strength: "UPDATE", Options: clause.LockingOptionsSkipLocked})
		if err != nil {
			return err
		}
		kind = j.Kind
		return tx.Model(j).Update("state", "taken").Error
	})
	return kind, err
}

// Book reads the seats and saves the row that it has made of them.
func (s *Shop) Book(ctx context.Context, id, n int) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		e, err := events{tx}.get(ctx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return tx.Save(e).Error // want "lost update"
	})
}

// BookLocked locks the row before.
//
//proof:fixes (*Shop).Book
func (s *Shop) BookLocked(ctx context.Context, id, n int) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		e, err := events{tx}.lock(ctx, id)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		e.Seats -= n
		return tx.Save(e).Error
	})
}

func isDuplicate(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505"
}

// Add adds an event, which may be there, and asks for a poster. The second
// statement fails if the first did.
func (s *Shop) Add(ctx context.Context, title string) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		err := tx.Create(&Event{Title: title}).Error
		if err != nil && !isDuplicate(err) {
			return err
		}
		return tx.Create(&Job{Kind: "poster of " + title}).Error // want "25P02"
	})
}

// AddOnce leaves the event that is there alone.
//
//proof:fixes (*Shop).Add
func (s *Shop) AddOnce(ctx context.Context, title string) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&Event{Title: title}).Error; err != nil {
			return err
		}
		return tx.Create(&Job{Kind: "poster of " + title}).Error
	})
}

const sweeping = 4711

// Sweep forgets what is done. The lock is the session's, which outlives the
// commit.
func (s *Shop) Sweep(ctx context.Context) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec("SELECT pg_advisory_lock(?)", sweeping).Error; err != nil { // want "advisory lock"
			return err
		}
		return tx.Where("state = ?", "done").Delete(&Job{}).Error
	})
}

// SweepInTx does so under a lock that ends with the transaction.
//
//proof:fixes (*Shop).Sweep
func (s *Shop) SweepInTx(ctx context.Context) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec("SELECT pg_advisory_xact_lock(?)", sweeping).Error; err != nil {
			return err
		}
		return tx.Where("state = ?", "done").Delete(&Job{}).Error
	})
}

// Clear wants to keep everybody out. PostgreSQL refuses to lock a table outside
// of a transaction.
func (s *Shop) Clear(ctx context.Context) error {
	db := s.db.WithContext(ctx).Session(&gorm.Session{SkipDefaultTransaction: true})
	if err := db.Exec("LOCK TABLE jobs IN EXCLUSIVE MODE").Error; err != nil { // want "outside a transaction"
		return err
	}
	return db.Delete(&Job{}, "state = ?", "taken").Error
}

// ClearInTx keeps everybody out until it is done.
//
//proof:fixes (*Shop).Clear
func (s *Shop) ClearInTx(ctx context.Context) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec("LOCK TABLE jobs IN EXCLUSIVE MODE").Error; err != nil {
			return err
		}
		return tx.Delete(&Job{}, "state = ?", "taken").Error
	})
}

// What follows is right.

func forUpdate(db *gorm.DB) *gorm.DB {
	return db.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
}

// Close closes an event that it has locked by a scope, in a transaction that is
// begun by hand.
func (s *Shop) Close(ctx context.Context, id int) (err error) {
	tx := s.db.WithContext(ctx).Begin(&sql.TxOptions{})
	if tx.Error != nil {
		return tx.Error
	}
	defer func() {
		if err != nil {
			tx.Rollback()
		}
	}()
	var e Event
	if err = tx.Scopes(forUpdate).First(&e, id).Error; err != nil {
		return err
	}
	e.Seats = 0
	if err = tx.Save(&e).Error; err != nil {
		return err
	}
	return tx.Commit().Error
}

// Restock adds seats in the statement itself.
func (s *Shop) Restock(ctx context.Context, id, n int) error {
	return s.db.WithContext(ctx).Model(&Event{}).Where("id = ?", id).Update("seats", gorm.Expr("seats + ?", n)).Error
}

// Reserve takes seats in one statement, which says itself whether there were any.
func (s *Shop) Reserve(ctx context.Context, id, n int) error {
	res := s.db.WithContext(ctx).Model(&Event{}).Where("id = ? AND seats >= ?", id, n).UpdateColumn("seats", gorm.Expr("seats - ?", n))
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected != 1 {
		return ErrSoldOut
	}
	return nil
}

// Open creates the event, or raises the seats of the one that is there.
func (s *Shop) Open(ctx context.Context, title string, seats int) error {
	return s.db.WithContext(ctx).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "title"}},
		DoUpdates: clause.Assignments(map[string]any{"seats": gorm.Expr("events.seats + excluded.seats")}),
	}).Create(&Event{Title: title, Seats: seats}).Error
}

// AddEach adds what can be added: Transaction in a transaction is a savepoint.
func (s *Shop) AddEach(ctx context.Context, titles []string) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		for _, title := range titles {
			err := tx.Transaction(func(tx *gorm.DB) error { return tx.Create(&Event{Title: title}).Error })
			if err != nil && !isDuplicate(err) {
				return err
			}
		}
		return tx.Create(&Job{Kind: "posters"}).Error
	})
}

type txKey struct{}

// InTx runs fn with a context that carries the transaction.
func (s *Shop) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return fn(context.WithValue(ctx, txKey{}, tx)) })
}

func (s *Shop) handle(ctx context.Context) *gorm.DB {
	if tx, ok := ctx.Value(txKey{}).(*gorm.DB); ok {
		return tx.WithContext(ctx)
	}
	return s.db.WithContext(ctx)
}

func (s *Shop) lockEvent(ctx context.Context, id int) (e Event, err error) {
	err = s.handle(ctx).Scopes(forUpdate).First(&e, id).Error
	return e, err
}

// Move moves seats from one event to another, whose rows it has locked.
func (s *Shop) Move(ctx context.Context, from, to, n int) error {
	return s.InTx(ctx, func(ctx context.Context) error {
		e, err := s.lockEvent(ctx, from)
		if err != nil {
			return err
		}
		if e.Seats < n {
			return ErrSoldOut
		}
		if err := s.handle(ctx).Model(&e).Update("seats", e.Seats-n).Error; err != nil {
			return err
		}
		return s.handle(ctx).Model(&Event{}).Where("id = ?", to).Update("seats", gorm.Expr("seats + ?", n)).Error
	})
}

// Lead sweeps under a lock of a connection that it holds.
func (s *Shop) Lead(ctx context.Context) error {
	return s.db.WithContext(ctx).Connection(func(conn *gorm.DB) error {
		if err := conn.Exec("SELECT pg_advisory_lock(?)", sweeping).Error; err != nil {
			return err
		}
		defer conn.Exec("SELECT pg_advisory_unlock(?)", sweeping)
		return conn.Where("state = ?", "done").Delete(&Job{}).Error
	})
}

// Greet announces the shop after its statement, by the same function as Publish.
func (s *Shop) Greet(ctx context.Context, url string) error {
	if err := s.Open(ctx, "gala", 10); err != nil {
		return err
	}
	return announce(ctx, url)
}
