package bad

import (
	"context"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Repo[T any] struct{ db *gorm.DB }

func (r *Repo[T]) Lock(ctx context.Context, id uint) (*T, error) {
	var row T
	err := r.db.WithContext(ctx).Clauses(clause.Locking{Strength: "UPDATE"}).Take(&row, id).Error // or: lockoutsidetx
	return &row, err
}

func (r *Repo[T]) Save(ctx context.Context, row *T) error {
	return r.db.WithContext(ctx).Save(row).Error
}

type Ticket struct {
	ID    uint
	Count int
}

func Open(dsn string) (*Tickets, error) {
	db, err := gorm.Open(postgres.Open(dsn), &gorm.Config{})
	if err != nil {
		return nil, err
	}
	return &Tickets{repo: &Repo[Ticket]{db: db}}, nil
}

type Tickets struct{ repo *Repo[Ticket] }

func (t *Tickets) Sell(ctx context.Context, id uint) error {
	row, err := t.repo.Lock(ctx, id) // expect: lockoutsidetx
	if err != nil {
		return err
	}
	row.Count--
	return t.repo.Save(ctx, row) // also: lostupdate
}
