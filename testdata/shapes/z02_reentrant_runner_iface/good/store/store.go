// Package store begins transactions, unless the context has one.
package store

import (
	"context"
	"database/sql"

	"gorm.io/gorm"
)

type txKey struct{}

// A Manager begins transactions.
type Manager struct{ db *gorm.DB }

// New returns a manager.
func New(db *gorm.DB) *Manager { return &Manager{db: db} }

// Do runs fn in the transaction of the context, or in a new one.
func (m *Manager) Do(ctx context.Context, fn func(ctx context.Context) error, opts ...*sql.TxOptions) error {
	if _, ok := ctx.Value(txKey{}).(*gorm.DB); ok {
		return fn(ctx)
	}
	return m.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return fn(context.WithValue(ctx, txKey{}, tx))
	}, opts...)
}

// Pay marks an invoice as paid.
func (m *Manager) Pay(ctx context.Context, id int64) error {
	db := m.db
	if tx, ok := ctx.Value(txKey{}).(*gorm.DB); ok {
		db = tx
	}
	return db.WithContext(ctx).Exec("UPDATE invoices SET paid_at = now() WHERE id = ?", id).Error
}
