// Package invoices sends invoices, with GORM.
package invoices

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// InvoiceJob is an invoice to send.
type InvoiceJob struct {
	ID       int64 `gorm:"primaryKey"`
	Status   string
	Attempts int
}

// Sender sends invoices.
type Sender struct {
	db   *gorm.DB
	send func(ctx context.Context, invoice int64) error
}

// NewSender returns a sender that sends with send.
func NewSender(db *gorm.DB, send func(ctx context.Context, invoice int64) error) *Sender {
	return &Sender{db: db, send: send}
}

// SendNext sends the first invoice that waits, under the lock of its row.
func (s *Sender) SendNext(ctx context.Context) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var job InvoiceJob
		err := tx.Clauses(clause.Locking{Strength: "UPDATE"}). // want "without SKIP LOCKED"
									Where("status = ?", "queued").
									Order("id").
									First(&job).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.send(ctx, job.ID); err != nil {
			return err
		}
		return tx.Model(&job).Updates(map[string]any{"status": "sent"}).Error
	})
}

// SendNextFree sends the first invoice that waits and that nobody else sends.
//
//proof:fixes (*Sender).SendNext
func (s *Sender) SendNextFree(ctx context.Context) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var job InvoiceJob
		err := tx.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}).
			Where("status = ?", "queued").
			Order("id").
			First(&job).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.send(ctx, job.ID); err != nil {
			return err
		}
		return tx.Model(&job).Updates(map[string]any{"status": "sent"}).Error
	})
}
