// Package good is what is right in a bank on GORM.
package good

import (
	"context"

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

func (r *Repo) G1(ctx context.Context, id uint, n int64) error {
	return r.db.Transaction(func(tx *gorm.DB) error {
		a, err := gorm.G[Account](tx, clause.Locking{Strength: "UPDATE"}).Where("id = ?", id).First(ctx)
		if err != nil {
			return err
		}
		_, err = gorm.G[Account](tx).Where("id = ?", id).Update(ctx, "balance", a.Balance-n)
		return err
	})
}

func (r *Repo) G2(ctx context.Context, id uint, n int64) (a Account, err error) {
	res := r.db.Model(&a).Clauses(clause.Returning{}).Where("id = ? AND balance >= ?", id, n).Update("balance", gorm.Expr("balance - ?", n))
	if res.Error != nil {
		return a, res.Error
	}
	if res.RowsAffected < 1 {
		return a, gorm.ErrRecordNotFound
	}
	return a, nil
}

func (r *Repo) G3(ctx context.Context, org, id uint, name string) error {
	return r.db.Model(&Account{}).Where("id = ? AND org_id = ?", id, org).Updates(&Account{Owner: name, OrgID: org}).Error
}

type Repo2 struct{ db *gorm.DB }

func (r *Repo2) WithTx(tx *gorm.DB) *Repo2 { return &Repo2{tx} }

func (r *Repo2) locked(ctx context.Context, id uint) (a Account, err error) {
	err = r.db.Clauses(clause.Locking{Strength: "UPDATE"}).First(&a, id).Error
	return a, err
}

type Service struct{ repo *Repo2 }

func (s *Service) G4(ctx context.Context, id uint, n int64) error {
	return s.repo.db.Transaction(func(tx *gorm.DB) error {
		r := s.repo.WithTx(tx)
		a, err := r.locked(ctx, id)
		if err != nil {
			return err
		}
		a.Balance -= n
		return r.db.Save(&a).Error
	})
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

func (r *Repo) Claim(ctx context.Context) (kind string, err error) {
	err = r.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		j, err := next(tx, clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"})
		if err != nil {
			return err
		}
		kind = j.Kind
		return tx.Model(j).Update("state", "taken").Error
	})
	return kind, err
}

// The whole record is written, and its tenant with it: nobody moves it.
func (r *Repo) Put(ctx context.Context, a *Account, org uint) error {
	return r.db.Model(&Account{}).Where("id = ? AND org_id = ?", a.ID, org).Select("Owner", "Status", "OrgID").Updates(a).Error
}
