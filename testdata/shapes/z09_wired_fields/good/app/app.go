// Package app pays invoices.
package app

import (
	"context"

	"gorm.io/gorm"
)

// A Transactor runs functions in transactions.
type Transactor interface {
	Do(ctx context.Context, fn func(ctx context.Context) error) error
	Pay(ctx context.Context, id int64) error
}

// A Service pays invoices.
type Service struct {
	db *gorm.DB
	tx Transactor
}

// New returns a service.
func New(db *gorm.DB, tx Transactor) *Service { return &Service{db: db, tx: tx} }

// Pay writes the entry with the handle that the service was made with.
func (s *Service) Pay(ctx context.Context, id int64) error {
	if err := s.tx.Pay(ctx, id); err != nil {
		return err
	}
	return s.db.WithContext(ctx).Exec("INSERT INTO entries (invoice) VALUES (?)", id).Error
}

// Sum sets a timeout for the statement after it.
func (s *Service) Sum(ctx context.Context) (cents int64, err error) {
	if err := s.db.WithContext(ctx).Exec("SET LOCAL statement_timeout = '5s'").Error; err != nil {
		return 0, err
	}
	err = s.db.WithContext(ctx).Raw("SELECT sum(cents) FROM entries").Scan(&cents).Error
	return cents, err
}
