// Package store begins transactions.
package store

import (
	"context"

	"gorm.io/gorm"
)

type key struct{}

// A Manager begins transactions and puts them into the context.
type Manager struct{ db *gorm.DB }

// New returns a manager.
func New(db *gorm.DB) *Manager { return &Manager{db: db} }

// Do runs fn in a transaction.
func (m *Manager) Do(ctx context.Context, fn func(ctx context.Context) error) error {
	return m.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return fn(context.WithValue(ctx, key{}, tx))
	})
}

// Pay pays in the transaction of the context.
func (m *Manager) Pay(ctx context.Context, id int64) error {
	db := m.db
	if tx, ok := ctx.Value(key{}).(*gorm.DB); ok {
		db = tx
	}
	return db.WithContext(ctx).Exec("UPDATE invoices SET paid_at = now() WHERE id = ?", id).Error
}
