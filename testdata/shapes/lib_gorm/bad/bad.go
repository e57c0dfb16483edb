// Package bad has the faults of a bank on GORM, in the many ways that GORM has.
package bad

import (
	"context"
	"database/sql"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Account struct {
	ID      uint
	Owner   string
	Balance int64
	Status  string
	OrgID   uint
}

type DB struct{ *gorm.DB }

type Repo struct{ db *DB }

func NewRepo(db *gorm.DB) *Repo { return &Repo{&DB{db}} }

var global *gorm.DB

func Open(d gorm.Dialector) (err error) {
	global, err = gorm.Open(d)
	return err
}

func (r *Repo) RawLock(ctx context.Context, id uint, n int64) error {
	var b int64
	if err := r.db.WithContext(ctx).Raw("SELECT balance FROM accounts WHERE id = ? FOR UPDATE", id).Scan(&b).Error; err != nil { // expect: lockoutsidetx
		return err
	}
	if b < n {
		return errors.New("poor")
	}
	return r.db.WithContext(ctx).Exec("UPDATE accounts SET balance = ? WHERE id = ?", b-n, id).Error
}

func (r *Repo) FindLocked(ctx context.Context, org uint) error {
	var as []Account
	q := r.db.WithContext(ctx).Where("org_id = ?", org)
	q = q.Clauses(clause.Locking{Strength: "NO KEY UPDATE", Options: "NOWAIT"})
	if err := q.Find(&as).Error; err != nil { // expect: lockoutsidetx
		return err
	}
	for i := range as {
		if err := r.db.Model(&as[i]).Update("status", "seen").Error; err != nil {
			return err
		}
	}
	return nil
}

func (r *Repo) Stale(ctx context.Context, id uint, n int64) error {
	var a Account
	if err := r.db.First(&a, id).Error; err != nil {
		return err
	}
	a.Balance += n
	return r.db.Save(&a).Error // expect: lostupdate
}

func (r *Repo) Stale2(ctx context.Context, id uint, n int64) error {
	a := Account{}
	if res := global.WithContext(ctx).Where(&Account{ID: id}).Take(&a); res.Error != nil {
		return res.Error
	}
	return global.WithContext(ctx).Model(&Account{}).Where("id = ?", a.ID).Updates(Account{Balance: a.Balance - n}).Error // expect: lostupdate
}

func (r *Repo) Stale3(ctx context.Context, id uint, n int64) error {
	return global.Transaction(func(tx *gorm.DB) error {
		var a Account
		if err := tx.Where("id = ?", id).Find(&a).Error; err != nil {
			return err
		}
		return tx.Model(&a).UpdateColumns(map[string]interface{}{"balance": a.Balance - n}).Error // expect: lostupdate
	})
}

func (r *Repo) Guard(ctx context.Context, id uint) error {
	var a Account
	if err := r.db.First(&a, "id = ?", id).Error; err != nil {
		return err
	}
	if a.Status != "open" {
		return errors.New("closed")
	}
	return r.db.Model(&a).Update("status", "closing").Error // expect: lostupdate
}

func (r *Repo) Generic(ctx context.Context, id uint, n int64) error {
	a, err := gorm.G[Account](r.db.DB, clause.Locking{Strength: "UPDATE"}).Where("id = ?", id).First(ctx) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	_, err = gorm.G[Account](r.db.DB).Where("id = ?", id).Update(ctx, "balance", a.Balance-n)
	return err
}

func (r *Repo) GenericStale(ctx context.Context, id uint, n int64) error {
	a, err := gorm.G[Account](r.db.DB).Where("id = ?", id).First(ctx)
	if err != nil {
		return err
	}
	_, err = gorm.G[Account](r.db.DB).Where("id = ?", id).Update(ctx, "balance", a.Balance-n) // expect: lostupdate
	return err
}

func (r *Repo) Limit(ctx context.Context, org uint) error {
	var n int64
	if err := r.db.Model(&Account{}).Where("org_id = ?", org).Count(&n).Error; err != nil {
		return err
	}
	if n >= 5 {
		return errors.New("too many")
	}
	return r.db.Create(&Account{OrgID: org}).Error // expect: lostupdate
}

func (r *Repo) get(ctx context.Context, id uint) (*Account, error) {
	var a Account
	err := r.db.WithContext(ctx).First(&a, id).Error
	return &a, err
}

func (r *Repo) PoolIn(ctx context.Context, id uint) error {
	return r.db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec("UPDATE accounts SET balance = balance + 1 WHERE id = ?", id).Error; err != nil {
			return err
		}
		a, err := r.get(ctx, id) // expect: poolintx
		if err != nil {
			return err
		}
		return tx.Exec("INSERT INTO log (owner) VALUES (?)", a.Owner).Error
	})
}

func (r *Repo) Swallow(ctx context.Context, id uint) error {
	return r.db.Transaction(func(tx *gorm.DB) error {
		tx.Create(&Account{ID: id})
		return tx.Exec("UPDATE accounts SET balance = balance + 1 WHERE id = ?", id).Error // expect: abortedtx
	})
}

func (r *Repo) SetRole(ctx context.Context) error {
	db := r.db.Session(&gorm.Session{})
	return db.Exec("SET ROLE tenant").Error // expect: sessionset
}

func (r *Repo) Guarded(ctx context.Context, id uint, n int64) error {
	return r.db.WithContext(ctx).Model(&Account{}).Where("id = ?", id).Where("balance >= ?", n).Update("balance", gorm.Expr("balance - ?", n)).Error // expect: rowsaffected
}

func (r *Repo) Guarded2(ctx context.Context, id uint, n int64) error {
	return r.db.Exec("UPDATE accounts SET balance = balance - @n WHERE id = @id AND balance >= @n", sql.Named("n", n), sql.Named("id", id)).Error // expect: rowsaffected
}

func (r *Repo) Guarded3(ctx context.Context, a *Account) error {
	tx := r.db.Model(a).Where("status = ?", "open").Updates(map[string]any{"status": "closed"}) // expect: rowsaffected
	if tx.Error != nil {
		return tx.Error
	}
	return nil
}

func (r *Repo) Iso(ctx context.Context, id uint) error {
	tx := r.db.WithContext(ctx).Begin(&sql.TxOptions{Isolation: sql.LevelRepeatableRead}) // expect: unhandled40001
	defer tx.Rollback()
	if err := tx.Exec("UPDATE accounts SET balance = balance + 1 WHERE id = ?", id).Error; err != nil {
		return err
	}
	return tx.Commit().Error
}

func (r *Repo) Iso2(ctx context.Context, id uint) error {
	return r.db.Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE").Error; err != nil { // expect: unhandled40001
			return err
		}
		return tx.Exec("UPDATE accounts SET balance = balance + 1 WHERE id = ?", id).Error
	})
}

type Repo2 struct{ db *gorm.DB }

func (r *Repo2) locked(ctx context.Context, id uint) (a Account, err error) {
	err = r.db.Clauses(clause.Locking{Strength: "UPDATE"}).First(&a, id).Error
	return a, err
}

type Service struct{ repo *Repo2 }

func (s *Service) InTx(fn func(tx *gorm.DB) error) error { return s.repo.db.Transaction(fn) }

func (s *Service) B4(ctx context.Context, id uint, n int64) error {
	a, err := s.repo.locked(ctx, id) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	a.Balance -= n
	return s.repo.db.Save(&a).Error
}

type Job struct {
	ID          uint
	State, Kind string
}

func next(tx *gorm.DB, lock clause.Locking) (*Job, error) {
	var j Job
	err := tx.Clauses(lock).Where("state = ?", "new").Order("id").Limit(1).Take(&j).Error
	return &j, err
}

// The strength of the lock and its option come in with the parameter.
func (r *Repo) Claim(ctx context.Context) (kind string, err error) {
	err = r.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		j, err := next(tx, clause.Locking{Strength: "UPDATE"}) // expect: skiplocked
		if err != nil {
			return err
		}
		kind = j.Kind
		return tx.Model(j).Update("state", "taken").Error
	})
	return kind, err
}

// Nobody unlocks this one: Lead gives back its own.
func (r *Repo) Sweep(ctx context.Context) error {
	return r.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec("SELECT pg_advisory_lock(7)").Error; err != nil { // expect: advisorypool
			return err
		}
		return tx.Where("state = ?", "done").Delete(&Job{}).Error
	})
}

func (r *Repo) Lead(ctx context.Context) error {
	return r.db.WithContext(ctx).Connection(func(conn *gorm.DB) error {
		if err := conn.Exec("SELECT pg_advisory_lock(8)").Error; err != nil {
			return err
		}
		defer conn.Exec("SELECT pg_advisory_unlock(8)")
		return conn.Where("state = ?", "done").Delete(&Job{}).Error
	})
}
