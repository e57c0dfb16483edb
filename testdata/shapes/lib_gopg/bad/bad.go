// Package bad is a ticket shop on go-pg.
package bad

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/go-pg/pg/v10"
	"github.com/go-pg/pg/v10/orm"
)

type Ticket struct {
	tableName struct{} `pg:"tickets"`

	ID     int64 `pg:",pk"`
	Holder string
	Price  int64
}

type Wallet struct {
	ID      int64 `pg:",pk"`
	Balance int64
}

var errSold = errors.New("the ticket is sold")

type Shop struct {
	db   *pg.DB
	mail string
}

// Buy locks the ticket with nothing that would hold the lock.
func (s *Shop) Buy(ctx context.Context, id int64, who string) error {
	ticket := &Ticket{ID: id}
	if err := s.db.ModelContext(ctx, ticket).WherePK().For("UPDATE").Select(); err != nil { // expect: lockoutsidetx
		return err
	}
	if ticket.Holder != "" {
		return errSold
	}
	ticket.Holder = who
	_, err := s.db.ModelContext(ctx, ticket).Column("holder").WherePK().Update()
	return err
}

// Refund asks the pool for a second connection inside of the transaction.
func (s *Shop) Refund(ctx context.Context, ticket, wallet int64) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		if _, err := tx.ModelContext(ctx, (*Ticket)(nil)).Set("holder = ''").Where("id = ?", ticket).Update(); err != nil {
			return err
		}
		_, err := s.db.ExecContext(ctx, "UPDATE wallets SET balance = balance + 10 WHERE id = ?", wallet) // expect: poolintx
		return err
	})
}

// Notify waits for a web server while the transaction holds its locks.
func (s *Shop) Notify(ctx context.Context, id int64) error {
	tx, err := s.db.BeginContext(ctx)
	if err != nil {
		return err
	}
	defer tx.Close()
	if _, err := tx.Model((*Ticket)(nil)).Set("price = 0").Where("id = ?", id).Update(); err != nil {
		return err
	}
	if _, err := http.Post(s.mail, "text/plain", strings.NewReader("free")); err != nil { // expect: externalcall
		return err
	}
	return tx.Commit()
}

// Settle takes a session-level lock on one session and gives it back on another.
func (s *Shop) Settle(ctx context.Context, day int64) error {
	if _, err := s.db.ExecContext(ctx, "SELECT pg_advisory_lock(?)", day); err != nil { // expect: advisorypool
		return err
	}
	defer s.db.ExecContext(ctx, "SELECT pg_advisory_unlock(?)", day) // also: advisorypool
	return s.settle(ctx, s.db)
}

func (s *Shop) settle(ctx context.Context, db orm.DB) error {
	_, err := db.ExecContext(ctx, "UPDATE tickets SET price = price WHERE holder <> ''")
	return err
}

// Pay reads the balance, and writes what it has computed from it.
func (s *Shop) Pay(ctx context.Context, id, sum int64) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		wallet := new(Wallet)
		if err := tx.ModelContext(ctx, wallet).Where("id = ?", id).Select(); err != nil {
			return err
		}
		if wallet.Balance < sum {
			return errors.New("not enough")
		}
		wallet.Balance -= sum
		_, err := tx.ModelContext(ctx, wallet).Column("balance").WherePK().Update() // expect: lostupdate
		return err
	})
}

// A Seat has a key of two columns.
type Seat struct {
	Hall   int64  `pg:"hall, pk"`
	Number int64  `pg:"number, pk"`
	Holder string `pg:"holder"`
	Sold   int64  `pg:"sold,use_zero"`
}

// Sit writes what it has read of the same seat, by names in the text.
func (s *Shop) Sit(ctx context.Context, hall, number int64, who string) error {
	return s.db.RunInTransaction(ctx, func(tx *pg.Tx) error {
		seat := &Seat{Hall: hall, Number: number}
		if err := tx.ModelContext(ctx, seat).WherePK().First(); err != nil {
			return err
		}
		seat.Sold++
		_, err := tx.ModelContext(ctx, seat).Set("sold = ?sold").WherePK().Update() // expect: lostupdate
		return err
	})
}

// Stand drops the count of a write that the holder guards.
func (s *Shop) Stand(ctx context.Context, hall, number int64, who string) error {
	_, err := s.db.ModelContext(ctx, (*Seat)(nil)). // expect: rowsaffected
							Set("holder = ''").
							Where("?TableAlias.hall = ? AND ?TableAlias.number = ?", hall, number).
							Where("?TableAlias.holder = ?", who).
							Update()
	return err
}
