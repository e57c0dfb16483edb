// Command bad reads without a lock in gorm's transaction, which travels in the context.
package main

import (
	"context"
	"log"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type txKey struct{}

// conn is the transaction of the context, else the pool.
func conn(ctx context.Context, db *gorm.DB) *gorm.DB {
	if tx, ok := ctx.Value(txKey{}).(*gorm.DB); ok {
		return tx.WithContext(ctx)
	}
	return db.WithContext(ctx)
}

// A Manager begins transactions and puts them into the context.
type Manager struct{ db *gorm.DB }

// Do runs fn in a transaction.
func (m *Manager) Do(ctx context.Context, fn func(ctx context.Context) error) error {
	return m.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return fn(context.WithValue(ctx, txKey{}, tx))
	})
}

// A Wallet holds money.
type Wallet struct {
	ID    int64
	Cents int64
}

// Wallets keeps wallets.
type Wallets struct{ db *gorm.DB }

// Get reads a wallet.
func (w *Wallets) Get(ctx context.Context, id int64) (*Wallet, error) {
	var row Wallet
	if err := conn(ctx, w.db).First(&row, id).Error; err != nil {
		return nil, err
	}
	return &row, nil
}

// Lock reads a wallet and locks it.
func (w *Wallets) Lock(ctx context.Context, id int64) (*Wallet, error) {
	var row Wallet
	err := conn(ctx, w.db).Clauses(clause.Locking{Strength: "UPDATE"}).First(&row, id).Error
	return &row, err
}

// Save writes a wallet.
func (w *Wallets) Save(ctx context.Context, row *Wallet) error {
	return conn(ctx, w.db).Save(row).Error
}

// A Service adds money.
type Service struct {
	manager *Manager
	wallets *Wallets
}

// Add adds to a wallet that it has not locked.
func (s *Service) Add(ctx context.Context, id, cents int64) error {
	return s.manager.Do(ctx, func(ctx context.Context) error {
		w, err := s.wallets.Get(ctx, id)
		if err != nil {
			return err
		}
		w.Cents += cents
		return s.wallets.Save(ctx, w) // expect: lostupdate
	})
}

func main() {
	db, err := gorm.Open(postgres.Open("host=localhost"))
	if err != nil {
		log.Fatal(err)
	}
	s := &Service{manager: &Manager{db}, wallets: &Wallets{db}}
	log.Print(s.Add(context.Background(), 1, 2))
}
